"""Core memory, as the model sees it: blocks that are always in its prompt."""

from typing import Any

from google.adk.tools.tool_context import ToolContext

from memory_tiers import EditRefused, Memory
from tools.owner import owned


class CoreMemoryTools:
    """Append at once; replace only after the user's yes."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    def core_memory_append(
        self, block: str, text: str, tool_context: ToolContext
    ) -> dict[str, Any]:
        """Add a durable fact to a core memory block, on a line of its own.

        Args:
            block: Label of the block: "human" for the person, "persona" for yourself.
            text: One short, self-contained fact.
        """
        core = owned(self._memory, tool_context).core
        now = core.append(block, text, key=call_key(tool_context))
        return {"ok": True, "block": now.label, "text": now.text}

    def core_memory_replace(
        self, block: str, old: str, new: str, tool_context: ToolContext
    ) -> dict[str, Any]:
        """Correct or remove text in a core memory block. The user is asked first and may decline.

        Args:
            block: Label of the block.
            old: The exact text to replace, as it stands in the block; it must occur once.
            new: The text that takes its place; empty to remove it.
        """
        core = owned(self._memory, tool_context).core
        if tool_context.tool_confirmation is None:
            # Nobody was asked, because the edit could not apply: say why, and never apply it.
            core.check_replace(block, old, new)
            return {"error": "The block has changed this moment; look at it and call again."}
        now = core.replace(block, old, new, key=call_key(tool_context))
        return {"ok": True, "block": now.label, "text": now.text}

    def needs_confirmation(
        self,
        tool_context: ToolContext,
        block: str = "",
        old: str = "",
        new: str = "",
    ) -> bool:
        """Tell whether to ask the user: yes, unless the edit cannot apply anyway."""
        if tool_context.tool_confirmation is not None:
            return True
        try:
            owned(self._memory, tool_context).core.check_replace(block, old, new)
        except EditRefused:
            return False
        return True


def call_key(tool_context: ToolContext) -> str:
    """Name this one call, so that carrying it out twice applies it once."""
    return f"{tool_context.session.id}/{tool_context.invocation_id}/{tool_context.function_call_id}"
