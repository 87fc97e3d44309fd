"""The list of conversations: which there are, what they are called, when they were last used."""

from collections.abc import Sequence

from memory_tiers.dates import Calendar
from memory_tiers.errors import NotFound
from memory_tiers.inputs import identifier, stretch, string
from memory_tiers.records import Session
from memory_tiers.store import Owner, SessionRows


class Sessions:
    """The sessions of one owner."""

    def __init__(self, owner: Owner, rows: SessionRows, calendar: Calendar) -> None:
        self._owner = owner
        self._rows = rows
        self._calendar = calendar

    def open(self, session_id: str) -> Session:
        """Create a session, or note that it is used now."""
        return self._rows.touch(
            self._owner, identifier(session_id, "session_id"), self._calendar.now()
        )

    def title(self, session_id: str, text: str) -> Session:
        """Give a session its title, on one line.

        Raises:
            NotFound: This owner has no such session.
        """
        title = " ".join(string(text, "title").split())
        session = self._rows.name(self._owner, identifier(session_id, "session_id"), title)
        return _known(session, session_id)

    def get(self, session_id: str) -> Session:
        """Return one session.

        Raises:
            NotFound: This owner has no such session.
        """
        found = self._rows.get(self._owner, identifier(session_id, "session_id"))
        return _known(found, session_id)

    def list(self, limit: int = 50, offset: int = 0) -> Sequence[Session]:
        """Return a stretch of the sessions, the one used last first."""
        limit, offset = stretch(limit, offset)
        return self._rows.newest(self._owner, limit, offset)


def _known(session: Session | None, id: str) -> Session:
    if session is None:
        raise NotFound(f"There is no session {id!r:.60}.")
    return session
