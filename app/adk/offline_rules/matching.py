"""How well a line answers a question."""

import re

from app.adk.offline_rules.concepts import Term, closure, meaning, meant
from app.adk.offline_rules.cover import cover, covered
from app.adk.offline_rules.kinds import bare, introduces, kind_fits, own_name, owner_first
from app.adk.offline_rules.names import Names
from app.adk.offline_rules.question import LIGHT, Question
from app.adk.offline_rules.statement import Statement, content
from app.adk.offline_rules.words import word_set

ENOUGH = 0.7
"""The share of a question's words that a line must cover to be its answer."""
# A noun that asks for a kind of thing need not be said again in the answer.
_LOOSE = frozenset(
    {
        "=town",
        "=country",
        "=place",
        "=time",
        "=date",
        "=day",
        "=month",
        "=year",
        "=name",
        "=number",
        "=season",
        "=person",
        "=size",
        "=brand",
        "=id",
    }
)
# Striving, owning and minding are put in so many ways that they tell answers apart only weakly.
_SOFT = frozenset({"=goal", "=prepare", "=own", "=look", "=like", "=attend"})
_CLOSED = word_set(
    """=colour =breed =season =month =day =language =instrument =zodiac =drink =fruit =vegetable
    =pet =sport =meat =religion =nationality =flower =codelanguage =herb"""
)
_PLEASES = frozenset({"=like", "=favourite", "=prefer"})
_IMPLIED = {
    "name": frozenset({"=name"}),
    "when": frozenset({"=time", "=date", "=day", "=year", "=month"}),
    "where": frozenset({"=town", "=country", "=place", "=street"}),
}


def score(question: Question, statement: Statement, names: Names) -> float:
    """Rate a line from 0 (no answer) to a little over 1 (says all that is asked)."""
    if not _subject_fits(question, statement, names) or not kind_fits(question, statement):
        return 0.0
    asked = _needed(question)
    if (
        _ASKS_WHO.match(question.text)
        and question.owners
        and not introduces(question, statement, names)
    ):
        return 0.0
    if asked:
        return _rated(asked, question, statement)
    if question.kind == "name" and not question.owners:
        return own_name(statement)
    return bare(question, statement, names)


_ASKS_WHO = re.compile(r"who (?:is|are|was) (?:my|our|the) [\w' -]+\W*$", re.I)


def _rated(asked: tuple[Term, ...], question: Question, statement: Statement) -> float:
    """Rate a line by the share of the asked terms that it covers."""
    rates = {term: covered(term, question, statement) for term in asked}
    if _rules_out(asked, question, statement) or _lacks_wanted(question, rates):
        return 0.0
    if max(rates.values()) < 0.6 or all(_is_vague(term, question) for term in asked):
        by_kind = _by_kind(question, asked)
        if by_kind or max(rates.values()) < 0.6:
            return by_kind
    weights = {term: _weight(term, question) for term in asked}
    share = sum(rates[t] * weights[t] for t in asked) / sum(weights.values())
    if share < ENOUGH:
        return 0.0
    return (
        share
        + 0.08 * _exactness(asked, statement)
        + _closeness(question, statement)
        + _right_slot(question, statement)
    )


def _exactness(asked: tuple[Term, ...], statement: Statement) -> float:
    """The share of the terms that a line has in so many words, or by a synonym."""
    direct = frozenset(concept for word in content(statement.line) for concept in meant(word))
    exact = sum(t.stem in statement.meaning or bool(t.concepts & direct) for t in asked)
    return exact / len(asked) - 0.5 * bool(_DENIES.match(statement.line))


_DENIES = re.compile(r"(?:can't|doesn't|isn't|hasn't|no longer|never)\b", re.I)


_ASKS_PAST = re.compile(r"\b(?:did|was|were|have (?:i|we|my|you)|has)\b", re.I)
_TO_COME = re.compile(
    r"(?:dream|goal|ambition|plan|wish|wants?|would|hopes?|plans?|is (?:planning|going to"
    r"|thinking of|saving|hoping|considering|looking (?:for|to)))\b",
    re.I,
)


def _not_yet(question: Question, statement: Statement) -> bool:
    """Tell whether a question about what was meets a line about what is only hoped for."""
    return bool(_ASKS_PAST.search(question.text)) and bool(_TO_COME.match(statement.line))


_FAVOURITE = re.compile(r"Favourite ([\w' -]+):", re.I)
_ASKS_FAVOURITE = re.compile(r"\b(?:my|our) favou?rite ([\w' -]+)", re.I)


def _other_favourite(question: Question, statement: Statement) -> bool:
    """Tell whether the favourite of one kind meets a question about that of another kind."""
    found, asked = _FAVOURITE.match(statement.line), _ASKS_FAVOURITE.search(question.text)
    if not found or not asked:
        return False
    return not meaning(asked[1]) & (meaning(found[1]) | content(statement.line))


def _rules_out(asked: tuple[Term, ...], question: Question, statement: Statement) -> bool:
    return (
        _wrong_taste(question, statement.meaning)
        or _too_special(asked, statement)
        or not _tells_more(question, statement)
        or _not_yet(question, statement)
        or _other_favourite(question, statement)
    )


def _subject_fits(question: Question, statement: Statement, names: Names) -> bool:
    roles = names.roles(statement.meaning)
    said = statement.meaning.union(*(closure(role) for role in roles))
    words = content(statement.line) | roles
    for owner in question.owners:
        bearer = names.of.get(owner.stem, frozenset())
        by_role = bool(bearer) and bool(statement.subject) and content(statement.subject) <= bearer
        if not (by_role or cover(owner, said, words) or _named_beside(owner, question)):
            return False
    if question.owners or not statement.animate:
        return True
    if re.match(r".+'s? \w", statement.subject):
        return False
    if question.kind == "who" or re.match(
        r"(?:which|what) \w+ (?:is|has|does|lives|works)", question.text
    ):
        return True
    subject = meaning(statement.subject)
    return any(term.concepts & subject or term.stem in subject for term in question.terms)


def _named_beside(owner: Term, question: Question) -> bool:
    """Tell whether a question gives the name too ("my daughter Anya"): the name then decides."""
    return any(
        not other.concepts
        and re.search(rf"\b{re.escape(owner.stem)}\w* {re.escape(other.stem)}", question.text, re.I)
        for other in question.owners
        if other != owner
    )


def _weight(term: Term, question: Question) -> float:
    if term == question.wanted and term.concepts & _LOOSE:
        return 0.2
    if term.stem in LIGHT or term.concepts & _SOFT:
        return 0.25
    if term.concepts & {"=favourite", "=prefer"}:
        return 0.6
    if term == question.wanted and not _is_closed(term):
        return 0.6 if term.concepts else 0.3
    return 1.0


def _is_closed(term: Term) -> bool:
    """Tell whether the lexicon lists the kinds of a thing, so that an answer must be one."""
    return bool(term.concepts & _CLOSED)


def _too_special(asked: tuple[Term, ...], statement: Statement) -> bool:
    """Tell whether a bare "PIN" meets the code of some particular thing."""
    if len(asked) != 1 or "=code" not in asked[0].concepts or not statement.subject:
        return False
    return asked[0].stem not in statement.meaning and len(content(statement.line)) > 2


def _by_kind(question: Question, asked: tuple[Term, ...]) -> float:
    """Rate a line that has the owner and the kind of answer, where the verb says little."""
    vague = all(_is_vague(term, question) for term in asked)
    return 0.78 if vague and question.owners and question.kind in ("when", "where", "who") else 0.0


def _is_vague(term: Term, question: Question) -> bool:
    """Tell whether a term tells answers apart only weakly, as in "the principal of my school"."""
    whose = rf"\b(?:of|at|in) (?:my|our) {re.escape(term.stem)}"
    return (
        term.stem in LIGHT
        or bool(term.concepts & _SOFT)
        or bool(question.owners and re.search(whose, question.text, re.I))
    )


def _right_slot(question: Question, statement: Statement) -> float:
    asked = {concept for term in question.terms for concept in term.concepts}
    of_work = "=work" in asked and statement.relation in ("job", "employer")
    return 0.15 if of_work or "=" + statement.relation in asked else 0.0


def _needed(question: Question) -> tuple[Term, ...]:
    """The terms a line must cover; those that the kind of answer stands for are left out."""
    left_out = _IMPLIED.get(question.kind, frozenset())
    needed = tuple(t for t in question.terms if not t.concepts & left_out)
    only_light = question.kind == "name" and all(term.stem in LIGHT for term in needed)
    return () if only_light else needed


def _wrong_taste(question: Question, said: frozenset[str]) -> bool:
    """Tell whether a question about what pleases meets a line about what does not."""
    asked = frozenset(concept for term in question.terms for concept in term.concepts)
    return bool(asked & _PLEASES) and "=dislike" not in asked and "=dislike" in said


def _lacks_wanted(question: Question, rates: dict[Term, float]) -> bool:
    wanted = question.wanted
    if not wanted or rates.get(wanted, 1.0):
        return False
    return not wanted.concepts & _LOOSE and _is_closed(wanted)


def _tells_more(question: Question, statement: Statement) -> bool:
    """Tell whether a line says something that the question does not say itself."""
    if question.kind == "yes or no" or question.about:
        return True
    asked = meaning(question.text)
    return any(word not in asked for word in content(statement.line)) or bool(
        re.search(r"\d", statement.line)
    )


def _closeness(question: Question, statement: Statement) -> float:
    """A little more for a line whose subject is the one asked about, and for a short line."""
    right = owner_first(question, statement) if question.owners else not statement.animate
    named = content(statement.subject) if not statement.animate else frozenset()
    about = bool(named) and named <= meaning(question.text)
    return 0.06 * right + 0.1 * about + 0.04 / (1 + len(statement.line) / 80)
