"""What may be stored as text, and how it becomes findable.

`clean` is what every write passes. `searchable` and `terms` are the two sides of one agreement:
what the first writes beside a text is what the second looks for. Neither knows a search engine;
both yield words that any engine which splits at blanks and signs can serve.
"""

import re
import unicodedata
from collections.abc import Iterator

MOST_TERMS = 64
MOST_QUERY_CHARACTERS = 20_000

_REPLACEMENT = "\ufffd"
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")

# Scripts written without blanks: every character is a word of its own, a run of them a phrase.
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3005-\u3007\u3040-\u318f\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
)
_PICTURES = "\u2190-\u21ff\u2300-\u23ff\u2500-\u27bf\u2900-\u297f\u2b00-\u2bff\U0001f000-\U0001faff"
_PIECE = re.compile(
    rf"(?P<run>[{_UNSPACED}]+)"
    rf"|(?P<picture>[\U0001f1e6-\U0001f1ff]{{2}}|[{_PICTURES}])"
    rf"|(?P<word>[^\s{_UNSPACED}{_PICTURES}]+)"
)
_ACCENTED = re.compile("([A-Za-z\u00c0-\u024f\u0370-\u052f\u1e00-\u1fff])[\u0300-\u036f]+")
_FOLDED = str.maketrans(
    {
        "\u2019": "'",
        "\u02bc": "'",
        "\u0131": "i",
        "ø": "o",
        "ł": "l",
        "đ": "d",
        "æ": "ae",
        "œ": "oe",
    }
)
# Signs that became letters in a later Unicode than the one some engines know.
_DISPUTED = re.compile("[\u19b0-\u19c9\u1cf2\u1cf3]")
_OPENING = "\"'([{<“\u2018«¿¡…,;:!?)"
_CLOSING = "\"'.,;:!?)]}>”\u2019»…"
_CONTRACTION = re.compile("'(?:s|t|ll|re|ve|d|m)$")
_SCRIPTS = re.compile("[\u3040-\u309f]+|[\u30a0-\u30ff]+|[^\u3040-\u30ff]+")

STOP_WORDS = frozenset(
    """
    a about after again all also am an and any are as at be because been before being both but
    by can cannot could did do does doing don done down each else ever few for from further
    get got had has have having he her here hers him his how i if in into is isn it its itself
    just let may me might more most my myself near nor not now of off on once only or other
    our ours out over own please same shall she should so some such tell than that the their
    theirs them then there these they this those through to too under until up upon us very
    was we were what when where which while who whom whose why will with won would you your
    yours yourself doesn didn wasn weren hasn haven hadn shouldn wouldn couldn aren ain
    """.split()  # noqa: SIM905 - a column of 140 strings would hide them
)


def clean(text: str) -> str:
    """Return `text` as it may be stored: NUL and lone surrogates become U+FFFD, all else stays."""
    return _UNSTORABLE.sub(_REPLACEMENT, text)


def blank(text: str) -> bool:
    """Tell whether a person would see nothing: only white space, controls and invisible signs."""
    return all(c.isspace() or unicodedata.category(c) in ("Cc", "Cf") for c in text)


def searchable(text: str) -> str:
    """Return the words under which `text` can be found, as one line.

    Case, accents, width and invisible characters are folded; scripts without blanks are split into
    characters; a word with symbols is followed, at the end, by a token that spells it exactly.
    """
    words: list[str] = []
    literals: list[str] = []
    for kind, piece in _pieces(text):
        if kind == "run":
            words += _clusters(piece)
        elif kind == "picture":
            words.append(_literal(piece))
        else:
            words.append(piece)
            if _symbolic(piece):
                literals.append(_literal(piece))
    return " ".join(words + literals)


def terms(query: str) -> tuple[str, ...]:
    """Return what to look for, any of which is a hit: words, or blank-separated phrases.

    Stop words are left out unless there is nothing else; at most `MOST_TERMS` distinct terms, the
    first ones; empty when the query holds no word.
    """
    kept: dict[str, None] = {}
    common: dict[str, None] = {}
    for kind, piece in _pieces(query[:MOST_QUERY_CHARACTERS]):
        if kind == "run":
            found = _run_terms(_clusters(piece))
        elif kind == "picture":
            found = [_literal(piece)]
        else:
            found = _word_terms(piece)
        for term in found:
            (common if term in STOP_WORDS else kept).setdefault(term)
        if len(kept) >= MOST_TERMS:
            break
    return tuple(kept or common)[:MOST_TERMS]


def _pieces(text: str) -> Iterator[tuple[str, str]]:
    for match in _PIECE.finditer(_normal(text)):
        kind = str(match.lastgroup)
        piece = match.group()
        if kind == "word":
            piece = piece.lstrip(_OPENING).rstrip(_CLOSING)
            if not any(c.isalnum() or (c > "\x7f" and _category(c) == "S") for c in piece):
                continue
        yield kind, piece


def _normal(text: str) -> str:
    if text.isascii():
        return text.lower()
    text = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", clean(text)).casefold())
    invisible = (
        c for c in set(text) if unicodedata.category(c) == "Cf" or "\ufe00" <= c <= "\ufe0f"
    )
    text = text.translate(dict.fromkeys(map(ord, invisible)))
    bare = _ACCENTED.sub(r"\1", unicodedata.normalize("NFD", text))
    return unicodedata.normalize("NFC", bare).translate(_FOLDED)


def _category(character: str) -> str:
    return unicodedata.category(character)[0]


def _spelled(character: str) -> bool:
    """Tell whether every engine takes a character for part of a word."""
    if character > "\uffff" or _DISPUTED.match(character):
        return False
    return character.isalnum() or _category(character) == "M"


def _symbolic(word: str) -> bool:
    return not all(c == "'" or _spelled(c) for c in word)


def _literal(word: str) -> str:
    # The last digit keeps stemmers away, the letters around the code keep two spellings apart.
    return "".join(c if _spelled(c) else f"q{ord(c):x}z" for c in word) + "0"


def _clusters(run: str) -> list[str]:
    """Split a run into characters; a vowel or tone sign stays, as digits, with its letter."""
    clusters: list[str] = []
    for character in run:
        category = _category(character)
        if category == "M" and clusters:
            clusters[-1] += f"{ord(character):04x}"
        elif category in "LN":
            clusters.append(character if character <= "\uffff" else f"q{ord(character):x}z0")
    return clusters


def _run_terms(clusters: list[str]) -> list[str]:
    if len(clusters) < 3:
        return [" ".join(clusters)] if clusters else []
    found = [" ".join(clusters)]
    parts = _SCRIPTS.findall("".join(c[0] for c in clusters))
    hiragana_only = len(parts) == 1
    start = 0
    for part in parts:
        inside = clusters[start : start + len(part)]
        start += len(part)
        if "\u3040" <= part[0] <= "\u309f" and not hiragana_only:
            continue  # particles and endings between the words
        if "\u30a0" <= part[0] <= "\u30ff" or len(inside) < 3:
            found.append(" ".join(inside))
        else:
            found += [" ".join(inside[i : i + 2]) for i in range(len(inside) - 1)]
    return found


def _word_terms(word: str) -> list[str]:
    word = _CONTRACTION.sub("", word)
    parts = "".join(c if c.isalnum() or _category(c) == "M" else " " for c in word).split()
    whole = [_literal(word)] if _symbolic(word) else []
    if "'" in word and not whole:
        whole = [" ".join(parts)]
    return whole + (parts if len(parts) == 1 else [p for p in parts if len(p) > 1])
