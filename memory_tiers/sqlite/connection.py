"""Opening `memory.db` and running transactions on it. Knows no table but the record of migrations.

One connection writes and one reads, each under its lock; readers do not wait for writers. Whatever
SQLite or the disk complains of leaves here as one plain sentence.
"""

import os
import shutil
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from memory_tiers.errors import InvalidInput, StoreUnavailable
from memory_tiers.sqlite import migrations
from memory_tiers.sqlite.cleaning import clean
from memory_tiers.sqlite.copying import BUSY_SECONDS, copy_database

FILE_NAME = "memory.db"
LEAST_FREE_BYTES = 5_000_000

_SENTENCES = {
    "SQLITE_FULL": "The disk is full; free some space, then try again.",
    "SQLITE_READONLY": "The memory cannot be written; make the data folder and its files writable, "
    "or choose another folder.",
    "SQLITE_BUSY": "Another program holds the memory; close it, or try again in a moment.",
    "SQLITE_LOCKED": "Another program holds the memory; close it, or try again in a moment.",
    "SQLITE_NOTADB": f"{FILE_NAME} is no SQLite database; move it away, or restore a backup.",
    "SQLITE_CORRUPT": f"{FILE_NAME} is damaged; restore a backup, or move it away to start anew.",
    "SQLITE_CANTOPEN": "The memory cannot be opened; check the data folder and its permissions.",
    "SQLITE_IOERR": "The disk reported an error; check the disk, then try again.",
    "SQLITE_TOOBIG": "The text is too large to be stored; shorten it.",
}
_OTHERWISE = "The memory cannot be used; check the data folder, or restore a backup."


class Database:
    """The two connections. Both run in autocommit mode; transactions are explicit."""

    def __init__(self, folder: Path) -> None:
        _check_folder(folder)
        self._file = file = folder / FILE_NAME
        with explained():
            _check_schema(file)
            with _as_unavailable():
                folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._writer = _connect(file)
            try:
                _use_wal(self._writer)
                migrations.apply(self._writer)
                self._reader = _connect(file)
                self._reader.execute("PRAGMA query_only = ON")
            except BaseException:
                self._writer.close()
                raise
        self._write_lock = threading.RLock()
        self._read_lock = threading.RLock()

    @contextmanager
    def write(self) -> Iterator[sqlite3.Connection]:
        """Run the body as one transaction that nobody else writes during; all of it or none."""
        with self._write_lock, explained(), _transaction(self._writer, "BEGIN IMMEDIATE"):
            yield self._writer

    @contextmanager
    def read(self) -> Iterator[sqlite3.Connection]:
        """Run the body on one unchanging view of the rows."""
        with self._read_lock, explained(), _transaction(self._reader, "BEGIN"):
            yield self._reader

    def backup(self, file: Path) -> None:
        """Copy every committed row into a new file; see `Memory.backup`."""
        with self.read():  # a closed memory says so
            pass
        if file.exists():
            raise InvalidInput("A file of that name exists already; give the copy a new name.")
        try:
            with explained():
                copy_database(self._file, file)
        except OSError as error:
            raise StoreUnavailable(
                f"The copy cannot be written ({error.strerror}); check the disk it goes to."
            ) from error

    def clean(self) -> None:
        """Leave no byte of rows that were deleted for good; nothing is done where none is left."""
        with self._write_lock, explained():
            clean(self._writer)

    def close(self) -> None:
        """Close both connections."""
        with self._write_lock, self._read_lock, explained():
            self._reader.close()
            self._writer.close()


@contextmanager
def _transaction(connection: sqlite3.Connection, begin: str) -> Iterator[None]:
    connection.execute(begin)
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        # A full disk ends the transaction by itself, and the first error is the one to tell.
        if connection.in_transaction:
            with suppress(sqlite3.Error):
                connection.execute("ROLLBACK")
        raise


def unavailable(error: sqlite3.Error) -> StoreUnavailable:
    """Return what SQLite complains of as one plain sentence."""
    name = getattr(error, "sqlite_errorname", "")
    family = "_".join(name.split("_")[:2])
    return StoreUnavailable(_SENTENCES.get(family, _OTHERWISE))


@contextmanager
def explained() -> Iterator[None]:
    """Let what SQLite complains of leave the body as `StoreUnavailable`."""
    try:
        yield
    except sqlite3.IntegrityError:
        raise
    except sqlite3.Error as error:
        if isinstance(error, sqlite3.ProgrammingError) and "closed" in str(error):
            raise StoreUnavailable("The memory is closed; open it again.") from error
        raise unavailable(error) from error


@contextmanager
def _as_unavailable() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise StoreUnavailable(
            f"The data folder cannot be made ({error.strerror}); choose another folder."
        ) from error


def _check_folder(folder: Path) -> None:
    """Refuse, before anything is touched, what could only fail half-way."""
    with _as_unavailable():
        nearest = next(place for place in (folder, *folder.absolute().parents) if place.exists())
        if not nearest.is_dir():
            raise StoreUnavailable(
                "A file is in the place of the data folder; move it away, or choose another folder."
            )
        if not all(os.access(place, os.W_OK) for place in (nearest, *_files(folder))):
            raise StoreUnavailable(_SENTENCES["SQLITE_READONLY"])
        disk = shutil.disk_usage(nearest)
    if disk.total and disk.free < LEAST_FREE_BYTES:  # some network disks tell nothing at all
        raise StoreUnavailable(
            f"The disk of the data folder has {disk.free / 1e6:.1f} MB free and "
            f"{LEAST_FREE_BYTES / 1e6:.0f} MB are needed; free some space, then try again."
        )


def _files(folder: Path) -> list[Path]:
    names = (FILE_NAME, f"{FILE_NAME}-wal", f"{FILE_NAME}-shm")
    return [folder / name for name in names if (folder / name).exists()]


def _check_schema(file: Path) -> None:
    if not file.exists():
        return
    if not file.is_file():
        raise StoreUnavailable(_SENTENCES["SQLITE_CANTOPEN"])
    # Read-only, so that a newer database is left as it is: no mode switched, no log folded in.
    connection = sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)
    try:
        migrations.check(connection)
    finally:
        connection.close()


def _connect(file: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(
        file, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
    )
    connection.row_factory = sqlite3.Row
    try:
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA secure_delete = ON")
        connection.execute("PRAGMA foreign_keys = ON")
    except BaseException:
        connection.close()
        raise
    return connection


def _use_wal(connection: sqlite3.Connection) -> None:
    """Switch to the write-ahead log; SQLite does not itself wait for others who do the same."""
    deadline = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.05)
        else:
            return
