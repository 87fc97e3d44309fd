"""Recall memory: everything both sides ever said, findable by its words.

Holds the rules of storing and searching messages. Knows no SQL and no model.
"""

import secrets
from collections.abc import Collection
from datetime import datetime
from typing import get_args

from memory_tiers.dates import Calendar, Moment
from memory_tiers.errors import InvalidInput, NotFound
from memory_tiers.inputs import filled, identifier, several, stretch, string
from memory_tiers.records import Hit, Message, Page, Role
from memory_tiers.store import Filter, MessageRows, Owner
from memory_tiers.text import terms

ROLES: tuple[str, ...] = get_args(Role)
NO_WORD = "Give me a word to look for."


def past_the_end(total: int, offset: int) -> str:
    """Return the notice of a page that starts behind the last hit, else nothing."""
    if not 0 < total <= offset:
        return ""
    return f"There are only {total} results; this page starts behind the last one."


class RecallMemory:
    """The messages of one owner."""

    def __init__(self, owner: Owner, rows: MessageRows, calendar: Calendar) -> None:
        self._owner = owner
        self._rows = rows
        self._calendar = calendar

    def append(
        self,
        session_id: str,
        role: str,
        text: str,
        at: datetime | str | None = None,
        *,
        id: str | None = None,
    ) -> Message:
        """Store what one side said; `at` without an offset is local time, None is now.

        An `id` stored before for this owner writes nothing and returns what is stored.

        Raises:
            InvalidInput: Blank session or text, or a role other than user and assistant.
        """
        message = Message(
            id=secrets.token_hex(8) if id is None else identifier(id, "id"),
            session_id=identifier(session_id, "session_id"),
            role=_role(role),
            text=filled(text, "text"),
            at=self._calendar.instant(at),
        )
        return self._rows.add(self._owner, message)

    def get(self, id: str) -> Message:
        """Return one message.

        Raises:
            NotFound: This owner has no such message.
        """
        message = self._rows.get(self._owner, identifier(id, "id"))
        if message is None:
            raise NotFound(_unknown(id))
        return message

    def search(
        self,
        query: str,
        limit: int = 10,
        offset: int = 0,
        since: Moment = None,
        until: Moment = None,
        roles: str | Collection[str] | None = None,
        session_id: str | None = None,
        *,
        exclude: Collection[str] = (),
    ) -> Page[Hit]:
        """Find messages that hold any word of `query`, best first, the newest among equals.

        Any text is a legal query; upper and lower case, accents and operators make no difference.
        Days are local and both ends are included. `exclude` holds ids of messages to leave out.

        Raises:
            InvalidInput: A limit, offset or role that is out of range.
            InvalidDate: A date that cannot be read, or `since` after `until`.
        """
        limit, offset = stretch(limit, offset)
        start, stop = self._calendar.bounds(since, until)
        where = Filter(
            since=start,
            until=stop,
            roles=tuple(_role(role) for role in several(roles, "roles")),
            session_id="" if session_id is None else identifier(session_id, "session_id"),
            exclude=tuple(identifier(id, "exclude") for id in several(exclude, "exclude")),
        )
        wanted = terms(string(query, "query"))
        if not wanted:
            return Page((), 0, offset, NO_WORD)
        found, total = self._rows.search(self._owner, wanted, where, limit, offset)
        hits = tuple(_hit(message, score) for message, score in found)
        return Page(hits, total, offset, past_the_end(total, offset))

    def messages(self, session_id: str, limit: int = 50) -> list[Message]:
        """Return the newest `limit` messages of a session, oldest first."""
        limit, _ = stretch(limit, 0)
        return self._rows.newest(self._owner, identifier(session_id, "session_id"), limit)

    def count(self, session_id: str = "", role: str = "") -> int:
        """Count the messages; of one session or one role where these are given."""
        return self._rows.count(self._owner, session_id, role)

    def delete(self, id: str) -> None:
        """Take a message out of every view.

        Raises:
            NotFound: This owner has no such message.
        """
        if not self._rows.delete(self._owner, identifier(id, "id"), self._calendar.now()):
            raise NotFound(_unknown(id))


def _role(role: object) -> str:
    if role not in ROLES:
        raise InvalidInput(f"role must be one of {', '.join(ROLES)}; got {role!r:.40}.")
    return str(role)


def _unknown(id: str) -> str:
    return f"There is no message {id!r:.60}; it may have been deleted."


def _hit(message: Message, score: float) -> Hit:
    return Hit(
        id=message.id,
        text=message.text,
        at=message.at,
        score=score,
        origin="recall",
        role=message.role,
        session_id=message.session_id,
    )
