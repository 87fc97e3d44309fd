"""Bytes that deleted rows leave behind in a database, and their removal. Knows no table.

`secure_delete` overwrites a row where it lay. Pages that were split or joined while it was there
may hold older copies of it in their free space, and so does the write-ahead log; a database that
is written anew has none. That this is still to be done is kept in it, as its `user_version`.
"""

import sqlite3


def note_dirt(connection: sqlite3.Connection) -> None:
    """Note, in the transaction that deletes, that bytes may be left of what it deletes."""
    connection.execute("PRAGMA user_version = 1")


def clean(connection: sqlite3.Connection) -> None:
    """Write the database anew and empty its log, if that is still to be done.

    Outside a transaction. Where somebody goes on reading what was there before, the log cannot be
    emptied; it stays to be done.

    Raises:
        sqlite3.Error: It cannot be written; the rows are as they were.
    """
    (dirty,) = connection.execute("PRAGMA user_version").fetchone()
    if not dirty:
        return
    connection.execute("VACUUM")
    busy, _, _ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    if not busy:
        connection.execute("PRAGMA user_version = 0")
