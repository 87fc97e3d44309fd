"""The composition root: the only place that builds anything with a lifetime."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from threading import Event

from google.adk.models import BaseLlm
from google.adk.runners import Runner

from app.adk.agent import build_app
from app.adk.chat import Chat, Engine
from app.adk.model import OFFLINE_LABEL, build_model, label
from app.adk.sessions import Sessions as StoredSessions
from app.adk.sessions import copy_sessions, open_sessions
from app.backup import copies
from app.caps import Caps
from app.locks import TurnLocks
from app.settings import Settings
from app.snapshots import Snapshots, restore
from app.upkeep import Upkeep
from memory_tiers import Memory, MemoryTiersError, Session
from memory_tiers.embedding import load
from memory_tiers.inputs import identifier

log = logging.getLogger(__name__)

CLOSE_SECONDS = 10.0
INDEX_SECONDS = 1.0  # between two looks at whether the application closes


class Application:
    """An open memory, an agent over it, and the chats of its users.

    Attributes:
        snapshots: What keeps copies of the data folder; `status` says how well.
    """

    def __init__(
        self, engine: Engine, model_label: str, snapshots: Snapshots, stored: StoredSessions
    ) -> None:
        self._engine = engine
        self._stored = stored
        self.model_label = model_label
        self.snapshots = snapshots

    @classmethod
    @asynccontextmanager
    async def open(
        cls, settings: Settings, model: BaseLlm | None = None
    ) -> AsyncIterator["Application"]:
        """Open the data folder and everything over it; closed in order at the end.

        A folder without memory is filled from the newest snapshot first, where there is one.

        Args:
            settings: Checked settings, see `app.config.load_settings`.
            model: Any ADK model instead of the configured one, for tests.

        Raises:
            StoreUnavailable: the data folder cannot be used; nothing was changed.
        """
        folder = settings.storage.data_dir
        embedder = load(settings.embedding.backend, settings.embedding.model)
        restored = restore(settings)
        with Memory.open(folder, embedder=embedder, policy=settings.policy()) as memory:
            model = model or build_model(settings)
            caps = Caps(settings)
            app = build_app(
                memory,
                model,
                caps,
                steps=settings.limits.steps,
                output_tokens=settings.limits.output_tokens,
                zone=settings.zone,
            )
            sessions = open_sessions(folder)
            runner = Runner(app=app, session_service=sessions)
            engine = Engine(
                runner,
                memory,
                TurnLocks(folder / "locks"),
                caps,
                steps=settings.limits.steps,
            )
            snapshots = Snapshots(settings, copies(folder, copy_sessions, memory.backup), restored)
            snapshots.start()
            closing = Event()
            indexing = asyncio.create_task(asyncio.to_thread(_index, memory, closing))
            leaving = asyncio.Event()
            application = cls(engine, label(model), snapshots, sessions)
            if settings.user_mode == "visitors":
                idle = timedelta(days=settings.users.visitor_days)
                engine.tasks.add(asyncio.create_task(application.upkeep(idle).run(leaving)))
            try:
                yield application
            finally:
                closing.set()
                leaving.set()
                try:
                    await _finish(engine)
                    await indexing
                    await runner.close()
                finally:
                    await asyncio.to_thread(snapshots.close)
                    await sessions.close()

    @property
    def memory(self) -> Memory:
        """The library's memory, shared by all users; reach tiers through `for_user`."""
        return self._engine.memory

    @property
    def offline(self) -> bool:
        """Whether the built-in model of rules answers."""
        return self.model_label == OFFLINE_LABEL

    def chat(self, user_id: str, session_id: str | None = None) -> Chat:
        """Return a chat of this user: a new session, or the one with this id."""
        return Chat(self._engine, user_id, session_id)

    def sessions(self, user_id: str) -> list[Session]:
        """Return the user's sessions, the newest first."""
        return list(self.memory.for_user(user_id).sessions.list())

    def busy(self, *user_ids: str) -> bool:
        """Tell whether a turn of one of these users runs now, or their memory is being moved."""
        return any(map(self._engine.locks.busy, user_ids))

    async def adopt(self, visitor_id: str, user_id: str) -> None:
        """Give a user everything of a visitor; see `Memory.adopt`. Waits for their turns to end.

        Repeating it finishes what a crash broke off: the memory goes last, so `Memory.holds` tells
        that something is left to take along.

        Raises:
            InvalidInput: an id is blank.
            StoreUnavailable: the disk failed or is full; what is left can be taken along later.
        """
        memory = self.memory
        async with self._engine.locks.hold_all((visitor_id, user_id)):
            names = await asyncio.to_thread(memory.new_session_ids, visitor_id, user_id)
            try:
                await self._stored.adopt(visitor_id, user_id, names)
                await asyncio.to_thread(memory.adopt, visitor_id, user_id)
            finally:
                self._forget(visitor_id)

    async def erase(self, *user_ids: str) -> None:
        """Erase everything of these users; see `Memory.erase`. Waits for their turns to end.

        Raises:
            InvalidInput: an id is blank.
            StoreUnavailable: the disk failed or is full; repeat it to erase what is left.
        """
        persons = [identifier(user_id, "user_id") for user_id in user_ids]
        async with self._engine.locks.hold_all(persons):
            await self._erase(*user_ids)

    def upkeep(
        self, idle: timedelta, now: Callable[[], datetime] = lambda: datetime.now(UTC)
    ) -> Upkeep:
        """Return what erases visitors of whom nothing is newer than `idle`."""
        return Upkeep(self.memory, self._engine.locks, self._erase, idle, now)

    async def _erase(self, *user_ids: str) -> None:
        """Erase users whose turns are held; the memory last, since it tells who is still there."""
        try:
            await self._stored.erase(*user_ids)
            await asyncio.to_thread(self.memory.erase, *user_ids)
        finally:
            self._forget(*user_ids)

    def _forget(self, *user_ids: str) -> None:
        """Let chats that are still open begin their session anew."""
        gone = {key for key in self._engine.opened if key[0] in user_ids}
        self._engine.opened -= gone


def _index(memory: Memory, closing: Event) -> None:
    """Embed, in the background, what has no vector of the current model yet."""
    try:
        while not closing.is_set() and not memory.settle(timeout=INDEX_SECONDS):
            continue
    except MemoryTiersError as error:
        log.warning("notes are found by words only: %s", error)


async def _finish(engine: Engine) -> None:
    """Let running turns end: first asked to stop, then given a limited time."""
    for running in engine.running.values():
        running.stop.set()
    if engine.tasks:
        await asyncio.wait(engine.tasks, timeout=CLOSE_SECONDS)
    for task in engine.tasks:
        task.cancel()
