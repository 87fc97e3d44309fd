"""ADK's sessions on disk: calls, responses, pause and resume. The only place that opens them."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from google.adk.events import Event
from google.adk.sessions import Session
from google.adk.sessions.sqlite_session_service import SqliteSessionService

from app.backup import SESSIONS
from memory_tiers import StoreUnavailable
from memory_tiers.sqlite.connection import unavailable
from memory_tiers.sqlite.copying import copy_database


class Sessions(SqliteSessionService):
    """ADK's service over one file, which has a write-ahead log as long as this is open.

    So whoever copies or reads the file keeps no turn waiting. ADK opens the file anew for each
    step; one connection stays open here, else the log would be folded in and made again each time.
    """

    def __init__(self, file: Path) -> None:
        super().__init__(str(file))
        self._writing = asyncio.Lock()
        self._open = sqlite3.connect(file, isolation_level=None, check_same_thread=False)
        try:
            self._open.execute("PRAGMA journal_mode = WAL")
            self._open.execute("PRAGMA schema_version").fetchone()  # only a read opens the log
        except BaseException:
            self._open.close()
            raise

    async def create_session(self, **given: Any) -> Session:
        """Begin a session; see ADK."""
        async with self._writing:
            return await super().create_session(**given)

    async def append_event(self, session: Session, event: Event) -> Event:
        """Store an event; see ADK.

        First come, first served: left to themselves, many writers look again and again whether
        the file is free, and some of them wait for seconds.
        """
        if event.partial:  # nothing is stored
            return await super().append_event(session, event)
        async with self._writing:
            return await super().append_event(session, event)

    async def close(self) -> None:
        """Fold the log into the file and let go of it."""
        self._open.close()
        await super().close()


def open_sessions(folder: Path) -> Sessions:
    """Open `sessions.db` in the data folder.

    Raises:
        StoreUnavailable: the file is no database of sessions; nothing was changed.
    """
    file = folder / SESSIONS
    try:
        if file.exists():
            # ADK looks into the file only at the first turn; a broken one is better told at once.
            with closing(
                sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)
            ) as database:
                database.execute("PRAGMA schema_version").fetchone()
        return Sessions(file)
    except (sqlite3.Error, RuntimeError) as error:
        raise _unreadable() from error


def copy_sessions(folder: Path, file: Path) -> None:
    """Copy the `sessions.db` of a data folder, if there is one, as `Memory.backup` copies memory.

    Raises:
        StoreUnavailable: it cannot be read, or the copy cannot be written.
        OSError: `file` exists, or its disk failed.
    """
    source = folder / SESSIONS
    if not source.exists():
        return
    try:
        copy_database(source, file)
    except sqlite3.OperationalError as error:  # the disk, or another program; not the content
        raise unavailable(error) from error
    except sqlite3.Error as error:
        raise _unreadable() from error


def _unreadable() -> StoreUnavailable:
    return StoreUnavailable(
        "sessions.db in the data folder cannot be read as a database of sessions: restore it "
        "from a backup, or move it away to begin new conversations over the same memory."
    )
