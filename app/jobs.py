"""Runs every turn on a thread and loop of its own, so that closing a page ends nothing.

The page's server has a loop that is not ours, and a reload kills what runs in it. Here a turn
goes on until it is done; pages look at it from any thread, as often as they like. Knows no page.
"""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from concurrent.futures import Future
from threading import Event as Flag
from threading import Thread
from types import TracebackType
from typing import Any, Self, TypeVar

from app.adk.chat import Chat
from app.application import Application
from app.events import Event, Notice
from app.settings import Settings

log = logging.getLogger(__name__)

SHOWN = 50  # items of a session's history that a page shows
REMEMBERED = 200  # sessions whose last turns are kept for late lookers
KEPT_SECONDS = 3600.0  # for how long; who is erased meanwhile is then gone from here too
T = TypeVar("T")


class Busy(Exception):
    """The session is still answering; nothing was sent. The message is fit to show."""


class Turn:
    """What happened since somebody spoke or answered a card.

    Written by the loop thread alone and only ever added to, so any thread may read it.

    Attributes:
        session_id: The session it belongs to.
        text: What the user said; None when a card was answered.
        before: What the session showed when the turn began.
        events: What has happened so far, in order.
        done: Whether nothing more will come.
        begun: When, in seconds of the monotonic clock.
    """

    def __init__(self, session_id: str, text: str | None, before: list[Event]) -> None:
        self.session_id = session_id
        self.text = text
        self.before = before
        self.events: list[Event] = []
        self.done = False
        self.begun = time.monotonic()

    @property
    def version(self) -> int:
        """A number that grows whenever there is something new to see."""
        return len(self.events) + self.done


class Jobs:
    """An open `Application` with its own thread; use it as a context manager.

    Args:
        settings: Checked settings, see `app.config.load_settings`.
        model: Any ADK model instead of the configured one, for tests.

    Attributes:
        application: What is open; `memory` of it may be used from any thread.
        closing: Set when nobody should look at running turns any longer.
    """

    def __init__(self, settings: Settings, model: Any = None) -> None:
        self._settings = settings
        self._model = model
        self._turns: dict[tuple[str, str], tuple[Turn, ...]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._opened: Future[Application] = Future()
        self._thread = Thread(target=lambda: asyncio.run(self._serve()), name="turns", daemon=True)
        self._loop: asyncio.AbstractEventLoop
        self._closing: asyncio.Event
        self.application: Application
        self.closing = Flag()

    def __enter__(self) -> Self:
        """Open the application on its thread.

        Raises:
            StoreUnavailable: the data folder cannot be used; nothing was changed.
        """
        self._thread.start()
        self.application = self._opened.result()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the application, which lets running turns end within its limit."""
        self.closing.set()
        self._loop.call_soon_threadsafe(self._closing.set)
        self._thread.join()

    @property
    def load(self) -> int:
        """How many turns run or wait now."""
        return len(self._tasks)

    def call(self, work: Coroutine[Any, Any, T]) -> T:
        """Run `work` on the loop of the turns and wait for what it returns."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    def start_turn(self, user: str, session_id: str, text: str) -> Turn:
        """Say `text` in a session (blank: a new one) and return the turn that answers it.

        Raises:
            Busy: the session is still answering; nothing was sent.
        """
        return self.call(self._start(user, session_id, text, lambda chat: chat.send(text)))

    def start_answer(
        self, user: str, session_id: str, confirmation_id: str, approved: bool, reason: str
    ) -> Turn:
        """Answer a card and return the turn that goes on from it."""
        return self.call(
            self._start(
                user,
                session_id,
                None,
                lambda chat: chat.confirm(confirmation_id, approved=approved, reason=reason),
            )
        )

    def turns(self, user: str, session_id: str) -> tuple[Turn, ...]:
        """Return the turns since this session was last quiet, the newest last."""
        return self._turns.get((user, session_id), ())

    def running(self, user: str, session_id: str) -> Turn | None:
        """Return the turn that runs in this session, if one does."""
        return next((turn for turn in self.turns(user, session_id) if not turn.done), None)

    def history(self, user: str, session_id: str) -> list[Event]:
        """Return what a session shows, without the turn that runs in it."""
        return self.call(self.application.chat(user, session_id).history(SHOWN))

    def stop(self, user: str, session_id: str) -> None:
        """Ask the running turn of this session to end; harmless if none runs."""
        chat = self.application.chat(user, session_id)
        self._loop.call_soon_threadsafe(chat.stop)

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._closing = asyncio.Event()
        try:
            async with Application.open(self._settings, model=self._model) as application:
                self._opened.set_result(application)
                await self._closing.wait()
            await asyncio.gather(*self._tasks)
        except Exception as error:
            if self._opened.done():
                log.error("closing failed: %s", type(error).__name__)
            else:
                self._opened.set_exception(error)

    async def _start(
        self,
        user: str,
        session_id: str,
        text: str | None,
        begin: Callable[[Chat], AsyncIterator[Event]],
    ) -> Turn:
        chat = self.application.chat(user, session_id or None)
        before = await chat.history(SHOWN)
        # No await between this look and the entry: two quick sends cannot both pass.
        if text is not None and self.running(user, chat.session_id):
            raise Busy("The last message is still being answered. Your text is kept.")
        turn = Turn(chat.session_id, text, before)
        self._remember(user, turn)
        task = asyncio.create_task(_fill(turn, begin(chat)))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return turn

    def _remember(self, user: str, turn: Turn) -> None:
        key = (user, turn.session_id)
        earlier = self._turns.pop(key, ())
        going_on = any(not one.done for one in earlier)
        self._turns[key] = (*earlier, turn) if going_on else (turn,)
        late = time.monotonic() - KEPT_SECONDS
        for number, old in enumerate(list(self._turns), REMEMBERED - len(self._turns)):
            turns = self._turns[old]
            if all(one.done for one in turns) and (number < 0 or turns[-1].begun < late):
                del self._turns[old]


async def _fill(turn: Turn, events: AsyncIterator[Event]) -> None:
    """Write down what happens in a turn, until it is done."""
    try:
        async for event in events:
            turn.events.append(event)
    except Exception as error:
        log.error("turn failed: %s", type(error).__name__)
        turn.events.append(
            Notice("internal_error", "Something broke inside. Your message is kept: retry.")
        )
    finally:
        turn.done = True
