"""Values as lines of text or JSON for a terminal. Pure."""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from datetime import datetime, tzinfo
from typing import Any

from app.events import ConfirmationRequested, Event
from memory_tiers.records import Block, Hit, Page

# What moves a terminal's cursor, changes its colours or turns its text around.
_UNPRINTABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def printable(text: str) -> str:
    """Replace by U+FFFD what a terminal would obey instead of show."""
    return _UNPRINTABLE.sub("\ufffd", text)


def as_json(value: Any) -> str:
    """Write a value as JSON in one line; times are ISO 8601."""
    return json.dumps(value, default=_plain)


def event_json(event: Event) -> str:
    """Write an event as JSON in one line, its kind as `type`."""
    return as_json({"type": type(event).__name__, **asdict(event)})


def _plain(value: object) -> str:
    assert isinstance(value, datetime), "only times are not JSON already"
    return value.isoformat()


def found(page: Page[Hit], zone: tzinfo | None) -> Iterator[str]:
    """Show what a search found, a line or more each, times in the user's zone."""
    if page.notice:
        yield page.notice
    for hit in page.hits:
        who = hit.role or " ".join(f"#{tag}" for tag in hit.tags)
        at = hit.at.astimezone(zone).strftime("%Y-%m-%d %H:%M")
        yield printable(f"{at}  {who}: {hit.text}" if who else f"{at}  {hit.text}")
    yield f"{len(page.hits)} of {page.total} found."


def blocks(shown: Iterable[Block]) -> Iterator[str]:
    """Show core blocks with how full they are."""
    for block in shown:
        yield f"{block.label} ({len(block.text):,} of {block.limit:,} characters)"
        yield f"{printable(block.text) or '(empty)'}\n"


def card(request: ConfirmationRequested) -> Iterator[str]:
    """Show an edit that waits for the user's yes."""
    wanted = request.arguments
    yield f"The agent asks to change your {printable(str(wanted.get('block', 'memory')))} block:"
    for mark, name in (("-", "old"), ("+", "new")):
        for line in printable(str(wanted.get(name, ""))).splitlines():
            yield f"  {mark} {line}"
