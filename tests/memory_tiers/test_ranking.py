"""The order of what was found by words and by meaning."""

from datetime import UTC, datetime

from memory_tiers.ranking import LEAST_LIKENESS, fuse
from memory_tiers.store import Candidate

NOON = datetime(2026, 3, 14, 12, tzinfo=UTC)


def candidate(id: str, words: float = 0.0, likeness: float = 0.0, order: int = 0) -> Candidate:
    """A passage of noon."""
    return Candidate(id, NOON, order, words, likeness)


def ids(*candidates: Candidate) -> list[str]:
    """Return the fused order."""
    return [found.id for found, _ in fuse(candidates)]


def test_only_keyword_hit_beats_everything_alike():
    """A rare word outranks any number of passages that merely mean something close."""
    close = [candidate(f"close {n}", likeness=0.95) for n in range(200)]

    assert ids(*close, candidate("exact", words=2.0, likeness=0.4))[0] == "exact"


def test_unlike_without_a_word_is_left_out():
    """What shares neither word nor meaning is no hit."""
    assert ids(candidate("far", likeness=LEAST_LIKENESS - 0.01)) == []
    assert ids(candidate("near", likeness=LEAST_LIKENESS)) == ["near"]


def test_word_needs_no_likeness():
    """A passage without a vector is found by its words."""
    assert ids(candidate("plain", words=0.5)) == ["plain"]


def test_newest_comes_first_among_equals():
    """Equal scores are ordered by time, then by order of storing."""
    assert ids(candidate("first", 1.0, order=1), candidate("second", 1.0, order=2)) == [
        "second",
        "first",
    ]


def test_nothing_fuses_to_nothing():
    """No candidates, no hits."""
    assert ids() == []
