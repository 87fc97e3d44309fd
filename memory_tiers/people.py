"""Whole persons: erased, looked for, and a visitor whose memory becomes that of a known user.

Holds the rules of how two people's blocks become one's. Knows no SQL.
"""

import secrets
from collections.abc import Sequence
from datetime import datetime

from memory_tiers.archival import embed_passage
from memory_tiers.dates import Calendar
from memory_tiers.edits import appended
from memory_tiers.embedding import Embedder
from memory_tiers.inputs import identifier
from memory_tiers.policies import BlockPolicy
from memory_tiers.records import BlockVersion, Passage
from memory_tiers.store import Merged, Store
from memory_tiers.text import blank

BEFORE = "before signing in"  # the tag of a note that holds what did not fit into a block


class People:
    """Everything of one user at a time, of all agents."""

    def __init__(
        self,
        store: Store,
        embedder: Embedder,
        policies: Sequence[BlockPolicy],
        calendar: Calendar,
    ) -> None:
        self._store = store
        self._embedder = embedder
        self._policies = {policy.label: policy for policy in policies}
        self._calendar = calendar

    def erase(self, *user_ids: str) -> None:
        """See `Memory.erase`."""
        self._store.people.erase([identifier(user_id, "user_id") for user_id in user_ids])

    def idle(self, prefix: str, before: datetime) -> list[str]:
        """See `Memory.idle`."""
        return self._store.people.idle(identifier(prefix, "prefix"), self._calendar.instant(before))

    def holds(self, user_id: str) -> bool:
        """See `Memory.holds`."""
        return self._store.people.holds(identifier(user_id, "user_id"))

    def new_session_ids(self, visitor_id: str, user_id: str) -> dict[str, str]:
        """See `Memory.new_session_ids`."""
        return self._store.people.new_session_ids(
            identifier(visitor_id, "visitor_id"), identifier(user_id, "user_id")
        )

    def adopt(self, visitor_id: str, user_id: str) -> None:
        """See `Memory.adopt`."""
        made = self._store.people.adopt(
            identifier(visitor_id, "visitor_id"),
            identifier(user_id, "user_id"),
            self._merge,
            self._calendar.now(),
        )
        for owner, passage in made:
            embed_passage(self._store.passages, self._embedder, owner, passage)

    def _merge(self, theirs: list[BlockVersion], own: list[BlockVersion]) -> Merged:
        policy = self._policies.get(theirs[-1].label)
        read_only = policy is not None and policy.read_only
        if not own and not read_only:
            return Merged(moved=True)
        before = own[-1].text if own else policy.initial if policy else ""
        limit = policy.limit if policy and not read_only else 0
        text, left = _joined(_new_lines(theirs, before), before, limit)
        note = None
        if left:
            note = Passage(secrets.token_hex(8), "\n".join(left), (BEFORE,), theirs[-1].at)
        return Merged(text=None if text == before else text, note=note)


def _new_lines(theirs: list[BlockVersion], text: str) -> list[str]:
    """Return the lines somebody wrote into a block that are not in `text`, each once."""
    declared = theirs[0].text if theirs[0].version == 0 else ""
    known = {line.strip() for line in f"{text}\n{declared}".split("\n")}
    lines = []
    for line in theirs[-1].text.split("\n"):
        if line.strip() not in known and not blank(line):
            known.add(line.strip())
            lines.append(line)
    return lines


def _joined(lines: Sequence[str], text: str, limit: int) -> tuple[str, list[str]]:
    """Append the lines that fit under the limit; return the text and the lines that do not."""
    left = []
    for line in lines:
        longer = appended(text, line)
        if len(longer) <= limit:
            text = longer
        else:
            left.append(line)
    return text, left
