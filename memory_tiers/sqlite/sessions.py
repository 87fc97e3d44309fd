"""The rows of the list of conversations."""

import sqlite3
from datetime import datetime

from memory_tiers.dates import stamp
from memory_tiers.records import Session
from memory_tiers.sqlite.connection import Database
from memory_tiers.sqlite.rows import OWNED, moment, owned
from memory_tiers.store import Owner


def note_use(connection: sqlite3.Connection, owner: Owner, id: str, at: datetime) -> None:
    """Create a session, or move its time on, inside the caller's transaction."""
    connection.execute(
        "INSERT INTO sessions(user_id, agent_id, id, at) VALUES(:user_id, :agent_id, :id, :at) "
        "ON CONFLICT(user_id, agent_id, id) DO UPDATE SET at = max(at, excluded.at)",
        {**owned(owner), "id": id, "at": stamp(at)},
    )


class SqliteSessions:
    """`SessionRows` over the table `sessions`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def touch(self, owner: Owner, id: str, at: datetime) -> Session:
        """Create a session or note that it was used."""
        with self._database.write() as connection:
            note_use(connection, owner, id, at)
            row = _row(connection, owner, id)
            assert row is not None
            return _session(row)

    def name(self, owner: Owner, id: str, title: str) -> Session | None:
        """Give a session its title; None when there is no such session."""
        with self._database.write() as connection:
            connection.execute(
                f"UPDATE sessions SET title = :title WHERE {OWNED} AND id = :id",
                {**owned(owner), "id": id, "title": title},
            )
            row = _row(connection, owner, id)
        return _session(row) if row else None

    def get(self, owner: Owner, id: str) -> Session | None:
        """Return one session, None when there is none."""
        with self._database.read() as connection:
            row = _row(connection, owner, id)
        return _session(row) if row else None

    def newest(self, owner: Owner, limit: int, offset: int) -> list[Session]:
        """Return a stretch of the sessions, the one used last first."""
        with self._database.read() as connection:
            rows = connection.execute(
                f"SELECT id, title, at FROM sessions WHERE {OWNED} "
                "ORDER BY at DESC, rowid DESC LIMIT :limit OFFSET :offset",
                {**owned(owner), "limit": limit, "offset": offset},
            ).fetchall()
        return [_session(row) for row in rows]


def _row(connection: sqlite3.Connection, owner: Owner, id: str) -> sqlite3.Row | None:
    row: sqlite3.Row | None = connection.execute(
        f"SELECT id, title, at FROM sessions WHERE {OWNED} AND id = :id",
        {**owned(owner), "id": id},
    ).fetchone()
    return row


def _session(row: sqlite3.Row) -> Session:
    return Session(row["id"], row["title"], moment(row["at"]))
