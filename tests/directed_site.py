"""The real page over a model that follows stage directions; started as a process by the tests.

A message says what the model is to do; anything else is repeated back.

slow N          says N words, one at a time        fail            fails with a detail to hide
die N           says N words, then the process is killed as by `kill -9`
learn X         adds X to the human block          change A to B   asks to edit the human block
note X          keeps a note                       find X          searches the notes
diary N         keeps a note and says N words, one at a time
"""

import os
import re
import signal
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
SLOW = ("slow ", "diary ", "die ")
TAGS = ["test", "<b>tag</b>"]


class DirectedModel(BaseLlm):
    """Does what the newest message says, whatever came before; so it survives a restart."""

    model: str = "directed"

    @property
    def capabilities(self) -> LlmCapabilities:
        """Tools are enough."""
        return LlmCapabilities(output_schema_and_tools=True)

    async def generate_content_async(
        self, llm_request: LlmRequest, stream: bool = False
    ) -> AsyncGenerator[LlmResponse, None]:
        """Give the reply that is due."""
        message, results = _newest(llm_request)
        delay = WORD_SECONDS if message.startswith(SLOW) else 0
        scripted = ScriptedModel([_reply(message, results)], delay=delay)
        async for response in scripted.generate_content_async(llm_request, stream):
            if message.startswith("die ") and not response.partial:
                os.kill(os.getpid(), signal.SIGKILL)
            yield response


def _newest(llm_request: LlmRequest) -> tuple[str, list[dict[str, Any]]]:
    """Return the newest message of the user and the results of the tools called since."""
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
        case "slow" | "die":
            return say(_words(int(rest)))
        case "diary":
            return [call("archival_insert", text="A diary entry."), say(_words(int(rest)))]
        case "learn":
            return [call("core_memory_append", block="human", text=rest), say(f"Learnt: {rest}")]
        case "note":
            return [call("archival_insert", text=rest, tags=TAGS), say(f"Kept: {rest}")]
        case "find":
            return _afterwards(results, call("archival_search", query=rest))
        case "fail":
            return RuntimeError("secret upstream detail")
    return say(f"You said: {message}")


def _words(count: int) -> str:
    return " ".join(f"w{number}" for number in range(count))


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
