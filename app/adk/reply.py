"""What a model's reply must be before anything of it is kept, shown or carried out. Pure."""

from collections.abc import Collection, Mapping
from typing import Any

from google.adk.models.llm_response import LlmResponse
from google.adk.tools.base_tool import BaseTool
from google.genai import types

from memory_tiers.text import clean
from tools.catalogue import MemoryTool

RESERVED = "adk_"  # names by which ADK itself asks for something; no model may
WHOLE = (None, types.FinishReason.STOP, types.FinishReason.FINISH_REASON_UNSPECIFIED)
CUT = types.FinishReason.MAX_TOKENS.name


def mend(reply: LlmResponse, tools: Mapping[str, BaseTool], used: Collection[str]) -> None:
    """Make a reply, or a streamed piece of one, fit to go on with, in place.

    What cannot be stored is replaced; a provider's own error text is dropped; a reply that ended
    badly executes nothing; calls get arguments of the right types and ids nothing else has.

    Args:
        reply: What the model gave.
        tools: The tools there are, by name.
        used: The ids of calls the session has had.
    """
    for part in _parts(reply):
        if part.text:
            part.text = clean(part.text)
        if part.function_call:
            _clean_call(part.function_call)
    if reply.partial:
        return
    _judge(reply)
    taken = set(used)
    for call in [part.function_call for part in _parts(reply) if part.function_call]:
        if call.id in taken:
            call.id = None  # ADK then gives it one of its own
        taken.add(call.id or "")
        if isinstance(tool := tools.get(call.name or ""), MemoryTool):
            call.args = tool.fitted(call.args or {})


def _judge(reply: LlmResponse) -> None:
    """Say of a reply that ended badly that it did, and keep its calls from being carried out."""
    if not reply.error_code and reply.finish_reason not in WHOLE:
        reply.error_code = str(getattr(reply.finish_reason, "name", reply.finish_reason))
    if not reply.error_code:
        return
    # In capitals it is not taken for a code of ours, whose sentences are shown as they are.
    reply.error_code, reply.error_message = clean(reply.error_code).upper(), None
    if reply.error_code != CUT and reply.content:
        reply.content.parts = [part for part in _parts(reply) if not part.function_call]


def _parts(reply: LlmResponse) -> list[types.Part]:
    return (reply.content.parts if reply.content else None) or []


def _clean_call(call: types.FunctionCall) -> None:
    name = clean(call.name or "")
    call.name = f"{name}_" if name.startswith(RESERVED) else name
    if call.args:
        call.args = _cleaned(call.args)
    for piece in call.partial_args or ():
        if piece.string_value:
            piece.string_value = clean(piece.string_value)


def _cleaned(value: Any) -> Any:
    """Clean every text inside the arguments of a call."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, dict):
        return {clean(str(key)): _cleaned(inner) for key, inner in value.items()}
    return [_cleaned(inner) for inner in value] if isinstance(value, list) else value
