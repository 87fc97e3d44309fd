"""Destructive edits that wait for the user's yes: each is answered once, its outcome kept."""

from typing import Any, get_args

from memory_tiers.dates import Calendar
from memory_tiers.errors import Conflict, InvalidInput, NotFound
from memory_tiers.inputs import identifier, string
from memory_tiers.records import Confirmation, ConfirmationState
from memory_tiers.store import ConfirmationRows, Owner

ANSWERS = tuple(state for state in get_args(ConfirmationState) if state != "open")


class Confirmations:
    """The confirmations of one owner."""

    def __init__(self, owner: Owner, rows: ConfirmationRows, calendar: Calendar) -> None:
        self._owner = owner
        self._rows = rows
        self._calendar = calendar

    def open(
        self, id: str, *, session_id: str, call_id: str, tool: str, arguments: dict[str, Any]
    ) -> Confirmation:
        """Ask for a yes; an `id` asked before is returned as it is now."""
        confirmation = Confirmation(
            id=identifier(id, "id"),
            session_id=identifier(session_id, "session_id"),
            call_id=identifier(call_id, "call_id"),
            tool=identifier(tool, "tool"),
            arguments=arguments,
            state="open",
            reason="",
            outcome=None,
            at=self._calendar.now(),
        )
        return self._rows.open(self._owner, confirmation)

    def get(self, id: str) -> Confirmation:
        """Return one confirmation.

        Raises:
            NotFound: This owner has no such confirmation.
        """
        found = self._rows.get(self._owner, identifier(id, "id"))
        if found is None:
            raise NotFound(f"There is no confirmation {id!r:.60}.")
        return found

    def pending(self, session_id: str | None = None) -> list[Confirmation]:
        """Return the open ones, of one session or of all, oldest first."""
        chosen = None if session_id is None else identifier(session_id, "session_id")
        return self._rows.pending(self._owner, chosen)

    def of_call(self, session_id: str, call_id: str) -> Confirmation | None:
        """Return the confirmation a tool call asked for, the newest if an id repeats."""
        return self._rows.of_call(
            self._owner, identifier(session_id, "session_id"), identifier(call_id, "call_id")
        )

    def answer(self, id: str, state: ConfirmationState, reason: str = "") -> Confirmation:
        """Answer an open confirmation; of several at one moment exactly one succeeds.

        Raises:
            InvalidInput: `state` is no answer.
            NotFound: This owner has no such confirmation.
            Conflict: It was answered before; the message says how.
        """
        if state not in ANSWERS:
            raise InvalidInput(f"state must be one of {', '.join(ANSWERS)}; got {state!r:.40}.")
        said = string(reason, "reason")
        answered = self._rows.answer(
            self._owner, identifier(id, "id"), state, said, self._calendar.now()
        )
        confirmation = self.get(id)
        if not answered:
            raise Conflict(
                f"This edit was {confirmation.state} before; nothing was done this time."
            )
        return confirmation

    def settle(self, id: str, outcome: dict[str, Any]) -> Confirmation:
        """Keep what the tool returned; the first outcome stays.

        Raises:
            NotFound: This owner has no such confirmation.
        """
        self._rows.settle(self._owner, identifier(id, "id"), outcome)
        return self.get(id)
