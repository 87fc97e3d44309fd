"""Fit new facts into what core memory holds: add, replace, or leave alone."""

import re
from dataclasses import dataclass

from app.adk.offline_rules.concepts import terms
from app.adk.offline_rules.facts import Fact
from app.adk.offline_rules.question import LIGHT
from app.adk.offline_rules.statement import Statement, content, read_line, same_subject
from app.adk.offline_rules.words import STOP

_MORE = re.compile(r"\b(?:also|another|too|as well|second|third|both|other|in addition|besides)\b", re.I)


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
    for fact in facts:
        same = _holding(fact.line, existing)
        target = "" if same else _superseded(fact, [line for line in existing if line not in replaced])
        if same:
            held.append(same)
        elif target and block.count(target) == 1:
            replaced[target] = fact.line
        elif not (fact.gone and len(facts) > 1 and fact.line.startswith("Used to")):
            added.append(fact.line)
    return Plan(tuple(added), tuple(replaced.items()), tuple(held))


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
    new = read_line(fact.line)
    read = [(line, read_line(line)) for line in existing]
    if fact.instead_of:
        named = [line for line in existing if _says(line, fact.instead_of)]
        best = max(named, key=lambda line: _similar(new, read_line(line)), default="")
        if best:
            return best
    if _MORE.search(fact.clause):
        return ""
    same_slot = [line for line, old in read if _same_slot(new, old)]
    if same_slot:
        return same_slot[-1]
    if not (fact.cue or fact.gone):
        return ""
    rated = [(_similar(new, old), line) for line, old in read]
    best_rate, best_line = max(rated, default=(0.0, ""))
    return best_line if best_rate >= 0.6 else ""


def _says(line: str, value: str) -> bool:
    return bool(re.search(rf"(?<!\w){re.escape(value)}(?!\w)", line, re.I))


def _same_slot(new: Statement, old: Statement) -> bool:
    return bool(new.relation) and new.relation == old.relation and same_subject(new.subject, old.subject)


def _similar(new: Statement, old: Statement) -> float:
    """How far two lines speak of the same thing, from 0 to 1."""
    if not same_subject(new.subject, old.subject) and (new.animate or old.animate):
        return 0.0
    a = [t for t in terms(new.line) if t.stem not in STOP and t.stem not in LIGHT]
    b = [t for t in terms(old.line) if t.stem not in STOP and t.stem not in LIGHT]
    if not a or not b:
        return 0.0
    shared = sum(1 for t in a if any(t.stem == u.stem or t.concepts & u.concepts for u in b))
    return shared / min(len(a), len(b))


def swap_value(block: str, old: str, new: str) -> tuple[str, str]:
    """Find the one line that holds a value; returns it and itself with the new value in place."""
    holding = [line for line in lines_of(block) if _says(line, old)] if old else []
    if len(holding) != 1 or block.count(holding[0]) != 1:
        return "", ""
    return holding[0], re.sub(rf"(?<!\w){re.escape(old)}(?!\w)", lambda _: new, holding[0], count=1, flags=re.I)
