"""What tests put in the place of models and clocks; everything else is real."""

import asyncio
from collections.abc import AsyncGenerator
from copy import deepcopy
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

from google.adk.models import BaseLlm, LlmCapabilities
from google.adk.models.llm_request import LlmRequest
from google.adk.models.llm_response import LlmResponse
from google.genai import types
from pydantic import PrivateAttr

from memory_tiers.embedding import HashEmbedder

__all__ = ["Clock", "HashEmbedder", "ScriptedModel", "call", "request_text", "say", "text"]

Reply = types.Part | Exception | LlmResponse | list[types.Part]


class Clock:
    """Stands still at `now` until it is moved on."""

    def __init__(self, now: datetime = datetime(2026, 3, 14, 12, tzinfo=UTC)) -> None:
        self.now = now

    def __call__(self) -> datetime:
        """Return the present instant."""
        return self.now

    def advance(self, **step: float) -> None:
        """Move on by a `timedelta` of these parts."""
        self.now += timedelta(**step)


def call(name: str, **arguments: Any) -> types.Part:
    """A tool call, as one part of a scripted reply."""
    return types.Part(
        function_call=types.FunctionCall(id=f"call-{uuid4().hex[:8]}", name=name, args=arguments)
    )


def say(message: str, **arguments: Any) -> types.Part:
    """A `send_message` call."""
    return call("send_message", message=message, **arguments)


def text(words: str) -> types.Part:
    """Plain text outside a tool."""
    return types.Part(text=words)


class ScriptedModel(BaseLlm):
    """Gives the listed replies in order and records every request it saw in `seen`.

    A reply is a part, a list of parts, an exception to raise, or a whole `LlmResponse`. Past the
    end of the script it says "(end of script)". `delay` seconds pass between streamed words.
    """

    model: str = "scripted"
    script: list[Any]
    delay: float = 0.0
    repeat: bool = False
    _seen: list[LlmRequest] = PrivateAttr(default_factory=list)

    def __init__(self, script: list[Any], **settings: Any) -> None:
        super().__init__(script=list(script), **settings)

    @property
    def seen(self) -> list[LlmRequest]:
        """Every request, as a copy taken when it arrived."""
        return self._seen

    @property
    def capabilities(self) -> LlmCapabilities:
        """Tools are enough."""
        return LlmCapabilities(output_schema_and_tools=True)

    async def generate_content_async(
        self, llm_request: LlmRequest, stream: bool = False
    ) -> AsyncGenerator[LlmResponse, None]:
        """Give the next reply of the script."""
        index = len(self._seen)
        copied = {name: deepcopy(getattr(llm_request, name)) for name in ("contents", "config")}
        self._seen.append(llm_request.model_copy(update=copied))
        script = self.script
        if self.repeat:
            reply = script[index % len(script)]
        else:
            reply = script[index] if index < len(script) else say("(end of script)")
        if isinstance(reply, Exception):
            raise reply
        if isinstance(reply, LlmResponse):
            yield reply
            return
        parts = [
            part.model_copy(deep=True) for part in (reply if isinstance(reply, list) else [reply])
        ]
        for part in parts:
            if part.function_call:  # each use of a script's call is a call of its own
                part.function_call.id = f"call-{uuid4().hex[:8]}"
        if stream:
            async for piece in self._stream(parts):
                yield piece
        yield LlmResponse(
            content=types.Content(role="model", parts=parts),
            partial=False,
            finish_reason=types.FinishReason.STOP,
            usage_metadata=types.GenerateContentResponseUsageMetadata(
                prompt_token_count=10, candidates_token_count=5
            ),
        )

    async def _stream(self, parts: list[types.Part]) -> AsyncGenerator[LlmResponse, None]:
        for part in parts:
            message = part.text
            if part.function_call and part.function_call.name == "send_message":
                message = (part.function_call.args or {}).get("message")
            if not isinstance(message, str):
                continue
            for word in message.split(" "):
                await asyncio.sleep(self.delay)
                yield LlmResponse(
                    content=types.Content(role="model", parts=[_piece(part, word + " ")]),
                    partial=True,
                )


def _piece(part: types.Part, word: str) -> types.Part:
    if part.text:
        return types.Part(text=word)
    return types.Part(
        function_call=types.FunctionCall(
            name="send_message",
            partial_args=[types.PartialArg(json_path="$.message", string_value=word)],
            will_continue=True,
        )
    )


def request_text(request: LlmRequest) -> str:
    """Everything a request puts before the model, as one text."""
    lines = [str(request.config.system_instruction)]
    for content in request.contents:
        for part in content.parts or []:
            if part.text:
                lines.append(part.text)
            if part.function_call:
                lines.append(f"{part.function_call.name}({part.function_call.args})")
            if part.function_response:
                lines.append(f"{part.function_response.name} -> {part.function_response.response}")
    return "\n".join(lines)
