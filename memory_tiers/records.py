"""What the tiers hold and hand out. Plain values: they know neither a store nor a model."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, Literal, TypeVar

Role = Literal["user", "assistant"]
Origin = Literal["recall", "archival"]
Cause = Literal["tool", "user", "undo", "import"]
ConfirmationState = Literal["open", "approved", "rejected", "declined"]

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Block:
    """One labelled part of core memory, always in the prompt.

    Attributes:
        label: Its name, e.g. `human`.
        text: What it holds now.
        limit: The most characters (code points) it may hold.
        read_only: Whether every edit is refused.
        description: What belongs here, shown to the model.
        version: 0 for the text it was declared with, then one more for each change.
        at: When it was last changed, UTC; None if it never was.
    """

    label: str
    text: str
    limit: int
    read_only: bool
    description: str
    version: int
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class BlockVersion:
    """The text a block had at one time. `cause` tells who changed it; `at` is UTC."""

    label: str
    version: int
    text: str
    cause: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of one side, as it was said. `at` is UTC; `role` is `user` or `assistant`."""

    id: str
    session_id: str
    role: str
    text: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Passage:
    """A note in archival memory. `known` is true when the same text was stored before."""

    id: str
    text: str
    tags: tuple[str, ...]
    at: datetime
    known: bool = False


@dataclass(frozen=True, slots=True)
class Hit:
    """Something a search found; the higher `score`, the better, comparable within one page only.

    `role` and `session_id` are empty for archival hits, `tags` is empty for recall hits.
    """

    id: str
    text: str
    at: datetime
    score: float
    origin: Origin
    role: str = ""
    session_id: str = ""
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """A stretch of results: `total` counts all of them, `offset` those before this page."""

    hits: tuple[T, ...]
    total: int
    offset: int
    notice: str = ""


@dataclass(frozen=True, slots=True)
class Session:
    """A conversation in the list of conversations; `at` is when something was last said."""

    id: str
    title: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Confirmation:
    """A destructive edit that waits, or waited, for the user's yes.

    `outcome` is what the tool returned once it was carried out; None before that.
    """

    id: str
    session_id: str
    call_id: str
    tool: str
    arguments: dict[str, Any]
    state: ConfirmationState
    reason: str
    outcome: dict[str, Any] | None
    at: datetime
