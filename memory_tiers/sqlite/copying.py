"""Copies of a database that others go on using, and whether a file is a sound one.

Knows no table and puts nothing into words: what SQLite and the disk complain of is passed on.
"""

import os
import sqlite3
from contextlib import closing
from errno import EEXIST
from pathlib import Path

BUSY_SECONDS = 10.0


def copy_database(source: Path, target: Path) -> None:
    """Copy what is committed into a new file, checked and on the disk when this returns.

    The source is read through a connection of its own. Where it keeps a write-ahead log nobody who
    reads or writes it waits. Only rows travel: what was deleted leaves no trace in the copy. A
    failed copy leaves no file.

    Raises:
        sqlite3.Error: The source cannot be read, or the target cannot be written.
        OSError: The target exists, or its disk failed.
    """
    if target.exists():
        raise FileExistsError(EEXIST, os.strerror(EEXIST))
    try:
        with closing(_reading(source)) as connection:
            connection.execute("VACUUM INTO ?", (str(target),))
        check_database(target)
        with target.open("rb+") as copied:
            os.fsync(copied.fileno())
        sync_folder(target.parent)
    except BaseException:
        target.unlink(missing_ok=True)
        raise


def check_database(file: Path) -> None:
    """Let SQLite look through a whole database.

    Raises:
        sqlite3.Error: It is missing, no database, or damaged.
    """
    with closing(_reading(file)) as connection:
        (verdict,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    if verdict != "ok":
        raise sqlite3.DatabaseError(verdict)


def sync_folder(folder: Path) -> None:
    """Have the names in a folder written to the disk."""
    if hasattr(os, "O_DIRECTORY"):  # elsewhere a folder cannot be opened, nor need it be
        descriptor = os.open(folder, os.O_DIRECTORY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _reading(file: Path) -> sqlite3.Connection:
    uri = f"{file.absolute().as_uri()}?mode=ro"
    return sqlite3.connect(uri, timeout=BUSY_SECONDS, isolation_level=None, uri=True)
