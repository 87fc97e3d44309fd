"""How much may be asked: what is too much is a sentence, and the model is not called.

Counts model calls, whatever they are for, and turns that run. The calls of a day are kept in a
file, so that a restart does not give the day away twice.
"""

import json
import math
import os
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from app.events import Notice
from app.settings import Settings
from memory_tiers.text import blank

FILE_NAME = "calls.json"
MINUTE = 60.0
WAITING = 3  # messages of one person that may wait, where turns at one time are limited

BLANK = Notice("blank_message", "There is nothing to answer: the message is blank.")
CROWDED = Notice(
    "too_many_turns",
    "Many people are talking here right now. Nothing was sent: please try again in a moment.",
)
QUEUED = Notice(
    "too_many_waiting",
    f"{WAITING} of your messages wait for an answer already. Nothing was sent: please wait for it.",
)


class Caps:
    """The caps of one application, for all its users; any thread may ask.

    Args:
        settings: Checked settings, see `Settings.cap`.
        now: Seconds since 1970.
        steady: Seconds of a clock that is never set back.
    """

    def __init__(
        self,
        settings: Settings,
        now: Callable[[], float] = time.time,
        steady: Callable[[], float] = time.monotonic,
    ) -> None:
        self._now = now
        self._steady = steady
        self._file = settings.storage.data_dir / FILE_NAME
        self._chars = settings.limits.message_chars
        self._session_turns = settings.cap("session_turns")
        self._minute = settings.cap("calls_per_minute")
        self._day = settings.cap("calls_per_day")
        self._at_once = settings.cap("turns_at_once")
        self._running = 0
        self._waiting: Counter[str] = Counter()
        self._calls: deque[tuple[float, str]] = deque()  # of the last minute
        self._today = _read(self._file)
        self._lock = threading.Lock()

    def refusal(self, user: str, text: str, turns: Callable[[], int]) -> Notice | None:
        """Say why a message may not be sent now, None when it may.

        Args:
            user: Who sends it.
            text: The message.
            turns: Counts the turns its session has had; asked only where they are limited.
        """
        if blank(text):
            return BLANK
        if len(text) > self._chars:
            return Notice(
                "message_too_long",
                f"The message has {len(text):,} characters; {self._chars:,} are accepted "
                "(limits.message_chars). Nothing was sent: shorten or split it.",
            )
        if self._session_turns is not None and turns() >= self._session_turns:
            return Notice(
                "session_full",
                f"This conversation has had {self._session_turns:,} turns, as many as are kept in "
                "one here. Nothing was sent: begin a new session, the memory goes along.",
            )
        with self._lock:
            return self._spent(user)

    def crowded(self, user: str) -> Notice | None:
        """Say why a message of this user should not join those that run and wait now."""
        if self._at_once is None:
            return None
        with self._lock:
            if self._running >= self._at_once:
                return CROWDED
            return QUEUED if self._waiting.get(user, 0) >= WAITING else None

    def call(self, user: str) -> Notice | None:
        """Count a model call that is about to be made for a user, or say why it may not be."""
        with self._lock:
            if refused := self._spent(user):
                return refused
            if self._minute is not None:
                self._calls.append((self._steady(), user))
            if self._day is not None:
                self._today = (self._date(), self._calls_today() + 1)
                _write(self._file, self._today)
        return None

    def join(self, user: str) -> None:
        """Count a message of this user that waits for its turn, or has it."""
        with self._lock:
            self._waiting[user] += 1

    def leave(self, user: str) -> None:
        """Count one message less."""
        with self._lock:
            self._waiting[user] -= 1
            if not self._waiting[user]:
                del self._waiting[user]

    @contextmanager
    def running(self) -> Iterator[Notice | None]:
        """Count a turn that runs; yields why it may not run instead."""
        with self._lock:
            refused = CROWDED if self._at_once and self._running >= self._at_once else None
            self._running += not refused
        try:
            yield refused
        finally:
            with self._lock:
                self._running -= not refused

    def _spent(self, user: str) -> Notice | None:
        """Say which store of calls is used up, if one is."""
        if self._day is not None and self._calls_today() >= self._day:
            return Notice(
                "day_used_up",
                f"Today's {self._day:,} model calls for everybody are used up. What is remembered "
                "stays; it goes on after midnight (UTC).",
            )
        if self._minute is None:
            return None
        now = self._steady()
        while self._calls and self._calls[0][0] <= now - MINUTE:
            self._calls.popleft()
        calls = [at for at, whose in self._calls if whose == user]
        if len(calls) < self._minute:
            return None
        seconds = math.ceil(calls[0] + MINUTE - now)
        return Notice(
            "too_fast",
            f"That was {self._minute} model calls within a minute, as many as one person may make "
            f"here. Please wait {seconds} seconds and send it again.",
        )

    def _date(self) -> str:
        return f"{datetime.fromtimestamp(self._now(), UTC):%Y-%m-%d}"

    def _calls_today(self) -> int:
        day, calls = self._today
        return calls if day == self._date() else 0


def _read(file: Path) -> tuple[str, int]:
    """Read the calls of the last day; a file that is missing or harmed counts as none."""
    try:
        content = json.loads(file.read_text("utf-8"))
        return str(content["day"]), int(content["calls"])
    except (OSError, ValueError, KeyError, TypeError):
        return "", 0


def _write(file: Path, today: tuple[str, int]) -> None:
    draft = file.with_suffix(".draft")
    draft.write_text(json.dumps({"day": today[0], "calls": today[1]}), "utf-8")
    os.replace(draft, file)
