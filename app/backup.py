"""A copy of the data folder that is whole or does not count: made, delivered, put back.

`complete.json` is written last and holds the size and SHA-256 of every file; a copy without it is
none. Where the copy goes nothing is expected but files that can be written one after the other: no
rename, no lock, no promise of what survives a crash.
"""

import hashlib
import os
import shutil
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from errno import EINVAL, ENOSYS, ENOTSUP
from functools import partial
from pathlib import Path
from typing import BinaryIO, Literal

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, ValidationError, field_validator

from app.identity import KEY_FILE
from memory_tiers import InvalidInput, StoreUnavailable
from memory_tiers.sqlite.connection import FILE_NAME, explained
from memory_tiers.sqlite.copying import check_database, copy_database, sync_folder

Copies = Mapping[str, Callable[[Path], None]]
"""The files of a data folder, in the order of copying, and what copies each to a new path, or makes
nothing where there is no such file."""

SESSIONS = "sessions.db"
MEMORY = FILE_NAME
MANIFEST = "complete.json"
LINEAGE = "lineage"
RESTORING = "restoring"
BLOCK = 1 << 20  # bytes read at once
_UNSYNCED = (EINVAL, ENOSYS, ENOTSUP)  # a file system that cannot be asked to sync


class CopiedFile(BaseModel):
    """Size and content of one file."""

    model_config = ConfigDict(frozen=True, strict=True)

    bytes: int
    sha256: str


class Manifest(BaseModel):
    """What a whole copy holds.

    Attributes:
        format: The number of this format.
        at: When the copy was begun; all that was committed before is in it.
        lineage: Which data folder it stems from, by restoring also; blank where nobody knows.
        files: What is in it, `memory.db` always.
    """

    model_config = ConfigDict(frozen=True, strict=True)

    format: Literal[1] = Field(default=1, alias="schema")
    at: AwareDatetime
    lineage: str = Field(default="", pattern="^[0-9a-f]*$")
    files: dict[Literal["sessions.db", "visitors.key", "memory.db"], CopiedFile]

    @field_validator("files")
    @classmethod
    def _has_memory(cls, files: dict[str, CopiedFile]) -> dict[str, CopiedFile]:
        if MEMORY not in files:
            raise ValueError("no memory")
        return files


def copies(
    data: Path, sessions: Callable[[Path, Path], None], memory: Callable[[Path], None]
) -> Copies:
    """Return how each file of a data folder is copied.

    Sessions come before memory: what memory has and they have not is completed before the next
    message, the other way round it would be lost.

    Args:
        data: The data folder.
        sessions: Copies its `sessions.db`, see `app.adk.sessions.copy_sessions`.
        memory: Copies its memory, see `Memory.backup`.
    """
    return {
        SESSIONS: partial(sessions, data),
        KEY_FILE: partial(_copy_key, data),
        MEMORY: memory,
    }


def copy_memory(data: Path, file: Path) -> None:
    """Copy the memory of a data folder without opening it: nothing in it is changed.

    Raises:
        StoreUnavailable: there is none, or it cannot be read or copied.
        OSError: `file` exists, or its disk failed.
    """
    if not (data / MEMORY).exists():
        raise StoreUnavailable("The data folder has no memory yet; choose it with --data-dir.")
    with explained():
        copy_database(data / MEMORY, file)


def draft(copies: Copies, folder: Path, at: datetime, lineage: str = "") -> Manifest:
    """Copy everything into an empty folder and describe it; the manifest is not written yet.

    Raises:
        StoreUnavailable: a database cannot be read or copied.
        OSError: the disk of the folder failed.
    """
    for name, copy in copies.items():
        copy(folder / name)
    made = [folder / name for name in copies if (folder / name).exists()]
    files = {
        file.name: CopiedFile(bytes=file.stat().st_size, sha256=_digest(file)) for file in made
    }
    return Manifest.model_validate({"at": at, "lineage": lineage, "files": files})


def deliver(folder: Path, manifest: Manifest, target: Path) -> None:
    """Copy a draft to its place, a folder that is made, and the manifest last.

    Raises:
        OSError: it cannot be written there; what was begun does not count.
    """
    target.mkdir(mode=0o700)
    for name, file in manifest.files.items():
        _copy(folder / name, target / name)
        if (target / name).stat().st_size != file.bytes:
            raise OSError("it was cut while it was written")
    finish(manifest, target)


def finish(manifest: Manifest, folder: Path) -> None:
    """Write the manifest into a folder that holds everything else: from now on it counts."""
    with _created(folder / MANIFEST) as stream:
        stream.write(manifest.model_dump_json(by_alias=True, indent=2).encode())
        _sync(stream)


def read(folder: Path) -> Manifest | None:
    """Return what a folder holds; None when it is no whole copy. Contents are not looked at.

    Raises:
        OSError: it cannot be told just now.
    """
    try:
        manifest = Manifest.model_validate_json((folder / MANIFEST).read_bytes())
        sizes = {name: (folder / name).stat().st_size for name in manifest.files}
    except (FileNotFoundError, NotADirectoryError, ValidationError):
        return None
    whole = all(sizes[name] == file.bytes for name, file in manifest.files.items())
    return manifest if whole else None


def put_back(copy: Path, data: Path) -> Manifest:
    """Check a copy and put it in place in a data folder that has no memory.

    Whatever stops it half-way, the folder then either has its memory and all that belongs to it,
    or `clear` takes back what was begun. A file that is there already stays.

    Raises:
        StoreUnavailable: the copy is no whole one, or damaged; nothing is left of it.
        OSError: it cannot be read, or the data folder cannot be written.
    """
    fetched = data / RESTORING
    fetched.mkdir(mode=0o700)
    try:
        manifest = _fetch(copy, fetched)
        (fetched / LINEAGE).write_text(manifest.lineage, "ascii")
        for name in (SESSIONS, KEY_FILE, LINEAGE, MEMORY):
            if (fetched / name).exists() and not (data / name).exists():
                for suffix in ("-wal", "-shm", "-journal"):  # of a database that is gone
                    (data / f"{name}{suffix}").unlink(missing_ok=True)
                os.link(fetched / name, data / name)  # unlike a rename it never replaces
                sync_folder(data)
    finally:
        clear(data)
    return manifest


def clear(data: Path) -> None:
    """Remove what is left of a `put_back`, with the files it had placed if memory was not."""
    fetched = data / RESTORING
    if not fetched.exists():
        return
    if not (data / MEMORY).exists():
        for file in fetched.iterdir():
            placed = data / file.name
            if placed.exists() and placed.samefile(file):
                placed.unlink()
        sync_folder(data)
    shutil.rmtree(fetched)


def back_up(copies: Copies, folder: Path) -> Sequence[str]:
    """Make a copy in a new folder, which can itself be used as a data folder; name its files.

    Raises:
        InvalidInput: the folder is not empty.
        StoreUnavailable: a database cannot be read, or the folder cannot be written.
    """
    try:
        if folder.exists() and not (folder.is_dir() and not any(folder.iterdir())):
            raise InvalidInput("The folder for the backup is not empty; name a new one.")
        made = not folder.exists()
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        try:
            manifest = draft(copies, folder, datetime.now(UTC))
            finish(manifest, folder)
        except BaseException:
            for name in (*copies, MANIFEST):
                (folder / name).unlink(missing_ok=True)
            if made:
                folder.rmdir()
            raise
    except OSError as error:
        raise StoreUnavailable(f"The backup cannot be written ({error.strerror}).") from error
    return list(manifest.files)


def _copy_key(data: Path, file: Path) -> None:
    if (data / KEY_FILE).exists():
        _copy(data / KEY_FILE, file)


def _fetch(copy: Path, folder: Path) -> Manifest:
    manifest = read(copy)
    if manifest is None:
        raise StoreUnavailable(f"The copy has no valid {MANIFEST}, so it is not whole.")
    for name, file in manifest.files.items():
        if _copy(copy / name, folder / name) != file.sha256:
            raise StoreUnavailable(
                f"{name} of the copy is damaged, or was changed after it was made."
            )
        if name != KEY_FILE:
            try:
                check_database(folder / name)
            except sqlite3.Error as error:
                raise StoreUnavailable(f"{name} of the copy is no sound database.") from error
    return manifest


def _copy(source: Path, target: Path) -> str:
    """Copy one file to a new path and return the SHA-256 of what was read."""
    digest = hashlib.sha256()
    with source.open("rb") as read, _created(target) as written:
        while block := read.read(BLOCK):
            digest.update(block)
            written.write(block)
        _sync(written)
    return digest.hexdigest()


def _digest(file: Path) -> str:
    with file.open("rb") as read:
        return hashlib.file_digest(read, "sha256").hexdigest()


def _created(file: Path) -> BinaryIO:
    return open(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")


def _sync(stream: BinaryIO) -> None:
    stream.flush()
    try:
        os.fsync(stream.fileno())
    except OSError as error:
        if error.errno not in _UNSYNCED:
            raise
