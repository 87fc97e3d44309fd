"""The index of notes is a cache: harmed, late or of another model, it is made again."""

import sqlite3
from pathlib import Path

import pytest

from memory_tiers import (
    Memory,
    UserMemory,
)
from tests.fakes import HashEmbedder

NOTES = ("apple pie recipe", "place of the bike lock code", "cherry tree by the gate")


class Named(HashEmbedder):
    """A hash under another name."""

    def __init__(self, name: str, width: int) -> None:
        super().__init__(width)
        self.name = name


def texts(mine: UserMemory, query: str, **more) -> list[str]:
    """Return what a search finds, best first."""
    return [hit.text for hit in mine.archival.search(query, **more).hits]


@pytest.mark.parametrize(("name", "width"), [("other", 384), ("wide", 768)])
def test_another_model_never_mixes_with_the_old_vectors(tmp_path: Path, name: str, width: int):
    """After a change of model notes are found by words at once and by meaning once settled."""
    with Memory.open(tmp_path, "hash") as memory:
        for note in NOTES:
            memory.for_user("u1").archival.insert(note)

    with Memory.open(tmp_path, Named(name, width)) as memory:
        mine = memory.for_user("u1")
        assert mine.archival.search(NOTES[0]).hits[0].score == pytest.approx(1.0)
        assert memory.settle()
        for note in NOTES:
            assert mine.archival.search(note).hits[0].score == pytest.approx(2.0)
            assert texts(mine, note)[0] == note


def damage_half(file: Path) -> None:
    """Keep the first half of a file."""
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])


def damage_all(file: Path) -> None:
    """Leave an empty file."""
    file.write_bytes(b"")


def damage_bits(file: Path) -> None:
    """Change bytes in the middle."""
    content = bytearray(file.read_bytes())
    middle = len(content) // 2
    content[middle : middle + 8] = b"\xff" * 8
    file.write_bytes(content)


@pytest.mark.parametrize("damage", [damage_half, damage_all, damage_bits, Path.unlink])
def test_damaged_index_is_made_again(tmp_path: Path, caplog, damage):
    """An index file that is cut, empty, altered or gone costs one warning and no answer."""
    with Memory.open(tmp_path, "hash") as memory:
        for note in NOTES:
            memory.for_user("u1").archival.insert(note)
        memory.for_user("u1").archival.search("anything")
    (index,) = (tmp_path / "index").glob("*.faiss")
    damage(index)
    caplog.clear()

    with Memory.open(tmp_path, "hash") as memory:
        mine = memory.for_user("u1")
        for note in NOTES:
            hit = mine.archival.search(note).hits[0]
            assert (hit.text, hit.score) == (note, pytest.approx(2.0))

    assert len(caplog.records) == 1
    assert index.stat().st_size > 0


def test_first_use_is_no_loss(mine: UserMemory, caplog):
    """A new owner's first search warns of nothing."""
    mine.archival.insert("red kite")
    mine.archival.search("red kite")

    assert caplog.records == []


def test_index_behind_the_database_catches_up(tmp_path: Path):
    """A note committed after the index was last written is found by its own text."""
    with Memory.open(tmp_path, "hash") as memory:
        for note in NOTES:
            memory.for_user("u1").archival.insert(note)
        memory.for_user("u1").archival.search("anything")
    (index,) = (tmp_path / "index").glob("*.faiss")
    behind = index.read_bytes()
    with Memory.open(tmp_path, "hash") as memory:
        memory.for_user("u1").archival.insert("dentist on Tuesday")
        memory.for_user("u1").archival.search("anything")
    index.write_bytes(behind)

    with Memory.open(tmp_path, "hash") as memory:
        mine = memory.for_user("u1")
        for note in (*NOTES, "dentist on Tuesday"):
            hit = mine.archival.search(note).hits[0]
            assert (hit.text, hit.score) == (note, pytest.approx(2.0))


def test_writes_of_another_process_are_seen(tmp_path: Path):
    """A search sees what somebody else stored or deleted since the last one."""
    with Memory.open(tmp_path, "hash") as here, Memory.open(tmp_path, "hash") as there:
        mine, theirs = here.for_user("u1"), there.for_user("u1")
        mine.archival.insert("red kite")
        assert mine.archival.search("red kite").total == 1
        theirs.archival.insert("blue boat")

        assert mine.archival.search("blue boat").hits[0].score == pytest.approx(2.0)
        theirs.archival.delete(theirs.archival.search("red kite").hits[0].id)
        assert texts(mine, "red kite") == []


def test_small_owner_beside_a_large_one_finds_their_own(memory: Memory):
    """Another person's many close notes do not push out the few of one's own."""
    for n in range(60):
        memory.for_user("alice").archival.insert(f"tea plan {n}")
    bob = memory.for_user("bob")
    bob.archival.insert("tea plan of bob")

    assert texts(bob, "tea plan", limit=3) == ["tea plan of bob"]


def test_vectors_lie_beside_their_text(tmp_path: Path):
    """Text, words and vectors of a passage are committed together, a delete takes the vectors."""
    with Memory.open(tmp_path, "hash") as memory:
        passage = memory.for_user("u1").archival.insert("red kite")
        with sqlite3.connect(tmp_path / "memory.db") as stock:
            count = "SELECT count(*) FROM chunks"
            stored = stock.execute(count).fetchone()
            memory.for_user("u1").archival.delete(passage.id)
            left = stock.execute(count).fetchone()
        stock.close()

    assert (stored, left) == ((1,), (0,))
