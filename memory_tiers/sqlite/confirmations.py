"""The rows of edits that wait, or waited, for a yes."""

import json
import sqlite3
from datetime import datetime
from typing import Any

from memory_tiers.dates import stamp
from memory_tiers.records import Confirmation, ConfirmationState
from memory_tiers.sqlite.connection import Database
from memory_tiers.sqlite.rows import OWNED, moment, owned
from memory_tiers.store import Owner

_SELECT = (
    "SELECT id, session_id, call_id, tool, arguments, state, reason, outcome, at "
    f"FROM confirmations WHERE {OWNED}"
)


class SqliteConfirmations:
    """`ConfirmationRows` over the table `confirmations`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def open(self, owner: Owner, confirmation: Confirmation) -> Confirmation:
        """Store a confirmation; return what is stored under its id."""
        parameters = {
            **owned(owner),
            "id": confirmation.id,
            "session_id": confirmation.session_id,
            "call_id": confirmation.call_id,
            "tool": confirmation.tool,
            "arguments": json.dumps(confirmation.arguments),
            "state": confirmation.state,
            "reason": confirmation.reason,
            "at": stamp(confirmation.at),
        }
        with self._database.write() as connection:
            connection.execute(
                "INSERT INTO confirmations(user_id, agent_id, id, session_id, call_id, tool, "
                "arguments, state, reason, at) VALUES(:user_id, :agent_id, :id, :session_id, "
                ":call_id, :tool, :arguments, :state, :reason, :at) "
                "ON CONFLICT(user_id, agent_id, id) DO NOTHING",
                parameters,
            )
            row = connection.execute(f"{_SELECT} AND id = :id", parameters).fetchone()
        return _confirmation(row)

    def get(self, owner: Owner, id: str) -> Confirmation | None:
        """Return one confirmation, None when there is none."""
        found = self._select(f"{_SELECT} AND id = :id", owner, id=id)
        return found[0] if found else None

    def pending(self, owner: Owner, session_id: str | None) -> list[Confirmation]:
        """Return the open ones, oldest first."""
        return self._select(
            f"{_SELECT} AND state = 'open' AND (:session_id IS NULL OR session_id = :session_id) "
            "ORDER BY seq",
            owner,
            session_id=session_id,
        )

    def of_call(self, owner: Owner, session_id: str, call_id: str) -> Confirmation | None:
        """Return the newest confirmation of a tool call, None when there is none."""
        found = self._select(
            f"{_SELECT} AND session_id = :session_id AND call_id = :call_id "
            "ORDER BY seq DESC LIMIT 1",
            owner,
            session_id=session_id,
            call_id=call_id,
        )
        return found[0] if found else None

    def answer(
        self, owner: Owner, id: str, state: ConfirmationState, reason: str, at: datetime
    ) -> bool:
        """Move a confirmation from open to `state`; tell whether it was open."""
        with self._database.write() as connection:
            cursor = connection.execute(
                "UPDATE confirmations SET state = :state, reason = :reason, answered_at = :at "
                f"WHERE {OWNED} AND id = :id AND state = 'open'",
                {**owned(owner), "id": id, "state": state, "reason": reason, "at": stamp(at)},
            )
            return cursor.rowcount > 0

    def settle(self, owner: Owner, id: str, outcome: dict[str, Any]) -> None:
        """Keep what the tool returned, unless an outcome is kept already."""
        with self._database.write() as connection:
            connection.execute(
                f"UPDATE confirmations SET outcome = :outcome WHERE {OWNED} AND id = :id "
                "AND outcome IS NULL",
                {**owned(owner), "id": id, "outcome": json.dumps(outcome)},
            )

    def _select(self, query: str, owner: Owner, **parameters: str | None) -> list[Confirmation]:
        with self._database.read() as connection:
            rows = connection.execute(query, {**owned(owner), **parameters}).fetchall()
        return [_confirmation(row) for row in rows]


def _confirmation(row: sqlite3.Row) -> Confirmation:
    return Confirmation(
        id=row["id"],
        session_id=row["session_id"],
        call_id=row["call_id"],
        tool=row["tool"],
        arguments=json.loads(row["arguments"]),
        state=row["state"],
        reason=row["reason"],
        outcome=None if row["outcome"] is None else json.loads(row["outcome"]),
        at=moment(row["at"]),
    )
