"""sessions.db: what is copied while turns go on, and that nobody waits for it."""

import sqlite3
from contextlib import closing

import pytest

from app.adk.sessions import copy_sessions, open_sessions
from memory_tiers import StoreUnavailable


async def test_copy_made_meanwhile_holds_the_stored_session(tmp_path):
    """A copy of sessions in use is a database that opens and has what was stored."""
    sessions = open_sessions(tmp_path)
    made = await sessions.create_session(app_name="a", user_id="u1", session_id="s1")
    (tmp_path / "copy").mkdir()
    copy_sessions(tmp_path, tmp_path / "copy" / "sessions.db")
    await sessions.close()
    copied = open_sessions(tmp_path / "copy")
    found = await copied.get_session(app_name="a", user_id="u1", session_id="s1")
    await copied.close()

    assert found is not None and found.id == made.id


async def test_a_reader_does_not_keep_a_turn_waiting(tmp_path):
    """Sessions are stored while somebody reads the file from beginning to end."""
    sessions = open_sessions(tmp_path)
    await sessions.create_session(app_name="a", user_id="u1", session_id="s1")
    with closing(sqlite3.connect(tmp_path / "sessions.db", isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM sessions").fetchone()
        await sessions.create_session(app_name="a", user_id="u1", session_id="s2")
        seen = reader.execute("SELECT count(*) FROM sessions").fetchone()
    found = await sessions.list_sessions(app_name="a", user_id="u1")
    await sessions.close()

    assert seen == (1,)
    assert len(found.sessions) == 2


async def test_closing_folds_the_log_in(tmp_path):
    """After closing there is one file, which may be copied by hand."""
    sessions = open_sessions(tmp_path)
    await sessions.create_session(app_name="a", user_id="u1", session_id="s1")
    copy_sessions(tmp_path, tmp_path / "copy.db")
    (tmp_path / "copy.db").unlink()
    await sessions.close()

    assert [file.name for file in tmp_path.iterdir()] == ["sessions.db"]


def test_no_sessions_no_copy(tmp_path):
    """A data folder in which nobody ever spoke has no sessions; that is no error."""
    copy_sessions(tmp_path, tmp_path / "copy.db")

    assert not (tmp_path / "copy.db").exists()


def test_sessions_that_are_no_database_are_told(tmp_path):
    """A broken sessions.db is named, and nothing is left of the copy."""
    (tmp_path / "sessions.db").write_bytes(b"this is no database " * 100)

    with pytest.raises(StoreUnavailable, match=r"sessions\.db"):
        copy_sessions(tmp_path, tmp_path / "copy.db")
    assert not (tmp_path / "copy.db").exists()
