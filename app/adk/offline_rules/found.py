"""Choose the answer to a question among core lines, notes and earlier messages."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from app.adk.offline_rules.clauses import clauses
from app.adk.offline_rules.edits import lines_of, similar
from app.adk.offline_rules.forms import line_of
from app.adk.offline_rules.matching import ENOUGH, score
from app.adk.offline_rules.names import Names, learn_names
from app.adk.offline_rules.question import Question, is_question
from app.adk.offline_rules.statement import Statement, read_line, same_subject
from app.adk.offline_rules.words import plain


@dataclass(frozen=True, slots=True)
class Candidate:
    """Something that may answer. `quote` is shown; `at` is blank for core memory."""

    statement: Statement
    quote: str
    origin: str
    at: str = ""
    rate: float = 0.0


def from_core(block: str) -> list[Candidate]:
    """Read the lines of a core block."""
    return [Candidate(read_line(line), line, "core") for line in lines_of(block)]


def from_results(results: Iterable[dict[str, Any]], origin: str, text: str) -> list[Candidate]:
    """Read what the user said in search results; questions and the present message are left out."""
    found = []
    for result in results:
        said = str(result.get("text") or "")
        if result.get("role") == "assistant" or plain(said).strip() == plain(text).strip():
            continue
        for clause in clauses(said[:20_000]):
            if not is_question(clause.sentence):
                line = line_of(clause.text)
                found.append(
                    Candidate(read_line(line), clause.sentence, origin, str(result.get("at") or ""))
                )
    return found


def rank(question: Question, candidates: list[Candidate], names: Names) -> list[Candidate]:
    """Order those that answer, best first; of nearly equal ones the newer comes first."""
    rated = [
        Candidate(c.statement, c.quote, c.origin, c.at, score(question, c.statement, names))
        for c in candidates
    ]
    fit = [(place, c) for place, c in enumerate(rated) if c.rate >= ENOUGH]
    fit.sort(
        key=lambda pair: (round(pair[1].rate, 1 if pair[1].at else 2), pair[1].at, pair[0]),
        reverse=True,
    )
    return [candidate for _, candidate in fit]


def current(candidates: list[Candidate], core: list[Candidate]) -> list[Candidate]:
    """Put what core memory holds now in the place of what was said earlier on the same matter."""
    found: list[Candidate] = []
    for candidate in candidates:
        now = next((c for c in core if _replaces(c.statement, candidate.statement)), candidate)
        if now not in found and not any(
            _same_matter(candidate.statement, earlier.statement) for earlier in found
        ):
            found.append(now)
    return found


def _replaces(core: Statement, said: Statement) -> bool:
    """Tell whether a core line is what became of something said earlier."""
    return _same_matter(core, said) or similar(core, said) >= 0.66


def _same_matter(one: Statement, other: Statement) -> bool:
    return (
        bool(one.relation)
        and one.relation == other.relation
        and same_subject(one.subject, other.subject)
    )


def answers(
    question: Question, block: str, results: list[Candidate] | None = None
) -> list[Candidate]:
    """Answer from core memory, else from what the searches found; empty when nothing answers."""
    core = from_core(block)
    names = learn_names([c.statement for c in core + (results or [])])
    best = rank(question, core, names)
    if best or not results:
        return best
    return current(rank(question, results, names), core)
