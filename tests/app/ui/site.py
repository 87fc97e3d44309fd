"""The real page over a model that follows stage directions; started as a process by the tests.

A message says what the model is to do: `slow 80` (80 words, one at a time), `change A to B` (asks
to edit the human block), `learn X` (adds X to it), `note X` (keeps a note), `find X` (searches the
notes), `fail` (an error of the service). Anything else is repeated back.
"""

import re
import sys
from collections.abc import AsyncGenerator
from typing import Any

from google.adk.models import BaseLlm, LlmCapabilities
from google.adk.models.llm_request import LlmRequest
from google.adk.models.llm_response import LlmResponse
from google.genai import types

from app.config import load_settings
from app.gradio_app import serve
from tests.fakes import ScriptedModel, call, say

WORD_SECONDS = 0.04


class DirectedModel(BaseLlm):
    """Does what the newest message says, whatever came before; so it survives a restart."""

    model: str = "scripted"

    @property
    def capabilities(self) -> LlmCapabilities:
        """Tools are enough."""
        return LlmCapabilities(output_schema_and_tools=True)

    async def generate_content_async(
        self, llm_request: LlmRequest, stream: bool = False
    ) -> AsyncGenerator[LlmResponse, None]:
        """Give the reply that is due."""
        message, results = _newest(llm_request)
        reply = _reply(message, results)
        scripted = ScriptedModel([reply], delay=WORD_SECONDS if message.startswith("slow") else 0)
        async for response in scripted.generate_content_async(llm_request, stream):
            yield response


def _newest(llm_request: LlmRequest) -> tuple[str, list[dict[str, Any]]]:
    message, results = "", list[dict[str, Any]]()
    for content in llm_request.contents:
        for part in content.parts or []:
            if part.function_response:
                results.append(part.function_response.response or {})
            elif part.text and content.role == "user" and not part.text.startswith("<now>"):
                message, results = part.text, []
    return message, results


def _reply(message: str, results: list[dict[str, Any]]) -> Any:
    word, _, rest = message.partition(" ")
    if change := re.fullmatch(r"change (.*) to (.*)", message, re.DOTALL):
        edit = {"block": "human", "old": change[1], "new": change[2]}
        return _afterwards(results, call("core_memory_replace", **edit))
    match word:
        case "slow":
            return say(" ".join(f"w{n}" for n in range(int(rest))))
        case "learn":
            return [call("core_memory_append", block="human", text=rest), say(f"Learnt: {rest}")]
        case "note":
            tags = ["test", "<b>tag</b>"]
            return [call("archival_insert", text=rest, tags=tags), say(f"Kept: {rest}")]
        case "find":
            return _afterwards(results, call("archival_search", query=rest))
        case "fail":
            return RuntimeError("secret upstream detail")
    return say(f"You said: {message}")


def _afterwards(results: list[dict[str, Any]], first: types.Part) -> types.Part:
    if not results:
        return first
    result = results[-1]
    return say(f"Result: {result.get('message') or result.get('error') or result}")


if __name__ == "__main__":
    port, folder = sys.argv[1:]
    serve(
        load_settings(None, {"server.port": int(port), "storage.data_dir": folder}, {}),
        DirectedModel(),
    )
