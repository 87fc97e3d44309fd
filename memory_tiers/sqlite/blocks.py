"""The rows of core memory."""

import sqlite3
from collections.abc import Callable
from datetime import datetime

from memory_tiers.dates import stamp
from memory_tiers.records import BlockVersion
from memory_tiers.sqlite.connection import Database
from memory_tiers.sqlite.rows import OWNED, moment, owned
from memory_tiers.store import Owner

_COLUMNS = "label, version, text, cause, at"


class SqliteBlocks:
    """`BlockRows` over the table `block_versions`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def versions(self, owner: Owner, label: str) -> list[BlockVersion]:
        """Return every stored version, oldest first; empty when the block was never changed."""
        with self._database.read() as connection:
            return versions_of(connection, owner, label)

    def latest(self, owner: Owner) -> dict[str, BlockVersion]:
        """Return the newest stored version of each block, by label."""
        with self._database.read() as connection:
            rows = connection.execute(
                f"SELECT {_COLUMNS}, max(version) FROM block_versions WHERE {OWNED} GROUP BY label",
                owned(owner),
            ).fetchall()
        return {row["label"]: _version(row) for row in rows}

    def change(
        self,
        owner: Owner,
        initial: BlockVersion,
        rule: Callable[[list[BlockVersion]], str],
        *,
        cause: str,
        key: str | None,
        at: datetime,
    ) -> BlockVersion:
        """Append what `rule` makes of all versions so far (`initial` first); return the newest."""
        with self._database.write() as connection:
            stored = versions_of(connection, owner, initial.label)
            versions = stored or [initial]
            if key is not None and _used(connection, owner, key):
                return versions[-1]
            newest = BlockVersion(
                initial.label, versions[-1].version + 1, rule(versions), cause, at
            )
            if not stored:
                add_version(connection, owner, initial, None)
            add_version(connection, owner, newest, key)
        return newest


def versions_of(connection: sqlite3.Connection, owner: Owner, label: str) -> list[BlockVersion]:
    """Return every stored version, oldest first, inside the caller's transaction."""
    rows = connection.execute(
        f"SELECT {_COLUMNS} FROM block_versions WHERE {OWNED} AND label = :label ORDER BY version",
        {**owned(owner), "label": label},
    )
    return [_version(row) for row in rows]


def _used(connection: sqlite3.Connection, owner: Owner, key: str) -> bool:
    row = connection.execute(
        f"SELECT 1 FROM block_versions WHERE {OWNED} AND key = :key", {**owned(owner), "key": key}
    ).fetchone()
    return row is not None


def add_version(
    connection: sqlite3.Connection, owner: Owner, version: BlockVersion, key: str | None
) -> None:
    """Store a version inside the caller's transaction."""
    connection.execute(
        "INSERT INTO block_versions VALUES(:user_id, :agent_id, :label, :version, :text, :cause, "
        ":key, :at)",
        {
            **owned(owner),
            "label": version.label,
            "version": version.version,
            "text": version.text,
            "cause": version.cause,
            "key": key,
            "at": stamp(version.at),
        },
    )


def _version(row: sqlite3.Row) -> BlockVersion:
    return BlockVersion(row["label"], row["version"], row["text"], row["cause"], moment(row["at"]))
