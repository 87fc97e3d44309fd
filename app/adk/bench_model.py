"""For measurements: a model that takes no time, and ADK's agent without any layer of ours."""

from collections.abc import AsyncGenerator, AsyncIterator, Callable
from pathlib import Path
from typing import Any
from uuid import uuid4

from google.adk.agents import LlmAgent
from google.adk.agents.run_config import RunConfig, StreamingMode
from google.adk.apps import App
from google.adk.events import Event
from google.adk.models import BaseLlm, LlmCapabilities
from google.adk.models.llm_request import LlmRequest
from google.adk.models.llm_response import LlmResponse
from google.adk.runners import Runner
from google.adk.sessions.sqlite_session_service import SqliteSessionService
from google.adk.tools.base_tool import BaseTool
from google.adk.tools.tool_context import ToolContext
from google.genai import types

from app.adk.agent import INSTRUCTION
from memory_tiers import Memory
from tools.catalogue import build_tools

REPLY = ("Good to hear. ", "Tell me more about it ", "whenever you like, ", "I am listening.")


class InstantModel(BaseLlm):
    """Answers every message with one streamed `send_message`, or searches recall before it."""

    model: str = "instant"
    searches: bool = False

    @property
    def capabilities(self) -> LlmCapabilities:
        """Tell ADK that tools are enough."""
        return LlmCapabilities(output_schema_and_tools=True)

    async def generate_content_async(
        self, llm_request: LlmRequest, stream: bool = False
    ) -> AsyncGenerator[LlmResponse, None]:
        """Give the call that is due."""
        if self.searches and not _has_result(llm_request):
            yield _response(name="recall_search", args={"query": "bicycle"})
            return
        if stream:
            for words in REPLY:
                piece = types.PartialArg(json_path="$.message", string_value=words)
                yield _response(
                    partial=True, name="send_message", partial_args=[piece], will_continue=True
                )
        yield _response(name="send_message", args={"message": "".join(REPLY)})


class BareAgent:
    """ADK's agent, runner and sessions over the same tools and the same instruction."""

    def __init__(self, memory: Memory, model: BaseLlm, folder: Path) -> None:
        instruction = INSTRUCTION.read_text(encoding="utf-8")
        agent = LlmAgent(
            name="bare",
            model=model,
            instruction=lambda _context: instruction,
            tools=list(build_tools(memory)),
            after_tool_callback=_end_after_speaking,
        )
        self._runner = Runner(
            app=App(name="bare", root_agent=agent),
            session_service=SqliteSessionService(str(folder / "bare.db")),
        )

    async def talk(self, user_id: str) -> Callable[[str], AsyncIterator[Event]]:
        """Begin a session and return what runs a turn in it."""
        session = await self._runner.session_service.create_session(
            app_name="bare", user_id=user_id
        )

        def say(text: str) -> AsyncIterator[Event]:
            return self._runner.run_async(
                user_id=user_id,
                session_id=session.id,
                new_message=types.Content(role="user", parts=[types.Part(text=text)]),
                run_config=RunConfig(streaming_mode=StreamingMode.SSE),
            )

        return say

    async def close(self) -> None:
        """Close the runner."""
        await self._runner.close()


def _end_after_speaking(
    tool: BaseTool, args: dict[str, Any], tool_context: ToolContext, tool_response: dict[str, Any]
) -> None:
    """End the turn with `send_message`, so that both sides ask the model equally often."""
    if tool.name == "send_message":
        tool_context.actions.skip_summarization = True


def _has_result(llm_request: LlmRequest) -> bool:
    last = llm_request.contents[-1].parts or [] if llm_request.contents else []
    return any(part.function_response for part in last)


def _response(*, partial: bool = False, **call: Any) -> LlmResponse:
    part = types.Part(function_call=types.FunctionCall(id=f"call-{uuid4().hex[:12]}", **call))
    return LlmResponse(
        content=types.Content(role="model", parts=[part]),
        partial=partial,
        finish_reason=None if partial else types.FinishReason.STOP,
        usage_metadata=None if partial else types.GenerateContentResponseUsageMetadata(),
    )
