"""Bringing the lexical and the semantic half of a search into one order. Pure."""

from collections.abc import Sequence

from memory_tiers.store import Candidate

LEAST_LIKENESS = 0.3


def fuse(candidates: Sequence[Candidate]) -> list[tuple[Candidate, float]]:
    """Return what is worth showing with its score (0 to 2), best first, the newest among equals.

    The score is the lexical score as a share of the best one, plus the cosine. A candidate without
    any word of the query needs a cosine of at least `LEAST_LIKENESS`.
    """
    best = max((candidate.words for candidate in candidates), default=0.0)
    scored = [
        (candidate, (candidate.words / best if best else 0.0) + max(candidate.likeness, 0.0))
        for candidate in candidates
        if candidate.words > 0 or candidate.likeness >= LEAST_LIKENESS
    ]
    return sorted(scored, key=lambda pair: (pair[1], pair[0].at, pair[0].order), reverse=True)
