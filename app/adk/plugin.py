"""The callback layer: what is put before the model, what is kept of a turn, what breaks one off.

It is a plugin rather than agent callbacks, so that every runner gets it, also ADK's own pages.
"""

import logging
from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from google.adk.agents.callback_context import CallbackContext
from google.adk.agents.invocation_context import InvocationContext
from google.adk.events import Event
from google.adk.models.llm_request import LlmRequest
from google.adk.models.llm_response import LlmResponse
from google.adk.plugins.base_plugin import BasePlugin
from google.adk.tools.base_tool import BaseTool
from google.adk.tools.tool_context import ToolContext
from google.genai import types

from app.adk.faults import explain_model_error
from app.adk.healing import settle
from app.adk.reply import mend
from app.adk.translate import CONFIRMATION, plain_text
from app.caps import Caps
from memory_tiers import Memory
from memory_tiers.context import render_core, render_now
from tools.catalogue import WRITES

log = logging.getLogger(__name__)

TITLE_CHARACTERS = 80
OURS = "tiered_memory_notice"  # marks a response that no model gave
REPEATS_ANSWERED = 2  # the same call a third time is not run; a fourth ends the turn


@dataclass(slots=True)
class _Turn:
    """What the plugin knows of a turn while it runs."""

    steps: int = 0
    calls: Counter[str] = field(default_factory=Counter)
    answered: dict[str, dict[str, Any]] = field(default_factory=dict)
    said: set[str] = field(default_factory=set)
    rejected: bool = False


class MemoryPlugin(BasePlugin):
    """Core memory into each request, each message once into recall, a limit to every turn."""

    def __init__(
        self, memory: Memory, caps: Caps, *, steps: int, zone: ZoneInfo | None = None
    ) -> None:
        super().__init__(name="tiered_memory")
        self._memory = memory
        self._caps = caps
        self._steps = steps
        self._zone = zone
        self._turns: dict[str, _Turn] = {}

    def _turn(self, context: InvocationContext | CallbackContext) -> _Turn:
        return self._turns.setdefault(context.invocation_id, _Turn())

    async def on_user_message_callback(
        self, *, invocation_context: InvocationContext, user_message: types.Content
    ) -> types.Content | None:
        """Save what the user says before the model is called; typing on declines open cards."""
        text = plain_text(user_message)
        if not text:
            return None  # an answer to a card
        mine = self._memory.for_user(invocation_context.user_id)
        session_id = invocation_context.session.id
        metadata = (
            invocation_context.run_config.custom_metadata if invocation_context.run_config else None
        )
        message_id = (metadata or {}).get("message_id") or invocation_context.invocation_id
        message = mine.recall.append(session_id, "user", text, id=message_id)
        if not mine.sessions.get(session_id).title:
            mine.sessions.title(session_id, message.text[:TITLE_CHARACTERS])
        await settle(mine, invocation_context)
        if message.text == text:
            return None
        return types.Content(role="user", parts=[types.Part(text=message.text)])

    async def before_model_callback(
        self, *, callback_context: CallbackContext, llm_request: LlmRequest
    ) -> LlmResponse | None:
        """Put core memory, counts and clock before the model, or break off an endless turn."""
        turn = self._turn(callback_context)
        turn.answered.clear()
        if broken := self._broken(turn):
            return broken
        if refused := self._caps.call(callback_context.user_id):
            return _notice(refused.code, refused.text)
        turn.steps += 1
        mine = self._memory.for_user(callback_context.user_id)
        llm_request.append_instructions([render_core(mine.core.blocks(), zone=self._zone)])
        now = render_now(
            datetime.now(self._zone).astimezone(self._zone),
            mine.recall.count(),
            mine.archival.count(),
        )
        _append_to_user_message(llm_request, now)
        return None

    async def after_model_callback(
        self, *, callback_context: CallbackContext, llm_response: LlmResponse
    ) -> None:
        """Put the reply right before anything keeps, shows or carries out any of it."""
        if OURS in (llm_response.custom_metadata or {}):
            return
        calls = {
            call.id or ""
            for event in callback_context.session.events
            for call in event.get_function_calls()
        }
        tools = {tool.name: tool for tool in _known_tools(callback_context)}
        mend(llm_response, tools, calls)

    def _broken(self, turn: _Turn) -> LlmResponse | None:
        if turn.calls and max(turn.calls.values()) > REPEATS_ANSWERED + 1:
            return _notice(
                "repeated_call",
                "I stopped: the same step was repeated without getting any further. "
                "Please put it differently.",
            )
        if turn.steps >= self._steps:
            return _notice(
                "step_limit",
                f"I stopped after {self._steps} steps in one turn (limits.steps). "
                "Say “continue” to let me go on.",
            )
        return None

    async def on_model_error_callback(
        self, *, callback_context: CallbackContext, llm_request: LlmRequest, error: Exception
    ) -> LlmResponse:
        """Turn a failed model call into a sentence the user can act on; never end the session."""
        code, sentence = explain_model_error(error)
        log.warning("model call failed: %s (%s)", code, type(error).__name__)
        return _notice(code, sentence)

    async def before_tool_callback(
        self, *, tool: BaseTool, tool_args: dict[str, Any], tool_context: ToolContext
    ) -> dict[str, Any] | None:
        """Refuse what may not run: repeated calls, edits after a no, speaking before an answer."""
        turn = self._turn(tool_context)
        if tool_context.tool_confirmation is not None:
            return None
        if turn.rejected and tool.name.startswith("core_memory_"):
            return {"error": "The user declined an edit this turn; core memory stays as it is."}
        if tool.name == "send_message":
            return self._unspoken(turn, tool_args.get("message"), tool_context)
        signature = f"{tool.name} {sorted(tool_args.items())!r}"
        turn.calls[signature] += 1
        if turn.calls[signature] > REPEATS_ANSWERED:
            return {
                "error": "You made this very call before in this turn and have its result. "
                "Use it, or tell the user with send_message that you cannot get further."
            }
        return None

    @staticmethod
    def _unspoken(turn: _Turn, message: Any, tool_context: ToolContext) -> dict[str, Any] | None:
        """Hold back a message that speaks before a card's answer, or says the same words again."""
        if "core_memory_replace" in _batch(tool_context).values():
            return {"not_sent": "The user is asked about the edit first; speak after that."}
        words = _squeezed(message)
        if words and words in turn.said:
            return {"sent": True, "repeated": True}
        turn.said.add(words)
        return None

    async def after_tool_callback(
        self,
        *,
        tool: BaseTool,
        tool_args: dict[str, Any],
        tool_context: ToolContext,
        result: dict[str, Any],
    ) -> dict[str, Any] | None:
        """Word a rejection, remember an outcome, and end the turn once all is said."""
        turn = self._turn(tool_context)
        if (confirmation := tool_context.tool_confirmation) is not None:
            if not confirmation.confirmed:
                turn.rejected = True
                result = _declined(tool_args, confirmation.payload)
            self._settle(tool_context, result)
            return result
        if tool.name == "send_message" and not result.get("sent"):
            turn.said.discard(_squeezed(tool_args.get("message")))
        turn.answered[tool_context.function_call_id or ""] = result
        if _all_said(_batch(tool_context), turn.answered):
            tool_context.actions.skip_summarization = True
        return None

    def _settle(self, tool_context: ToolContext, result: dict[str, Any]) -> None:
        confirmations = self._memory.for_user(tool_context.user_id).confirmations
        card = confirmations.of_call(tool_context.session.id, tool_context.function_call_id or "")
        if card is not None:
            confirmations.settle(card.id, result)

    async def on_tool_error_callback(
        self,
        *,
        tool: BaseTool,
        tool_args: dict[str, Any],
        tool_context: ToolContext,
        error: Exception,
    ) -> dict[str, Any]:
        """Give the model a result it can act on, whatever broke in a tool; never its details."""
        known = {entry.name for entry in _known_tools(tool_context)}
        if tool.name not in known:
            names = ", ".join(sorted(known))
            return {"error": f"There is no tool {tool.name!r}. The tools are: {names}."}
        log.error("tool %s failed: %s", tool.name, type(error).__name__)
        return {"error": f"{tool.name} failed inside and did nothing. Go on without it."}

    async def on_event_callback(
        self, *, invocation_context: InvocationContext, event: Event
    ) -> None:
        """Keep plain-text replies in recall, and every card in the list of confirmations."""
        if event.partial or event.author == "user":
            return
        mine = self._memory.for_user(invocation_context.user_id)
        session_id = invocation_context.session.id
        if (text := plain_text(event.content)) and not event.get_function_responses():
            said, words = self._turn(invocation_context).said, _squeezed(text)
            if words not in said:
                said.add(words)
                mine.recall.append(session_id, "assistant", text, id=event.id)
        for call in event.get_function_calls():
            if call.name == CONFIRMATION and call.id and call.args:
                original = call.args["originalFunctionCall"]
                mine.confirmations.open(
                    call.id,
                    session_id=session_id,
                    call_id=original["id"],
                    tool=original["name"],
                    arguments=original.get("args") or {},
                )

    async def after_run_callback(self, *, invocation_context: InvocationContext) -> None:
        """Forget the turn."""
        self._turns.pop(invocation_context.invocation_id, None)

    async def on_run_error_callback(
        self, *, invocation_context: InvocationContext, error: Exception
    ) -> None:
        """Forget the turn, when it failed too."""
        self._turns.pop(invocation_context.invocation_id, None)


def _known_tools(context: CallbackContext) -> list[BaseTool]:
    agent = context._invocation_context.agent
    return [tool for tool in getattr(agent, "tools", ()) if isinstance(tool, BaseTool)]


def _notice(code: str, sentence: str) -> LlmResponse:
    """Build a response that says nothing to the model and `sentence` to the user."""
    return LlmResponse(error_code=code, error_message=sentence, custom_metadata={OURS: True})


def _append_to_user_message(llm_request: LlmRequest, text: str) -> None:
    """Put `text` behind the user's newest words, where it leaves the prefix before it alone."""
    for content in reversed(llm_request.contents):
        if content.role == "user" and plain_text(content):
            content.parts = [*(content.parts or []), types.Part(text=text)]
            return
    llm_request.contents.append(types.Content(role="user", parts=[types.Part(text=text)]))


def _squeezed(message: Any) -> str:
    """Return the words of a message, for telling whether it was said before."""
    return " ".join(str(message or "").split())


def _batch(tool_context: ToolContext) -> dict[str, str]:
    """Return the calls the model made in the same reply as this one, id → tool name."""
    for event in reversed(tool_context.session.events):
        calls = {call.id or "": call.name or "" for call in event.get_function_calls()}
        if tool_context.function_call_id in calls:
            return calls
    return {}


def _all_said(batch: dict[str, str], answered: dict[str, dict[str, Any]]) -> bool:
    """Tell whether the turn ends with this batch.

    It does when the user was spoken to without a heartbeat and the other calls, if any, were
    writes that went well: nothing is left that the model would have to read.
    """
    if not batch or batch.keys() - answered.keys() or "send_message" not in batch.values():
        return False
    for call_id, name in batch.items():
        result = answered[call_id]
        if name == "send_message":
            if not result.get("sent") or result.get("heartbeat"):
                return False
        elif name not in WRITES or "error" in result:
            return False
    return True


def _declined(tool_args: dict[str, Any], payload: Any) -> dict[str, Any]:
    reason = (payload or {}).get("reason") or ""
    old = str(tool_args.get("old", ""))
    return {
        "declined": True,
        "reason": reason,
        "keep": old,
        "message": f"The user declined; keep “{old}”. Nothing was changed.",
    }
