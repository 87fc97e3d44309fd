"""Which clauses of a message are worth keeping, and as which lines."""

import re

from app.adk.offline_rules.clauses import Clause, clauses
from app.adk.offline_rules.fact import NOTHING, Fact, Known
from app.adk.offline_rules.forms import keep
from app.adk.offline_rules.passing import is_supposed, is_talk
from app.adk.offline_rules.question import is_question
from app.adk.offline_rules.render import third_person
from app.adk.offline_rules.turning import (
    CUE,
    GONE,
    INSTEAD_NOW,
    SWAPPED,
    in_its_place,
    renewal,
    without_old,
)
from app.adk.offline_rules.words import plain


def read_facts(text: str, memory: Known = NOTHING) -> list[Fact]:
    """Find every line worth keeping in what the user said.

    `memory` tells whom and what is known already: more about those is worth keeping.
    """
    found: list[Fact] = []
    for clause in clauses(_without_quotes(text)):
        asks = is_question(clause.sentence) and not tells(clause.sentence)
        if asks or is_supposed(clause.sentence):
            continue
        renewed = renewal(clause, found)
        if renewed:
            found[-1] = renewed
            continue
        made = in_its_place(clause, found) or _facts_of(clause, memory)
        if (
            not made
            and found
            and found[-1].sentence == clause.sentence
            and not is_talk(clause.text)
        ):
            found[-1] = found[-1].with_more(clause.text)
        found += made
    unique = {fact.line: fact for fact in found if fact.line}
    return list(unique.values())


_TELLS = re.compile(
    r"^(?:(?:hey|so|oh|hi|and|well)[ ,]+)?(?:did (?:i|you) (?:ever )?(?:tell you|mention|know|say)"
    r"|have i (?:told you|mentioned)|guess what)(?: that)? (?:i|my|we|our)\b",
    re.I,
)


def tells(sentence: str) -> bool:
    """Tell whether a question only wraps a statement: "did I tell you that I have a dog?"."""
    return bool(_TELLS.search(plain(sentence)))


def _without_quotes(text: str) -> str:
    """Blank out longer quotations: they are somebody else's words."""
    return re.sub(r'"[^"\n]{25,}"', " ", plain(text))


def _facts_of(clause: Clause, memory: Known) -> list[Fact]:
    positive, old = without_old(clause.text)
    swapped = next((m for p in SWAPPED if (m := p.match(clause.text))), None)
    if swapped:
        line = third_person(f"{swapped['who']} switched to {swapped['new']}")
        return [Fact(line, clause.text, True, False, swapped["old"], clause.sentence)]
    turned = INSTEAD_NOW.match(clause.text)
    if turned:
        positive, old = f"{turned['who']} {turned['verb']} {turned['new']}", turned["old"]
        return [
            Fact(line, positive, True, False, old, clause.sentence)
            for line in keep(positive, memory)
        ]
    cue = bool(CUE.search(plain(clause.sentence))) or bool(old)
    gone = bool(GONE.search(clause.text))
    return [
        Fact(line, positive, cue, gone, old, clause.sentence) for line in keep(positive, memory)
    ]
