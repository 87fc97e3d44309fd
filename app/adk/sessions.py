"""ADK's sessions on disk: calls, responses, pause and resume. The only place that opens them."""

import sqlite3
from pathlib import Path

from google.adk.sessions.sqlite_session_service import SqliteSessionService

from memory_tiers import StoreUnavailable


def open_sessions(folder: Path) -> SqliteSessionService:
    """Open `sessions.db` in the data folder.

    Raises:
        StoreUnavailable: the file is no database of sessions; nothing was changed.
    """
    file = folder / "sessions.db"
    try:
        if file.exists():
            # ADK looks into the file only at the first turn; a broken one is better told at once.
            with sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True) as database:
                database.execute("PRAGMA schema_version").fetchone()
        return SqliteSessionService(str(file))
    except (sqlite3.Error, RuntimeError) as error:
        raise StoreUnavailable(
            "sessions.db in the data folder cannot be read as a database of sessions: restore it "
            "from a backup, or move it away to begin new conversations over the same memory."
        ) from error
