"""Fit new facts into what core memory holds: add, replace, or leave alone."""

import re
from dataclasses import dataclass, replace

from app.adk.offline_rules.concepts import Term, closure, terms
from app.adk.offline_rules.fact import Fact
from app.adk.offline_rules.names import Names, learn_names
from app.adk.offline_rules.question import LIGHT
from app.adk.offline_rules.render import swap_person, without_now
from app.adk.offline_rules.statement import Statement, content, read_line, same_subject
from app.adk.offline_rules.turning import ended_value
from app.adk.offline_rules.words import STOP, stem, word_set

_MORE = re.compile(
    r"\b(?:also|another|too|as well|second|third|both|other|in addition|besides)\b", re.I
)


Read = list[tuple[str, Statement]]


@dataclass(frozen=True, slots=True)
class Plan:
    """What to do with the facts of a message.

    Attributes:
        added: Lines to append.
        replaced: Pairs of an existing line and the one that takes its place.
        held: Existing lines that already say it.
    """

    added: tuple[str, ...]
    replaced: tuple[tuple[str, str], ...]
    held: tuple[str, ...]


def lines_of(block: str) -> list[str]:
    """List the lines of a block that say something."""
    return [line.strip() for line in block.splitlines() if line.strip()]


def plan_edits(facts: list[Fact], block: str) -> Plan:
    """Decide for each fact whether the block lacks it, contradicts it or holds it."""
    existing = lines_of(block)
    added: list[str] = []
    replaced: dict[str, str] = {}
    held: list[str] = []
    freed = ended = ""
    for place, told in enumerate(facts):
        fact = told
        open_lines = [line for line in existing if line not in replaced]
        same = _holding(fact.line, existing)
        if freed and not fact.instead_of:
            fact = replace(fact, instead_of=ended)
        target = "" if same else freed or _superseded(fact, open_lines)
        freed = ""
        if same:
            held.append(same)
            replaced |= _over(fact, [line for line in open_lines if line != same])
        elif fact.gone and _followed(facts, place):
            freed, ended = target, ended_value(fact.clause)
        elif target and block.count(target) == 1:
            replaced[target] = _successor(fact, target)
            new_relation = read_line(fact.line).relation
            if (
                new_relation in _OWN_LINE
                and replaced[target] != fact.line
                and new_relation != read_line(target).relation
            ):
                added.append(fact.line)
        else:
            added.append(fact.line)
    return Plan(tuple(added), tuple(replaced.items()), tuple(held))


# What a changed detail of another line says besides: Kenji designs games in Tokyo, so lives there.
_OWN_LINE = frozenset(["home", "job", "employer", "name", "age"])


def _over(fact: Fact, existing: list[str]) -> dict[str, str]:
    """Mark the line of a value that no longer holds, where what took its place is known already."""
    old = fact.instead_of and next((line for line in existing if _says(line, fact.instead_of)), "")
    return {old: f"No longer {old[:1].lower()}{old[1:]}"} if old else {}


def _followed(facts: list[Fact], place: int) -> bool:
    """Tell whether the fact after one that ends something says what has come in its place."""
    if place + 1 >= len(facts) or facts[place + 1].gone:
        return False
    ended, next_one = read_line(facts[place].line), read_line(facts[place + 1].line)
    return same_subject(ended.subject, next_one.subject)


_RESCHEDULES = re.compile(
    r"\b(?:moved?|pushed?|postponed?|rescheduled?|brought forward|bring forward|delay(?:ed)?"
    r"|changed?|shift(?:ed)?|put (?:off|back)|slipped|switched|now (?:on|in|at))\b",
    re.I,
)
_CORRECTS = re.compile(
    r"^\W*(?:(?:oh|no|so|and|well|but)\W+)*(?:correction|actually|sorry|wait|oops|update"
    r"|change of plans?)\b",
    re.I,
)
_CHANGES = re.compile(
    r"\b(?:moved?|pushed?|postponed?|rescheduled?|br(?:ought|ing) forward|delay(?:ed)?|changed?"
    r"|shift(?:ed)?|switched|put off|put back)\b|\binstead\b|\bnow\b|\bnot\b",
    re.I,
)
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?"
    r"(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
_DATES = (
    re.compile(
        rf"(?:\b(?:the )?(?:beginning|start|middle|end) of |\b(?:early|mid|late)[ -])?\b"
        rf"(?:\d{{1,2}}(?:st|nd|rd|th)?(?: of)? )?{_MONTH}\b(?: \d{{1,2}}(?:st|nd|rd|th)?\b)?"
        rf"(?:,? \d{{4}})?",
        re.I,
    ),
    re.compile(r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b", re.I),
    re.compile(
        r"\b\d{1,2}[:.]\d{2}(?: ?[ap]\.?m\b)?|\b\d{1,2} ?[ap]m\b|\bnoon\b|\bmidnight\b|"
        r"(?<=\bat )\d{1,2}\b",
        re.I,
    ),
)


def _successor(fact: Fact, old: str) -> str:
    """Write the line that takes the place of an old one; what the change leaves alone stays."""
    if fact.instead_of:
        kept = _aligned(fact, old) or _switched(fact, old) or _renamed(fact, old)
        if kept:
            return kept
    if _CHANGES.search(fact.sentence) or _CORRECTS.search(fact.sentence):
        moved = _redated(fact.clause, old)
        if moved:
            return moved
    return _with_full_subject(fact.line, old) if not _HOME_WITH.search(old) else _rehomed(fact, old)


_HOME_WITH = re.compile(r"\blives in [A-Z][\w -]*?( with .+)$", re.I)


def _rehomed(fact: Fact, old: str) -> str:
    """Let those who live with somebody move along."""
    company, line = _HOME_WITH.search(old), _with_full_subject(fact.line, old)
    if not company or not re.search(r"\blives in\b(?!.* with )", line, re.I):
        return line
    return re.sub(
        r"(\blives in [\w' -]+)", rf"\g<1>{company[1].rstrip('.')}", line, count=1, flags=re.I
    )


def _renamed(fact: Fact, old: str) -> str:
    """Put one name in the place of another: "Ohio State" for "Purdue"."""
    new = re.search(r"\b([A-Z][\w'-]*(?: [A-Z][\w'-]*)*)[. ]*$", fact.clause)
    if not new or not fact.instead_of[:1].isupper() or new[1] == "I":
        return ""
    return re.sub(rf"(?<!\w){re.escape(fact.instead_of)}(?!\w)", lambda _: new[1], old, count=1)


def _shares_date_kind(one: str, other: str) -> bool:
    return any(pattern.search(one) and pattern.search(other) for pattern in _DATES)


def _aligned(fact: Fact, old: str) -> str:
    """Put "at St James's" in the place of "at the county hospital" and leave the rest."""
    article = r"(?:(?:the|an?|my|our|their) )?"
    found = re.search(rf"\b([\w']+) {article}{re.escape(fact.instead_of)}(?!\w)", old, re.I)
    if not found or found[1].lower() in ("a", "the", "is", "are"):
        return ""
    new = re.search(
        rf"\b{re.escape(found[1])} (.+?)[. ]*$", f"{fact.clause}\n{fact.line}", re.I | re.M
    )
    if not new:
        return ""
    return (
        f"{old[: found.start()]}{found[1]} {without_now(swap_person(new[1]))}{old[found.end() :]}"
    )


def _switched(fact: Fact, old: str) -> str:
    """Put "judo" in the place of "football" and leave the rest of the line."""
    new = re.search(r"\bswitched to (.+?)[. ]*$", fact.line, re.I)
    if not new or not _says(old, fact.instead_of):
        return ""
    article = r"(?:(?P<an>an?|the|their) (?:[\w-]+ ){0,3})?"
    whole = re.compile(rf"(?<!\w){article}{re.escape(fact.instead_of)}(?!\w)", re.I)
    return whole.sub(
        lambda found: f"{found['an']} {new[1]}" if found["an"] else new[1], old, count=1
    )


def _redated(clause: str, old: str) -> str:
    """Put a new date, weekday or hour in the place of the one the old line has."""
    line, fresh = old, [pattern.findall(clause) for pattern in _DATES]
    stale = [pattern.findall(old) for pattern in _DATES]
    if not any(fresh) or any(
        len(n) > 1 or len(o) > 1 or (o and not n and any(fresh[:2]))
        for n, o in zip(fresh[:2], stale[:2], strict=True)
    ):
        return ""
    for pattern, new, was in zip(_DATES, fresh, stale, strict=True):
        if len(new) == 1 == len(was):
            line = pattern.sub(new[0].replace("\\", ""), line)
        elif new:
            return ""
    return line if line != old else ""


def _with_full_subject(line: str, old: str) -> str:
    """Keep "Brother" when "Brother Tom lives in Graz" gives way to "Tom lives in Rome"."""
    new_subject, old_subject = read_line(line).subject, read_line(old).subject
    if len(old_subject.split()) > len(new_subject.split()) > 0 and line.startswith(new_subject):
        return old_subject[:1].upper() + old_subject[1:] + line[len(new_subject) :]
    return line


def _plain(line: str) -> str:
    return " ".join(re.findall(r"\w+", line.lower()))


def _holding(line: str, existing: list[str]) -> str:
    """Find a line that already says all that this one says."""
    new, new_content = read_line(line), content(line)
    for old in existing:
        if _plain(old) == _plain(line):
            return old
        statement = read_line(old)
        if (
            new_content
            and new.relation == statement.relation
            and same_subject(new.subject, statement.subject)
            and new_content <= content(old)
            and set(re.findall(r"\d+", line)) <= set(re.findall(r"\d+", old))
            and _negative(line) == _negative(old)
        ):
            return old
    return ""


def _negative(line: str) -> bool:
    return bool(re.search(r"\b(?:not|never|no|no longer)\b|n't\b", line, re.I))


def _superseded(fact: Fact, existing: list[str]) -> str:
    """Find the line that a fact takes the place of; blank when it is simply new."""
    plainly_read = [(line, read_line(line)) for line in existing]
    names = learn_names([statement for _, statement in plainly_read])
    read = [(line, _with_role(statement, names)) for line, statement in plainly_read]
    new = _with_role(read_line(fact.line), names)
    return (
        _named_old(fact, read, new)
        or (_ended(fact, read, new) if fact.gone else "")
        or ("" if _MORE.search(fact.clause) else _rival(fact, read, new))
    )


def _named_old(fact: Fact, read: Read, new: Statement) -> str:
    """Find the line that holds the value a fact says it replaces."""
    if not fact.instead_of:
        return ""
    named = [(similar(new, old), line) for line, old in read if _says(line, fact.instead_of)]
    return max(named, default=(0.0, ""))[1]


def _rival(fact: Fact, read: Read, new: Statement) -> str:
    """Find the line that cannot be true beside a fact, or that its words correct."""
    same_slot = [line for line, old in read if _same_slot(new, old)]
    if same_slot:
        return same_slot[-1]
    if _RESCHEDULES.search(fact.sentence) or _CORRECTS.search(fact.sentence):
        dated = [(line, old) for line, old in read if _shares_date_kind(fact.clause, line)]
        near = [line for line, old in dated if similar(new, old) > 0]
        if len(near) == 1:
            return near[0]
    rated = [(similar(new, old), line) for line, old in read] if fact.cue or fact.gone else []
    best_rate, best_line = max(rated, default=(0.0, ""))
    return best_line if best_rate >= 0.6 else ""


def _ended(fact: Fact, read: Read, new: Statement) -> str:
    """Find the line about what a clause gives up: "closed the bakery" ends "runs a bakery"."""
    given_up = [t for t in terms(ended_value(fact.clause)) if t.stem not in STOP]
    ended = [
        line
        for line, old in read
        if given_up
        and same_subject(new.subject, old.subject)
        and all(t.stem in old.meaning or t.concepts & old.meaning for t in given_up)
    ]
    return ended[-1] if ended else ""


def _with_role(statement: Statement, names: Names) -> Statement:
    """Let "Despina" and "Sister" be one subject once memory knows whose name it is."""
    subject = " ".join([statement.subject, *names.roles(content(statement.subject))]).strip()
    return replace(statement, subject=subject) if subject != statement.subject else statement


def _says(line: str, value: str) -> bool:
    return bool(re.search(rf"(?<!\w){re.escape(value)}(?!\w)", line, re.I))


def _same_slot(new: Statement, old: Statement) -> bool:
    return (
        bool(new.relation)
        and new.relation == old.relation
        and same_subject(new.subject, old.subject)
    )


def similar(new: Statement, old: Statement) -> float:
    """How far two lines speak of the same thing, from 0 to 1."""
    mentioned = bool(new.subject) and new.subject.lower() in old.line
    if not (mentioned or same_subject(new.subject, old.subject)) and (new.animate or old.animate):
        return 0.0
    a, b = _telling(new.line), _telling(old.line)
    if not a or not b:
        return 0.0
    shared = sum(1 for t in a if any(_touch(t, u) for u in b))
    return shared / min(len(a), len(b))


_ENDING = frozenset(
    stem(w) for w in word_set("quit stop give gave sell sold leave left cancel change longer")
)


def _telling(line: str) -> list[Term]:
    """The terms of a line that tell it from others."""
    return [
        t
        for t in terms(line)
        if t.stem not in STOP | LIGHT | _ENDING and t.stem[-2:] != "ly" and not t.stem.isdigit()
    ]


def _touch(one: Term, other: Term) -> bool:
    return one.stem == other.stem or bool(
        one.concepts & closure(other.stem) or other.concepts & closure(one.stem)
    )


def swap_value(block: str, old: str, new: str) -> tuple[str, str]:
    """Find the one line that holds a value; returns it and itself with the new value in place."""
    holding = [line for line in lines_of(block) if _says(line, old)] if old else []
    if len(holding) != 1 or block.count(holding[0]) != 1:
        return "", ""
    return holding[0], re.sub(
        rf"(?<!\w){re.escape(old)}(?!\w)", lambda _: new, holding[0], count=1, flags=re.I
    )
