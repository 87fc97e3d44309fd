"""Which person a tool call is for: the session's user, never an argument of the model."""

from google.adk.tools.tool_context import ToolContext

from memory_tiers import Memory, UserMemory


def owned(memory: Memory, tool_context: ToolContext) -> UserMemory:
    """Return the memory of the user whose turn this is."""
    return memory.for_user(tool_context.user_id)
