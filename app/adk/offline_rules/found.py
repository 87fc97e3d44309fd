"""Choose the answer to a question among core lines, notes and earlier messages."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from app.adk.offline_rules.clauses import Clause, clauses, sentences
from app.adk.offline_rules.concepts import meaning
from app.adk.offline_rules.edits import lines_of, similar
from app.adk.offline_rules.forms import line_of
from app.adk.offline_rules.matching import ENOUGH, score
from app.adk.offline_rules.names import Names, learn_names
from app.adk.offline_rules.question import Question, is_question
from app.adk.offline_rules.render import tidy
from app.adk.offline_rules.statement import Statement, read_line, same_subject
from app.adk.offline_rules.turning import GONE
from app.adk.offline_rules.words import plain

_READ = 4000
"""The most characters of one result that are read."""
_WHOLE = 700
"""Up to how many characters a note is quoted as a whole."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """Something that may answer. `quote` is shown; `at` is blank for core memory.

    `whole` marks a text of several sentences, which no single line can stand for.
    """

    statement: Statement
    quote: str
    origin: str
    at: str = ""
    whole: bool = False
    rate: float = 0.0


def from_core(block: str) -> list[Candidate]:
    """Read the lines of a core block."""
    return [Candidate(read_line(line), line, "core") for line in lines_of(block)]


def from_results(results: Iterable[dict[str, Any]], origin: str, text: str) -> list[Candidate]:
    """Read what the user said in search results; questions and the present message are left out."""
    found: list[Candidate] = []
    for result in results:
        said = str(result.get("text") or "")[:_READ]
        if result.get("role") == "assistant" or plain(said).strip() == plain(text).strip():
            continue
        found += _parts(said, origin, str(result.get("at") or ""))
    return found


def _holds(clause: Clause) -> bool:
    """Tell whether a clause says what is so; a question does not, nor what has ended."""
    return not is_question(clause.sentence) and not GONE.search(clause.text)


def _quotable(clause: Clause) -> str:
    """The sentence of a clause; only the clause where the sentence tells of something past too."""
    return tidy(clause.text) if GONE.search(clause.sentence) else clause.sentence


def _parts(said: str, origin: str, at: str) -> list[Candidate]:
    """Read a text clause by clause, and a text of several sentences as a whole besides."""
    told = [clause for clause in clauses(said) if _holds(clause)]
    several = len(sentences(said)) > 1 and bool(told)
    found = []
    if several:
        whole = Statement(said, "", False, "", said, meaning(said))
        found.append(Candidate(whole, said, origin, at, whole=True))
    if not several or origin != "archival" or len(said) > _WHOLE:
        lines = [(read_line(line_of(clause.text)), _quotable(clause)) for clause in told]
        found += [Candidate(statement, quote, origin, at) for statement, quote in lines]
    return found


def rank(question: Question, candidates: list[Candidate], names: Names) -> list[Candidate]:
    """Order those that answer, best first; of nearly equal ones the newer comes first."""
    rated = [replace(c, rate=score(question, c.statement, names)) for c in candidates]
    fit = [(place, c) for place, c in enumerate(rated) if c.rate >= ENOUGH]
    fit.sort(
        key=lambda pair: (
            round(pair[1].rate, 1 if pair[1].at else 2),
            pair[1].at,
            pair[1].origin == "archival",
            pair[0],
        ),
        reverse=True,
    )
    return [candidate for _, candidate in fit]


def current(candidates: list[Candidate], core: list[Candidate]) -> list[Candidate]:
    """Put what core memory holds now in the place of what was said earlier on the same matter."""
    found: list[Candidate] = []
    for candidate in candidates:
        newer = () if candidate.whole else core
        now = next((c for c in newer if _replaces(c.statement, candidate.statement)), candidate)
        if now not in found and not any(
            _same_matter(candidate.statement, earlier.statement) for earlier in found
        ):
            found.append(now)
    return found


def _replaces(core: Statement, said: Statement) -> bool:
    """Tell whether a core line is what became of something said earlier."""
    return _same_matter(core, said) or (
        same_subject(core.subject, said.subject) and similar(core, said) >= 0.66
    )


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
    if results and (question.about or not best):
        best = best + current(rank(question, results, names), core)
    return _without_repeats(best)


def _without_repeats(candidates: list[Candidate]) -> list[Candidate]:
    """Drop what says no more than an earlier one: a sentence of a note that is quoted already."""
    kept: list[Candidate] = []
    for candidate in candidates:
        if not any(candidate.quote in earlier.quote for earlier in kept):
            kept = [c for c in kept if c.quote not in candidate.quote or c.origin == "core"]
            kept.append(candidate)
    return kept
