"""Erases, once at start and then every hour, visitors who have not been here for long."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from app.identity import VISITOR
from app.locks import TurnLocks
from memory_tiers import Memory, MemoryTiersError

log = logging.getLogger(__name__)

HOUR = 3600.0  # seconds
AT_ONCE = 100  # persons erased together: a database is written anew once for all of them


@dataclass(frozen=True, slots=True)
class Upkeep:
    """What is erased, and how.

    Attributes:
        memory: Tells who is idle.
        locks: A person's turn is held while they are erased.
        erase: Erases these persons everywhere, the memory last, since it tells who is left to
            erase after a crash; without any it finishes what was broken off.
        idle: How long nothing of a visitor has to be newer.
        now: Returns the present instant as an aware datetime.
    """

    memory: Memory
    locks: TurnLocks
    erase: Callable[..., Awaitable[None]]
    idle: timedelta
    now: Callable[[], datetime]

    async def run(self, closing: asyncio.Event) -> None:
        """Look every hour until `closing`; what fails is logged, and tried again at the next."""
        while not closing.is_set():
            try:
                if erased := await self.once(closing):
                    log.info("visitors erased: %d", erased)
            except MemoryTiersError as error:
                log.error("visitors not erased: %s", error.code)
            except Exception as error:
                log.error("visitors not erased: %s", type(error).__name__)
            try:
                await asyncio.wait_for(closing.wait(), HOUR)
            except TimeoutError:
                continue

    async def once(self, closing: asyncio.Event) -> int:
        """Erase who is idle now and count them; between two batches it can be broken off."""
        await self.erase()
        found = [user for user in await self._idle() if not self.locks.busy(user)]
        erased = 0
        for start in range(0, len(found), AT_ONCE):
            if closing.is_set():
                break
            some = found[start : start + AT_ONCE]
            async with self.locks.hold_all(some):
                still = set(await self._idle())  # who came back meanwhile is not erased
                gone = [user for user in some if user in still]
                await self.erase(*gone)
            erased += len(gone)
        return erased

    async def _idle(self) -> list[str]:
        return await asyncio.to_thread(self.memory.idle, VISITOR, self.now() - self.idle)
