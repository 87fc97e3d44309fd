"""The one boundary behind which rows and searches live.

The tiers hold the rules and speak only to these protocols; an implementation holds the rows and
knows no rule. Every call names its owner. Each method is one transaction. Failures of the storage
itself are `StoreUnavailable`. Times are aware UTC datetimes.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from memory_tiers.records import (
    BlockVersion,
    Confirmation,
    ConfirmationState,
    Message,
    Passage,
    Session,
)

Vectors = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Owner:
    """Whose rows: `user_id` is the isolation boundary, `agent_id` parts one user's agents."""

    user_id: str
    agent_id: str


@dataclass(frozen=True, slots=True)
class Filter:
    """What a search leaves out before it ranks. Empty fields filter nothing.

    `since` is included, `until` is not; `exclude` holds ids; `tags` are case-folded.
    """

    since: datetime | None = None
    until: datetime | None = None
    roles: tuple[str, ...] = ()
    session_id: str = ""
    exclude: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    all_tags: bool = False


@dataclass(frozen=True, slots=True)
class Embedded:
    """The vectors of one text: shape (chunks, width), rows of length 1, made by `model`."""

    model: str
    vectors: Vectors


@dataclass(frozen=True, slots=True)
class Candidate:
    """A passage a search may return. `order` grows with each passage stored.

    `words` is the lexical score, 0 where no word matches; `likeness` the best cosine of its chunks,
    0 where it has no vector.
    """

    id: str
    at: datetime
    order: int
    words: float
    likeness: float


class BlockRows(Protocol):
    """The versions of core blocks, append only."""

    def versions(self, owner: Owner, label: str) -> list[BlockVersion]:
        """Return every stored version, oldest first; empty when the block was never changed."""
        ...

    def latest(self, owner: Owner) -> dict[str, BlockVersion]:
        """Return the newest stored version of each block, by label."""
        ...

    def change(
        self,
        owner: Owner,
        initial: BlockVersion,
        rule: Callable[[list[BlockVersion]], str],
        *,
        cause: str,
        key: str | None,
        at: datetime,
    ) -> BlockVersion:
        """Append what `rule` makes of all versions so far (`initial` first); return the newest.

        `rule` runs inside the transaction and aborts it by raising. A `key` this owner used before
        changes nothing.
        """
        ...


class MessageRows(Protocol):
    """The messages of recall memory."""

    def add(self, owner: Owner, message: Message) -> Message:
        """Store a message and note its session's time; return what is stored under its id."""
        ...

    def get(self, owner: Owner, id: str) -> Message | None:
        """Return one message, None when there is none."""
        ...

    def delete(self, owner: Owner, id: str, at: datetime) -> bool:
        """Take a message out of every view; tell whether it was there."""
        ...

    def count(self, owner: Owner, session_id: str, role: str) -> int:
        """Count the messages; a session or role that is not blank narrows it."""
        ...

    def newest(self, owner: Owner, session_id: str, limit: int) -> list[Message]:
        """Return the newest messages of a session, oldest first."""
        ...

    def search(
        self, owner: Owner, terms: Sequence[str], where: Filter, limit: int, offset: int
    ) -> tuple[list[tuple[Message, float]], int]:
        """Return a stretch of the messages that hold any of `terms`, with scores, and the total.

        Best first, the newest first among equals.
        """
        ...


class PassageRows(Protocol):
    """The passages of archival memory and their vectors."""

    def add(self, owner: Owner, passage: Passage, embedded: Embedded | None) -> Passage:
        """Store a passage; return it, or the one with the same text, marked as known."""
        ...

    def same(self, owner: Owner, text: str) -> Passage | None:
        """Return the passage that has this text, None when there is none."""
        ...

    def get(self, owner: Owner, id: str) -> Passage | None:
        """Return one passage, None when there is none."""
        ...

    def update(self, owner: Owner, id: str, text: str, embedded: Embedded | None) -> Passage | None:
        """Replace a passage's text and vectors; None when there is no such passage."""
        ...

    def delete(self, owner: Owner, id: str, at: datetime) -> bool:
        """Take a passage out of every view; tell whether it was there."""
        ...

    def list(self, owner: Owner, limit: int, offset: int) -> tuple[Sequence[Passage], int]:
        """Return a stretch of the passages, newest first, and their total."""
        ...

    def candidates(
        self, owner: Owner, terms: Sequence[str], embedded: Embedded | None, where: Filter
    ) -> Sequence[Candidate]:
        """Return what holds any of `terms` or lies near the one vector of `embedded`."""
        ...

    def many(self, owner: Owner, ids: Sequence[str]) -> dict[str, Passage]:
        """Return the passages that exist among `ids`."""
        ...

    def unembedded(self, model: str, width: int, limit: int) -> Sequence[tuple[Owner, str, str]]:
        """Return (owner, id, text) of passages of anyone that have no vector of this model."""
        ...

    def embed(self, owner: Owner, id: str, text: str, embedded: Embedded) -> None:
        """Attach vectors to a passage whose text is still `text`."""
        ...


class SessionRows(Protocol):
    """The list of conversations."""

    def touch(self, owner: Owner, id: str, at: datetime) -> Session:
        """Create a session or note that it was used."""
        ...

    def name(self, owner: Owner, id: str, title: str) -> Session | None:
        """Give a session its title; None when there is no such session."""
        ...

    def get(self, owner: Owner, id: str) -> Session | None:
        """Return one session, None when there is none."""
        ...

    def newest(self, owner: Owner, limit: int, offset: int) -> list[Session]:
        """Return a stretch of the sessions, the one used last first."""
        ...


class ConfirmationRows(Protocol):
    """The edits that wait, or waited, for a yes."""

    def open(self, owner: Owner, confirmation: Confirmation) -> Confirmation:
        """Store a confirmation; return what is stored under its id."""
        ...

    def get(self, owner: Owner, id: str) -> Confirmation | None:
        """Return one confirmation, None when there is none."""
        ...

    def pending(self, owner: Owner, session_id: str | None) -> list[Confirmation]:
        """Return the open ones, oldest first."""
        ...

    def of_call(self, owner: Owner, session_id: str, call_id: str) -> Confirmation | None:
        """Return the newest confirmation of a tool call, None when there is none."""
        ...

    def answer(
        self, owner: Owner, id: str, state: ConfirmationState, reason: str, at: datetime
    ) -> bool:
        """Move a confirmation from open to `state`; tell whether it was open."""
        ...

    def settle(self, owner: Owner, id: str, outcome: dict[str, Any]) -> None:
        """Keep what the tool returned, unless an outcome is kept already."""
        ...


@dataclass(frozen=True, slots=True)
class Merged:
    """What becomes of a block when its owner goes over to another person.

    Attributes:
        moved: Its versions become the other's, who never changed that block.
        text: What the other's block reads from now on; None: as before.
        note: What is kept as a passage instead; None: nothing.
    """

    moved: bool = False
    text: str | None = None
    note: Passage | None = None


Merging = Callable[[list[BlockVersion], list[BlockVersion]], Merged]
"""Decides on one block, from its versions of who goes over and those of the other, oldest first."""


class PeopleRows(Protocol):
    """Everything of one person, of all agents."""

    def erase(self, user_ids: Sequence[str]) -> None:
        """Remove all of some people, to the last byte; all of it or, on an error, nothing.

        What an earlier erasing left to do is done too, with no `user_ids` nothing else.
        """
        ...

    def idle(self, prefix: str, before: datetime) -> list[str]:
        """Return whose id begins with `prefix` and whose newest row is older than `before`."""
        ...

    def holds(self, user_id: str) -> bool:
        """Tell whether there is a message, a passage or a version of a block."""
        ...

    def new_session_ids(self, visitor_id: str, user_id: str) -> dict[str, str]:
        """Return what `adopt` would call the sessions whose ids both have."""
        ...

    def adopt(
        self, visitor_id: str, user_id: str, merge: Merging, at: datetime
    ) -> list[tuple[Owner, Passage]]:
        """Give a user everything of a visitor; return the passages that `merge` made.

        They have no vectors yet. Where both have the same passage the user's stays; of whatever
        else has one id in both, the visitor's gets another.
        """
        ...


class Store(Protocol):
    """Everything the tiers keep."""

    @property
    def blocks(self) -> BlockRows: ...  # noqa: D102 - the protocols above say it

    @property
    def messages(self) -> MessageRows: ...  # noqa: D102

    @property
    def passages(self) -> PassageRows: ...  # noqa: D102

    @property
    def sessions(self) -> SessionRows: ...  # noqa: D102

    @property
    def confirmations(self) -> ConfirmationRows: ...  # noqa: D102

    @property
    def people(self) -> PeopleRows: ...  # noqa: D102

    def backup(self, file: Path) -> None:
        """Write a copy of everything the tiers keep, as of one instant, into a new file.

        Nobody who reads or writes meanwhile waits, and what was deleted is not in it. When this
        returns, the copy is checked and on the disk.
        """
        ...

    def close(self) -> None:
        """Save what is cached and release the storage; further calls are `StoreUnavailable`."""
        ...
