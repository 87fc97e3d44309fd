"""Archival memory: notes found by word and by meaning, and an index that never lies."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from memory_tiers import (
    EmbedderUnavailable,
    InvalidInput,
    Memory,
    NotesFull,
    NotFound,
    Policy,
    UserMemory,
)
from tests.fakes import Clock, HashEmbedder

NOTES = ("apple pie recipe", "place of the bike lock code", "cherry tree by the gate")


class Sleepy:
    """An embedder whose model can be taken away."""

    name = "sleepy"
    width = 384

    def __init__(self) -> None:
        self.awake = False

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Embed like the hash does, or fail."""
        if not self.awake:
            raise EmbedderUnavailable("The model is asleep.")
        return HashEmbedder().embed(texts)


@pytest.fixture
def sleepy() -> Sleepy:
    """An embedder that is unavailable until `awake`."""
    return Sleepy()


@pytest.fixture
def drowsy(tmp_path: Path, sleepy: Sleepy) -> Iterator[Memory]:
    """A memory without an embedding model."""
    with Memory.open(tmp_path, sleepy) as memory:
        yield memory


def texts(mine: UserMemory, query: str, **more) -> list[str]:
    """Return what a search finds, best first."""
    return [hit.text for hit in mine.archival.search(query, **more).hits]


def test_empty_archive_finds_nothing(mine: UserMemory):
    """A search of nothing is an empty page, no error."""
    page = mine.archival.search("red kite")

    assert (page.hits, page.total, page.notice) == ((), 0, "")


def test_inserted_passage_comes_back_whole(mine: UserMemory, clock: Clock):
    """A passage keeps its text, tags and time."""
    passage = mine.archival.insert("Red kite.\r\n\tSeen twice.  ", tags=["Birds", "lake"])

    assert mine.archival.get(passage.id) == passage
    assert (passage.text, passage.tags) == ("Red kite.\r\n\tSeen twice.  ", ("Birds", "lake"))
    assert passage.at == clock.now


def test_long_text_is_one_passage_found_by_its_end(mine: UserMemory):
    """A long note is cut inside only: one hit, the whole text."""
    long = " ".join(f"filler{n}" for n in range(2000)) + " the zanzibar ferry"
    mine.archival.insert(long)

    assert texts(mine, "zanzibar ferry") == [long]
    assert mine.archival.count() == 1


def test_huge_text_is_stored_whole(mine: UserMemory):
    """200,000 characters come back character for character."""
    passage = mine.archival.insert("x" * 100_000 + " y" * 50_000)

    assert len(mine.archival.get(passage.id).text) == 200_000


def test_same_text_again_is_known(mine: UserMemory):
    """The same note is stored once, and the second call says it is there."""
    first = mine.archival.insert("red kite")

    again = mine.archival.insert("red kite", tags=["new"])

    assert (again.id, again.known, first.known) == (first.id, True, False)
    assert mine.archival.count() == 1


def test_deleted_text_may_be_stored_anew(mine: UserMemory):
    """A note that was deleted is not known any more."""
    first = mine.archival.insert("red kite")
    mine.archival.delete(first.id)

    assert not mine.archival.insert("red kite").known
    assert texts(mine, "red kite") == ["red kite"]


@pytest.mark.parametrize("blank", ["", " \n", None])
def test_blank_passage_is_refused(mine: UserMemory, blank):
    """There is nothing to keep in a blank."""
    with pytest.raises(InvalidInput, match="text"):
        mine.archival.insert(blank)


def test_search_holds_after_deletes_and_repeats(mine: UserMemory):
    """Each text leads to its own passage after others were deleted, added and repeated."""
    stored = {
        text: mine.archival.insert(text).id for text in ("red kite", "blue boat", "green lamp")
    }
    assert len(texts(mine, "red kite")) == 1
    mine.archival.delete(stored["blue boat"])
    grey = mine.archival.insert("grey stone").id
    mine.archival.insert("red kite")

    assert texts(mine, "green lamp") == ["green lamp"]
    assert texts(mine, "grey stone") == ["grey stone"]
    assert texts(mine, "blue boat") == []
    mine.archival.delete(grey)
    assert texts(mine, "green lamp") == ["green lamp"]
    assert texts(mine, "grey stone") == []


def test_unrelated_query_finds_nothing(mine: UserMemory):
    """What shares neither word nor meaning is no hit, and no error."""
    for note in NOTES:
        mine.archival.insert(note)

    assert texts(mine, "lattice gauge theory") == []


def test_rare_code_is_found_among_many(mine: UserMemory):
    """A code that one note holds leads to it, however many notes resemble the question."""
    for n in range(40):
        mine.archival.insert(f"what was ticket {n} about: a long story about what was")
    mine.archival.insert("ZX-9917 is the broken lift")

    assert texts(mine, "what was ZX-9917 about?")[0] == "ZX-9917 is the broken lift"


def test_tags_narrow_before_ranking(mine: UserMemory):
    """A tagged passage is found though many others match better."""
    for n in range(30):
        mine.archival.insert(f"tea tea tea {n}")
    mine.archival.insert("a long note that mentions tea once among other things", tags=["Work"])

    page = mine.archival.search("tea", limit=1, tags=["work"])

    assert page.total == 1
    assert page.hits[0].tags == ("Work",)


def test_tags_match_any_or_all(mine: UserMemory):
    """Any of the tags, or every one of them."""
    mine.archival.insert("tea one", tags=["a"])
    mine.archival.insert("tea two", tags=["a", "B"])

    assert len(texts(mine, "tea", tags=["A", "b"])) == 2
    assert texts(mine, "tea", tags=["A", "b"], match="all") == ["tea two"]
    assert texts(mine, "tea", tags="b") == ["tea two"]
    assert texts(mine, "tea", tags=["c"]) == []


def test_match_of_another_kind_is_refused(mine: UserMemory):
    """Only any and all exist."""
    with pytest.raises(InvalidInput, match="any or all"):
        mine.archival.search("tea", match="some")  # type: ignore[arg-type]


def test_tags_are_kept_once(mine: UserMemory):
    """Tags that differ in case or blanks are one; a blank one is refused."""
    assert mine.archival.insert("tea", tags=[" a", "A ", "b"]).tags == ("a", "b")
    with pytest.raises(InvalidInput, match="tag"):
        mine.archival.insert("coffee", tags=[" "])


def test_end_date_is_included(mine: UserMemory):
    """A note of the last day belongs to the range, one of the next day does not."""
    mine.archival.insert("tea on time", at="2026-03-02T23:59:59")
    mine.archival.insert("tea too late", at="2026-03-03T00:00:00")

    assert texts(mine, "tea", since="2026-03-01", until="2026-03-02") == ["tea on time"]


def test_pages_have_no_gap_and_no_overlap(mine: UserMemory):
    """Equal scores do not disturb the pages."""
    for n in range(11):
        mine.archival.insert(f"tea{'.' * n}")

    pages = [mine.archival.search("tea", limit=4, offset=offset) for offset in (0, 4, 8, 12)]

    ids = [hit.id for page in pages for hit in page.hits]
    assert len(ids) == len(set(ids)) == 11
    assert {page.total for page in pages} == {11}
    assert "only 11" in pages[-1].notice


def test_list_is_newest_first(mine: UserMemory, clock: Clock):
    """The newest notes come first, page by page."""
    for note in NOTES:
        clock.advance(hours=1)
        mine.archival.insert(note)

    page = mine.archival.list(limit=2)

    assert [passage.text for passage in page.hits] == [NOTES[2], NOTES[1]]
    assert page.total == 3


def test_blank_query_asks_for_a_word(mine: UserMemory):
    """A search for nothing is a hint."""
    assert "word" in mine.archival.search(" ").notice


def test_updated_passage_is_found_by_its_new_text_only(mine: UserMemory):
    """A correction keeps id, tags and time and leaves no trace of the old words in search."""
    old = mine.archival.insert("red kite", tags=["birds"])

    new = mine.archival.update(old.id, "blue boat")

    assert (new.id, new.tags, new.at) == (old.id, old.tags, old.at)
    assert texts(mine, "blue boat") == ["blue boat"]
    assert texts(mine, "red kite") == []


def test_passage_that_is_gone_is_not_found(mine: UserMemory):
    """Reading, correcting or deleting a deleted passage says so."""
    passage = mine.archival.insert("red kite")
    mine.archival.delete(passage.id)

    assert mine.archival.list().total == mine.archival.count() == 0
    for act in (mine.archival.get, mine.archival.delete, lambda id: mine.archival.update(id, "x")):
        with pytest.raises(NotFound, match="no passage"):
            act(passage.id)


def test_without_a_model_words_still_find(drowsy: Memory):
    """A note is stored and found by its words while the model is away, and the page says so."""
    mine = drowsy.for_user("u1")
    mine.archival.insert("red kite by the lake")

    page = mine.archival.search("kite")

    assert [hit.text for hit in page.hits] == ["red kite by the lake"]
    assert "words only" in page.notice


def test_settle_embeds_what_waited(drowsy: Memory, sleepy: Sleepy):
    """Notes stored without a model get their vectors later."""
    mine = drowsy.for_user("u1")
    mine.archival.insert("red kite by the lake")
    with pytest.raises(EmbedderUnavailable):
        drowsy.settle()
    sleepy.awake = True

    assert drowsy.settle()
    assert mine.archival.search("red kite by the lake").hits[0].score == pytest.approx(2.0)


def test_settle_stops_at_its_timeout(drowsy: Memory, sleepy: Sleepy):
    """Work that does not fit the time stays to be done."""
    drowsy.for_user("u1").archival.insert("red kite")
    sleepy.awake = True

    assert not drowsy.settle(timeout=0)
    assert drowsy.settle(timeout=60)


def test_notes_beyond_the_limit_are_refused(tmp_path):
    """As many notes as the policy allows are stored; one more is refused, to that user alone."""
    with Memory.open(tmp_path, embedder=HashEmbedder(), policy=Policy(notes=2)) as memory:
        mine = memory.for_user("u1").archival
        first = mine.insert("One.")
        mine.insert("Two.")

        with pytest.raises(NotesFull, match="2 notes, as many as are allowed"):
            mine.insert("Three.")
        assert mine.insert("One.").known
        memory.for_user("u2").archival.insert("Three.")
        mine.delete(first.id)
        mine.insert("Three.")
        assert mine.count() == 2
