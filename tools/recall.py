"""Recall memory, as the model sees it: everything that was said."""

import asyncio
from typing import Any
from zoneinfo import ZoneInfo

from google.adk.tools.tool_context import ToolContext

from memory_tiers import Memory
from tools.owner import owned
from tools.results import PAGE_SIZE, results


class RecallTools:
    """Search over past messages. `current` tells the id of the message being answered."""

    def __init__(self, memory: Memory, zone: ZoneInfo | None) -> None:
        self._memory = memory
        self._zone = zone

    async def recall_search(
        self, query: str, tool_context: ToolContext, since: str = "", until: str = "", page: int = 1
    ) -> dict[str, Any]:
        """Search everything that was said in this and earlier conversations, by words.

        Args:
            query: A few key words of what was said.
            since: First day, as 2026-03-01; empty for no limit.
            until: Last day, as 2026-03-31; empty for no limit.
            page: 1 for the best results, 2 for the next, and so on.
        """
        recall = owned(self._memory, tool_context).recall
        found = await asyncio.to_thread(
            recall.search,
            query,
            limit=PAGE_SIZE,
            offset=(max(page, 1) - 1) * PAGE_SIZE,
            since=since,
            until=until,
            exclude=(current_message(tool_context),),
        )
        return results(found, self._zone)


def current_message(tool_context: ToolContext) -> str:
    """Return the id under which the message of this turn is stored in recall."""
    metadata = tool_context.run_config.custom_metadata if tool_context.run_config else None
    return str((metadata or {}).get("message_id") or tool_context.invocation_id)
