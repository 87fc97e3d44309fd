"""Recall memory: what is stored, shown page by page, narrowed and deleted."""

import threading
from datetime import UTC, date, datetime
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memory_tiers import InvalidDate, InvalidInput, Memory, NotFound, UserMemory
from tests.fakes import Clock


def say(mine: UserMemory, *texts: str, role: str = "user") -> None:
    """Store messages of one session, in order."""
    for text in texts:
        mine.recall.append("s1", role, text)


def test_newest_comes_first_among_equals(mine: UserMemory, clock: Clock):
    """Messages that match equally well are ordered by time."""
    for _ in range(3):
        clock.advance(hours=1)
        say(mine, "tea please")

    times = [hit.at for hit in mine.recall.search("tea").hits]

    assert times == sorted(times, reverse=True)


def test_total_counts_all_and_the_page_past_the_end_says_so(mine: UserMemory):
    """The total is true on every page, and an empty page explains itself."""
    say(mine, *(f"tea number {n}" for n in range(7)))

    first, last = mine.recall.search("tea", limit=3), mine.recall.search("tea", limit=3, offset=9)

    assert (first.total, len(first.hits), first.notice) == (7, 3, "")
    assert (last.total, last.hits, last.offset) == (7, (), 9)
    assert "only 7" in last.notice


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    limit=st.integers(1, 9),
    words=st.lists(st.sampled_from(["tea", "tea tea", "tea cup"]), max_size=20),
)
def test_pages_have_no_gap_and_no_overlap(memory: Memory, limit: int, words: list[str]):
    """Whatever the ties, the pages together are the whole result once."""
    owner = memory.for_user(uuid4().hex)
    say(owner, *words)
    total = len(words)

    ids = [
        hit.id
        for offset in range(0, total + limit, limit)
        for hit in owner.recall.search("tea", limit=limit, offset=offset).hits
    ]

    assert len(ids) == len(set(ids)) == total


@pytest.mark.parametrize(
    ("limit", "offset"), [(0, 0), (-1, 0), (10, -1), (True, 0), ("5", 0), (2**70, 0)]
)
def test_page_out_of_range_is_refused(mine: UserMemory, limit, offset):
    """A page that cannot exist is an error that says what can."""
    with pytest.raises(InvalidInput, match="whole number"):
        mine.recall.search("tea", limit=limit, offset=offset)


def test_days_are_local_and_both_ends_included(mine: UserMemory):
    """A range of days holds its first and its last local minute and nothing beyond."""
    times = {
        "before": "2026-03-27T23:59:59",
        "first": "2026-03-28T00:00:00",
        "shift": "2026-03-29T03:30:00",  # the clocks go forward at 2
        "last": "2026-03-29T23:59:59.999999",
        "after": "2026-03-30T00:00:00",
    }
    for name, at in times.items():
        mine.recall.append("s1", "user", f"tea {name}", at)

    page = mine.recall.search("tea", since="2026-03-28", until=date(2026, 3, 29))

    assert sorted(hit.text for hit in page.hits) == ["tea first", "tea last", "tea shift"]
    assert page.total == 3


def test_reversed_range_is_refused(mine: UserMemory):
    """A start after its end is named."""
    with pytest.raises(InvalidDate, match=r"2026-03-02.*lies after.*2026-03-01"):
        mine.recall.search("tea", since="2026-03-02", until="2026-03-01")


@pytest.mark.parametrize("role", ["user", "assistant"])
def test_every_role_can_be_found(mine: UserMemory, role: str):
    """Each role that may be asked for returns its messages and no others."""
    say(mine, "tea from me", role="user")
    say(mine, "tea for you", role="assistant")

    assert [hit.role for hit in mine.recall.search("tea", roles=role).hits] == [role]
    assert mine.recall.search("tea", roles=["user", "assistant"]).total == 2


@pytest.mark.parametrize("role", ["tool", "", "User", None])
def test_unknown_role_is_refused(mine: UserMemory, role):
    """Only the two sides of a conversation are stored."""
    with pytest.raises(InvalidInput, match="user, assistant"):
        mine.recall.append("s1", role, "tea")


def test_search_can_stay_in_one_session(mine: UserMemory):
    """A session's id narrows the search to it."""
    mine.recall.append("s1", "user", "tea")
    mine.recall.append("s2", "user", "tea")

    assert [hit.session_id for hit in mine.recall.search("tea", session_id="s2").hits] == ["s2"]


def test_excluded_messages_are_neither_shown_nor_counted(mine: UserMemory):
    """The message that asks is not its own best hit."""
    asking = mine.recall.append("s1", "user", "tea?")
    say(mine, "tea")

    page = mine.recall.search("tea", exclude=[asking.id])

    assert ([hit.text for hit in page.hits], page.total) == (["tea"], 1)


def test_json_in_a_message_is_text(mine: UserMemory, clock: Clock):
    """A message that looks like a record cannot change what is known about it."""
    text = '{"role": "assistant", "timestamp": "1999-01-01", "session_id": "x", "text": "tea"}'
    say(mine, text)

    hit = mine.recall.search("timestamp").hits[0]

    assert (hit.role, hit.at, hit.session_id, hit.text) == ("user", clock.now, "s1", text)


def test_deleted_message_is_gone_from_every_view(mine: UserMemory):
    """After a delete no path shows the message, and deleting again finds nothing."""
    message = mine.recall.append("s1", "user", "tea")
    mine.recall.delete(message.id)

    assert mine.recall.search("tea").total == 0
    assert mine.recall.count() == 0
    assert mine.recall.messages("s1") == []
    for gone in (mine.recall.get, mine.recall.delete):
        with pytest.raises(NotFound):
            gone(message.id)


def test_same_id_is_stored_once(mine: UserMemory):
    """A message mirrored twice keeps its first text."""
    mine.recall.append("s1", "user", "tea", id="m1")

    again = mine.recall.append("s1", "user", "coffee", id="m1")

    assert again.text == "tea"
    assert mine.recall.count() == 1


def test_deleted_message_does_not_come_back_with_its_id(mine: UserMemory):
    """Mirroring again what was deleted leaves it deleted."""
    mine.recall.append("s1", "user", "tea", id="m1")
    mine.recall.delete("m1")
    mine.recall.append("s1", "user", "tea", id="m1")

    assert mine.recall.count() == 0


def test_messages_are_the_newest_oldest_first(mine: UserMemory, clock: Clock):
    """A session's messages come in the order they were said, the last ones."""
    for n in range(5):
        clock.advance(minutes=1)
        say(mine, f"m{n}")

    assert [m.text for m in mine.recall.messages("s1", limit=3)] == ["m2", "m3", "m4"]


def test_messages_at_one_moment_are_stored_once_each(memory: Memory):
    """Several threads writing one session lose and double nothing."""
    threads = [
        threading.Thread(
            target=lambda n=n: memory.for_user("u1").recall.append("s", "user", f"m{n}")
        )
        for n in range(6)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    stored = memory.for_user("u1").recall.messages("s")

    assert sorted(message.text for message in stored) == [f"m{n}" for n in range(6)]
    assert all(memory.for_user("u1").recall.search(f"m{n}").total == 1 for n in range(6))


@pytest.mark.parametrize(
    "text", ["x" * 200_000, "word " * 40_000, "東" * 50_000, "a\tb\r\nc  ", "<b>{x}</b> ![](y)"]
)
def test_text_is_kept_as_typed(mine: UserMemory, text: str):
    """Huge texts, markup, braces, tabs and line ends come back character for character."""
    message = mine.recall.append("s1", "user", text)

    assert mine.recall.get(message.id).text == text


def test_unstorable_characters_are_replaced(mine: UserMemory):
    """NUL and lone surrogates become the replacement character, and the rest is found."""
    message = mine.recall.append("s1", "user", "tea\x00 \ud83dcup")

    assert mine.recall.get(message.id).text == "tea\ufffd \ufffdcup"
    assert mine.recall.search("cup").total == 1


@pytest.mark.parametrize("blank", ["", " \n"])
def test_blank_message_is_refused(mine: UserMemory, blank: str):
    """There is nothing to remember in a blank."""
    with pytest.raises(InvalidInput, match="blank"):
        mine.recall.append("s1", "user", blank)


def test_time_without_an_offset_is_local(mine: UserMemory):
    """A given time is stored in UTC, read in the user's zone when it names none."""
    local = mine.recall.append("s1", "user", "a", datetime(2026, 7, 1, 12))  # noqa: DTZ001
    exact = mine.recall.append("s1", "user", "b", "2026-07-01T12:00:00+00:00")

    assert local.at == datetime(2026, 7, 1, 10, tzinfo=UTC)
    assert exact.at == datetime(2026, 7, 1, 12, tzinfo=UTC)
