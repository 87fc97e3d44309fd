"""The rows of recall memory and their word index."""

import sqlite3
from collections.abc import Sequence
from datetime import datetime

from memory_tiers.dates import stamp
from memory_tiers.records import Message
from memory_tiers.sqlite.connection import Database
from memory_tiers.sqlite.rows import (
    OWNED,
    listed,
    match_expression,
    moment,
    owned,
    time_bounds,
    token,
)
from memory_tiers.sqlite.sessions import note_use
from memory_tiers.store import Filter, Owner
from memory_tiers.text import searchable

_COLUMNS = "id, session_id, role, text, at"


class SqliteMessages:
    """`MessageRows` over the table `messages`, searched through `messages_words`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, owner: Owner, message: Message) -> Message:
        """Store a message and note its session's time; return what is stored under its id."""
        parameters = {
            **owned(owner),
            "owner": token(owner),
            "id": message.id,
            "session_id": message.session_id,
            "role": message.role,
            "text": message.text,
            "searchable": searchable(message.text),
            "at": stamp(message.at),
        }
        with self._database.write() as connection:
            row = connection.execute(
                f"SELECT {_COLUMNS} FROM messages WHERE {OWNED} AND id = :id", parameters
            ).fetchone()
            if row is not None:
                return _message(row)
            connection.execute(
                "INSERT INTO messages(user_id, agent_id, owner, id, session_id, role, text, "
                "searchable, at) VALUES(:user_id, :agent_id, :owner, :id, :session_id, :role, "
                ":text, :searchable, :at)",
                parameters,
            )
            note_use(connection, owner, message.session_id, message.at)
        return message

    def get(self, owner: Owner, id: str) -> Message | None:
        """Return one message, None when there is none."""
        with self._database.read() as connection:
            row = connection.execute(
                f"SELECT {_COLUMNS} FROM messages WHERE {OWNED} AND id = :id "
                "AND deleted_at IS NULL",
                {**owned(owner), "id": id},
            ).fetchone()
        return _message(row) if row else None

    def delete(self, owner: Owner, id: str, at: datetime) -> bool:
        """Take a message out of every view; tell whether it was there."""
        with self._database.write() as connection:
            cursor = connection.execute(
                f"UPDATE messages SET deleted_at = :at WHERE {OWNED} AND id = :id "
                "AND deleted_at IS NULL",
                {**owned(owner), "id": id, "at": stamp(at)},
            )
            return cursor.rowcount > 0

    def count(self, owner: Owner, session_id: str, role: str) -> int:
        """Count the messages; a session or role that is not blank narrows it."""
        where = f"{OWNED} AND deleted_at IS NULL"
        where += " AND session_id = :session_id" if session_id else ""
        where += " AND role = :role" if role else ""
        with self._database.read() as connection:
            (number,) = connection.execute(
                f"SELECT count(*) FROM messages WHERE {where}",
                {**owned(owner), "session_id": session_id, "role": role},
            ).fetchone()
        return int(number)

    def newest(self, owner: Owner, session_id: str, limit: int) -> list[Message]:
        """Return the newest messages of a session, oldest first."""
        with self._database.read() as connection:
            rows = connection.execute(
                f"SELECT {_COLUMNS} FROM messages WHERE {OWNED} AND session_id = :session_id "
                "AND deleted_at IS NULL ORDER BY at DESC, seq DESC LIMIT :limit",
                {**owned(owner), "session_id": session_id, "limit": limit},
            ).fetchall()
        return [_message(row) for row in reversed(rows)]

    def search(
        self, owner: Owner, terms: Sequence[str], where: Filter, limit: int, offset: int
    ) -> tuple[list[tuple[Message, float]], int]:
        """Return a stretch of the messages that hold any of `terms`, with scores, and the total.

        Where no message holds a term, those with words that begin like one are found.
        """
        condition, parameters = _conditions(owner, where)
        hits = (  # CROSS JOIN: the words first, then their rows; the planner would do the reverse
            "FROM messages_words CROSS JOIN messages ON messages.seq = messages_words.rowid "
            f"WHERE messages_words MATCH :match AND {condition}"
        )
        with self._database.read() as connection:
            for prefix in (False, True):
                parameters["match"] = match_expression(owner, terms, prefix=prefix)
                (total,) = connection.execute(f"SELECT count(*) {hits}", parameters).fetchone()
                if total:
                    break
            rows = connection.execute(
                "SELECT messages.id, session_id, role, text, at, "
                f"-bm25(messages_words, 0.0, 1.0) AS score {hits} "
                "ORDER BY score DESC, at DESC, messages.seq DESC LIMIT :limit OFFSET :offset",
                {**parameters, "limit": limit, "offset": offset},
            ).fetchall()
        return [(_message(row), row["score"]) for row in rows], total


def _conditions(owner: Owner, where: Filter) -> tuple[str, dict[str, str]]:
    times, bounds = time_bounds(where, "messages")
    condition = f"{OWNED} AND deleted_at IS NULL{times}"
    parameters = {**owned(owner), **bounds}
    if where.roles:
        condition += " AND role IN (SELECT value FROM json_each(:roles))"
        parameters["roles"] = listed(where.roles)
    if where.session_id:
        condition += " AND session_id = :session_id"
        parameters["session_id"] = where.session_id
    if where.exclude:
        condition += " AND messages.id NOT IN (SELECT value FROM json_each(:exclude))"
        parameters["exclude"] = listed(where.exclude)
    return condition, parameters


def _message(row: sqlite3.Row) -> Message:
    return Message(row["id"], row["session_id"], row["role"], row["text"], moment(row["at"]))
