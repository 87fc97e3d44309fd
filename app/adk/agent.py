"""The agent: instruction, six tools and the callback layer, over one memory and one model.

`adk run` and `adk web` find `app` and `root_agent` here. They are built on first use, so that
importing this module reads no setting and opens no file.
"""

import atexit
import warnings
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from google.adk.agents import LlmAgent
from google.adk.agents.callback_context import CallbackContext
from google.adk.apps import App, ResumabilityConfig
from google.adk.models import BaseLlm
from google.genai import types

from app.adk.model import build_model
from app.adk.plugin import MemoryPlugin
from app.adk.translate import spoken_in
from app.caps import Caps
from app.config import load_settings
from app.snapshots import restore
from memory_tiers import Memory
from memory_tiers.embedding import load
from tools.catalogue import build_tools

INSTRUCTION = Path(__file__).with_name("instruction.md")


def build_app(
    memory: Memory,
    model: BaseLlm,
    caps: Caps,
    *,
    steps: int,
    output_tokens: int,
    zone: ZoneInfo | None,
    after_agent: Callable[..., types.Content | None] | None = None,
) -> App:
    """Put the agent together; nothing is called yet."""
    instruction = INSTRUCTION.read_text(encoding="utf-8")
    agent = LlmAgent(
        name="tiered_memory",
        model=model,
        description="An agent that remembers the person it talks to.",
        instruction=lambda _context: instruction,  # a provider's text is not read as a template
        tools=list(build_tools(memory, zone)),
        generate_content_config=types.GenerateContentConfig(max_output_tokens=output_tokens),
        after_agent_callback=after_agent,
    )
    return App(
        name="tiered_memory",
        root_agent=agent,
        plugins=[MemoryPlugin(memory, caps, steps=steps, zone=zone)],
        resumability_config=_resumable(),
    )


def _resumable() -> ResumabilityConfig:
    """Let several cards of one turn wait for each other, without a model call in between."""
    with warnings.catch_warnings():
        # ADK marks the class as experimental; the tests of confirmations cover what we rely on.
        warnings.filterwarnings("ignore", message=r"\[EXPERIMENTAL\] ResumabilityConfig")
        return ResumabilityConfig(is_resumable=True)


@cache
def _configured() -> App:
    settings = load_settings()
    restore(settings)
    memory = Memory.open(
        settings.storage.data_dir,
        embedder=load(settings.embedding.backend, settings.embedding.model),
        policy=settings.policy(),
    )
    atexit.register(memory.close)
    return build_app(
        memory,
        build_model(settings),
        Caps(settings),
        steps=settings.limits.steps,
        output_tokens=settings.limits.output_tokens,
        zone=settings.zone,
        after_agent=_speak,
    )


def _speak(callback_context: CallbackContext) -> types.Content | None:
    """Repeat as text what send_message said: ADK's own terminal shows nothing else."""
    spoken = spoken_in(
        event
        for event in callback_context.session.events
        if event.invocation_id == callback_context.invocation_id
    )
    parts = [types.Part(text=message) for message in spoken]
    return types.Content(role="model", parts=parts) if parts else None


def __getattr__(name: str) -> Any:
    if name == "app":
        return _configured()
    if name == "root_agent":
        return _configured().root_agent
    raise AttributeError(name)
