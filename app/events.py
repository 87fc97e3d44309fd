"""What happens in a turn, as the page, the terminal and tests see it.

A turn is a sequence of these, ended by exactly one `Done`. They know neither ADK nor Gradio.
"""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any


@dataclass(frozen=True, slots=True)
class UserText:
    """What the user said; only in a session's history, never in a running turn."""

    text: str
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class TextDelta:
    """A provisional piece of a reply; the `Text` that follows confirms or replaces all of them."""

    text: str


@dataclass(frozen=True, slots=True)
class Text:
    """A complete reply to the user."""

    text: str


@dataclass(frozen=True, slots=True)
class ToolStarted:
    """The model called a tool; `id` pairs it with its `ToolFinished`."""

    id: str
    name: str
    arguments: dict[str, Any]


@dataclass(frozen=True, slots=True)
class ToolFinished:
    """A tool answered: `result` as the model sees it, `error` its sentence when it failed."""

    id: str
    name: str
    arguments: dict[str, Any]
    result: dict[str, Any]
    error: str | None = None


@dataclass(frozen=True, slots=True)
class ConfirmationRequested:
    """An edit waits for the user's yes; answer it with `Chat.confirm`."""

    id: str
    tool: str
    arguments: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Notice:
    """A sentence of the application itself: what happened and what to do. `code` is stable."""

    code: str
    text: str


@dataclass(frozen=True, slots=True)
class Done:
    """The turn is over. `usage` counts the model's tokens where it tells them."""

    session_id: str
    usage: dict[str, int] = field(default_factory=dict)


Event = (
    UserText | TextDelta | Text | ToolStarted | ToolFinished | ConfirmationRequested | Notice | Done
)
