"""One conversation: what the user sends goes in, what is seen comes out.

A turn runs as a task of its own: whoever follows it may leave and the turn still ends properly,
with its state in the two databases. Each turn ends with a visible reply or a visible notice.
"""

import asyncio
import logging
import sqlite3
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from uuid import uuid4

from google.adk.agents.run_config import RunConfig, StreamingMode
from google.adk.events import Event as AdkEvent
from google.adk.runners import Runner
from google.adk.sessions import Session
from google.adk.sessions.base_session_service import GetSessionConfig
from google.adk.telemetry import ContentCapturingMode, TelemetryConfig
from google.genai import types

from app import events as seen
from app.adk.translate import CONFIRMATION, Translation, history, unanswered
from app.caps import Caps
from app.locks import TurnLocks
from memory_tiers import Conflict, InvalidInput, Memory, NotFound, StoreUnavailable
from memory_tiers.inputs import identifier
from memory_tiers.records import ConfirmationState
from memory_tiers.sqlite.connection import unavailable
from memory_tiers.text import clean

log = logging.getLogger(__name__)

EVENTS_A_MESSAGE = 6  # stored events to read for each message shown
INTERRUPTED = seen.Notice(
    "interrupted", "This was interrupted before an answer. Your message is kept: retry."
)

UNKNOWN = seen.Notice(
    "unknown_confirmation", "There is no such question here. Nothing was changed."
)
LOST = seen.Notice(
    "confirmation_lost",
    "The program was interrupted while asking this. Nothing was changed: ask for the change again.",
)
BROKEN = seen.Notice("internal_error", "Something broke inside. Please send it again.")

Emit = Callable[[seen.Event], None]
Turn = Callable[["_Watch"], Awaitable[None]]
# Spans tell how long things take, never what was said; nor is it copied for those who may listen.
NO_TEXTS = TelemetryConfig(
    genai_semconv_stability_opt_in="stable",
    capture_message_content=ContentCapturingMode.NO_CONTENT,
)


@dataclass(slots=True)
class RunningTurn:
    """A turn on its way: how to stop it and since when it runs (seconds since 1970)."""

    stop: asyncio.Event = field(default_factory=asyncio.Event)
    started: float = field(default_factory=time.time)


@dataclass(slots=True)
class Engine:
    """What all chats of an application share."""

    runner: Runner
    memory: Memory
    locks: TurnLocks
    caps: Caps
    steps: int
    running: dict[tuple[str, str], RunningTurn] = field(default_factory=dict)
    opened: set[tuple[str, str]] = field(default_factory=set)
    tasks: set[asyncio.Task[None]] = field(default_factory=set)


class Chat:
    """A session of one user. `send` and `confirm` yield `app.events`, ended by one `Done`.

    Raises:
        InvalidInput: an id that is blank, or holds what cannot be stored.
    """

    def __init__(self, engine: Engine, user_id: str, session_id: str | None = None) -> None:
        self._engine = engine
        self._mine = engine.memory.for_user(user_id)
        self.user_id = user_id
        self.session_id = identifier(session_id, "session_id") if session_id else uuid4().hex

    async def send(self, text: str) -> AsyncIterator[seen.Event]:
        """Say `text` to the agent and follow the turn it starts."""
        message = clean(text)
        if refusal := self.refusal(message):
            yield refusal
            yield seen.Done(self.session_id)
            return
        if message != text:
            yield seen.Notice(
                "text_cleaned", "Characters that cannot be stored were replaced by \ufffd."
            )
        content = types.Content(role="user", parts=[types.Part(text=message)])
        async for event in self._follow(lambda watch: self._say(content, message, watch)):
            yield event

    def refusal(self, text: str) -> seen.Notice | None:
        """Say why this text may not be sent now, None when it may; any thread may ask."""
        return self._refusal(text) or self._engine.caps.crowded(self.user_id)

    def _refusal(self, text: str) -> seen.Notice | None:
        return self._engine.caps.refusal(
            self.user_id, text, lambda: self._mine.recall.count(self.session_id, "user")
        )

    async def confirm(
        self, confirmation_id: str, *, approved: bool, reason: str | None = None
    ) -> AsyncIterator[seen.Event]:
        """Answer a card, once; a second or a late answer does nothing and says so."""
        if crowded := self._engine.caps.crowded(self.user_id):
            yield crowded
            yield seen.Done(self.session_id)
            return
        async for event in self._follow(
            lambda watch: self._answer(confirmation_id, approved, clean(reason or ""), watch)
        ):
            yield event

    def pending(self) -> list[seen.ConfirmationRequested]:
        """Return the cards of this session that wait for an answer."""
        return [
            seen.ConfirmationRequested(card.id, card.tool, card.arguments)
            for card in self._mine.confirmations.pending(self.session_id)
        ]

    async def history(self, limit: int = 50) -> list[seen.Event]:
        """Return what the session shows up to the turn that runs now, the newest `limit` items."""
        running = self._engine.running.get((self.user_id, self.session_id))
        session = await self._session(limit * EVENTS_A_MESSAGE)
        if session is None:
            return []
        shown = history(
            event
            for event in session.events
            if running is None or event.timestamp < running.started
        )
        if unanswered(shown) and running is None and not self._waits():
            shown.append(INTERRUPTED)
        return shown[-limit:]

    def stop(self) -> None:
        """End the running turn of this session; what was shown is kept. Harmless if none runs."""
        if running := self._engine.running.get((self.user_id, self.session_id)):
            running.stop.set()

    async def end(self) -> None:
        """End the session: wait until nothing of it runs any more."""
        async with self._engine.locks.hold(self.user_id):
            return

    def _waits(self) -> bool:
        return bool(self.pending()) or self._engine.locks.busy(self.user_id)

    async def _follow(self, turn: Turn) -> AsyncIterator[seen.Event]:
        """Run a turn as a task and yield its events; leaving early does not end it."""
        queue: asyncio.Queue[seen.Event] = asyncio.Queue()
        task = asyncio.create_task(self._guarded(turn, queue.put_nowait))
        self._engine.tasks.add(task)
        task.add_done_callback(self._engine.tasks.discard)
        self._engine.caps.join(self.user_id)
        task.add_done_callback(lambda _: self._engine.caps.leave(self.user_id))
        while not isinstance(event := await queue.get(), seen.Done):
            yield event
        yield event

    async def _guarded(self, turn: Turn, emit: Emit) -> None:
        """Hold the user's turn, and end it with `Done` and a sentence whatever happens."""
        watch = _Watch(emit)
        try:
            async with self._engine.locks.hold(self.user_id):
                with self._engine.caps.running() as refusal:
                    if refusal:
                        watch.emit(refusal)
                    else:
                        await turn(watch)
        except Exception as error:
            log.error("turn failed: %s", type(error).__name__, exc_info=log.isEnabledFor(10))
            if refused := _refused_by_store(error):
                watch.emit(seen.Notice(refused.code, str(refused)))
            elif not watch.visible:
                watch.emit(BROKEN)
        finally:
            emit(seen.Done(self.session_id, watch.usage))

    async def _say(self, content: types.Content, text: str, watch: "_Watch") -> None:
        """Run a turn, unless what ran while it waited its turn has used up a cap."""
        if refusal := self._refusal(text):
            watch.emit(refusal)
        else:
            await self._run(content, watch)

    async def _answer(self, card_id: str, approved: bool, reason: str, watch: "_Watch") -> None:
        confirmations = self._mine.confirmations
        try:
            if confirmations.get(card_id).session_id != self.session_id:
                raise NotFound
            asked = await self._recent()
            lost = card_id not in {c.id for e in asked for c in e.get_function_calls()}
            answer: ConfirmationState = "approved" if approved else "rejected"
            confirmations.answer(card_id, "declined" if lost else answer, reason)
        except (NotFound, InvalidInput):
            watch.emit(UNKNOWN)
            return
        except Conflict as answered:
            watch.emit(seen.Notice("already_answered", str(answered)))
            return
        if lost:  # a crash came between the card and the transcript
            watch.emit(LOST)
            return
        response = types.FunctionResponse(
            id=card_id,
            name=CONFIRMATION,
            response={"confirmed": approved, "payload": {"reason": reason}},
        )
        part = types.Part(function_response=response)
        await self._run(types.Content(role="user", parts=[part]), watch)
        outcome = confirmations.get(card_id).outcome or {}
        if approved and (error := outcome.get("error")):
            watch.emit(
                seen.Notice("edit_not_applied", f"Approved, but nothing was changed: {error}")
            )

    async def _run(self, content: types.Content, watch: "_Watch") -> None:
        """Let the agent work on `content` and pass on what is seen of it."""
        engine, key = self._engine, (self.user_id, self.session_id)
        await self._open_session()
        turn = engine.running[key] = RunningTurn()
        translation = Translation(await self._known_calls(content))
        config = RunConfig(
            streaming_mode=StreamingMode.SSE,
            # The plugin ends the turn with a sentence first; this is the net below it.
            max_llm_calls=engine.steps + 5,
            telemetry=NO_TEXTS,
            custom_metadata={"message_id": uuid4().hex},
        )
        try:
            async for event in engine.runner.run_async(
                user_id=self.user_id,
                session_id=self.session_id,
                new_message=content,
                run_config=config,
                abort_signal=turn.stop,
            ):
                watch.count(event)
                for item in translation.feed(event):
                    watch.emit(item)
            if turn.stop.is_set():
                await self._stopped(watch)
            elif not watch.visible and not self.pending():
                await self._break_silence(watch)
        finally:
            del engine.running[key]

    async def _stopped(self, watch: "_Watch") -> None:
        """Keep what was shown before the user pressed stop."""
        partial = watch.partial.strip()
        content = types.Content(role="model", parts=[types.Part(text=partial)]) if partial else None
        notice = seen.Notice("stopped", "Stopped.")
        await self._append(content, notice)
        if partial:
            watch.emit(seen.Text(partial))
        watch.emit(notice)

    async def _break_silence(self, watch: "_Watch") -> None:
        """Say something visible where the model said nothing."""
        if word := watch.done:
            await self._append(types.Content(role="model", parts=[types.Part(text=word)]))
            watch.emit(seen.Text(word))
            return
        notice = seen.Notice(
            "no_reply", "The model ended its turn without a reply. Your message is kept: retry."
        )
        await self._append(None, notice)
        watch.emit(notice)

    async def _append(
        self, content: types.Content | None, notice: seen.Notice | None = None
    ) -> None:
        session = await self._session(1)
        assert session is not None, "the turn opened it"
        event = AdkEvent(
            author=self._engine.runner.agent.name if self._engine.runner.agent else "agent",
            invocation_id=uuid4().hex,
            content=content,
            error_code=notice.code if notice else None,
            error_message=notice.text if notice else None,
        )
        await self._engine.runner.session_service.append_event(session=session, event=event)
        if content:
            text = "".join(part.text or "" for part in content.parts or [])
            self._mine.recall.append(self.session_id, "assistant", text, id=event.id)

    async def _session(self, events: int) -> Session | None:
        return await self._engine.runner.session_service.get_session(
            app_name=self._engine.runner.app_name,
            user_id=self.user_id,
            session_id=self.session_id,
            config=GetSessionConfig(num_recent_events=events),
        )

    async def _open_session(self) -> None:
        key = (self.user_id, self.session_id)
        if key in self._engine.opened:
            return
        if await self._session(0) is None:
            await self._engine.runner.session_service.create_session(
                app_name=self._engine.runner.app_name,
                user_id=self.user_id,
                session_id=self.session_id,
            )
        self._engine.opened.add(key)

    async def _known_calls(self, content: types.Content) -> list[AdkEvent]:
        """Return recent events when an answer resumes calls made in an earlier run."""
        if not any(part.function_response for part in content.parts or []):
            return []
        return await self._recent()

    async def _recent(self) -> list[AdkEvent]:
        session = await self._session(50 * EVENTS_A_MESSAGE)
        return session.events if session else []


def _refused_by_store(error: BaseException | None) -> StoreUnavailable | None:
    """Find the storage's sentence behind an error, of whichever database, that ADK wrapped."""
    while error is not None and not isinstance(error, StoreUnavailable):
        if isinstance(error, sqlite3.Error | OSError):
            return _of_disk(error)
        error = error.__cause__ or error.__context__
    return error


def _of_disk(error: sqlite3.Error | OSError) -> StoreUnavailable:
    if isinstance(error, sqlite3.Error):
        return unavailable(error)
    return StoreUnavailable(
        f"The data folder cannot be used ({error.strerror or 'unknown'}); check the disk and its "
        "permissions, then try again."
    )


DONE_WORDS = {
    "core_memory_append": "Noted.",
    "core_memory_replace": "Updated.",
    "archival_insert": "Saved to archival memory.",
}


class _Watch:
    """Passes events on and remembers what the end of the turn depends on."""

    def __init__(self, emit: Emit) -> None:
        self._emit = emit
        self.visible = False
        self.partial = ""
        self.done = ""
        self.usage: dict[str, int] = {}

    def emit(self, item: seen.Event) -> None:
        """Pass one event on."""
        match item:
            case seen.TextDelta(text):
                self.partial += text
            case seen.Text():
                self.visible, self.partial = True, ""
            case seen.Notice() | seen.ConfirmationRequested():
                self.visible = True
            case seen.ToolFinished(name=name, error=None):
                self.done = DONE_WORDS.get(name, self.done)
        self._emit(item)

    def count(self, event: AdkEvent) -> None:
        """Add up the tokens the provider reports."""
        if event.partial or (usage := event.usage_metadata) is None:
            return
        for name, tokens in (
            ("input_tokens", usage.prompt_token_count),
            ("output_tokens", usage.candidates_token_count),
        ):
            self.usage[name] = self.usage.get(name, 0) + (tokens or 0)
