"""Archival memory, as the model sees it: notes kept for good, found by meaning and by words."""

from typing import Any
from zoneinfo import ZoneInfo

from google.adk.tools.tool_context import ToolContext

from memory_tiers import Memory
from tools.owner import owned
from tools.results import PAGE_SIZE, results


class ArchivalTools:
    """Long notes. Both embed text, so both belong off the event loop."""

    def __init__(self, memory: Memory, zone: ZoneInfo | None) -> None:
        self._memory = memory
        self._zone = zone

    def archival_insert(
        self,
        text: str,
        tool_context: ToolContext,
        tags: list[str] = [],  # noqa: B006 - what the model sees; never changed
    ) -> dict[str, Any]:
        """Keep a longer note for good: a debrief, a plan, a text the user wants remembered.

        Args:
            text: The note, complete and understandable on its own.
            tags: One to three words to find it by.
        """
        archival = owned(self._memory, tool_context).archival
        passage = archival.insert(text, tags=tuple(tags))
        return {"ok": True, "id": passage.id, "known": passage.known}

    def archival_search(
        self,
        query: str,
        tool_context: ToolContext,
        tags: list[str] = [],  # noqa: B006 - what the model sees; never changed
        since: str = "",
        until: str = "",
        page: int = 1,
    ) -> dict[str, Any]:
        """Search the notes in archival memory, by meaning and by words.

        Args:
            query: What to look for, in plain words.
            tags: Only notes with one of these tags.
            since: First day, as 2026-03-01; empty for no limit.
            until: Last day, as 2026-03-31; empty for no limit.
            page: 1 for the best results, 2 for the next, and so on.
        """
        found = owned(self._memory, tool_context).archival.search(
            query,
            limit=PAGE_SIZE,
            offset=(max(page, 1) - 1) * PAGE_SIZE,
            tags=tuple(tags),
            since=since,
            until=until,
        )
        return results(found, self._zone)
