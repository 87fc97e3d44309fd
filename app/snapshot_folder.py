"""The folder of snapshots: which there are, one more, fewer, and the newest that is sound.

It may be a mounted bucket, so nothing in it is renamed, and what cannot be read now may be sound.
"""

import logging
import re
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path

from app.backup import MANIFEST, MEMORY, SESSIONS, Manifest, deliver, put_back, read
from app.identity import KEY_FILE
from memory_tiers import MemoryTiersError, StoreUnavailable

log = logging.getLogger(__name__)

ABANDONED = timedelta(minutes=10)  # after which an unfinished snapshot is nobody's work any more
_NAME = re.compile(r"snapshot-(\d{8}T\d{6}\d{0,6})Z")
_STAMP = "%Y%m%dT%H%M%S%f"


def usable(folder: Path | None) -> Path:
    """Return a snapshot folder that exists; `StoreUnavailable` where it does not."""
    if folder is None or not folder.is_dir():
        # Making it would hide that a bucket is not mounted.
        raise StoreUnavailable(
            "The snapshot folder is missing; mount the bucket there, or make the folder."
        )
    return folder


def add(made: Path, manifest: Manifest, folder: Path) -> None:
    """Deliver a draft as the newest snapshot, unless the newest holds the same.

    Raises:
        OSError: it cannot be written; nothing of it is left if that could be helped.
    """
    whole = ((path, one) for path in _stored(folder) if (one := _readable(path)))
    newest, known = next(whole, (None, None))
    if known is not None and known.files == manifest.files:
        return
    at, last = manifest.at, _begun(newest) if newest else None
    if last is not None and last >= at:  # the clock went back; the newest must stay the newest
        at = last + timedelta(microseconds=1)
    target = folder / f"snapshot-{at.strftime(_STAMP)}Z"
    try:
        deliver(made, manifest, target)
    except OSError:
        with suppress(OSError):  # on a full disk the next attempt needs the room
            _remove(target)
        raise


def thin_out(folder: Path, lineage: str, keep: int, now: datetime) -> None:
    """Remove what is over `keep`, and what nobody finished.

    Snapshots of another lineage stay: where nothing could be restored they are all there is of it.

    Raises:
        OSError: one of them cannot be looked at or removed just now.
    """
    kept = 0
    for path in _stored(folder):
        manifest, begun = read(path), _begun(path)
        if manifest is None:
            superfluous = begun is not None and now - begun > ABANDONED
        else:
            kept += manifest.lineage == lineage
            superfluous = manifest.lineage == lineage and kept > keep
        if superfluous:
            _remove(path)


def restore_newest(folder: Path, data: Path) -> Manifest | None:
    """Put the newest sound snapshot in place; None when there is none at all.

    Raises:
        StoreUnavailable: the folder is missing, or none of its snapshots is whole and sound.
        OSError: the folder cannot be read.
    """
    stored = _stored(usable(folder))
    for path in stored:
        try:
            return put_back(path, data)
        except (OSError, StoreUnavailable) as error:
            log.warning("snapshot_damaged: %s is passed over: %s", path.name, sentence(error))
    if stored:
        raise StoreUnavailable(f"None of the {len(stored)} snapshots there is whole and sound.")
    return None


def sentence(error: OSError | MemoryTiersError) -> str:
    """Say what went wrong without naming a path."""
    if isinstance(error, MemoryTiersError):
        return str(error)
    return f"The disk refused ({error.strerror or error}); check snapshot folder and data folder."


def _stored(folder: Path) -> list[Path]:
    """Return everything in a folder that has the name of a snapshot, the newest first."""
    found = {path: at for path in folder.iterdir() if (at := _begun(path)) and path.is_dir()}
    return sorted(found, key=found.__getitem__, reverse=True)


def _begun(path: Path) -> datetime | None:
    """Read from its name when a snapshot was begun; None for any other name."""
    match = _NAME.fullmatch(path.name)
    try:
        return datetime.strptime(f"{match[1]:0<21}+0000", f"{_STAMP}%z") if match else None
    except ValueError:
        return None


def _readable(path: Path) -> Manifest | None:
    with suppress(OSError):  # one that cannot be read just now must not hinder the next
        return read(path)
    return None


def _remove(path: Path) -> None:
    """Remove what we wrote, the manifest first: half removed it must not count."""
    for name in (MANIFEST, MEMORY, SESSIONS, KEY_FILE):
        (path / name).unlink(missing_ok=True)
    path.rmdir()
