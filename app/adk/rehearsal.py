"""A turn nobody sees, so that the first person does not wait for what ADK loads at a first turn."""

from collections.abc import AsyncGenerator

from google.adk.agents import LlmAgent
from google.adk.agents.run_config import RunConfig, StreamingMode
from google.adk.models import BaseLlm, LlmCapabilities
from google.adk.models.llm_request import LlmRequest
from google.adk.models.llm_response import LlmResponse
from google.adk.runners import InMemoryRunner
from google.genai import types


class _Prompter(BaseLlm):
    """Says one word."""

    model: str = "rehearsal"

    @property
    def capabilities(self) -> LlmCapabilities:
        """Tell ADK that tools are enough."""
        return LlmCapabilities(output_schema_and_tools=True)

    async def generate_content_async(
        self, llm_request: LlmRequest, stream: bool = False
    ) -> AsyncGenerator[LlmResponse, None]:
        """Answer at once."""
        content = types.Content(role="model", parts=[types.Part(text="Ready.")])
        yield LlmResponse(content=content, finish_reason=types.FinishReason.STOP)


async def rehearse() -> None:
    """Take one turn of an agent of no consequence, in memory alone."""
    runner = InMemoryRunner(LlmAgent(name="rehearsal", model=_Prompter()), app_name="rehearsal")
    session = await runner.session_service.create_session(app_name="rehearsal", user_id="nobody")
    message = types.Content(role="user", parts=[types.Part(text="Ready?")])
    async for _ in runner.run_async(
        user_id="nobody",
        session_id=session.id,
        new_message=message,
        run_config=RunConfig(streaming_mode=StreamingMode.SSE),
    ):
        pass
    await runner.close()
