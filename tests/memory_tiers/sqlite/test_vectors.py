"""The index of vectors finds exactly what the rows hold."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory_tiers.embedding import HashEmbedder
from memory_tiers.sqlite.vectors import VectorIndex
from tests.memory_tiers.sqlite.vector_rows import WIDTH, Rows, finds_its_own, unit_vectors, warnings


def test_a_new_index_over_no_rows_says_nothing(file, caplog):
    """Where nothing is stored, a missing file is no news, and there is nothing to find."""
    index = VectorIndex(file, "m", WIDTH)

    assert Rows({}).into(index) is False
    assert index.search(unit_vectors(1)[0], 10) == []
    assert warnings(caplog) == []


def test_searching_before_any_row_finds_nothing(file):
    """An index that was never reconciled is empty."""
    assert VectorIndex(file, "m", WIDTH).search(unit_vectors(1)[0], 10) == []


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
