"""The real page for visitors over a model that is slow when it is asked to be; a process."""

import asyncio
import sys

from app.config import load_settings
from app.gradio_app import serve
from tests.fakes import ScriptedModel, request_text, say

SLOW = 30  # seconds


class SlowModel(ScriptedModel):
    """Gives one reply again and again, late where the message says to take one's time."""

    async def generate_content_async(self, llm_request, stream=False):
        """Wait where that was asked for, then reply."""
        if "Take your time" in request_text(llm_request):
            await asyncio.sleep(SLOW)
        async for response in super().generate_content_async(llm_request, stream):
            yield response


if __name__ == "__main__":
    port, folder = sys.argv[1:]
    given = {"server.port": int(port), "storage.data_dir": folder, "users.mode": "visitors"}
    serve(load_settings(None, given, {}), SlowModel([say("Here I am.")], repeat=True))
