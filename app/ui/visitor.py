"""Who looks at the page, where they are in it, and what a broken look at it says."""

import logging
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any

import gradio as gr

from app.gate import PERSON
from app.identity import Person
from app.jobs import Busy
from app.ui.render import literal
from memory_tiers import MemoryTiersError

log = logging.getLogger(__name__)

NO_COOKIE = (
    "This browser keeps no cookie for this page, so there is nobody whose memory could be used. "
    "Allow cookies here, or open the page in a tab of its own."
)
BROKEN = "That did not work: something broke inside. Nothing was lost; please try again."

Shown = dict[Any, Any]  # component → its new value; components left out stay as they are
Show = Callable[..., Shown]
Follow = Callable[..., AsyncIterator[Shown]]


class Nobody(Exception):
    """It is not known who asks, so nothing was done. The message is fit to show."""


def person(request: gr.Request) -> Person:
    """Return who asks, as the gate found out; nothing else a browser sends has a say in it.

    Raises:
        Nobody: The browser keeps no cookie.
    """
    found: Person | None = request.request.scope[PERSON] if request.request else None
    if found is None:
        raise Nobody(NO_COOKIE)
    return found


def who(request: gr.Request) -> str:
    """Return whose memory a request is about; see `person`."""
    return person(request).user_id


@dataclass(frozen=True, slots=True)
class Place:
    """What a browser shows: a session (blank: a new one), and since when.

    Answers may overtake each other; the page drops what belongs to an older `look` (ms) than the
    one it shows. The browser holds it, so it is never trusted: owners are checked anew.
    """

    look: int
    session_id: str

    @classmethod
    def now(cls, session_id: str) -> "Place":
        """Begin a new look, at the session in which a person acts now."""
        return cls(time.time_ns() // 1_000_000, session_id)

    @classmethod
    def read(cls, text: str) -> "Place":
        """Read what the page's script holds, `look/session`; anything else is a new session."""
        look, _, session_id = text.partition("/")
        return cls(int(look) if look.isdecimal() else 0, session_id)


def sent(event: gr.EventData, name: str) -> str:
    """Read a text which the browser sent with an event; what is not a text is blank."""
    data = event._data if isinstance(event._data, dict) else {}
    value = data.get(name)
    return value if isinstance(value, str) else ""


def calm(told: gr.HTML) -> Callable[[Show], Show]:
    """Let what fails say so in one sentence at `told`, instead of covering the page."""

    def around(show: Show) -> Show:
        @wraps(show)
        def safe(*arguments: Any) -> Shown:
            try:
                return show(*arguments)
            except Exception as error:
                return {told: literal(sentence(error, show.__name__))}

        return safe

    return around


def calm_follow(told: gr.HTML) -> Callable[[Follow], Follow]:
    """Do what `calm` does for something that shows more and more."""

    def around(follow: Follow) -> Follow:
        @wraps(follow)
        async def safe(*arguments: Any) -> AsyncIterator[Shown]:
            try:
                async for shown in follow(*arguments):
                    yield shown
            except Exception as error:
                yield {told: literal(sentence(error, follow.__name__))}

        return safe

    return around


def sentence(error: Exception, doing: str) -> str:
    """Say what went wrong; only errors made to be shown are shown."""
    if isinstance(error, MemoryTiersError | Busy | Nobody):
        return str(error)
    log.error("page: %s failed: %s", doing, type(error).__name__)
    return BROKEN
