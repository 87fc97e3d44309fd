"""The list of conversations."""

import pytest

from memory_tiers import InvalidInput, NotFound, UserMemory
from tests.fakes import Clock


def test_session_used_last_comes_first(mine: UserMemory, clock: Clock):
    """Opening a session again moves it to the front."""
    for id in ("a", "b", "a"):
        clock.advance(minutes=1)
        mine.sessions.open(id)

    assert [session.id for session in mine.sessions.list()] == ["a", "b"]


def test_message_moves_its_session_to_the_front(mine: UserMemory, clock: Clock):
    """What was last said decides the order."""
    for id in ("a", "b"):
        clock.advance(minutes=1)
        mine.sessions.open(id)
    clock.advance(minutes=1)
    mine.recall.append("a", "user", "hello")

    assert mine.sessions.list()[0].id == "a"
    assert mine.sessions.get("a").at == clock.now


def test_old_message_does_not_move_its_session_back(mine: UserMemory, clock: Clock):
    """A message stored with an earlier time leaves the session's time alone."""
    mine.sessions.open("a")
    mine.recall.append("a", "user", "hello", "2020-01-01")

    assert mine.sessions.get("a").at == clock.now


def test_title_is_one_line_and_stays(mine: UserMemory):
    """A title keeps its words and survives the session's next use."""
    mine.sessions.open("a")
    mine.sessions.title("a", " Tea\n and   cake ")

    assert mine.sessions.open("a").title == "Tea and cake"


def test_sessions_come_in_stretches(mine: UserMemory, clock: Clock):
    """A list can be read page by page."""
    for n in range(5):
        clock.advance(minutes=1)
        mine.sessions.open(f"s{n}")

    assert [s.id for s in mine.sessions.list(limit=2, offset=2)] == ["s2", "s1"]


def test_unknown_session_is_not_found(mine: UserMemory):
    """A session nobody opened is named in the error."""
    for ask in (mine.sessions.get, lambda id: mine.sessions.title(id, "x")):
        with pytest.raises(NotFound, match="'gone'"):
            ask("gone")


@pytest.mark.parametrize("id", ["", "  ", None, 7, "a\x00", "\ud800"])
def test_id_that_cannot_be_stored_is_refused(mine: UserMemory, id):
    """A session needs a name that can be written down."""
    with pytest.raises(InvalidInput, match="session_id"):
        mine.sessions.open(id)
