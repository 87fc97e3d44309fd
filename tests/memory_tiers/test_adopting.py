"""A visitor's memory becomes a user's: all of it, once, and found at once."""

from collections import Counter
from contextlib import suppress
from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory_tiers import BlockFull, BlockPolicy, EmbedderUnavailable, HashEmbedder, Memory, Policy
from memory_tiers.people import BEFORE
from memory_tiers.store import Filter
from tests.fakes import Clock
from tests.memory_tiers.people_kit import (
    ODD_IDS,
    USER,
    VISITOR,
    check,
    fill,
    rows_of,
    seen,
    tables,
)


def notes(memory, user_id):
    """Return the texts of a user's notes, sorted."""
    return sorted(note.text for note in memory.for_user(user_id).archival.list(100).hits)


def said(memory, user_id):
    """Return how often each text was said by a user, in any session."""
    mine = memory.for_user(user_id)
    return Counter(
        (message.role, message.text, message.at)
        for session in mine.sessions.list(100)
        for message in mine.recall.messages(session.id, 100)
    )


@pytest.mark.parametrize("user", ODD_IDS)
def test_a_new_user_sees_what_the_visitor_saw(tmp_path, memory, user):
    """Blocks and versions, sessions, titles, messages in order, notes, cards and hits move over."""
    visitor = ODD_IDS[ODD_IDS.index(user) - 1]
    for agent in ("default", "other"):
        fill(memory.for_user(visitor, agent))
    bystanders = [each for each in ODD_IDS if each not in (user, visitor)]
    for each in bystanders:
        fill(memory.for_user(each))
    before = [seen(memory, visitor, agent) for agent in ("default", "other")]
    others = [seen(memory, each) for each in bystanders]
    counts = tables(tmp_path / "data")
    memory.adopt(visitor, user)

    assert [seen(memory, user, agent) for agent in ("default", "other")] == before
    assert rows_of(tmp_path / "data", visitor) == 0
    assert [seen(memory, each) for each in bystanders] == others
    assert tables(tmp_path / "data") == counts
    check(tmp_path / "data")


def test_two_with_equal_texts_and_ids(tmp_path, memory):
    """Equal notes are kept once; of all else that has one id in both, no row is lost."""
    fill(memory.for_user(USER))
    fill(memory.for_user(VISITOR))
    both = said(memory, USER) + said(memory, VISITOR)
    mine = memory.for_user(USER)
    kept = mine.archival.list().hits
    names = memory.new_session_ids(VISITOR, USER)
    memory.adopt(VISITOR, USER)

    assert said(memory, USER) == both
    assert mine.archival.list().hits == kept
    assert {session.id for session in mine.sessions.list()} == {"s1", "s2", *names.values()}
    assert [card.session_id for card in mine.confirmations.pending()] == ["s1", names["s1"]]
    assert mine.core.block("human").text == "Likes tea."
    assert rows_of(tmp_path / "data", VISITOR) == 0
    check(tmp_path / "data")


def test_sessions_of_one_id_stay_two_conversations(memory):
    """Each keeps its title, its messages and their order under the id that was told before."""
    memory.for_user(USER).recall.append("s", "user", "mine")
    visitor = memory.for_user(VISITOR)
    for n in range(5):
        visitor.recall.append("s", "user", f"theirs {n}")
    visitor.sessions.title("s", "Earlier")
    names = memory.new_session_ids(VISITOR, USER)
    memory.adopt(VISITOR, USER)
    mine = memory.for_user(USER)

    assert [m.text for m in mine.recall.messages("s")] == ["mine"]
    assert [m.text for m in mine.recall.messages(names["s"])] == [f"theirs {n}" for n in range(5)]
    assert mine.sessions.get(names["s"]).title == "Earlier"


def test_a_visitor_may_come_a_second_time(memory):
    """The same id, used again by the same visitor, gets yet another one."""
    memory.for_user(USER).recall.append("s", "user", "mine")
    for n in range(2):
        memory.for_user(VISITOR).recall.append("s", "user", f"visit {n}", id="m")
        memory.adopt(VISITOR, USER)

    assert sorted(text for _, text, _ in said(memory, USER)) == ["mine", "visit 0", "visit 1"]
    assert len(memory.for_user(USER).sessions.list()) == 3


@pytest.mark.parametrize("searched_before", [True, False])
def test_everything_is_found_at_once(memory, searched_before):
    """By words and by vectors, with an index that was open before or with none."""
    mine = memory.for_user(USER)
    if searched_before:
        mine.archival.insert("A note of mine about trains.")
        mine.archival.search("trains")
    memory.for_user(VISITOR).archival.insert("The locker is number twelve.", ["places"])
    memory.for_user(VISITOR).recall.append("s", "user", "My locker is downstairs.")
    memory.for_user(VISITOR).archival.search("locker")
    memory.adopt(VISITOR, USER)
    vector = mine.archival._meaning(["locker number twelve"])
    near = mine.archival._rows.candidates(mine.archival._owner, ["zzz"], vector, Filter())

    assert [hit.text for hit in mine.archival.search("locker", tags="places").hits] == [
        "The locker is number twelve."
    ]
    assert any(candidate.likeness > 0.5 for candidate in near)
    assert mine.recall.search("locker").total == 1
    assert memory.for_user(VISITOR).archival.search("locker").total == 0
    assert memory.for_user(VISITOR).recall.search("locker").total == 0


def test_an_index_that_begins_here_is_no_loss(memory, caplog):
    """A user who never had a note gets an index without a word about a missing one."""
    memory.for_user(VISITOR).archival.insert("The locker is number twelve.")
    memory.adopt(VISITOR, USER)
    found = memory.for_user(USER).archival.search("locker").total

    assert (found, caplog.messages) == (1, [])


def test_index_of_the_visitor_is_gone(tmp_path, memory):
    """One file is left, and it is the user's."""
    memory.for_user(VISITOR).archival.insert("The locker is number twelve.")
    memory.adopt(VISITOR, USER)
    memory.for_user(USER).archival.search("locker")

    assert len(list((tmp_path / "data" / "index").iterdir())) == 1


def test_lines_are_added_to_a_changed_block_as_one_version(memory):
    """What the user's block does not say yet stands below it, once, and can be taken back."""
    mine, theirs = memory.for_user(USER).core, memory.for_user(VISITOR).core
    mine.append("human", "Likes tea.\nLives in Bonn.")
    theirs.append("human", " Likes tea.\nHas a dog.\n\nHas a dog.\nPlays chess.")
    memory.adopt(VISITOR, USER)

    assert mine.block("human").text == "Likes tea.\nLives in Bonn.\nHas a dog.\nPlays chess."
    assert [version.cause for version in mine.history("human")] == ["initial", "tool", "import"]
    assert mine.undo("human").text == "Likes tea.\nLives in Bonn."
    assert memory.for_user(USER).archival.count() == 0


def test_declared_text_is_nobodys_line(memory):
    """What the visitor's block said before they touched it is not carried over."""
    mine, theirs = memory.for_user(USER).core, memory.for_user(VISITOR).core
    mine.rewrite("persona", "I am brief.")
    theirs.append("persona", "I use no emoji.")
    memory.adopt(VISITOR, USER)

    assert mine.block("persona").text == "I am brief.\nI use no emoji."


@pytest.fixture
def narrow(tmp_path, clock):
    """A memory with a block of twenty characters and one that may not be changed."""
    blocks = (BlockPolicy("human", "d", limit=20), BlockPolicy("rules", "d", read_only=True))
    with Memory.open(tmp_path / "n", HashEmbedder(), Policy(blocks=blocks), clock) as memory:
        yield memory


def test_what_does_not_fit_becomes_a_note(narrow):
    """Lines over the limit are kept as one note with a tag, from when they were written."""
    narrow.for_user(USER).core.append("human", "Likes green tea.")
    narrow.for_user(VISITOR).core.append("human", "Has two dogs\nabc\nHi.")
    narrow.adopt(VISITOR, USER)
    mine = narrow.for_user(USER)

    assert mine.core.block("human").text == "Likes green tea.\nabc"
    (note,) = mine.archival.list().hits
    assert (note.text, note.tags) == ("Has two dogs\nHi.", (BEFORE,))
    assert mine.archival.search("dogs").hits[0].id == note.id


def test_read_only_blocks_are_left_alone(tmp_path, clock):
    """What a visitor wrote while a block was open becomes a note once it is read-only."""
    for read_only in (False, True):
        blocks = (BlockPolicy("rules", "d", read_only=read_only, initial="Be kind."),)
        with Memory.open(tmp_path, HashEmbedder(), Policy(blocks=blocks), clock) as memory:
            if not read_only:
                memory.for_user(VISITOR).core.append("rules", "Be quick.")
                continue
            memory.adopt(VISITOR, USER)
            mine = memory.for_user(USER)

            assert (mine.core.block("rules").text, mine.core.block("rules").version) == (
                "Be kind.",
                0,
            )
            assert notes(memory, USER) == ["Be quick."]


def test_second_call_does_nothing(memory):
    """Nor does one for a visitor who never was, or for the user themselves."""
    fill(memory.for_user(VISITOR))
    fill(memory.for_user(USER), "coffee")
    memory.adopt(VISITOR, USER)
    before = seen(memory, USER)
    memory.adopt(VISITOR, USER)
    memory.adopt("nobody", USER)
    memory.adopt(USER, USER)

    assert seen(memory, USER) == before


def test_all_or_nothing(tmp_path, memory, monkeypatch):
    """A failure on the way leaves both people as they were."""
    fill(memory.for_user(VISITOR))
    fill(memory.for_user(USER), "coffee")
    before = seen(memory, VISITOR), seen(memory, USER)
    monkeypatch.setattr("memory_tiers.people._new_lines", lambda *_: 1 / 0)

    with pytest.raises(ZeroDivisionError):
        memory.adopt(VISITOR, USER)
    assert (seen(memory, VISITOR), seen(memory, USER)) == before
    check(tmp_path / "data")


def test_without_a_model_the_note_is_found_by_its_words(tmp_path, clock):
    """Adopting needs no embedding model; vectors come when there is one."""

    class Gone(HashEmbedder):
        def embed(self, texts):
            raise EmbedderUnavailable("gone")

    policy = Policy(blocks=(BlockPolicy("human", "d", limit=12),))
    with Memory.open(tmp_path, Gone(), policy, clock) as memory:
        memory.for_user(USER).core.append("human", "Likes tea.")
        memory.for_user(VISITOR).core.append("human", "Has a dog.")
        memory.adopt(VISITOR, USER)

        assert memory.for_user(USER).archival.search("dog").total == 1


WORDS = st.sampled_from(["tea", "dog", "Zoë", "東京", "🙂 smile", "100%", "it's"])
STEPS = st.lists(
    st.tuples(
        st.sampled_from(["say", "note", "block", "forget", "card"]),
        st.booleans(),
        WORDS,
        st.integers(0, 2),
    ),
    max_size=14,
)


def act(memory, clock, step):
    """Do one thing as the visitor or as the user."""
    kind, visits, word, number = step
    mine = memory.for_user(VISITOR if visits else USER)
    clock.advance(seconds=1)
    match kind:
        case "say":
            mine.recall.append(f"s{number}", "user", word, id=f"m{number}")
        case "note":
            mine.archival.insert(f"{word} {number}", [word])
        case "block" if word not in mine.core.block("human").text:
            with suppress(BlockFull):
                mine.core.append("human", word)
        case "forget" if mine.archival.count():
            mine.archival.delete(mine.archival.list().hits[0].id)
        case "card":
            mine.confirmations.open(
                f"c{number}", session_id=f"s{number}", call_id="c", tool="t", arguments={}
            )


@settings(max_examples=40, deadline=None)
@given(steps=STEPS)
def test_nothing_is_lost_whatever_both_did(tmp_path_factory, steps):
    """After any two histories each message, note, line and card is there, in its order."""
    clock, folder = Clock(), tmp_path_factory.mktemp("m")
    policy = Policy(blocks=(BlockPolicy("human", "d", limit=12),))
    with Memory.open(folder, HashEmbedder(), policy, clock) as memory:
        for step in steps:
            act(memory, clock, step)
        both = [memory.for_user(who) for who in (VISITOR, USER)]
        words = said(memory, VISITOR) + said(memory, USER)
        texts = {*notes(memory, VISITOR), *notes(memory, USER)}
        lines = {line for who in both for line in who.core.block("human").text.split("\n")}
        cards = sum(len(who.confirmations.pending()) for who in both)
        sessions = sum(len(who.sessions.list()) for who in both)
        clock.advance(seconds=1)
        memory.adopt(VISITOR, USER)
        mine = memory.for_user(USER)
        after = {*mine.core.block("human").text.split("\n")}
        after |= {line for text in notes(memory, USER) for line in text.split("\n")}

        assert said(memory, USER) == words
        assert texts <= {*notes(memory, USER)}
        assert lines - {""} <= after
        assert len(mine.confirmations.pending()) == cards
        assert len(mine.sessions.list()) == sessions
        assert len(mine.core.block("human").text) <= 12
        assert rows_of(folder, VISITOR) == 0 and not memory.holds(VISITOR)
        for text in texts:
            assert text in [hit.text for hit in mine.archival.search(text).hits]
        check(folder)


def test_a_moved_visitor_is_as_idle_as_anyone_new(memory, clock):
    """Whoever was adopted is no longer among the idle: nothing of them is left."""
    fill(memory.for_user(VISITOR))
    memory.adopt(VISITOR, USER)

    assert memory.idle("visitor-", clock.now + timedelta(days=99)) == []
