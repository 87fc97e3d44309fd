"""All rows of one person, whichever agent they belong to: erased, looked for, given to another."""

import sqlite3
from collections.abc import Sequence
from datetime import datetime

from memory_tiers.dates import stamp
from memory_tiers.records import Passage
from memory_tiers.sqlite.adoption import adopt, new_session_ids
from memory_tiers.sqlite.cleaning import note_dirt
from memory_tiers.sqlite.connection import Database
from memory_tiers.sqlite.nearest import NearestChunks
from memory_tiers.sqlite.rows import listed
from memory_tiers.store import Merging, Owner

# In this order what refers to a row goes before it, and the counts of changes after the chunks.
TABLES = (
    "chunks",
    "passage_tags",
    "passages",
    "messages",
    "sessions",
    "confirmations",
    "block_versions",
    "chunk_changes",
)
_WORDS = {"messages": "messages_words", "passages": "passages_words"}
_NEWEST = {
    "block_versions": "max(at)",
    "sessions": "max(at)",
    "messages": "max(max(at, coalesce(deleted_at, at)))",
    "passages": "max(max(at, coalesce(deleted_at, at)))",
    "confirmations": "max(max(at, coalesce(answered_at, at)))",
}
_LAST_CHARACTER = 0x10FFFF
_SURROGATES = range(0xD800, 0xE000)


class SqlitePeople:
    """`PeopleRows` over every table, and the indexes of the chunks."""

    def __init__(self, database: Database, nearest: NearestChunks) -> None:
        self._database = database
        self._nearest = nearest

    def erase(self, user_ids: Sequence[str]) -> None:
        """Remove every row, word, vector and byte of some people; finish what was broken off."""
        with self._database.write() as connection:
            erased = {table: _erase(connection, table, user_ids) for table in TABLES}
            for table, words in _WORDS.items():
                if erased[table]:  # the entries of a word stay in the index until it is merged
                    connection.execute(f"INSERT INTO {words}({words}) VALUES('optimize')")
            if any(erased.values()):
                note_dirt(connection)
            self._nearest.sweep(connection)
        self._sweep()
        self._database.clean()

    def idle(self, prefix: str, before: datetime) -> list[str]:
        """Return whose id begins with `prefix` and whose newest row is older than `before`."""
        after = _after(prefix)
        bounds = "user_id >= :first" + (" AND user_id < :after" if after else "")
        newest = " UNION ALL ".join(
            f"SELECT user_id, {at} AS at FROM {table} WHERE {bounds} GROUP BY user_id"
            for table, at in _NEWEST.items()
        )
        with self._database.read() as connection:
            rows = connection.execute(
                f"SELECT user_id FROM ({newest}) GROUP BY user_id HAVING max(at) < :before "
                "ORDER BY user_id",
                {"first": prefix, "after": after, "before": stamp(before)},
            ).fetchall()
        return [row["user_id"] for row in rows]

    def holds(self, user_id: str) -> bool:
        """Tell whether there is a message, a passage or a version of a block."""
        with self._database.read() as connection:
            (found,) = connection.execute(
                "SELECT EXISTS(SELECT 1 FROM messages WHERE user_id = :user AND deleted_at IS NULL)"
                " OR EXISTS(SELECT 1 FROM passages WHERE user_id = :user AND deleted_at IS NULL)"
                " OR EXISTS(SELECT 1 FROM block_versions WHERE user_id = :user)",
                {"user": user_id},
            ).fetchone()
        return bool(found)

    def new_session_ids(self, visitor_id: str, user_id: str) -> dict[str, str]:
        """Return what the sessions of a visitor will be called whose ids the user has too."""
        with self._database.read() as connection:
            return new_session_ids(connection, visitor_id, user_id)

    def adopt(
        self, visitor_id: str, user_id: str, merge: Merging, at: datetime
    ) -> list[tuple[Owner, Passage]]:
        """Give a user everything of a visitor; return the passages that `merge` made."""
        with self._database.write() as connection:
            made = adopt(connection, self._nearest, (visitor_id, user_id), merge, at)
            self._nearest.sweep(connection)
        self._sweep()
        return made

    def _sweep(self) -> None:
        """Sweep again when nobody reads any more what was there before and might save it."""
        with self._database.write() as connection, self._database.read():
            self._nearest.sweep(connection)


def _erase(connection: sqlite3.Connection, table: str, user_ids: Sequence[str]) -> int:
    cursor = connection.execute(
        f"DELETE FROM {table} WHERE user_id IN (SELECT value FROM json_each(:users))",
        {"users": listed(user_ids)},
    )
    return cursor.rowcount


def _after(prefix: str) -> str:
    """Return the first text behind all that begin with `prefix`; blank when there is none.

    SQLite compares the bytes of UTF-8, which order texts as their code points do.
    """
    for length in range(len(prefix), 0, -1):
        following = ord(prefix[length - 1]) + 1
        if following <= _LAST_CHARACTER:
            following = _SURROGATES.stop if following in _SURROGATES else following
            return prefix[: length - 1] + chr(following)
    return ""
