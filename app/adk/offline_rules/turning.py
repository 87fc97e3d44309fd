"""Words that put something new in the place of something old."""

import re

from app.adk.offline_rules.clauses import Clause, without_lead
from app.adk.offline_rules.fact import Fact
from app.adk.offline_rules.render import swap_person, third_person, tidy, without_now

CUE = re.compile(
    r"\b(?:actually|correction|no longer|any\s?more|instead|changed|rescheduled|postponed|pushed"
    r"|moved|sorry|i meant|scratch that|scrap that|turns out|now|nowadays|these days|switched"
    r"|became|update|wait|used to|rather than|replaced|swapped|traded|got it wrong|mistake"
    r"|i was wrong|not .+ but|stopped|quit|gave up|given up|sold|since|from now on|misspoke|wrong"
    r"|in fact|broke up|upgraded|downgraded|promoted|renamed|delayed|brought forward)\b|^\s*no\b"
    r"|, not\b|\bnot the\b",
    re.I,
)
_NOT_OLD = re.compile(
    r"(?:\s*[,;\u2013\u2014]\s*(?:and |but )?(?:not|no longer)|[\s,;]+and not|[\s,;]+(?:instead of"
    r"|rather than|as opposed to|in place of))\s+(?:(?:in|at|on|to|as|called|named|an?|the|my"
    r"|our)\s+)*(?P<old>[^,;]+?)(?P<tail>\s+(?:next|this|last|on|in|from|for|at|every|any\s?more"
    r"|now)\b[^,;]*)?$",
    re.I,
)
_OLD_BUT = re.compile(
    r"\b(?P<be>is|am|are|was|in|on|at|like|likes) not (?P<old>[^,;]+?)[,;]? (?:but|it is|i am"
    r"|he is|she is) (?P<new>.+)$",
    re.I,
)
GONE = re.compile(
    r"\b(?:no longer|not .+ any\s?more|stopped|quit|gave up|given up|have left|sold|moved (?:out"
    r"|away)|(?<!is )(?<!are )closed|shut down|dropped out|dropped|gave (?:the|my|our|away)"
    r"|got rid of|(?<!my )(?<!his )(?<!her )(?<!the )(?<!our )left (?=my\b|the\b|our\b|"
    r"(?-i:[A-Z]))|broke up|split up|cancelled|canceled|called off|died|passed away)\b",
    re.I,
)


def without_old(clause: str) -> tuple[str, str]:
    """Cut "…, not 12" off a clause; the second part is the value that no longer holds."""
    if re.search(r"\bdo(?:es)? not\b", clause, re.I) and "," not in clause:
        return clause, ""
    found = _OLD_BUT.search(clause)
    if found:
        return f"{clause[: found.start()]}{found['be']} {found['new']}", found["old"].strip()
    found = _NOT_OLD.search(clause)
    if found and found.start() > 0:
        return clause[: found.start()] + (found["tail"] or ""), without_now(found["old"].strip())
    return clause, ""


_IT_IS = re.compile(
    r"^(?:it is|that is|only|just|now) (?:now |only |just |all )?(?P<new>[^,;]+?) (?:now|instead"
    r"|from now on|these days|from here on)$",
    re.I,
)
_GIVEN_UP = re.compile(
    r"\b(?:gave up|given up|stopped|quit|off|sold|dropped(?: out of)?|left|gave(?: away)?"
    r"|got rid of|closed|shut down|cancelled|no longer \w+) (?:the |my |our )?(?P<old>[^,;.]+?)"
    r"(?: to (?:my|our|the|a|some).*)?$",
    re.I,
)


def ended_value(clause: str) -> str:
    """What a clause gives up: "law" of "she dropped out of law"; blank when nothing is seen."""
    found = _GIVEN_UP.search(clause)
    return found["old"].strip() if found else ""


_WAS_DOING = re.compile(
    r"^(?P<who>.+?) (?:(?:am|is|are|do|does) (?:not|no longer) |no longer |(?:have |has )?"
    r"(?:stopped|quit|gave up|given up) )(?P<doing>\w+ing) .+$",
    re.I,
)
_BEGAN = re.compile(
    r"^.+? (?:(?:have |has )?(?:started|switched to|taken up|took up|moved on to)|do|does|am doing"
    r"|is doing) (?!not\b)(?P<new>[^,;]+)$",
    re.I,
)


def _resumed(clause: str, before: str) -> str:
    """Read "I've started Italian" after "I'm not learning Spanish any more": learning Italian."""
    was, began = _WAS_DOING.match(before), _BEGAN.match(clause)
    if not was or not began or began["new"].split()[0].endswith("ing"):
        return ""
    be = "am" if was["who"].lower() == "i" else "are" if was["who"].lower() == "we" else "is"
    return f"{was['who']} {be} {was['doing']} {without_now(began['new'])}"


def in_its_place(clause: Clause, before: list[Fact]) -> list[Fact]:
    """Read "It's water now" after "I gave up the cola"."""
    resumed = _resumed(clause.text, before[-1].clause) if before else ""
    if resumed:
        return [Fact(third_person(resumed), resumed, True, False, "", clause.sentence)]
    found = _IT_IS.match(clause.text)
    ended = ended_value(before[-1].clause) if before and before[-1].gone else ""
    if not found or not ended:
        return []
    line = third_person(f"i switched to {found['new']}")
    return [Fact(line, clause.text, True, False, ended, clause.sentence)]


_NEW_ONE = re.compile(
    r"^(?:i|we) (?:have )?(?:just |recently |now )*(?:switched|changed|got|have)(?: an?)?"
    r"(?: new)? (?:my |our )?(?P<what>(?:\w+ )?\w+?)s?$",
    re.I,
)
_ITS_VALUE = re.compile(
    r"^(?:i am|we are|it is|he is|she is|my new one is|the new one is) (?:now )?(?:with |at |on "
    r"|called |named )?(?P<new>[^;]+)$",
    re.I,
)


def renewal(clause: Clause, before: list[Fact]) -> Fact | None:
    """Read "I switched doctors, I'm with Dr. Brandt now" as the doctor's new name."""
    changed = _NEW_ONE.match(before[-1].clause) if before else None
    value = _ITS_VALUE.match(clause.text)
    if not changed or not value or before[-1].sentence != clause.sentence:
        return None
    line = tidy(f"{changed['what']}: {without_now(swap_person(value['new']))}")
    return Fact(line, clause.text, True, False, "", clause.sentence)


INSTEAD_NOW = re.compile(
    r"^(?P<who>i|we) (?:no longer|do not|stopped) (?P<verb>\w+) (?P<old>[^,;]+?)"
    r"(?: any\s?more)?[,;] (?:but |only |just |it is |now )*(?P<new>(?!i\b|we\b|my\b)[^,;]+?)"
    r"(?: now| instead| these days)+$",
    re.I,
)
_WHO_CHANGED = (
    r"^(?P<who>i|we|(?:my|our|the) [\w' -]+?|[A-Z]\w+) (?:have |has |had )?(?:just |recently "
    r"|finally |now )?"
)
SWAPPED = (
    re.compile(
        _WHO_CHANGED + r"(?:swapped|traded|exchanged|replaced)(?: in)? (?:my |our |the )?"
        r"(?P<old>[^,;]{1,60}?)(?: in)? (?:for|with|by) (?:an? |the )?(?P<new>[^,;]+)$",
        re.I,
    ),
    re.compile(
        _WHO_CHANGED
        + r"(?:switched|changed|upgraded|went|gone|converted|moved on)(?: over)? from (?:my "
        r"|our |the )?(?P<old>[^,;]{1,60}?) to (?:an? |the )?(?P<new>[^,;]+)$",
        re.I,
    ),
)
_SWAP = (
    r"(?:^|\b(?:it|that|this|he|she) is |\bi meant |\bmake (?:that|it) |\bshould be |\bit was )"
    r"(?P<new>[^,;.]+?)[,;]? (?:and )?(?:not|instead of|rather than) (?P<old>[^,;.]+?)[.!]*$",
    r"\bnot (?P<old>[^,;.]+?)(?:[,;.] ?(?:but )?|\s+but\s+)(?:(?:it|that|he|she|i) (?:is|am|meant"
    r"|was) |its |make that )?(?P<new>[^,;.]+?)[.!]*$",
)


def read_swap(text: str) -> tuple[str, str]:
    """Read "it's not 12, it's 14" as (old, new); blanks when nothing of the kind is said."""
    cleaned = without_lead(text)
    for pattern in _SWAP:
        found = re.search(pattern, cleaned, re.I)
        if found:
            return found["old"].strip(), found["new"].strip()
    return "", ""
