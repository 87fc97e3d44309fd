"""How well a line answers a question."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import SequenceMatcher

from app.adk.offline_rules.concepts import Term, closure, is_animate, known, meaning, meant
from app.adk.offline_rules.question import LIGHT, Question
from app.adk.offline_rules.statement import NUMBER, PLACE, TIME, Statement, content
from app.adk.offline_rules.words import is_capital, stem, tokens

ENOUGH = 0.75
"""The share of a question's words that a line must cover to be its answer."""

# A noun that asks for a kind of thing need not be said again in the answer.
_LOOSE = frozenset({"=town", "=country", "=place", "=time", "=date", "=day", "=month", "=year",
                    "=name", "=number", "=season", "=person", "=size", "=brand", "=id"})


@dataclass(frozen=True, slots=True)
class Names:
    """Which names stand for which people: `eva` for `sister`, learnt from the lines themselves."""

    of: dict[str, frozenset[str]]

    def roles(self, words: frozenset[str]) -> frozenset[str]:
        """The roles (stems or set phrases) of the people whose names are among the words."""
        return frozenset(role for word in words for role in self.of.get(word, ()))


def learn_names(statements: Iterable[Statement]) -> Names:
    """Learn from "Sister Eva is a pilot" and "Sister: Eva" that Eva is the sister."""
    of: dict[str, frozenset[str]] = {}
    for statement in statements:
        for role, name in _introduced(statement):
            of[stem(name)] = of.get(stem(name), frozenset()) | content(role)
    return Names(of)


_NAMED = re.compile(
    r"((?:[\w'-]+ ){0,2}[\w'-]+)(?:,? (?:is |are |was |were )?(?:called|named|is|are|name is)|:|,)? "
    r"(?P<names>[A-Z][\w'-]+(?:(?:, | and |, and )[A-Z][\w'-]+)*)"
)


def _introduced(statement: Statement) -> list[tuple[str, str]]:
    line = re.sub(r"'s name(?::| is)", ":", statement.line)
    line = re.sub(r"\b[A-Z]\w+", lambda w: w[0].lower() if known(w[0]) else w[0], line)
    pairs: list[tuple[str, str]] = []
    for found in _NAMED.finditer(line):
        role = re.sub(r"(?: (?:is|are|was|called|named|name))+$", "", found[1])
        if is_animate(role) or "=job" in closure(stem(role.split()[-1])):
            names = re.split(r", and | and |, ", found["names"])
            if ":" in found[0] or re.search(r"\w{2}s$", role):
                names += [w for w in tokens(line[found.end() :]) if is_capital(w)]
            pairs += [(role, name) for name in names if not known(name)]
            if _TIED.search(line[: found.end()]):
                pairs += [("partner", name) for name in names[:1]]
    return pairs + _called(statement.line, statement.subject)


_TIED = re.compile(r"\b(?:married to|engaged to|dating|going out with|in a relationship with)\b", re.I)
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


_DERIVED = frozenset(["er", "r", "or", "ist", "ment", "ian", "ion"])


def _alike(one: str, other: str) -> bool:
    """Tell whether two stems look like forms of one word: a shared beginning, or a slip of the pen."""
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
_COUPLE = frozenset({"=partner", "=wife", "=husband", "=girlfriend", "=boyfriend", "=fiance"})


def cover(term: Term, said: frozenset[str], words: frozenset[str]) -> float:
    """How much of a term a line says: 1 in so many words or by meaning, less when only nearly."""
    if term.stem in said or term.concepts & said:
        return 1.0
    if "=favourite" in term.concepts and "=like" in said:
        return 0.7
    if term.concepts & _COUPLE and any(meant(word) & _COUPLE for word in words):
        return 0.85
    return 0.9 if any(_alike(term.stem, word) for word in words) else 0.0


_YEAR = re.compile(r"\b(?:19|20)\d{2}\b")


def _moment(question: Question) -> re.Pattern[str]:
    return _YEAR if re.search(r"\b(?:what|which) year\b", question.text, re.I) else TIME


def _kind_fits(question: Question, statement: Statement) -> bool:
    line = statement.line
    if question.kind == "when":
        return bool(_moment(question).search(line))
    if question.kind == "how many":
        return bool(NUMBER.search(line)) or bool(re.search(r"how (?:often|much|long)", question.text, re.I))
    if question.kind == "where":
        return bool(PLACE.search(_TIMES.sub("", line))) or (": " in line and not TIME.search(line)) or statement.relation in ("home", "origin")
    if question.kind in ("who", "name"):
        return _names_somebody(question, statement)
    return True


_TIMES = re.compile(rf"\b(?:on|in|at|from|to|by|near|since|until)\s+(?:the\s+)?{TIME.pattern}(?=\W*(?:$|in\b|on\b|at\b|and\b|until\b|from\b|for\b|[.,;]))", re.I)


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


def _subject_fits(
    question: Question, statement: Statement, said: frozenset[str], words: frozenset[str], names: Names
) -> bool:
    for owner in question.owners:
        bearer = names.of.get(owner.stem, frozenset())
        by_role = bool(bearer) and bool(statement.subject) and content(statement.subject) <= bearer
        if not (by_role or cover(owner, said, words) or _named_beside(owner, question)):
            return False
    if question.owners or not statement.animate:
        return True
    if question.kind == "who" or re.match(r"(?:which|what) \w+ (?:is|has|does|lives|works)", question.text):
        return True
    subject = meaning(statement.subject)
    return any(term.concepts & subject or term.stem in subject for term in question.terms)


def _named_beside(owner: Term, question: Question) -> bool:
    """Tell whether a question gives the name too ("my daughter Anya"): the name then decides."""
    return any(
        not other.concepts and re.search(rf"\b{re.escape(owner.stem)}\w* {re.escape(other.stem)}", question.text, re.I)
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


# Striving, owning and minding are put in so many ways that they tell answers apart only weakly.
_SOFT = frozenset({"=goal", "=prepare", "=own", "=look", "=like"})


def _is_closed(term: Term) -> bool:
    """Tell whether the lexicon lists the kinds of a thing, so that an answer must be one."""
    return bool(term.concepts & _CLOSED)


_CLOSED = frozenset(
    "=colour =breed =season =month =day =language =instrument =zodiac =drink =fruit =vegetable =pet =sport =meat"
    " =religion =nationality =flower =codelanguage =herb".split()
)


def score(question: Question, statement: Statement, names: Names) -> float:
    """Rate a line from 0 (no answer) to a little over 1 (says all that is asked)."""
    roles = names.roles(statement.meaning)
    said = statement.meaning.union(*(closure(role) for role in roles))
    words = content(statement.line) | roles
    if not _subject_fits(question, statement, said, words, names) or not _kind_fits(question, statement):
        return 0.0
    asked = _needed(question)
    if question.kind == "name" and all(term.stem in LIGHT for term in asked):
        asked = ()
    if question.kind == "name" and not question.owners and not asked:
        return _own_name(statement)
    if not asked:
        return _bare(question, statement, names)
    covered = {term: _covered(term, question, statement) for term in asked}
    if _wrong_taste(question, said):
        return 0.0
    if _lacks_wanted(question, covered):
        return 0.0
    weights = {term: _weight(term, question) for term in asked}
    share = sum(covered[t] * weights[t] for t in asked) / sum(weights.values())
    if not _tells_more(question, statement) or _too_special(asked, statement):
        return 0.0
    if max(covered.values()) < 0.6:
        return _by_kind(question, asked)
    exact = sum(term.stem in statement.meaning for term in asked) / len(asked)
    return share + 0.05 * exact + _closeness(question, statement) + _right_slot(question, statement)


_TRADE = re.compile(
    r"(?:is an? (?!\w+ (?:person|fan|lover|owner|member|eater))|(?:builds|fixes|repairs|drives|runs|sells|designs|manages|bakes"
    r"|treats|makes|produces|teaches|imports|farms|studies|cleans|translates|writes|paints|restores|develops|looks after) )", re.I)


_AS = re.compile(r"\b(?:is|as|be|became|become|becoming|being|job|work\w*)\b|: an? ", re.I)


def _said_of_one(statement: Statement) -> bool:
    """Tell whether a trade follows a word such as "is" or "as" closely, or is what is done."""
    line = statement.line
    places = [found.start() for found in _AS.finditer(line)]
    doing = line[len(statement.subject) :].split()[:1]
    return any("=job" in meaning(" ".join(line[at:].split()[:6])) for at in places) or (
        bool(doing) and "=job" in closure(stem(doing[0]))
    )


def _covered(term: Term, question: Question, statement: Statement) -> float:
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
        if rate and not told and statement.relation not in ("job", "employer") and not _said_of_one(statement):
            return 0.5
        predicate = statement.line[len(statement.subject) :].lstrip()
        return rate or 0.8 * (statement.animate and bool(_TRADE.match(predicate)))
    if "=language" in term.concepts and not _SPOKEN & statement.meaning:
        return min(rate, 0.3)
    return rate


_SPOKEN = frozenset(stem(w) for w in ("speak", "language", "fluent", "learn", "native", "bilingual", "understand", "study"))


def _too_special(asked: tuple[Term, ...], statement: Statement) -> bool:
    """Tell whether a bare "PIN" meets the code of some particular thing."""
    if len(asked) != 1 or "=code" not in asked[0].concepts or not statement.subject:
        return False
    return asked[0].stem not in statement.meaning and len(content(statement.line)) > 2


def _by_kind(question: Question, asked: tuple[Term, ...]) -> float:
    """Rate a line that has the owner and the kind of answer, where the verb asked for says little."""
    vague = all(term.stem in LIGHT or term.concepts & _SOFT for term in asked)
    return 0.78 if vague and question.owners and question.kind in ("when", "where") else 0.0


def _right_slot(question: Question, statement: Statement) -> float:
    asked = {concept for term in question.terms for concept in term.concepts}
    return 0.15 if "=" + statement.relation in asked else 0.0


def _needed(question: Question) -> tuple[Term, ...]:
    """The terms a line must cover; those that the kind of answer stands for are left out."""
    left_out = _IMPLIED.get(question.kind, frozenset())
    return tuple(t for t in question.terms if not t.concepts & left_out)


_IMPLIED = {
    "name": frozenset({"=name"}),
    "when": frozenset({"=time", "=date", "=day", "=year", "=month"}),
    "where": frozenset({"=town", "=country", "=place", "=street"}),
}


def _own_name(statement: Statement) -> float:
    if statement.subject:
        return 0.0
    return {"name": 1.1, "nickname": 1.0}.get(statement.relation, 0.0)


def _wrong_taste(question: Question, said: frozenset[str]) -> bool:
    """Tell whether a question about what pleases meets a line about what does not."""
    asked = frozenset(concept for term in question.terms for concept in term.concepts)
    return bool(asked & _PLEASES) and "=dislike" not in asked and "=dislike" in said


_PLEASES = frozenset({"=like", "=favourite", "=prefer"})


def _lacks_wanted(question: Question, covered: dict[Term, float]) -> bool:
    wanted = question.wanted
    if not wanted or covered.get(wanted, 1.0):
        return False
    return not wanted.concepts & _LOOSE and _is_closed(wanted)


def _bare(question: Question, statement: Statement, names: Names) -> float:
    """Rate a line for a question with no words but its owner: "who is my sister?"."""
    if not question.owners or not _owners_named(question, statement):
        return 0.0
    if question.kind in ("who", "name"):
        if not _introduces(question, statement, names):
            return 0.0
        return 1.0 + 0.1 * (statement.relation == "name") + 0.05 * _owner_first(question, statement)
    if question.kind in ("where", "when"):
        return 0.8 * _owner_first(question, statement)
    return 0.8 if question.about or question.kind == "yes or no" else 0.0


def _introduces(question: Question, statement: Statement, names: Names) -> bool:
    """Tell whether a line says who somebody is: by name, or by what they are to the user."""
    if statement.relation == "name" and _owner_first(question, statement):
        return True
    asked = [owner.stem for owner in question.owners]
    named = [name for name in names.of if name in statement.meaning]
    roles = [frozenset(n for role in names.of[name] for n in closure(role)) for name in named]
    by_name = any(all(o.stem in r or o.concepts & r or (o.concepts & _COUPLE and r & _COUPLE) for o in question.owners) for r in roles)
    return by_name or any(name in asked for name in named) or (question.kind == "who" and not named and statement.animate)


def _owners_named(question: Question, statement: Statement) -> bool:
    """A pet is no proof of a dog: with no other word asked, the owner itself must be named."""
    if question.kind != "yes or no":
        return True
    return all(o.stem in statement.meaning or o.concepts & statement.meaning for o in question.owners)


def _owner_first(question: Question, statement: Statement) -> bool:
    subject = meaning(statement.subject) if statement.subject else frozenset()
    return any(cover(owner, subject, frozenset()) for owner in question.owners)


def _tells_more(question: Question, statement: Statement) -> bool:
    """Tell whether a line says something that the question does not say itself."""
    if question.kind == "yes or no" or question.about:
        return True
    asked = meaning(question.text)
    return any(word not in asked for word in content(statement.line)) or bool(re.search(r"\d", statement.line))


def _closeness(question: Question, statement: Statement) -> float:
    """A little more for a line whose subject is the one asked about, and for a short line."""
    right = _owner_first(question, statement) if question.owners else not statement.animate
    named = content(statement.subject) if not statement.animate else frozenset()
    about = bool(named) and named <= meaning(question.text)
    return 0.06 * right + 0.1 * about + 0.04 / (1 + len(statement.line) / 80)
