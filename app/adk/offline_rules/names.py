"""Whose name is whose: "Eva" is the sister, once "My sister Eva …" was said."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from app.adk.offline_rules.concepts import closure, is_animate, known
from app.adk.offline_rules.statement import Statement, content
from app.adk.offline_rules.words import is_capital, stem, tokens


@dataclass(frozen=True, slots=True)
class Names:
    """Which names stand for which people: `eva` for `sister`, learnt from the lines themselves."""

    of: dict[str, frozenset[str]]
    of_others: dict[str, frozenset[str]]

    def roles(self, words: frozenset[str]) -> frozenset[str]:
        """The roles (stems or set phrases) of the people whose names are among the words."""
        return frozenset(role for word in words for role in self.of.get(word, ()))


def learn_names(statements: Iterable[Statement]) -> Names:
    """Learn from "Sister Eva is a pilot" and "Sister: Eva" that Eva is the sister."""
    of: dict[str, frozenset[str]] = {}
    of_others: dict[str, frozenset[str]] = {}
    for statement in statements:
        for role, name in _introduced(statement):
            kept = of_others if re.search(r"\w's \w", role) else of
            kept[stem(name)] = kept.get(stem(name), frozenset()) | content(role)
    return Names(of, of_others)


_NAMED = re.compile(
    r"((?:[\w'-]+ ){0,2}[\w'-]+)(?:,? (?:is |are |was |were )?(?:called|named|is|are|name is)|:"
    r"|,)? (?P<names>[A-Z][\w-]+\b(?!')(?:(?:, | and |, and )[A-Z][\w-]+\b(?!'))*)"
)


# Words that are written with a capital, or open a line, and name nobody.
_NO_NAMES = frozenset(
    ["=breed", "=pet", "=nationality", "=language", "=month", "=day", "=person", "=job", "=feast"]
)


def _may_name(word: str) -> bool:
    return not closure(stem(word)) & _NO_NAMES


def _lower_opening(line: str) -> str:
    first = line.split(" ", 1)[0]
    return line[:1].lower() + line[1:] if known(first) else line


@lru_cache(maxsize=2048)
def _introduced(statement: Statement) -> list[tuple[str, str]]:
    line = re.sub(r"'s name(?::| is)", ":", statement.line)
    line = re.sub(r"\b[A-Z]\w+", lambda w: w[0] if _may_name(w[0]) else w[0].lower(), line)
    line = _lower_opening(line)
    pairs: list[tuple[str, str]] = []
    for found in _NAMED.finditer(line):
        role = re.sub(r"(?: (?:is|are|was|called|named|name))+$", "", found[1])
        if is_animate(role) or "=job" in closure(stem(role.split()[-1])):
            names = re.split(r", and | and |, ", found["names"])
            if ":" in found[0] or re.search(r"\w{2}s$", role):
                names += [w for w in tokens(line[found.end() :]) if is_capital(w)]
            pairs += [(role, name) for name in names if _may_name(name)]
            if _TIED.search(line[: found.end()]):
                pairs += [("partner", name) for name in names[:1]]
    return pairs + _called(statement.line, statement.subject)


_TIED = re.compile(
    r"\b(?:married to|engaged to|dating|going out with|in a relationship with)\b", re.I
)
_CALLED = re.compile(r"\b(?:called|named)(?: (?:her|him|it|them))? ([A-Z][\w'-]+)")


def _called(line: str, subject: str) -> list[tuple[str, str]]:
    """Read "took in a stray cat and named her Pixel": the last animate word before is the one."""
    pairs = []
    for found in _CALLED.finditer(line):
        before = [word for word in tokens(line[: found.start()]) if is_animate(word)]
        role = before[-1] if before else subject
        if role and is_animate(role):
            pairs.append((role, found[1]))
    return pairs
