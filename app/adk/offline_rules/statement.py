"""What a line in the third person is about: its subject, its slot, its meaning."""

import re
from dataclasses import dataclass
from functools import lru_cache

from app.adk.offline_rules.clauses import split_subject
from app.adk.offline_rules.concepts import Term, is_animate, known, meaning, terms
from app.adk.offline_rules.render import is_name
from app.adk.offline_rules.verbs import is_finite
from app.adk.offline_rules.words import STOP, is_capital

TIME = re.compile(
    r"\b(?:\d{1,2} (?:of )?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\w*(?: \d{4})?"
    r"|\d{1,2}[:.]\d{2}|\d{1,2} ?(?:am|pm|a\.m|p\.m|o'clock|h)\b|\d{4}-\d{2}-\d{2}|(?:19|20)\d{2}"
    r"|\d{1,2}(?:st|nd|rd|th)|\d{1,2}[./]\d{1,2}(?:[./]\d{2,4})?|(?:mon|tues|wednes|thurs|fri"
    r"|satur|sun)days?|january|february|march|april|may|june|july|august|september|october"
    r"|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|spring|summer|autumn|winter"
    r"|morning|evening|afternoon|noon|midnight|night|weekend|today|tomorrow|yesterday|tonight"
    r"|next (?:week|month|year)|last (?:week|month|year)|every (?:\w+ )?(?:day|week|month|year)"
    r"|daily|weekly|monthly|christmas|easter|new year|halloween|ago|since|half past|quarter "
    r"(?:past|to)|in \w+ (?:days|weeks|months|years)|at (?:one|two|three|four|five|six|seven|eight"
    r"|nine|ten|eleven|twelve|\d{1,2})|(?:beginning|middle|end|start) of (?:the )?\w+|dawn|dusk"
    r"|sunrise|lunch(?:time)?|breakfast)\b",
    re.I,
)
NUMBER = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen"
    r"|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty"
    r"|ninety|hundred|thousand|million|dozen|half|twice|once|twins|triplets|couple|both|no|an? )\b",
    re.I,
)
PLACE = re.compile(
    r"\b(?:(?:visit(?:s|ed|ing)?|explor(?:e|es|ed|ing)|see(?:s|ing)?|tour(?:s|ing)?) (?="
    r"(?-i:[A-Z]))|to (?=(?-i:[A-Z])|the\b|an?\b|their\b)|in|at|near|by|from|on|under|behind"
    r"|inside|into|above|below|outside|across|around|beside|between|opposite|next to|in front of"
    r"|through|over|against|within)\b",
    re.I,
)

_RELATIONS = tuple(
    (name, re.compile(pattern, re.I))
    for name, pattern in (
        (
            "home",
            r"(?:now )?(?:(?:lives|resides|is (?:living|based|settled)) (?:in|at|on|near|by|above"
            r"|outside|next|abroad|under|behind|between|opposite)|(?:has )?(?:moved|relocated) "
            r"(?:to|into))\b|home:",
        ),
        (
            "household",
            r"lives (?:alone|with|by)\b|shares an? (?:\w+ )?(?:flat|house|apartment|home|room)\b",
        ),
        ("job", r"works (?:as|in)\b|(?:job|profession|occupation)\b|became an? "),
        ("employer", r"works (?:at|for)\b|employer\b"),
        (
            "age",
            r"is (?:about |almost |nearly )?\d{1,3}(?: years? old\b|\.?$)|(?:just )?turned \d+"
            r"|age:",
        ),
        ("birthday", r"birthday\b|was born on\b|(?:date of )?birth\b"),
        ("birthplace", r"was born (?:and raised )?in (?!\d)"),
        ("origin", r"(?:is|comes) (?:originally )?from\b|grew up\b|hometown\b"),
        ("nickname", r"goes by\b|nickname\b|likes to be called"),
        ("car", r"drives (?:an?|the|their)\b|car:"),
        (
            "commute",
            r"(?:cycles|walks|drives|commutes|bikes|gets|goes|takes [\w ]+?) to work\b|commutes\b",
        ),
        ("wake", r"(?:\w+ )?(?:gets up|wakes up|is up)\b"),
        ("bedtime", r"(?:\w+ )?(?:goes to bed|is in bed|turns in|falls asleep)\b"),
        ("marital", r"is (?:now )?(?:married|engaged|single|divorced|widowed|separated|dating)\b"),
        (
            "diet",
            r"(?:is|has been|became|went) (?:an? )?(?:vegan|vegetarian|pescatarian|omnivore)\b",
        ),
        ("supports", r"supports [A-Z]"),
        ("study", r"(?:studies|is studying|majors in|is majoring in)\b"),
        ("reading", r"is (?:currently )?reading\b"),
        ("weight", r"weighs\b"),
        ("height", r"is [\d.,]+ ?(?:cm|m|metres|meters|feet|ft)\b"),
        ("name", r"name:|is (?:called|named)\b(?! after)"),
    )
)
_COUNT = re.compile(r"has (?:\d+|two|three|four|five|six|seven|eight|nine|ten) ([\w' -]+)", re.I)


@dataclass(frozen=True, slots=True)
class Statement:
    """A line and what it is about.

    Attributes:
        line: The line itself, in the third person.
        subject: The person, animal or thing it is about; blank for the user.
        animate: Whether the subject is a person (other than the user) or an animal.
        relation: What a subject has only one of (`home`, `age`, `is time`); blank when many fit.
        value: What the line says about its subject.
        meaning: All that its words say or imply.
    """

    line: str
    subject: str
    animate: bool
    relation: str
    value: str
    meaning: frozenset[str]


@lru_cache(maxsize=4096)
def content(text: str) -> frozenset[str]:
    """The stems of a text that carry meaning."""
    return frozenset(t.stem for t in terms(text) if t.stem not in STOP)


_OPENS_WITH_ADVERB = re.compile(
    r"^(?:(?:usual|most|real|main|normal|general|typical|recent|final|current|rare|hard|occasional"
    r"|regular|frequent|absolute|total|particular|especial|bare|near|secret|actual|original|on"
    r"|week|dai|year)i?ly|always|never|often|also|still|sometimes|once|just|no longer|rarely"
    r"|truly) ([a-z]\w+ .*)$",
    re.I,
)


def _split(line: str) -> tuple[str, str, bool]:
    """Cut a line into subject, predicate and whether they are a key and its value."""
    key, colon, value = line.partition(": ")
    if colon and len(key.split()) <= 6:
        return key.lower() if not is_name(key) or known(key.split()[0]) else key, value, True
    opened = _OPENS_WITH_ADVERB.match(line)
    if opened:
        return "", opened[1], False
    first = line.split(" ", 1)[0]
    if is_finite(first) or re.match(r"\w+n't$", first, re.I):
        return "", line[:1].lower() + line[1:], False
    opening = line[:1].lower() if known(first) else line[:1]
    subject, predicate = split_subject(
        opening + line[1:] if first.lower() in ("the", "their") else f"my {opening}{line[1:]}"
    )
    if not subject:
        return "", line, False
    return re.sub(r"^(?:my|our|the|their)\s+", "", subject, flags=re.I), predicate, False


def _typed(value: str) -> str:
    """Which kind of value this is, so that a new time replaces the time and not the place."""
    value = value.strip(" .")
    if re.match(r"^(?:in|at|on|by|every|next|this|the|from)?\s*(?:the )?", value) and TIME.match(
        re.sub(r"^(?:on|at|in|by|every|from)\s+(?:the\s+)?", "", value)
    ):
        return "time"
    if re.match(r"(?:in|at|near|by|behind|under|on|next to|inside|above|to|from)\b", value, re.I):
        return "place"
    if is_name(value.split(",")[0]) or re.match(r"(?:called|named)\b", value):
        return "name"
    if re.match(r"(?:about |almost )?\d+(?: years? old)?$", value):
        return "number"
    if "=job" in meaning(value) or re.match(r"an? [a-z -]+ (?:at|for) [A-Z]", value):
        return "job"
    return "other"


def _thing_relation(subject: str, animate: bool, predicate: str) -> str:
    """The slot of "X is Y": animate subjects have many of "other", things have one."""
    found = re.match(
        r"(?:is|are|has changed to|changed to|became|is now|will be)\s+(.+)$", predicate
    )
    value = found[1] if found else predicate
    if not found and not subject:
        return ""
    kind = _typed(value)
    if animate:
        return {"name": "name", "number": "age", "job": "job"}.get(kind, "")
    return f"is {kind}" if kind in ("time", "place") else "is value"


def _relation(subject: str, animate: bool, predicate: str, colon: bool) -> str:
    lowered = predicate
    for name, pattern in _RELATIONS:
        if pattern.match(lowered):
            return name
    counted = _COUNT.match(predicate)
    if counted:
        return "count " + " ".join(sorted(content(counted[1].split(" and ")[0])))
    if subject and (
        colon or re.match(r"(?:is|are|has changed|changed|became|will be)\b", predicate)
    ):
        return _thing_relation(subject, animate, predicate)
    return ""


_OF_USER = frozenset({"name", "home", "job", "age", "nickname", "birthday", "employer", "car"})


@lru_cache(maxsize=4096)
def read_line(line: str) -> Statement:
    """Tell what a line in the third person is about."""
    subject, predicate, keyed = _split(line)
    if keyed and subject in _OF_USER:
        return Statement(line, "", False, subject, predicate, meaning(line))
    if subject.lower() in ("i", "they", "user", "the user"):
        subject = ""
    owned = re.match(r"^(.+?)'s (name|birthday|job|age|nickname|home|car)$", subject, re.I)
    if owned:
        return Statement(line, owned[1], True, owned[2].lower(), predicate, meaning(line))
    animate = bool(subject) and _has_animate(subject)
    relation = _relation(subject, animate, predicate, keyed)
    return Statement(line, subject, animate, relation, predicate, meaning(line))


def _has_animate(subject: str) -> bool:
    subject = re.split(_INSIDE, subject)[0]
    owner = re.match(r"(.+?)'s? \w", subject)
    if owner and _has_animate(owner[1]):
        return True
    words = subject.replace("-", " ").split()
    if is_animate(subject):
        return True
    if is_capital(words[-1]) and any(is_animate(word) for word in words[:-1]):
        return True
    return is_name(subject) and not known(words[0])


def _same_head(one: str, other: str) -> bool:
    """Tell whether two things are of one kind: a bike lock code is a code, and no bike."""
    if is_animate(one) or is_animate(other) or is_name(one) or is_name(other):
        return True
    a, b = (_telling(re.split(_INSIDE, subject)[0])[-1:] for subject in (one, other))
    return bool(a and b) and (a[0].stem == b[0].stem or bool(a[0].concepts & b[0].concepts))


_INSIDE = r"\s(?:at|in|of|from|on|for|with|who)\s"


def _telling(subject: str) -> list[Term]:
    return [term for term in terms(subject) if term.stem not in STOP]


def same_subject(one: str, other: str) -> bool:
    """Tell whether two subjects are the same: by synonyms, or by a shared name."""
    if one.lower() == other.lower():
        return True
    a, b = _telling(one), _telling(other)
    if not a or not b:
        return False
    fewer, more = (a, b) if len(a) <= len(b) else (b, a)
    if not _same_head(one, other):
        return False
    alike = len(a) == len(b) or is_animate(one) or is_animate(other)
    return all(
        any(x.stem == y.stem or (alike and x.concepts & y.concepts) for y in more) for x in fewer
    )
