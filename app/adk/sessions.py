"""ADK's sessions on disk: calls, responses, pause and resume. The only place that opens them."""

import asyncio
import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from google.adk.events import Event
from google.adk.sessions import Session
from google.adk.sessions.sqlite_session_service import CREATE_SCHEMA_SQL, SqliteSessionService

from app.backup import SESSIONS
from memory_tiers import StoreUnavailable
from memory_tiers.sqlite.cleaning import clean, note_dirt
from memory_tiers.sqlite.connection import unavailable
from memory_tiers.sqlite.copying import copy_database

_THEIRS = "app_name = :app AND user_id = :visitor"
_ADOPT_SESSION = (  # what the user has already wins; an event refers to the session it is in
    "INSERT INTO sessions SELECT app_name, :user, :new, state, create_time, update_time "
    f"FROM sessions WHERE {_THEIRS} AND id = :id ON CONFLICT(app_name, user_id, id) DO UPDATE SET "
    "state = json_patch(excluded.state, state), "
    "update_time = max(update_time, excluded.update_time)",
    "UPDATE events SET id = id || '-' || lower(hex(randomblob(4))) "
    f"WHERE {_THEIRS} AND session_id = :id AND id IN (SELECT id FROM events "
    "WHERE app_name = :app AND user_id = :user AND session_id = :new)",
    f"UPDATE events SET user_id = :user, session_id = :new WHERE {_THEIRS} AND session_id = :id",
    f"DELETE FROM sessions WHERE {_THEIRS} AND id = :id",
)
_ADOPT_STATE = (
    "INSERT INTO user_states SELECT app_name, :user, state, update_time FROM user_states "
    "WHERE user_id = :visitor ON CONFLICT(app_name, user_id) DO UPDATE SET "
    "state = json_patch(excluded.state, state)",
    "DELETE FROM user_states WHERE user_id = :visitor",
)


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
            self._open.execute("PRAGMA secure_delete = ON")
            self._open.execute("PRAGMA foreign_keys = ON")
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

    async def erase(self, *user_ids: str) -> None:
        """Erase everything of these users, to the last byte; see `Memory.erase`.

        Raises:
            StoreUnavailable: the disk failed or is full; the rows are all there or all gone.
        """
        async with self._writing:
            await asyncio.to_thread(self._erase, user_ids)

    async def adopt(self, visitor_id: str, user_id: str, names: Mapping[str, str]) -> None:
        """Give a user all sessions of a visitor, in one transaction; see `Memory.adopt`.

        Args:
            visitor_id: Who has nothing left afterwards.
            user_id: Who has everything.
            names: The sessions that get a new id, see `Memory.new_session_ids`. Where the user
                has a session of the same id all the same, the two become one.

        Raises:
            StoreUnavailable: the disk failed or is full; nothing was changed.
        """
        if visitor_id == user_id:
            return
        async with self._writing:
            await asyncio.to_thread(self._adopt, visitor_id, user_id, names)

    def _erase(self, user_ids: Sequence[str]) -> None:
        users = {"users": json.dumps(user_ids)}
        with _explained():
            self._open.executescript(CREATE_SCHEMA_SQL)  # ADK makes it at the first turn
            with self._open as database:
                database.execute("BEGIN IMMEDIATE")
                erased = sum(
                    database.execute(
                        f"DELETE FROM {table} "
                        "WHERE user_id IN (SELECT value FROM json_each(:users))",
                        users,
                    ).rowcount
                    for table in ("events", "sessions", "user_states")
                )
                if erased:
                    note_dirt(database)
            clean(self._open)

    def _adopt(self, visitor_id: str, user_id: str, names: Mapping[str, str]) -> None:
        who = {"visitor": visitor_id, "user": user_id}
        with _explained():
            self._open.executescript(CREATE_SCHEMA_SQL)
            with self._open as database:
                database.execute("BEGIN IMMEDIATE")
                found = database.execute(
                    "SELECT app_name, id FROM sessions WHERE user_id = :visitor", who
                ).fetchall()
                for app, id in found:
                    session = {**who, "app": app, "id": id, "new": names.get(id, id)}
                    for step in _ADOPT_SESSION:
                        database.execute(step, session)
                for step in _ADOPT_STATE:
                    database.execute(step, who)

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
    with _explained():
        copy_database(source, file)


@contextmanager
def _explained() -> Iterator[None]:
    try:
        yield
    except sqlite3.OperationalError as error:  # the disk, or another program; not the content
        raise unavailable(error) from error
    except sqlite3.Error as error:
        raise _unreadable() from error


def _unreadable() -> StoreUnavailable:
    return StoreUnavailable(
        "sessions.db in the data folder cannot be read as a database of sessions: restore it "
        "from a backup, or move it away to begin new conversations over the same memory."
    )
