"""How much of one term of a question a line says."""

import re
from difflib import SequenceMatcher

from app.adk.offline_rules.concepts import Term, closure, meaning, meant
from app.adk.offline_rules.question import Question
from app.adk.offline_rules.statement import Statement, content
from app.adk.offline_rules.words import stem

_DERIVED = frozenset(["er", "r", "or", "ist", "ment", "ian", "ion", "y"])


def _alike(one: str, other: str) -> bool:
    """Tell whether two stems look like forms of one word, or like a slip of the pen."""
    short, long = sorted((one, other), key=len)
    if len(short) >= 3 and long.removeprefix(short) in _DERIVED:
        return True
    shorter = len(short)
    if shorter < 5 or one[0] != other[0]:
        return False
    shared = next((i for i in range(shorter) if one[i] != other[i]), shorter)
    if shared >= 5 and shared >= 0.8 * shorter:
        return True
    return SequenceMatcher(None, one, other).ratio() >= 0.86


# One and the same person may be called girlfriend, fiancée and wife as time goes by.
COUPLE = frozenset({"=partner", "=wife", "=husband", "=girlfriend", "=boyfriend", "=fiance"})


def cover(term: Term, said: frozenset[str], words: frozenset[str]) -> float:
    """How much of a term a line says: 1 in so many words or by meaning, less when only nearly."""
    if term.stem in said or term.concepts & said:
        return 1.0
    if "=favourite" in term.concepts and "=like" in said:
        return 0.7
    if term.concepts & COUPLE and any(meant(word) & COUPLE for word in words):
        return 0.85
    parts = term.stem.split()
    if len(parts) > 1 and all(part in said for part in parts):
        return 0.9
    return 0.9 if any(_alike(term.stem, word) for word in words) else 0.0


_TRADE = re.compile(
    r"(?:(?:is|was) an? (?!\w+ (?:person|fan|lover|owner|member|eater))|(?:builds|fixes|repairs"
    r"|drives|runs|sells|designs|manages|bakes|treats|makes|produces|teaches|imports|farms|studies"
    r"|cleans|translates|writes|paints|restores|develops|looks after) )",
    re.I,
)
_AS = re.compile(r"\b(?:is|as|be|became|become|becoming|being|job|work\w*)\b|: an? ", re.I)


def _said_of_one(statement: Statement) -> bool:
    """Tell whether a trade follows a word such as "is" or "as" closely, or is what is done."""
    line = statement.line
    places = [found.start() for found in _AS.finditer(line)]
    doing = line[len(statement.subject) :].split()[:1]
    return any("=job" in meaning(" ".join(line[at:].split()[:6])) for at in places) or (
        bool(doing) and "=job" in closure(stem(doing[0]))
    )


def covered(term: Term, question: Question, statement: Statement) -> float:
    """Rate one term, with more care where the word of an answer proves little.

    A trade is somebody's job only when they are said to have it ("the vet rang" names none), and
    a bare "PIN" is not the combination of the bicycle lock.
    """
    words = content(statement.line)
    rate = cover(term, statement.meaning, words)
    if "=job" in term.concepts:
        if statement.relation == "marital" and not question.owners:
            return 0.3
        told = any("=job" in meant(word) for word in words)
        if (
            rate
            and not told
            and statement.relation not in ("job", "employer")
            and not _said_of_one(statement)
        ):
            return 0.5
        predicate = statement.line[len(statement.subject) :].lstrip()
        return rate or 0.8 * (statement.animate and bool(_TRADE.match(predicate)))
    if not rate and question.kind == "yes or no" and _DENIES.search(statement.line):
        return 0.8 * any(meant(word) & closure(term.stem) for word in words)
    if "=language" in term.concepts and not _SPOKEN & statement.meaning:
        return min(rate, 0.3)
    return rate


# "Doesn't drink alcohol" answers "do I drink wine?"; "likes fish" does not answer "do I like eel?".
_DENIES = re.compile(r"n't\b|\bnever\b|\bno longer\b|\ballergic\b|\bintolerant\b", re.I)
_SPOKEN = frozenset(
    stem(w)
    for w in ("speak", "language", "fluent", "learn", "native", "bilingual", "understand", "study")
)
