"""Erasing a person: nothing is left of them, and nothing of anyone else is touched."""

import random
import sqlite3
from contextlib import closing
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory_tiers import HashEmbedder, InvalidInput, Memory, StoreUnavailable
from memory_tiers.sqlite import people
from memory_tiers.sqlite.rows import token
from memory_tiers.store import Owner
from tests.fakes import Clock
from tests.memory_tiers.people_kit import ODD_IDS, check, content, fill, rows_of, seen, tables


def test_every_table_that_names_a_user_is_known(tmp_path):
    """A table that is added later is erased too, or this fails."""
    with Memory.open(tmp_path, HashEmbedder()):
        pass

    assert set(people.TABLES) == tables(tmp_path).keys()


def test_nothing_is_left_of_an_erased_user(tmp_path, memory, mine):
    """No row of any agent, no hit, and the tiers are as on the first day."""
    fresh = seen(memory, "u1")
    fill(mine)
    fill(memory.for_user("u1", "other agent"))
    memory.erase("u1")

    assert rows_of(tmp_path / "data", "u1") == 0
    assert seen(memory, "u1") == seen(memory, "u1", "other agent") == fresh
    check(tmp_path / "data")


@pytest.mark.parametrize("name", ODD_IDS)
def test_others_are_untouched_whatever_their_ids(tmp_path, memory, name):
    """Ids that begin alike, hold signs of a pattern or quotes: only the one meant is erased."""
    for each in ODD_IDS:
        fill(memory.for_user(each))
    before = {each: seen(memory, each) for each in ODD_IDS if each != name}
    memory.erase(name)

    assert rows_of(tmp_path / "data", name) == 0
    assert {each: seen(memory, each) for each in before} == before


def test_several_go_at_once(tmp_path, memory):
    """What is erased together is gone together; the rest stays."""
    for each in ODD_IDS:
        fill(memory.for_user(each))
    memory.erase(*ODD_IDS[1:])

    assert sum(tables(tmp_path / "data").values()) == rows_of(tmp_path / "data", ODD_IDS[0]) > 0


def test_repeating_is_harmless(memory, mine):
    """Erasing twice, or somebody who never was, changes nothing."""
    fill(memory.for_user("u2"))
    fill(mine)
    memory.erase("u1")
    before = seen(memory, "u2")
    memory.erase("u1")
    memory.erase("nobody")
    memory.erase()

    assert seen(memory, "u2") == before


def test_erased_user_can_begin_anew(memory, mine):
    """The same id may be used again, and finds what is new alone."""
    fill(mine)
    mine.archival.search("tea")
    memory.erase("u1")
    mine.archival.insert("Coffee, black.")

    assert [hit.text for hit in mine.archival.search("coffee tea").hits] == ["Coffee, black."]


def test_no_byte_is_left(tmp_path, memory):
    """No word, id or vector of an erased user is in any file, as many pages as it was spread over.

    Rows of three users are mixed, corrected and deleted, so that pages split while they hold them.
    """
    chance = random.Random(7)
    words = {"keeper": "kk", "zqgone": "zqxj", "third": "th"}
    notes = {name: [] for name in words}
    for turn in range(120):
        for name, word in words.items():
            mine = memory.for_user(name)
            text = " ".join(
                f"{word}{chance.randrange(300)}" for _ in range(chance.choice([2, 30, 400]))
            )
            mine.recall.append(f"{name} {turn % 5}", "user", text)
            notes[name].append(mine.archival.insert(f"{turn} {text}", [word]).id)
            mine.core.rewrite("human", text[:1000])
            if turn % 3 == 0:
                mine.archival.update(chance.choice(notes[name]), f"{text} changed {turn}")
            if turn % 4 == 0:
                mine.archival.delete(notes[name].pop())
    kept = memory.for_user("keeper").archival.search("kk1").total
    memory.for_user("zqgone").archival.search("zqxj1")
    vector = HashEmbedder().embed(["zqxj1"]).tobytes()
    memory.for_user("zqgone").archival.insert("zqxj1")
    mark = token(Owner("zqgone", "default")).encode()
    there = content(tmp_path / "data")
    assert all(part in there for part in (b"zqxj", b"zqgone", mark, vector))
    memory.erase("zqgone")

    left = content(tmp_path / "data")
    assert not [part for part in (b"zqxj", b"zqgone", mark, vector) if part in left]
    assert memory.for_user("keeper").archival.search("kk1").total == kept > 0
    check(tmp_path / "data")


def test_index_file_goes_with_its_owner(tmp_path, memory, mine):
    """The cached vectors of the erased are removed, those of others stay."""
    for name in ("u1", "u2"):
        memory.for_user(name).archival.insert(f"note of {name}")
    memory.erase("u1")

    names = [file.name for file in (tmp_path / "data" / "index").iterdir()]
    assert names == [f"{token(Owner('u2', 'default'))}.faiss"]


def test_index_file_that_another_process_left_goes_with_the_next_erasing(tmp_path, memory, mine):
    """What a second program saves after the erasing is removed by the next one."""
    mine.archival.insert("a note")
    with Memory.open(tmp_path / "data", HashEmbedder()) as second:
        second.for_user("u1").archival.insert("another note")
        second.for_user("u1").archival.search("note")
        memory.erase("u1")
    memory.erase()

    assert list((tmp_path / "data" / "index").iterdir()) == []


def test_failure_half_way_keeps_every_row(tmp_path, memory, mine):
    """Where the index file cannot be removed the rows are all still there, and it says why."""
    fill(mine)
    before = seen(memory, "u1")
    file = tmp_path / "data" / "index" / f"{token(Owner('u1', 'default'))}.faiss"
    file.unlink()
    file.mkdir()

    with pytest.raises(StoreUnavailable, match="cannot be removed"):
        memory.erase("u1")
    assert seen(memory, "u1") == before
    file.rmdir()
    memory.erase("u1")
    assert rows_of(tmp_path / "data", "u1") == 0


def test_bytes_that_a_reader_held_up_go_with_the_next_erasing(tmp_path, clock):
    """While another program reads the old state the log stays; the next call empties it."""
    with Memory.open(tmp_path, HashEmbedder(), clock=clock) as memory:
        memory._store._database._writer.execute("PRAGMA busy_timeout = 50")
        memory.for_user("u1").recall.append("s", "user", "zanzibar")
        with closing(sqlite3.connect(tmp_path / "memory.db", isolation_level=None)) as reader:
            reader.execute("BEGIN")
            reader.execute("SELECT count(*) FROM messages").fetchone()
            memory.erase("u1")
            held = b"zanzibar" in content(tmp_path)
        memory.erase()

        assert held
        assert b"zanzibar" not in content(tmp_path)


@pytest.mark.parametrize("name", ["", " ", None, "a\0"])
def test_blank_names_are_refused(memory, name):
    """Nobody is erased, or taken for somebody, by a name that is none."""
    with pytest.raises(InvalidInput):
        memory.erase("u1", name)
    with pytest.raises(InvalidInput):
        memory.idle(name, datetime.now(UTC))
    with pytest.raises(InvalidInput):
        memory.holds(name)
    with pytest.raises(InvalidInput):
        memory.adopt(name, "u1")


def test_idle_counts_from_the_newest_row(memory, clock):
    """Whoever said, noted or answered something since is not idle; a day earlier they are."""
    began = clock.now
    for name in ("v1", "v2", "v3", "v4", "v5"):
        fill(memory.for_user(name))
    clock.advance(days=30)
    memory.for_user("v1").recall.append("s1", "user", "back")
    memory.for_user("v2").core.append("human", "back")
    memory.for_user("v3").confirmations.answer("card", "rejected")
    memory.for_user("v4").archival.delete(memory.for_user("v4").archival.list().hits[0].id)

    assert memory.idle("v", clock.now) == ["v5"]
    assert memory.idle("v", began) == []


PREFIXES = st.text(
    st.sampled_from("ab%_'\"\\é\ud7ff\ue000🙂\U0010ffff"), min_size=1, max_size=3
).filter(lambda text: text.strip())


@settings(max_examples=25, deadline=None)
@given(names=st.sets(PREFIXES, min_size=1, max_size=8), prefix=PREFIXES)
def test_a_prefix_is_text_not_a_pattern(tmp_path_factory, names, prefix):
    """Exactly the ids that begin with the prefix are found, signs of a pattern or not."""
    clock = Clock()
    with Memory.open(tmp_path_factory.mktemp("m"), HashEmbedder(), clock=clock) as memory:
        for name in names:
            memory.for_user(name).sessions.open("s")
        clock.advance(seconds=1)

        assert memory.idle(prefix, clock.now) == sorted(n for n in names if n.startswith(prefix))


def test_idle_reads_no_row_of_others(tmp_path, memory, mine):
    """Each table is looked up by the beginning of the id, none is read from end to end."""
    memory.idle("visitor-", datetime.now(UTC))
    plans = []
    reader = memory._store._database._reader
    with closing(sqlite3.connect(tmp_path / "data" / "memory.db")) as stock:
        reader.set_trace_callback(
            lambda sql: plans.append(sql) if sql.startswith("SELECT user_id") else None
        )
        memory.idle("visitor-", datetime.now(UTC))
        reader.set_trace_callback(None)
        steps = [row[3] for row in stock.execute(f"EXPLAIN QUERY PLAN {plans[0]}")]

    searched = [step for step in steps if "(user_id>? AND user_id<?)" in step]
    assert len(searched) == 5
    assert not [step for step in steps if step.startswith("SCAN") and "(" not in step]


@pytest.mark.parametrize(
    "keep",
    [
        lambda mine: mine.recall.append("s", "user", "hello"),
        lambda mine: mine.archival.insert("a note"),
        lambda mine: mine.core.append("human", "Likes tea."),
    ],
)
def test_what_a_person_would_miss(memory, mine, keep):
    """A message, a note and a changed block each count."""
    before = memory.holds("u1")
    keep(mine)

    assert (before, memory.holds("u1"), memory.holds("u")) == (False, True, False)


def test_nobody_misses_what_was_deleted(memory, mine):
    """A session that was opened, and what was deleted, do not count."""
    mine.recall.delete(mine.recall.append("s", "user", "hello").id)
    mine.archival.delete(mine.archival.insert("a note").id)

    assert not memory.holds("u1")
