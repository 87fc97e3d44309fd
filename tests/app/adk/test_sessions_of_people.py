"""sessions.db: a person's sessions are erased to the last byte, or become another person's."""

import asyncio
import sqlite3
from contextlib import closing

import pytest
from google.adk.events import Event, EventActions
from google.genai import types
from hypothesis import given, settings
from hypothesis import strategies as st

from app.adk.sessions import open_sessions
from memory_tiers import StoreUnavailable
from tests.memory_tiers.people_kit import ODD_IDS, USER, VISITOR

TABLES = ("events", "sessions", "user_states")


@pytest.fixture
async def sessions(tmp_path):
    """Sessions of a data folder."""
    opened = open_sessions(tmp_path)
    yield opened
    await opened.close()


async def tell(sessions, user, session_id, *texts, at=1000.0, app="a"):
    """Store a session with some events, and something in the state of session and user."""
    session = await sessions.get_session(app_name=app, user_id=user, session_id=session_id)
    if session is None:
        session = await sessions.create_session(app_name=app, user_id=user, session_id=session_id)
    for number, text in enumerate(texts, len(session.events)):
        await sessions.append_event(
            session,
            Event(
                id=f"e{number}",
                author="user",
                invocation_id="i",
                timestamp=session.last_update_time + at + number,
                content=types.Content(role="user", parts=[types.Part(text=text)]),
                actions=EventActions(state_delta={"user:last": text, f"own {text}": 1}),
            ),
        )


async def told(sessions, user, session_id, app="a"):
    """Return the texts of a session in their order; None when there is no such session."""
    session = await sessions.get_session(app_name=app, user_id=user, session_id=session_id)
    if session is None:
        return None
    return [event.content.parts[0].text for event in session.events]


def rows_of(folder, user):
    """Count what any table holds of a user."""
    with closing(sqlite3.connect(folder / "sessions.db")) as connection:
        return [
            connection.execute(f"SELECT count(*) FROM {t} WHERE user_id = ?", (user,)).fetchone()[0]
            for t in TABLES
        ]


def content(folder):
    """Return every byte of the database and its log."""
    return b"".join(file.read_bytes() for file in folder.glob("sessions.db*"))


async def test_every_table_that_names_a_user_is_known(tmp_path, sessions):
    """A table of a later ADK that names users is noticed here."""
    await tell(sessions, "u1", "s1")
    with closing(sqlite3.connect(tmp_path / "sessions.db")) as connection:
        named = {
            table
            for (table,) in connection.execute("SELECT name FROM sqlite_schema WHERE type='table'")
            if "user_id" in [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
        }

    assert named == {*TABLES}


async def test_no_byte_of_the_erased_is_left(tmp_path, sessions):
    """Their ids and words are in neither file, though events of several were mixed."""
    for turn in range(40):
        for user, word in (("keeper", "kk"), ("zqgone", "zqxj")):
            text = f"{word} {turn} " * (1 + 60 * (turn % 3))
            await tell(sessions, user, f"{user}{turn % 7}", text, at=turn)
    there = content(tmp_path)
    await sessions.erase("zqgone")
    left = content(tmp_path)

    assert b"zqxj" in there and b"zqgone" in there
    assert b"zqxj" not in left and b"zqgone" not in left
    assert len(await told(sessions, "keeper", "keeper1")) == 6


@pytest.mark.parametrize("name", ODD_IDS)
async def test_others_are_untouched_whatever_their_ids(tmp_path, sessions, name):
    """Only the one meant is erased, in every app; twice is the same as once."""
    for each in ODD_IDS:
        await tell(sessions, each, "s1", f"of {each}")
    await tell(sessions, name, "s1", "elsewhere", app="b")
    await sessions.erase(name)
    await sessions.erase(name)

    assert rows_of(tmp_path, name) == [0, 0, 0]
    for each in ODD_IDS:
        assert await told(sessions, each, "s1") == (None if each == name else [f"of {each}"])


async def test_nobody_ever_spoke(tmp_path, sessions):
    """A fresh file has nothing to erase or to take along, and that is no error."""
    await sessions.erase("u1")
    await sessions.adopt(VISITOR, USER, {})

    assert rows_of(tmp_path, USER) == [0, 0, 0]


async def test_sessions_become_the_users(tmp_path, sessions):
    """Events keep their order, states go along, and the conversation can go on."""
    await tell(sessions, VISITOR, "s1", "one", "two")
    await tell(sessions, VISITOR, "s1", "elsewhere", app="b")
    await tell(sessions, USER, "s2", "mine")
    await sessions.adopt(VISITOR, USER, {})
    await sessions.adopt(VISITOR, USER, {})
    await tell(sessions, USER, "s3", "on", at=2000)

    assert rows_of(tmp_path, VISITOR) == [0, 0, 0]
    assert await told(sessions, USER, "s1") == ["one", "two"]
    assert await told(sessions, USER, "s1", "b") == ["elsewhere"]
    assert await told(sessions, USER, "s2") == ["mine"]
    session = await sessions.get_session(app_name="a", user_id=USER, session_id="s1")
    assert session.state == {"own one": 1, "own two": 1, "user:last": "on"}


async def test_taking_oneself_along_changes_nothing(sessions):
    """One and the same person on both sides keeps everything."""
    await tell(sessions, USER, "s1", "one")
    await sessions.adopt(USER, USER, {})

    assert await told(sessions, USER, "s1") == ["one"]


async def test_a_session_both_have_gets_the_new_id(sessions):
    """Two conversations of one id stay two."""
    await tell(sessions, VISITOR, "s", "theirs")
    await tell(sessions, USER, "s", "mine")
    await sessions.adopt(VISITOR, USER, {"s": "s-new"})

    assert await told(sessions, USER, "s") == ["mine"]
    assert await told(sessions, USER, "s-new") == ["theirs"]


STORED = st.dictionaries(
    st.sampled_from(["s", "s%", "s'", "東京"]),
    st.lists(st.sampled_from(["a", "b", "ü"]), max_size=3),
    max_size=4,
)


@settings(max_examples=20, deadline=None)
@given(theirs=STORED, mine=STORED)
def test_no_event_is_lost(tmp_path_factory, theirs, mine):
    """Even where ids of sessions and of events clash and no new one was given."""

    async def check():
        folder = tmp_path_factory.mktemp("m")
        sessions = open_sessions(folder)
        for user, stored in ((VISITOR, theirs), (USER, mine)):
            for session_id, texts in stored.items():
                await tell(sessions, user, session_id, *texts)
        await sessions.adopt(VISITOR, USER, {})
        for session_id in theirs.keys() | mine.keys():
            found = await told(sessions, USER, session_id)
            assert sorted(found) == sorted(theirs.get(session_id, []) + mine.get(session_id, []))
        assert rows_of(folder, VISITOR) == [0, 0, 0]
        await sessions.close()

    asyncio.run(check())


async def test_failure_half_way_changes_nothing(tmp_path, sessions):
    """Where another program holds the file it says so, and every row is where it was."""
    await tell(sessions, VISITOR, "s1", "one")
    sessions._open.execute("PRAGMA busy_timeout = 20")
    with closing(sqlite3.connect(tmp_path / "sessions.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        for step in (sessions.erase(VISITOR), sessions.adopt(VISITOR, USER, {})):
            with pytest.raises(StoreUnavailable, match="Another program"):
                await step

    assert await told(sessions, VISITOR, "s1") == ["one"]
