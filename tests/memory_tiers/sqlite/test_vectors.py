import logging
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory_tiers.embedding import HashEmbedder
from memory_tiers.sqlite.vectors import VectorIndex

WIDTH = 16


class Rows:
    """The truth an index is a cache of: vectors under numbers; it notes what is fetched."""

    def __init__(self, vectors):
        self.vectors = dict(vectors)
        self.fetched = []

    def digests(self):
        """Return what `reconcile` takes."""
        return {seq: VectorIndex.digest(seq, vector) for seq, vector in self.vectors.items()}

    def fetch(self, seqs):
        """Return the vectors of some rows."""
        self.fetched += seqs
        return np.array([self.vectors[seq] for seq in seqs], np.float32)

    def into(self, index):
        """Bring an index to these rows; return whether it changed."""
        self.fetched = []
        return index.reconcile(self.digests(), self.fetch)


def unit_vectors(count, seed=0):
    """Return `count` vectors of length 1."""
    found = np.random.default_rng(seed).standard_normal((count, WIDTH)).astype(np.float32)
    return found / np.linalg.norm(found, axis=1, keepdims=True)


@pytest.fixture
def rows():
    """Nine rows whose numbers have gaps."""
    return Rows(zip(range(3, 30, 3), unit_vectors(9), strict=True))


@pytest.fixture
def file(tmp_path):
    """Where the index is kept; its folder does not exist yet."""
    return tmp_path / "index" / "one.faiss"


@pytest.fixture
def saved(rows, file):
    """The file of an index that holds the nine rows."""
    index = VectorIndex(file, "m", WIDTH)
    rows.into(index)
    index.save()
    return file


def warnings(caplog):
    """Return the warnings of the index, as text."""
    return [r.getMessage() for r in caplog.records if r.levelno >= logging.WARNING]


def finds_its_own(index, rows):
    """Tell whether each row is the best answer to its own vector."""
    return all(index.search(vector, 1)[0][0] == seq for seq, vector in rows.vectors.items())


def test_a_saved_index_is_used_again(rows, saved, caplog):
    """A whole file is taken as it is: nothing is fetched and nothing is said."""
    caplog.clear()
    again = VectorIndex(saved, "m", WIDTH)

    assert rows.into(again) is False
    assert rows.fetched == []
    assert warnings(caplog) == []
    assert finds_its_own(again, rows)


def test_a_new_index_over_no_rows_says_nothing(file, caplog):
    """Where nothing is stored, a missing file is no news, and there is nothing to find."""
    index = VectorIndex(file, "m", WIDTH)

    assert Rows({}).into(index) is False
    assert index.search(unit_vectors(1)[0], 10) == []
    assert warnings(caplog) == []


def test_searching_before_any_row_finds_nothing(file):
    """An index that was never reconciled is empty."""
    assert VectorIndex(file, "m", WIDTH).search(unit_vectors(1)[0], 10) == []


HARMS = {
    "half": lambda file: file.write_bytes(file.read_bytes()[: file.stat().st_size // 2]),
    "last byte cut": lambda file: file.write_bytes(file.read_bytes()[:-1]),
    "cut in the head": lambda file: file.write_bytes(file.read_bytes()[:30]),
    "emptied": lambda file: file.write_bytes(b""),
    "deleted": lambda file: file.unlink(),
    "garbage": lambda file: file.write_bytes(os.urandom(5000)),
    "nested": lambda file: file.write_bytes(b"[" * 100_000),
    "longer": lambda file: file.write_bytes(file.read_bytes() + b"more"),
    "head alone": lambda file: file.write_bytes(file.read_bytes().split(b"\n")[0] + b"\n"),
    "folder": lambda file: (file.unlink(), file.mkdir()),
}


@pytest.mark.parametrize("harm", HARMS.values(), ids=HARMS)
def test_a_harmed_file_is_made_again_from_the_rows(rows, saved, caplog, harm):
    """Whatever happened to the file, one warning without a path, and all answers are right."""
    harm(saved)
    caplog.clear()
    index = VectorIndex(saved, "m", WIDTH)

    assert rows.into(index) is True
    assert finds_its_own(index, rows)
    assert len(warnings(caplog)) == 1
    assert str(saved.parent) not in warnings(caplog)[0]


@pytest.mark.parametrize("position", [0, 10, 60, 100, 200, 400, -1])
def test_one_altered_byte_is_noticed(rows, saved, caplog, position):
    """A single flipped bit anywhere makes the file unusable."""
    content = bytearray(saved.read_bytes())
    content[position] ^= 1
    saved.write_bytes(content)
    caplog.clear()
    index = VectorIndex(saved, "m", WIDTH)
    rows.into(index)

    assert sorted(rows.fetched) == sorted(rows.vectors)
    assert len(warnings(caplog)) == 1


@pytest.mark.parametrize(("model", "width"), [("other", WIDTH), ("m", WIDTH * 2), ("m\n", WIDTH)])
def test_the_vectors_of_another_model_are_never_used(saved, caplog, model, width):
    """A file of another model, or another width, is put aside with one warning."""
    caplog.clear()
    index = VectorIndex(saved, model, width)
    vector = np.ones(width, np.float32)
    Rows({1: vector}).into(index)

    assert [seq for seq, _ in index.search(vector, 10)] == [1]
    assert len(warnings(caplog)) == 1


def test_an_older_file_of_the_same_count_is_noticed(rows, saved):
    """Rows that were replaced since the file was written are fetched again, and they alone."""
    rows.vectors[9], rows.vectors[12] = unit_vectors(2, seed=7)
    index = VectorIndex(saved, "m", WIDTH)

    assert rows.into(index) is True
    assert sorted(rows.fetched) == [9, 12]
    assert finds_its_own(index, rows)


def test_rows_that_went_are_not_found(rows, saved):
    """What is no longer a row is no longer an answer, in a used file too."""
    gone = rows.vectors.pop(15)
    index = VectorIndex(saved, "m", WIDTH)
    rows.into(index)

    assert 15 not in dict(index.search(gone, 100))
    assert rows.fetched == []


def test_the_header_of_a_later_format_is_not_read(rows, saved, caplog):
    """A file of another format is made again."""
    saved.write_bytes(saved.read_bytes().replace(b"vectors 1", b"vectors 2", 1))
    caplog.clear()
    rows.into(VectorIndex(saved, "m", WIDTH))

    assert len(warnings(caplog)) == 1


def test_answers_are_exact_and_in_order(file):
    """The rows come as exact inner products put them."""
    vectors = unit_vectors(300)
    query = unit_vectors(1, seed=9)[0]
    index = VectorIndex(file, "m", WIDTH)
    Rows(enumerate(vectors)).into(index)

    found = index.search(query, 20)

    assert [seq for seq, _ in found] == np.argsort(-(vectors @ query))[:20].tolist()
    assert np.allclose([score for _, score in found], np.sort(vectors @ query)[::-1][:20])


@pytest.mark.parametrize("order", [1, -1])
def test_ties_come_in_the_order_of_their_numbers(file, order):
    """Rows of one vector are cut and ordered by number, however the index was filled."""
    twin, other = unit_vectors(2)
    rows = Rows([(seq, twin) for seq in range(50)[::order]] + [(99, other)])
    index = VectorIndex(file, "m", WIDTH)
    rows.into(index)

    assert [seq for seq, _ in index.search(twin, 7)] == list(range(7))


def test_asking_for_more_than_there_is_gives_what_there_is(file):
    """Three rows give three answers, none of them padding, whatever number is asked for."""
    vectors = unit_vectors(3)
    index = VectorIndex(file, "m", WIDTH)
    Rows(enumerate(vectors)).into(index)

    assert sorted(seq for seq, _ in index.search(vectors[0], 10)) == [0, 1, 2]
    assert [index.search(vectors[0], k) for k in (0, -1)] == [[], []]


@pytest.mark.parametrize(
    ("allowed", "expected"),
    [({6, 21}, [6, 21]), ([6, 7, -1, 2**62], [6]), (set(), []), ({1, 2}, [])],
)
def test_only_allowed_rows_are_found(rows, saved, allowed, expected):
    """The search keeps to the rows it was allowed; unknown numbers among them find nothing."""
    index = VectorIndex(saved, "m", WIDTH)
    rows.into(index)

    assert sorted(seq for seq, _ in index.search(rows.vectors[3], 10, allowed)) == expected


def test_numbers_and_texts_are_never_mixed_up(file):
    """Deleting, adding and adding again: each text finds its own row, once, and no deleted one."""
    embedder = HashEmbedder(WIDTH)
    texts = {1: "red kite", 2: "blue boat", 3: "green lamp"}
    index = VectorIndex(file, embedder.name, WIDTH)

    def bring():
        vectors = embedder.embed(list(texts.values()))
        Rows(zip(texts, vectors, strict=True)).into(index)

    def found(text, k=10):
        return [seq for seq, _ in index.search(embedder.embed([text])[0], k)]

    bring()
    assert len(found("red kite")) == 3
    del texts[2]
    texts[4] = "grey stone"
    bring()
    bring()
    assert found("green lamp", 1) == [3]
    assert found("grey stone", 1) == [4]
    assert sorted(found("blue boat")) == [1, 3, 4]
    assert found("red kite").count(1) == 1
    del texts[4]
    bring()
    assert found("green lamp", 1) == [3]


def test_a_number_given_again_has_its_new_content(rows, saved):
    """A number that was freed and given to another vector answers with the new one."""
    old, new = rows.vectors[27], unit_vectors(1, seed=5)[0]
    rows.vectors[27] = new
    index = VectorIndex(saved, "m", WIDTH)
    rows.into(index)

    assert index.search(new, 1)[0] == (27, pytest.approx(1, abs=1e-5))
    assert dict(index.search(old, 100))[27] < 0.99


@settings(max_examples=40, deadline=None)
@given(
    steps=st.lists(
        st.tuples(st.dictionaries(st.integers(0, 12), st.integers(0, 3)), st.booleans()),
        max_size=8,
    )
)
def test_any_history_ends_in_the_rows(tmp_path_factory, steps):
    """After any changes and restarts, the index answers with exactly the rows there are."""
    file = tmp_path_factory.mktemp("index") / "one.faiss"
    contents = unit_vectors(4)
    index = VectorIndex(file, "m", WIDTH)
    for step, restart in steps:
        rows = Rows((seq, contents[content]) for seq, content in step.items())
        rows.into(index)
        found = index.search(contents[0], 100)
        assert sorted(seq for seq, _ in found) == sorted(step)
        assert [score for _, score in found] == pytest.approx(
            sorted((contents[0] @ v for v in rows.vectors.values()), reverse=True), abs=1e-5
        )
        if restart:
            index.save()
            index = VectorIndex(file, "m", WIDTH)


def test_saving_writes_only_what_changed(rows, saved):
    """The file is written when the rows changed since the last time, and not otherwise."""
    index = VectorIndex(saved, "m", WIDTH)
    rows.into(index)
    saved.write_bytes(b"touched")
    index.save()
    assert saved.read_bytes() == b"touched"

    rows.vectors.pop(3)
    rows.into(index)
    index.save()

    assert saved.read_bytes() != b"touched"
    assert rows.into(VectorIndex(saved, "m", WIDTH)) is False


def test_an_index_that_was_never_used_leaves_the_file_alone(saved):
    """Saving before anything was loaded keeps what is there."""
    content = saved.read_bytes()

    VectorIndex(saved, "m", WIDTH).save()

    assert saved.read_bytes() == content


def test_a_harmed_file_is_mended_by_saving(rows, saved, caplog):
    """After the repair has been saved the next start has nothing to say."""
    saved.write_bytes(b"garbage")
    index = VectorIndex(saved, "m", WIDTH)
    rows.into(index)
    index.save()
    caplog.clear()

    assert rows.into(VectorIndex(saved, "m", WIDTH)) is False
    assert warnings(caplog) == []


def test_a_failed_save_keeps_the_old_file_and_goes_on(rows, saved, caplog, monkeypatch):
    """A full disk is one warning without a path; searching goes on and a later save succeeds."""
    before = saved.read_bytes()
    index = VectorIndex(saved, "m", WIDTH)
    rows.vectors[100] = unit_vectors(1, seed=3)[0]
    rows.into(index)
    caplog.clear()

    def full(descriptor):
        raise OSError(28, "No space left on device", str(saved))

    with monkeypatch.context() as disk:
        disk.setattr(os, "fsync", full)
        index.save()

    assert saved.read_bytes() == before
    assert len(warnings(caplog)) == 1
    assert "No space left" in warnings(caplog)[0]
    assert str(saved.parent) not in warnings(caplog)[0]
    assert finds_its_own(index, rows)
    index.save()
    assert rows.into(VectorIndex(saved, "m", WIDTH)) is False


def test_a_folder_that_cannot_be_made_is_one_warning(rows, tmp_path, caplog):
    """Where the folder's place is taken by a file, the index works on without being saved."""
    (tmp_path / "index").write_text("a file")
    index = VectorIndex(tmp_path / "index" / "one.faiss", "m", WIDTH)
    rows.into(index)
    caplog.clear()
    index.save()

    assert len(warnings(caplog)) == 1
    assert finds_its_own(index, rows)


def test_a_save_that_is_broken_off_leaves_the_old_file(rows, saved):
    """A process that dies while writing leaves the earlier index whole."""
    code = f"""
import os, pathlib, sys
sys.path.insert(0, {str(Path(__file__).parents[3])!r})
import numpy as np
from memory_tiers.sqlite.vectors import VectorIndex
index = VectorIndex(pathlib.Path({str(saved)!r}), "m", {WIDTH})
index.reconcile({{1: 1}}, lambda seqs: np.ones((1, {WIDTH}), np.float32))
os.fsync = lambda descriptor: os._exit(9)
index.save()
"""
    died = subprocess.run([sys.executable, "-c", code], check=False)

    assert died.returncode == 9
    assert rows.into(VectorIndex(saved, "m", WIDTH)) is False


def test_a_failed_fetch_leaves_an_index_that_can_go_on(rows, file):
    """When fetching fails, the error passes and the next attempt brings all rows."""
    index = VectorIndex(file, "m", WIDTH)

    def failing(seqs):
        raise RuntimeError("the database is busy")

    with pytest.raises(RuntimeError, match="busy"):
        index.reconcile(rows.digests(), failing)

    assert rows.into(index) is True
    assert finds_its_own(index, rows)


def test_a_large_rebuild_is_fetched_in_parts(file):
    """Vectors are fetched a bounded number at a time, all of them once."""
    count = 10_000
    vectors = np.tile(unit_vectors(100), (100, 1))
    sizes = []

    def fetch(seqs):
        sizes.append(len(seqs))
        return vectors[list(seqs)]

    VectorIndex(file, "m", WIDTH).reconcile({seq: seq for seq in range(count)}, fetch)

    assert sum(sizes) == count
    assert max(sizes) < count / 2


def test_a_digest_tells_vectors_and_rows_apart():
    """It fits SQLite's integers, is the same each time, and changes with row and content."""
    one, other = unit_vectors(2)
    digests = [VectorIndex.digest(seq, vector) for seq in (1, 2) for vector in (one, other)]

    assert len(set(digests)) == 4
    assert all(0 <= digest < 2**63 for digest in digests)
    assert VectorIndex.digest(1, one) == digests[0]


def test_importing_the_index_imports_no_faiss():
    """FAISS is imported when the first index is used, not before."""
    code = "import sys, memory_tiers.sqlite.vectors; sys.exit('faiss' in sys.modules)"

    assert (
        subprocess.run(
            [sys.executable, "-c", code], cwd=Path(__file__).parents[3], check=False
        ).returncode
        == 0
    )
