"""One at a time, also across processes: one turn for each user, one copy of a folder."""

import asyncio
import os
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from hashlib import blake2b
from pathlib import Path

try:
    import fcntl
except ImportError:  # not POSIX: the lock then holds within this process only
    fcntl = None  # type: ignore[assignment]

WAIT = 0.02  # seconds between two looks at a lock that another process holds


class TurnLocks:
    """A lock a user, first come first served; a file lock is freed even by a kill."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._local: dict[str, asyncio.Lock] = {}

    @asynccontextmanager
    async def hold(self, user_id: str) -> AsyncIterator[None]:
        """Wait for this user's turn, and hold it."""
        async with self._local.setdefault(user_id, asyncio.Lock()):
            file = self._open(user_id)
            try:
                while not _locked(file):  # noqa: ASYNC110 - a lock of another process has no event
                    await asyncio.sleep(WAIT)
                yield
            finally:
                os.close(file)

    @asynccontextmanager
    async def hold_all(self, user_ids: Iterable[str]) -> AsyncIterator[None]:
        """Hold the turns of several users, taken in one order by everybody who does so."""
        async with AsyncExitStack() as held:
            for user_id in sorted(set(user_ids)):
                await held.enter_async_context(self.hold(user_id))
            yield

    def busy(self, user_id: str) -> bool:
        """Tell whether a turn of this user runs now, here or in another process."""
        if (local := self._local.get(user_id)) is not None and local.locked():
            return True
        file = self._open(user_id)
        try:
            return not _locked(file)
        finally:
            os.close(file)

    def _open(self, user_id: str) -> int:
        self._folder.mkdir(mode=0o700, exist_ok=True)
        name = blake2b(user_id.encode(), digest_size=16).hexdigest()
        return os.open(self._folder / f"{name}.lock", os.O_RDWR | os.O_CREAT, 0o600)


@contextmanager
def alone(file: Path) -> Iterator[None]:
    """Wait until nobody else is in here with this file, and keep others out meanwhile."""
    file.parent.mkdir(mode=0o700, exist_ok=True)
    opened = os.open(file, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        if fcntl is not None:
            fcntl.flock(opened, fcntl.LOCK_EX)
        yield
    finally:
        os.close(opened)


def _locked(file: int) -> bool:
    if fcntl is None:
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
