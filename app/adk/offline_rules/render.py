"""Turn what the user says in the first person into short lines about them."""

import re

from app.adk.offline_rules.clauses import split_subject
from app.adk.offline_rules.concepts import is_animate
from app.adk.offline_rules.verbs import BASE, past, third
from app.adk.offline_rules.words import is_capital, word_set

_SWAPS = {
    "i": "they",
    "me": "them",
    "my": "their",
    "mine": "theirs",
    "myself": "themself",
    "we": "they",
    "us": "them",
    "our": "their",
    "ours": "theirs",
    "ourselves": "themselves",
}
_FIRST_PERSON = re.compile(
    r"(?<![\w@./:\\-])(i am|i was|" + "|".join(_SWAPS) + r")(?![\w@/\\-]|[.:]\w)", re.I
)
_ADVERB = re.compile(
    r"^(?:\w+ly|always|never|often|also|still|just|now|sometimes|currently|once|then|even|kind"
    r"|sort|of|only|both|all|not|mostly|no|longer|ever|rather|almost)$",
    re.I,
)
_MODAL = word_set("can could will would should may might must shall used had did was")
_NOW = re.compile(
    r"[\s,]+(?:now|nowadays|these days|any\s?more|currently|at the moment|at present|instead"
    r"|from now on|by now|again|already|after all|since recently)$",
    re.I,
)


def swap_person(text: str) -> str:
    """Rewrite "my", "me", "I" inside a text; addresses such as me@my.com stay as they are."""

    def other(found: re.Match[str]) -> str:
        word = found[0].lower()
        if word in ("i am", "i was"):
            return "they are" if word == "i am" else "they were"
        return _SWAPS[word]

    return _FIRST_PERSON.sub(other, text)


def predicate_third(predicate: str) -> str:
    """Put a predicate that followed "I" into the third person: "live" becomes "lives"."""
    words = predicate.split()
    place = 0
    while place < len(words) - 1 and _ADVERB.match(words[place]):
        place += 1
    verb = words[place].lower()
    if verb in ("do", "have", "am", "are", "were"):
        words[place] = third(verb)
    elif verb in BASE or not (verb in _MODAL or past(verb) or verb.endswith("ing")):
        words[place] = third(verb) if verb.isalpha() else words[place]
    return " ".join(words)


def without_now(text: str) -> str:
    """Drop a trailing "now", "these days", "instead": a stored line is about now anyway."""
    cut = _NOW.sub("", text)
    return without_now(cut) if cut != text else text


def tidy(text: str) -> str:
    """Make a line: one row, first letter a capital, a full stop at the end."""
    text = " ".join(text.split()).strip(" ,;:")
    text = re.sub(
        r"\b(can|could|would|should|must|did|does|do|is|was|has|had) not\b", _negated, text
    )
    text = re.sub(r"\bwill not\b", "won't", text)
    if not text:
        return ""
    text = text[0].upper() + text[1:]
    return text if text[-1] in ".!?…" else text + "."


def _negated(found: re.Match[str]) -> str:
    return "can't" if found[1] == "can" else f"{found[1]}n't"


def third_person(clause: str) -> str:
    """Write a first-person clause as a line about the user.

    The subject is dropped where it is the user; "my sister" becomes "Sister", the value of a thing
    gets the form "Locker: 12.".
    """
    subject, predicate = split_subject(clause)
    if subject.lower() in ("i", "we") and predicate:
        return tidy(without_now(swap_person(predicate_third(predicate))))
    if not subject:
        return tidy(without_now(swap_person(clause)))
    predicate = re.sub(
        r"^(is|are) (?:now|currently|actually) ", r"\1 ", without_now(swap_person(predicate))
    )
    owner, noun = _owned(subject)
    if not owner:
        told = _moved(predicate) if is_capital(subject) and " " not in subject else predicate
        return tidy(f"{swap_person(subject)} {told}")
    if is_animate(noun) or _named(noun):
        return tidy(f"{noun} {_moved(_singular_be(predicate))}")
    value = _IS.sub("", predicate)
    return tidy(f"{noun}: {value}" if value != predicate else f"Their {noun} {predicate}")


_IS = re.compile(r"^(?:is|are|am)\s+(?=[^\s])(?!\w+ing\b|(?:called|named|not)\b)", re.I)


_MOVED = re.compile(
    r"^(?:has |have )?(?:just |recently |finally )?(?:moved|relocated) (?:back |over )?"
    r"(?:from .+? )?(?:to|into) (?=(?-i:[A-Z]))",
    re.I,
)


def _moved(predicate: str) -> str:
    if not _MOVED.match(predicate):
        return predicate
    return _SINCE.sub(r"\1, moved there \2", _MOVED.sub("lives in ", predicate))


_SINCE = re.compile(
    r"^(lives in [A-Z][\w-]*(?: [A-Z][\w-]*)*) ((?:last|this|in|on|two|three|a|some|\d+)\b.*)$"
)


def _singular_be(predicate: str) -> str:
    return re.sub(r"^am\b", "is", predicate)


def _named(noun: str) -> bool:
    """Tell whether a noun phrase ends in the name of a person or an animal."""
    words = noun.split()
    return is_capital(words[-1]) and any(is_animate(word) for word in words[:-1])


def _owned(subject: str) -> tuple[str, str]:
    """Cut a leading "my" or "our" off a subject."""
    first, _, rest = subject.partition(" ")
    return (first, rest) if rest and first.lower() in ("my", "our") else ("", subject)


def is_name(text: str) -> bool:
    """Tell whether every word of a short text is written like a name."""
    words = text.replace("-", " ").split()
    return 0 < len(words) <= 4 and all(
        is_capital(w) or w in ("de", "van", "von", "da", "del", "di", "la", "le", "of")
        for w in words
    )
