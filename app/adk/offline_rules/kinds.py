"""Whether a line is the kind of answer a question wants: a time, a place, a name, a number."""

import re

from app.adk.offline_rules.concepts import closure, known, meaning
from app.adk.offline_rules.cover import COUPLE, cover
from app.adk.offline_rules.names import Names
from app.adk.offline_rules.question import Question
from app.adk.offline_rules.statement import NUMBER, PLACE, TIME, Statement
from app.adk.offline_rules.words import is_capital, stem, tokens

_YEAR = re.compile(r"\b(?:19|20)\d{2}\b")


_OCCASION = re.compile(r"\b(?:when|whenever|before|after|during|while)\b", re.I)


def _moment(question: Question) -> re.Pattern[str]:
    return _YEAR if re.search(r"\b(?:what|which) year\b", question.text, re.I) else TIME


_TIMES = re.compile(
    rf"\b(?:on|in|at|from|to|by|near|since|until)\s+(?:the\s+)?{TIME.pattern}(?=\W*(?:$|in\b|on\b"
    rf"|at\b|and\b|until\b|from\b|for\b|[.,;]))",
    re.I,
)


_DATES = frozenset(["=month", "=day", "=feast"])


def kind_fits(question: Question, statement: Statement) -> bool:
    """Tell whether a line holds the kind of thing that is asked for."""
    line = statement.line
    if question.wanted and "=brand" in question.wanted.concepts:
        return any(is_capital(w) and not closure(stem(w)) & _DATES for w in tokens(line)[1:])
    if question.kind == "when":
        return bool(_moment(question).search(line) or _OCCASION.search(line))
    if question.kind == "how many":
        return bool(NUMBER.search(line)) or bool(
            re.search(r"how (?:often|much|long)", question.text, re.I)
        )
    if question.kind == "where":
        return (
            bool(PLACE.search(_TIMES.sub("", line)))
            or (": " in line and not TIME.search(line))
            or statement.relation in ("home", "origin")
        )
    if question.kind in ("who", "name"):
        return _names_somebody(question, statement)
    return True


def _names_somebody(question: Question, statement: Statement) -> bool:
    if statement.animate and not question.owners:
        return True
    asked = {stem(word) for word in tokens(question.text)}
    words = tokens(statement.line)
    named = [w for w in words[1:] if is_capital(w) and stem(w) not in asked and not known(w)]
    if statement.relation == "name" or named or re.search(r"\b(?:called|named)\b", statement.line):
        return True
    if question.kind == "name":
        return bool(words) and not known(words[0]) and bool(statement.subject)
    return any("=person" in closure(stem(w)) for w in words if stem(w) not in asked)


def own_name(statement: Statement) -> float:
    """Rate a line for "what is my name?"."""
    if statement.subject:
        return 0.0
    return {"name": 1.1, "nickname": 1.0}.get(statement.relation, 0.0)


def bare(question: Question, statement: Statement, names: Names) -> float:
    """Rate a line for a question with no words but its owner: "who is my sister?"."""
    if not question.owners or not _owners_named(question, statement):
        return 0.0
    if question.kind in ("who", "name"):
        if not introduces(question, statement, names):
            return 0.0
        named = all(cover(o, statement.meaning, frozenset()) for o in question.owners)
        return (
            (1.0 if named else 0.8)
            + 0.1 * (statement.relation == "name")
            + 0.05 * owner_first(question, statement)
        )
    if question.kind in ("where", "when"):
        return 0.8 * owner_first(question, statement)
    return 0.8 if question.about or question.kind == "yes or no" else 0.0


def introduces(question: Question, statement: Statement, names: Names) -> bool:
    """Tell whether a line says who somebody is: by name, or by what they are to the user."""
    if statement.relation == "name" and owner_first(question, statement):
        return True
    asked = [owner.stem for owner in question.owners]
    named = [name for name in names.of if name in statement.meaning]
    roles = [frozenset(n for role in names.of[name] for n in closure(role)) for name in named]
    by_name = any(
        all(
            o.stem in r or o.concepts & r or (o.concepts & COUPLE and r & COUPLE)
            for o in question.owners
        )
        for r in roles
    )
    return by_name or any(name in asked for name in named) or _of_others(question, statement, names)


def _of_others(question: Question, statement: Statement, names: Names) -> bool:
    """Tell whether a line names somebody of somebody: "Jakub's girlfriend Ola"."""
    return any(
        all(
            any(o.stem == role or o.concepts & closure(role) for role in roles)
            for o in question.owners
        )
        and any(not o.concepts and o.stem in roles for o in question.owners)
        for name, roles in names.of_others.items()
        if name in statement.meaning
    )


def _owners_named(question: Question, statement: Statement) -> bool:
    """A pet is no proof of a dog: with no other word asked, the owner itself must be named."""
    if question.kind != "yes or no":
        return True
    return all(
        o.stem in statement.meaning or o.concepts & statement.meaning for o in question.owners
    )


def owner_first(question: Question, statement: Statement) -> bool:
    """Tell whether whom a question asks about is the subject of a line."""
    subject = meaning(statement.subject) if statement.subject else frozenset()
    return any(cover(owner, subject, frozenset()) for owner in question.owners)
