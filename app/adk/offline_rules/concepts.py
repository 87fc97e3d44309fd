"""What words mean: synonyms are one concept, and a concept implies wider ones."""

import re
from dataclasses import dataclass
from functools import lru_cache

from app.adk.offline_rules.lexicon_actions import ACTIONS
from app.adk.offline_rules.lexicon_life import FOODS, HOBBIES, LIFE
from app.adk.offline_rules.lexicon_people import JOBS, LANGUAGES, PEOPLE
from app.adk.offline_rules.lexicon_things import CARS, THINGS
from app.adk.offline_rules.words import expand, stem, stems

_LISTS = {"JOBS": JOBS, "LANGUAGES": LANGUAGES, "FOODS": FOODS, "HOBBIES": HOBBIES, "CARS": CARS}

# Trades and callings end alike in English; these end so too and are none.
_TRADE = re.compile(
    r".{3,}(?:ist|eer|smith|wright|ologist|monger|keeper|maker|ician)$|(?:mail|fire|police|trades"
    r"|sales|business|fisher|crafts|camera|post|repair|milk|door|chair|states|clergy|weather|stunt"
    r"|news|garbage|ferry|lumber|fore|council|alder)(?:wo)?man$"
)

_NEGATED = re.compile(
    r"\b(?:not|never|no longer|hardly|nor)\s+(?:\w+ly\s+|ever\s+|really\s+|too\s+|so\s+|that\s+"
    r"|much\s+|a\s+|a big\s+|a huge\s+|any\s+)*(?:like|liked|enjoy|enjoyed|love|loved|(?:fan of"
    r"|fond of|keen on|into|care for|stand|bear|stomach|abide)\b)(?!\s+to\b)",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Term:
    """A word or set phrase: its stems joined by blanks, and the concepts it stands for."""

    stem: str
    concepts: frozenset[str]


def _members(written: str) -> list[str]:
    words = [word.strip() for word in written.replace("\n", " ").split(",")]
    return [
        w for word in words if word for w in (_members(_LISTS[word]) if word in _LISTS else [word])
    ]


def _key(words: str) -> str:
    return " ".join(stems(words))


_Sets = dict[str, set[str]]
_Lists = dict[str, list[str]]


def _compile() -> tuple[_Sets, _Sets, _Lists, _Lists]:
    means: dict[str, set[str]] = {}
    implies: dict[str, set[str]] = {}
    same_by: dict[str, list[str]] = {}
    kinds_by: dict[str, list[str]] = {}
    for line in re.sub(r"\n +", " ", PEOPLE + LIFE + THINGS + ACTIONS).strip().splitlines():
        if not line.strip():
            continue
        concept, _, rest = line.partition(" = ")
        same, _, kinds = rest.partition(" > ")
        same_by["=" + concept], kinds_by["=" + concept] = _members(same), _members(kinds)
        for word in _members(same):
            means.setdefault(_key(word), set()).add("=" + concept)
        for word in _members(kinds):
            implies.setdefault(_key(word), set()).add("=" + concept)
            implies.setdefault("=" + word, set()).add("=" + concept)
    return means, implies, same_by, kinds_by


_MEANS, _IMPLIES, _SAME, _KINDS = _compile()
_PHRASES = frozenset(key for key in (*_MEANS, *_IMPLIES) if " " in key and key[0] != "=")
_LONGEST = max(phrase.count(" ") + 1 for phrase in _PHRASES)


def known(word: str) -> bool:
    """Tell whether the lexicon has this word."""
    return stem(word) in _MEANS or stem(word) in _IMPLIES


def meant(key: str) -> frozenset[str]:
    """The concepts a stem or phrase stands for, without what they imply."""
    return frozenset(_MEANS.get(key, ()))


@lru_cache(maxsize=8192)
def closure(key: str) -> frozenset[str]:
    """Everything a stem or phrase implies, itself included."""
    found: set[str] = set()
    todo = [key]
    while todo:
        node = todo.pop()
        if node not in found:
            found.add(node)
            todo += _MEANS.get(node, ())
            todo += _IMPLIES.get(node, ())
    if key not in _MEANS and key not in _IMPLIES and _TRADE.match(key):
        found.add("=job")
    return frozenset(found)


@lru_cache(maxsize=4096)
def terms(text: str) -> tuple[Term, ...]:
    """Cut a text into terms; the longest set phrase wins, and its words then mean only that."""
    sequence = stems(_NEGATED.sub(" dislike ", expand(text)))
    found: list[Term] = []
    start = 0
    while start < len(sequence):
        for length in range(min(_LONGEST, len(sequence) - start), 0, -1):
            key = " ".join(sequence[start : start + length])
            if length == 1 or key in _PHRASES:
                found.append(Term(key, frozenset(_MEANS.get(key, ()))))
                start += length
                break
    return tuple(found)


def _inside(words: list[str]) -> set[str]:
    """What the words and shorter phrases inside a set phrase mean by themselves."""
    keys = [" ".join(words[i:j]) for i in range(len(words)) for j in range(i + 1, len(words) + 1)]
    return {node for key in keys if " " not in key or key in _PHRASES for node in closure(key)}


@lru_cache(maxsize=4096)
def meaning(text: str) -> frozenset[str]:
    """Everything the words of a text say or imply."""
    found: set[str] = set()
    for term in terms(text):
        found |= closure(term.stem)
        if " " in term.stem and "=dislike" not in term.concepts:
            found |= _inside(term.stem.split())
    found |= {concept for concept, pattern in _SHAPES if pattern.search(text)}
    return frozenset(found)


_FEW = (
    r"(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen"
    r"|sixteen|seventeen|eighteen|nineteen|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty"
    r"|ninety)(?:-\w+)?)"
)

# What is told by the shape of a text rather than by a word.
_SHAPES = (
    ("=number", re.compile(r"\d")),
    (
        "=age",
        re.compile(
            r"(?:^[Ii]s|[A-Z]\w+,? (?:who )?is|\bare|\b[Tt]urn(?:ed|s)|\baged|[A-Z]\w+,) \(?\d{1,3}"
            r"(?=[,.;)]|$| and\b| years? old| months? old)"
        ),
    ),
    (
        "=age",
        re.compile(
            rf"\b(?:is|are|turn(?:ed|s)) {_FEW}(?: and a half)?(?: years?(?: old)?)?(?:[.,;]|$)",
            re.I,
        ),
    ),
    (
        "=business",
        re.compile(
            r"\b(?:runs?|owns?|opened|founded|has) (?:an?|the|their own) (?!\w+ (?:called"
            r"|named)\b)[a-z]+ (?:in|near|on|at|outside|back)\b"
        ),
    ),
    ("=birthday", re.compile(r"\bturns? \d+ (?:on|in)\b", re.I)),
    (
        "=rent",
        re.compile(
            r"\bpays? [^.]*(?:a|per) (?:month|week) for (?:\w+ )?(?:flat|apartment|house|room)",
            re.I,
        ),
    ),
    ("=phonenumber", re.compile(r"(?:\+|\b0)\d[\d /-]{5,}\d")),
    ("=footballteam", re.compile(r"\b(?:fan of|supports?|roots? for|cheers? for) (?:the )?[A-Z]")),
    ("=club", re.compile(r"\b(?:fan of|supports?|roots? for|cheers? for) (?:the )?[A-Z]")),
    ("=travel", re.compile(r"\b(?:[Ii]s|are) (?:going|off|heading) (?:back )?to (?:the )?[A-Z]")),
    (
        "=money",
        re.compile(
            r"[£$€]\s?\d|\d\s?(?:[£$€]|euros?\b|pounds?\b|dollars?\b|quid\b|francs?\b)", re.I
        ),
    ),
    ("=reach", re.compile(r"(?:\+|\b0)\d[\d /-]{5,}\d|\S@\S+\.\w")),
    (
        "=commute",
        re.compile(
            r"\b(?:takes?|cycles?|walks?|drives?|rides?|bikes?|goe?s?|gets?"
            r"|travels?)\b[^.,;]{0,30}\bto (?:work|the office|school|uni)\b",
            re.I,
        ),
    ),
    (
        "=instrument",
        re.compile(r"\bplay(?:s|ing)? the (?!lottery|market|game|fool|part|role|stock)\w+", re.I),
    ),
    ("=email", re.compile(r"\S@\S+\.\w")),
)


PERSONAL = ("=person", "=pet")


def is_animate(word: str) -> bool:
    """Tell whether a word or phrase ends in one that names somebody's relation or an animal."""
    parts = stems(word)
    keys = [" ".join(parts[-length:]) for length in range(1, min(3, len(parts)) + 1)]
    return any(kind in closure(key) for key in keys for kind in PERSONAL)


def kinds_of(concept: str) -> list[str]:
    """List what the lexicon names as kinds of a concept."""
    return _KINDS.get(concept, [])


def words_for(term: Term, limit: int = 12) -> list[str]:
    """List words under which the same may have been said, for a search by words."""
    found = [
        word for concept in sorted(term.concepts) for word in (*_SAME[concept], *_KINDS[concept])
    ]
    return [word for word in found if " " not in word][:limit]
