"""The offline model: drives the same six tools as any model, by rules, without key or download.

It reads nothing but the request, like every other model; what to do is decided in
`app.adk.offline_rules`, which knows no ADK.
"""

import re
from collections.abc import AsyncGenerator, Iterator
from datetime import datetime
from uuid import uuid4
from zoneinfo import ZoneInfo

from google.adk.models import BaseLlm, LlmCapabilities
from google.adk.models.llm_request import LlmRequest
from google.adk.models.llm_response import LlmResponse
from google.genai import types

from app.adk.offline_rules import Answered, Seen, decide
from memory_tiers.context import blocks_in

WORDS_A_PIECE = 4


class OfflineModel(BaseLlm):
    """A deterministic model of rules. It is not a language model and never claims to be."""

    model: str = "offline"
    zone: ZoneInfo | None = None

    @property
    def capabilities(self) -> LlmCapabilities:
        """Tell ADK that tools are enough: there is no schema mode to switch to."""
        return LlmCapabilities(output_schema_and_tools=True)

    async def generate_content_async(
        self, llm_request: LlmRequest, stream: bool = False
    ) -> AsyncGenerator[LlmResponse, None]:
        """Answer one request; streamed, the words of `send_message` come in pieces first."""
        calls = decide(see(llm_request, datetime.now(self.zone).astimezone(self.zone)))
        ids = [f"call-{uuid4().hex[:12]}" for _ in calls]
        if stream:
            for call_id, call in zip(ids, calls, strict=True):
                if call.name == "send_message":
                    for piece in _pieces(call.arguments["message"]):
                        yield _partial(call_id, piece)
        parts = [
            types.Part(
                function_call=types.FunctionCall(id=call_id, name=call.name, args=call.arguments)
            )
            for call_id, call in zip(ids, calls, strict=True)
        ]
        yield LlmResponse(
            content=types.Content(role="model", parts=parts),
            partial=False,
            finish_reason=types.FinishReason.STOP,
            usage_metadata=types.GenerateContentResponseUsageMetadata(),
        )


def see(llm_request: LlmRequest, now: datetime) -> Seen:
    """Read a request as the rules see it."""
    contents = llm_request.contents
    newest = max((i for i, c in enumerate(contents) if _words(c) and c.role == "user"), default=-1)
    calls: list[types.FunctionCall] = []
    answered: list[Answered] = []
    for content in contents[newest + 1 :]:
        for part in content.parts or []:
            if part.function_call:
                calls.append(part.function_call)
            elif response := part.function_response:
                call = next((c for c in calls if c.id == response.id), None)
                arguments = dict(call.args or {}) if call else {}
                answered.append(
                    Answered(response.name or "", arguments, dict(response.response or {}))
                )
    blocks = blocks_in(_instruction(llm_request))
    return Seen(
        text=_words(contents[newest]) if newest >= 0 else "",
        blocks={block.label: block.text for block in blocks},
        limits={block.label: block.limit for block in blocks},
        changed={block.label: block.changed for block in blocks},
        answered=tuple(answered),
        now=now,
        previous=_previous(contents[:newest] if newest > 0 else []),
    )


def _instruction(llm_request: LlmRequest) -> str:
    instruction = llm_request.config.system_instruction
    return instruction if isinstance(instruction, str) else ""


def _words(content: types.Content) -> str:
    """Return what a person said in a content: its words without our own last part."""
    texts = [part.text for part in content.parts or [] if part.text]
    if texts and texts[-1].startswith("<now>"):
        texts.pop()
    return "".join(texts)


def _previous(contents: list[types.Content]) -> str:
    """Return what the agent said last before the newest message."""
    for content in reversed(contents):
        for part in reversed(content.parts or []):
            if part.function_call and part.function_call.name == "send_message":
                return str((part.function_call.args or {}).get("message", ""))
            if content.role == "model" and part.text:
                return part.text
    return ""


def _pieces(message: str) -> Iterator[str]:
    words = re.findall(r"\S+\s*|\s+", message)
    for start in range(0, len(words), WORDS_A_PIECE):
        yield "".join(words[start : start + WORDS_A_PIECE])


def _partial(call_id: str, piece: str) -> LlmResponse:
    call = types.FunctionCall(
        id=call_id,
        name="send_message",
        partial_args=[types.PartialArg(json_path="$.message", string_value=piece)],
        will_continue=True,
    )
    content = types.Content(role="model", parts=[types.Part(function_call=call)])
    return LlmResponse(content=content, partial=True)
