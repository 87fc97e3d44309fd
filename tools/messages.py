"""How the agent speaks to the user."""

from typing import Any

from google.adk.tools.tool_context import ToolContext

from memory_tiers import Memory
from memory_tiers.text import blank
from tools.owner import owned


class MessageTools:
    """The one tool the user hears."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    def send_message(
        self, message: str, tool_context: ToolContext, request_heartbeat: bool = False
    ) -> dict[str, Any]:
        """Say something to the user: the only way the user hears you. It ends your turn.

        Args:
            message: What the user reads.
            request_heartbeat: True if you have more to do in this turn after speaking.
        """
        if blank(message):
            return {"error": "message is blank; write what the user should read."}
        key = f"{tool_context.invocation_id}/{tool_context.function_call_id}"
        owned(self._memory, tool_context).recall.append(
            tool_context.session.id, "assistant", message, id=key
        )
        return {"sent": True, "heartbeat": True} if request_heartbeat else {"sent": True}
