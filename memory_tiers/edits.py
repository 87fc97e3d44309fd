"""What an edit makes of a block's text, or why it does not. Pure; knows neither store nor owner."""

import re
from collections.abc import Iterator
from difflib import SequenceMatcher

from memory_tiers.errors import BlockFull, NothingChanged, TextFoundTwice, TextNotFound

_LINE_NUMBER = re.compile(
    r"[ \t]*(?:line[ \t]+|l)?\[?\d+\]?[ \t]*(?:→|->|[:|.)\t])[ \t]?", re.IGNORECASE
)


def appended(text: str, addition: str) -> str:
    """Return `text` with `addition` on a line of its own."""
    joint = "" if not text or text.endswith("\n") else "\n"
    return text + joint + addition


def replaced(label: str, text: str, old: str, new: str) -> str:
    """Return `text` with its one occurrence of `old` replaced.

    Line numbers in front of the lines of `old` are taken off, from `new` as well, where `old` is
    found only without them.

    Raises:
        TextNotFound: `old` is empty or does not occur; the message has the nearest line.
        TextFoundTwice: `old` occurs more than once; the message has the lines.
        NothingChanged: `old` and `new` are the same.
    """
    if not old:
        raise TextNotFound(
            f"The text to replace in block {label!r} is empty; quote the part to change, "
            "or append instead."
        )
    if old not in text and (bare := _without_numbers(old)) and bare in text:
        old, new = bare, _without_numbers(new) or new
    places = list(_places(text, old))
    if not places:
        raise TextNotFound(_not_found(label, text, old))
    if len(places) > 1:
        lines = ", ".join(_lines(text, old, place) for place in places)
        raise TextFoundTwice(
            f"The text occurs {len(places)} times in block {label!r}, on lines {lines}; "
            "quote more of the line to tell them apart. Nothing was changed."
        )
    if old == new:
        raise NothingChanged(f"Old and new text are the same; block {label!r} stays as it is.")
    return text[: places[0]] + new + text[places[0] + len(old) :]


def check_limit(label: str, before: str, after: str, limit: int) -> None:
    """Refuse a text over the limit, unless it shortens one that was over it before.

    Raises:
        BlockFull: With the limit, both lengths and the overrun, in characters.
    """
    if len(after) > limit and len(after) >= len(before):
        raise BlockFull(
            f"Block {label!r} holds {len(before)} of {limit} characters; the edit would make it "
            f"{len(after)}, {len(after) - limit} too many. Shorten the text, or replace something "
            "in the block by less. Nothing was changed."
        )


def _places(text: str, part: str) -> Iterator[int]:
    place = text.find(part)
    while place >= 0:
        yield place
        place = text.find(part, place + 1)


def _lines(text: str, part: str, place: int) -> str:
    first = text.count("\n", 0, place) + 1
    last = first + part.rstrip("\n").count("\n")
    return f"{first}" if first == last else f"{first}-{last}"


def _without_numbers(text: str) -> str:
    """Return `text` without line numbers, empty unless each filled line has one."""
    lines = text.split("\n")
    matches = [_LINE_NUMBER.match(line) for line in lines]
    if any(line.strip() and not match for line, match in zip(lines, matches, strict=True)):
        return ""
    return "\n".join(
        line[match.end() :] if match else line for line, match in zip(lines, matches, strict=True)
    )


def _not_found(label: str, text: str, old: str) -> str:
    if not text.strip():
        return f"Block {label!r} is empty, so there is nothing to replace; append instead."
    says = f"The text does not occur in block {label!r}. Nothing was changed."
    near = _nearest(text, old)
    if _squeezed(old) and _squeezed(old) in _squeezed(text):
        says += " It differs only in spacing; quote it exactly as it stands."
    if near:
        says += f" Nearest: {near!r}."
    return f"{says} The block now reads:\n{text}"


def _squeezed(text: str) -> str:
    return " ".join(text.split())


def _nearest(text: str, old: str) -> str:
    lines = text.split("\n")
    height = min(old.count("\n") + 1, len(lines))
    windows = ["\n".join(lines[i : i + height]) for i in range(len(lines) - height + 1)]
    # Alike means sharing letters in order; the head of a long text tells that well enough.
    wanted = old.casefold()[:500]
    return max(
        (window for window in windows if window.strip()),
        key=lambda window: SequenceMatcher(None, wanted, window.casefold()[:500]).ratio(),
        default="",
    )
