"""Cutting long texts for the embedding model."""

from hypothesis import given
from hypothesis import strategies as st

from memory_tiers.chunking import MOST_CHARACTERS, MOST_WORDS, chunks


def test_short_text_is_its_only_chunk():
    """A note that fits is not cut."""
    assert chunks("red kite by the lake") == ["red kite by the lake"]


def test_chunks_overlap():
    """A sentence at a cut is whole in one of the two chunks."""
    words = [f"w{n}" for n in range(500)]
    first, second, *_ = chunks(" ".join(words))

    assert set(first.split()) & set(second.split())


def test_text_without_blanks_is_cut():
    """Characters without blanks between them are cut by length."""
    pieces = chunks("東" * 5000)

    assert max(map(len, pieces)) <= MOST_CHARACTERS
    assert set("".join(pieces)) == {"東"}


@given(st.text(st.sampled_from("ab \n東"), min_size=1, max_size=6000))
def test_chunks_are_small_and_miss_no_word(text: str):
    """Every chunk is within the limits and every word is in some chunk."""
    pieces = chunks(text)

    assert all(len(p) <= MOST_CHARACTERS and len(p.split()) <= MOST_WORDS for p in pieces)
    assert {w for w in text.split() if len(w) < 200} <= {w for p in pieces for w in p.split()}
