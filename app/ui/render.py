"""Text → HTML in which nothing that was typed or stored can act as markup. Pure.

Everything a person, the model or memory wrote passes `literal`; the other functions build on it.
"""

import re
from collections.abc import Iterable
from datetime import datetime, tzinfo
from difflib import SequenceMatcher
from html import escape
from itertools import groupby

from memory_tiers import Hit, Session
from memory_tiers.records import Passage

UNSAFE = re.compile("[\ud800-\udfff\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
WORDS = re.compile(r"\w+|\s+|[^\w\s]")
WORDS_COMPARED = 2000  # beyond this a word-level comparison takes seconds and helps nobody
LONG_TEXT = 4000  # characters from which a text scrolls in a box of its own


def literal(text: str) -> str:
    """Escape a text so that it is shown as typed; what no page can hold becomes U+FFFD."""
    return escape(UNSAFE.sub("\ufffd", text))


def words(text: str, kind: str) -> str:
    """Show a text in a block of its own: line breaks kept, direction by its first letters."""
    long = ' tabindex="0" data-long' if len(text) > LONG_TEXT else ""
    return f'<div class="words {kind}" dir="auto"{long}>{literal(text)}</div>'


def difference(old: str, new: str) -> tuple[str, str]:
    """Mark in both texts, word by word, what only one of them has."""
    before, after = WORDS.findall(old), WORDS.findall(new)
    if max(len(before), len(after)) > WORDS_COMPARED:
        return f"<del>{literal(old)}</del>", f"<ins>{literal(new)}</ins>"
    steps = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    gone, come = [], []
    for number, (kind, a, b, c, d) in enumerate(steps):
        # A blank between two changed words belongs to the change, which reads as one then.
        bridge = 0 < number < len(steps) - 1 and not "".join(before[a:b]).strip()
        same = kind == "equal" and not bridge
        gone.append((same, "".join(before[a:b])))
        come.append((same, "".join(after[c:d])))
    return _marked("del", gone), _marked("ins", come)


def _marked(tag: str, pieces: list[tuple[bool, str]]) -> str:
    shown = ""
    for same, group in groupby(pieces, key=lambda piece: piece[0]):
        text = literal("".join(text for _, text in group))
        shown += text if same or not text else f"<{tag}>{text}</{tag}>"
    return shown


def day(at: datetime, now: datetime) -> str:
    """Say a day as people do; both times in the person's zone."""
    ago = (now.date() - at.date()).days
    if ago <= 0:
        return "Today"
    if ago == 1:
        return "Yesterday"
    return f"{ago} days ago" if ago < 7 else f"{at.day} {at:%b %Y}"


def when(at: datetime, zone: tzinfo | None) -> str:
    """Show a stored time in the person's zone, exact to the minute."""
    local = at.astimezone(zone)
    shown = f"{local.day} {local:%b %Y, %H:%M}"
    return f'<time datetime="{local.isoformat(timespec="minutes")}">{shown}</time>'


def session_list(sessions: Iterable[Session], now: datetime) -> str:
    """List conversations as buttons, each with its first words and its day."""
    rows = "".join(
        f'<li><button type="button" data-session="{literal(one.id)}">'
        f'<span class="title" dir="auto">{literal(one.title) or "Untitled"}</span>'
        f'<span class="day">{day(one.at.astimezone(now.tzinfo), now)}</span></button></li>'
        for one in sessions
    )
    if not rows:
        return '<p class="none">Your conversations will be listed here.</p>'
    return f'<ul class="sessions">{rows}</ul>'


def message_card(hit: Hit, zone: tzinfo | None) -> str:
    """Show a message found in recall: who, when, and the words."""
    side = "You" if hit.role == "user" else "Agent"
    return (
        f'<li class="found"><p class="meta"><b>{side}</b> · {when(hit.at, zone)}</p>'
        f"{words(hit.text, 'hit')}</li>"
    )


def note_card(note: Hit | Passage, zone: tzinfo | None) -> str:
    """Show a note of archival memory: when, its tags, and the words."""
    tags = "".join(f'<span class="tag" dir="auto">{literal(tag)}</span>' for tag in note.tags)
    return (
        f'<li class="found"><p class="meta">{when(note.at, zone)} {tags}</p>'
        f"{words(note.text, 'hit')}</li>"
    )


def nothing(title: str, text: str) -> str:
    """Fill a place that is empty with what will be there."""
    return f'<div class="nothing"><b>{literal(title)}</b><p>{literal(text)}</p></div>'
