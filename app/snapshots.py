"""Snapshots of the data folder, for a disk that does not last: written, thinned out, restored.

The databases stay on the local disk; copies of them go to a folder that may be a mounted bucket.
Knows neither ADK nor the page: who composes the program says how each file is copied, and the page
shows `Snapshots.status`.
"""

import logging
import os
import secrets
import shutil
import time
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from threading import Event, Thread
from typing import Literal

from app.backup import (
    LINEAGE,
    MANIFEST,
    MEMORY,
    RESTORING,
    SESSIONS,
    Copies,
    clear,
    draft,
    put_back,
)
from app.identity import KEY_FILE
from app.locks import alone
from app.settings import Settings
from app.snapshot_folder import add, restore_newest, sentence, thin_out, usable
from memory_tiers import InvalidInput, MemoryTiersError, StoreUnavailable

log = logging.getLogger(__name__)

CLOSE_SECONDS = 10.0
SETTLED = 100_000_000  # ns: a file written later than this ago may change with no trace in its time
_WATCHED = (SESSIONS, f"{SESSIONS}-wal", MEMORY, f"{MEMORY}-wal", KEY_FILE)


@dataclass(frozen=True, slots=True)
class SnapshotStatus:
    """How well memory is kept elsewhere, as of the last look.

    Attributes:
        kept: Whether a folder for snapshots is set. If not, memory lasts as long as the disk.
        saved_at: When the newest snapshot was begun; what was said before is in it.
        unsaved_since: After this instant there may be something that is in no snapshot.
        error: Why the last attempt failed, fit to show; blank after one that did not.
        lost: Why nothing was restored at start although there were snapshots; fit to show.
    """

    kept: bool
    saved_at: datetime | None = None
    unsaved_since: datetime | None = None
    error: str = ""
    lost: str = ""

    @property
    def state(self) -> Literal["none", "failed", "unsaved", "saved"]:
        """In one word: no folder is set, the last attempt failed, not yet, or all is saved."""
        if not self.kept:
            return "none"
        if self.error:
            return "failed"
        return "unsaved" if self.unsaved_since else "saved"


def restore(settings: Settings) -> SnapshotStatus:
    """Fill a data folder that has no memory from the newest sound snapshot, before it is opened.

    Never raises and never overwrites: what kept it from restoring is logged and in the status.
    """
    folder, data = settings.snapshot_folder, settings.storage.data_dir
    status = SnapshotStatus(kept=folder is not None, unsaved_since=datetime.now(UTC))
    try:
        if (folder is None or (data / MEMORY).exists()) and not (data / RESTORING).exists():
            return status
        with _alone(data):
            clear(data)
            if folder is None or (data / MEMORY).exists():
                return status
            restored = restore_newest(folder, data)
    except (OSError, MemoryTiersError) as error:
        lost = f"Memory was not restored, it began anew: {sentence(error)}"
        log.warning("not_restored: %s", lost)
        return replace(status, lost=lost)
    if restored is None:
        return status
    return SnapshotStatus(kept=True, saved_at=restored.at)


def restore_from(folder: Path, data: Path) -> datetime:
    """Fill an empty data folder from a backup, a snapshot, or a folder of snapshots.

    Returns when the copy was begun.

    Raises:
        InvalidInput: the data folder is not empty, or there is nothing to restore from.
        StoreUnavailable: the copy is damaged, or a folder cannot be used; nothing was restored.
    """
    try:
        with _alone(data):
            clear(data)
            if any(entry.name != "locks" for entry in data.iterdir()):
                raise InvalidInput(
                    "The data folder is not empty, and nothing is overwritten; name another one "
                    "with --data-dir."
                )
            if (folder / MANIFEST).exists():
                return put_back(folder, data).at
            if not folder.is_dir() or (restored := restore_newest(folder, data)) is None:
                raise InvalidInput("There is neither a backup nor a snapshot in that folder.")
            return restored.at
    except OSError as error:
        raise StoreUnavailable(sentence(error)) from error


class Snapshots:
    """A thread that looks every `snapshot.seconds` whether anything changed, and then writes.

    Args:
        settings: Checked settings, see `app.config.load_settings`.
        copies: How each file of the data folder is copied, in this order.
        status: What `restore` returned.

    Attributes:
        status: How well memory is kept elsewhere; read it from any thread.
    """

    def __init__(self, settings: Settings, copies: Copies, status: SnapshotStatus) -> None:
        self.status = status
        self._folder = settings.snapshot_folder
        self._data = settings.storage.data_dir
        self._keep = settings.snapshot.keep
        self._seconds = settings.snapshot.seconds
        self._copies = copies
        self._seen: object = None
        self._closing = Event()
        self._thread = Thread(target=self._run, name="snapshots", daemon=True)

    def start(self) -> None:
        """Begin to look, unless no folder is set; a folder that cannot be used is in `status`."""
        if self._folder is not None:
            self._thread.start()

    def close(self, timeout: float = CLOSE_SECONDS) -> None:
        """Write the last snapshot if anything changed; given up after `timeout` seconds."""
        self._closing.set()
        if self._folder is None:
            return
        self._thread.join(timeout)
        if self._thread.is_alive():
            self._failed(f"The last snapshot was not finished within {timeout:.0f} seconds.")

    def _run(self) -> None:
        try:
            if not os.access(usable(self._folder), os.W_OK | os.X_OK):
                self._failed("The snapshot folder cannot be written; give this program the right.")
        except (OSError, StoreUnavailable) as error:
            self._failed(sentence(error))
        while not self._closing.wait(self._seconds):
            self.look()
        self.look()

    def look(self) -> None:
        """Write a snapshot if anything changed since the last one; a failure is kept and told."""
        begun = datetime.now(UTC)
        seen = self._signature()
        if seen is not None and seen == self._seen:
            return
        try:
            trouble = self._write(begun)
        except (OSError, MemoryTiersError) as error:
            self._failed(sentence(error))
        except Exception as error:  # the thread must live, or the status would lie from then on
            self._failed(f"A snapshot failed inside ({type(error).__name__}).", inside=True)
        else:
            self._seen = seen
            if trouble and not self.status.error:
                log.warning("snapshot_failed: %s", trouble)
            self.status = SnapshotStatus(
                kept=True, saved_at=begun, error=trouble, lost=self.status.lost
            )

    def _failed(self, sentence: str, *, inside: bool = False) -> None:
        if not self.status.error:
            log.warning("snapshot_failed: %s", sentence, exc_info=inside)
        since = self.status.unsaved_since or self.status.saved_at
        self.status = replace(self.status, error=sentence, unsaved_since=since)

    def _signature(self) -> list[tuple[int, ...]] | None:
        """Return something that differs after every change; None where that is not sure."""
        found, now = list[tuple[int, ...]](), time.time_ns()
        for name in _WATCHED:
            try:
                stat = (self._data / name).stat()
            except OSError:
                found.append(())
                continue
            if now - stat.st_mtime_ns < SETTLED:
                return None
            found.append((stat.st_mtime_ns, stat.st_size, stat.st_ino))
        return found

    def _write(self, begun: datetime) -> str:
        """Write a snapshot unless the newest holds the same; return what went wrong after it."""
        folder = usable(self._folder)
        with _alone(self._data):
            made = self._data / "snapshot"
            shutil.rmtree(made, ignore_errors=True)  # of a process that was killed
            try:
                made.mkdir(mode=0o700)
                manifest = draft(self._copies, made, begun, _lineage(self._data))
                add(made, manifest, folder)
            finally:
                shutil.rmtree(made, ignore_errors=True)
            try:
                thin_out(folder, manifest.lineage, self._keep, begun)
            except OSError as error:
                return f"Older snapshots cannot be removed ({error.strerror})."
        return ""


def _alone(data: Path) -> AbstractContextManager[None]:
    """Keep other processes from copying or restoring this data folder meanwhile."""
    data.mkdir(mode=0o700, parents=True, exist_ok=True)
    return alone(data / "locks" / "snapshots.lock")


def _lineage(data: Path) -> str:
    """Return what tells snapshots of this data folder, and of what it was restored from."""
    file = data / LINEAGE
    known = file.read_text("ascii") if file.exists() else ""
    if not known:
        known = secrets.token_hex(8)
        file.write_text(known, "ascii")
    return known
