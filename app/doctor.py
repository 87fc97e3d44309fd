"""Whether everything the program needs is in place, and what to do where it is not. Reads only."""

import os
import shutil
import sqlite3
import sys
import time
import tomllib
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from packaging.requirements import Requirement

from app.config import ConfigError, Settings
from memory_tiers.embedding import Embedder, load
from memory_tiers.errors import EmbedderUnavailable, SchemaTooNew
from memory_tiers.sqlite import migrations

PROJECT = Path(__file__).parents[1] / "pyproject.toml"
LEAST_FREE_MB = 100


@dataclass(frozen=True, slots=True)
class Check:
    """What was looked at, whether it is sound, and one sentence: how it is or what to do."""

    name: str
    sound: bool
    text: str


def examine(settings: Settings | ConfigError) -> Iterator[Check]:
    """Look at one thing after another; with settings that were refused, only at what needs none."""
    project = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]
    yield _python(project["requires-python"])
    yield from _packages([Requirement(line) for line in project["dependencies"]])
    if isinstance(settings, ConfigError):
        yield from (Check("settings", False, fault) for fault in str(settings).splitlines())
        return
    yield Check("settings", True, "every value can be used")
    folder = settings.storage.data_dir
    yield _folder(folder)
    for name in ("memory.db", "sessions.db"):
        yield _database(folder / name)
    embedder = load(settings.embedding.backend, settings.embedding.model)
    embedding = _embedder(embedder)
    yield embedding
    if embedding.sound:
        yield _index(folder, embedder)
    yield _model(settings)


def _python(wanted: str) -> Check:
    here = ".".join(map(str, sys.version_info[:3]))
    sound = Requirement(f"python{wanted}").specifier.contains(here, prereleases=True)
    return Check("Python", sound, here if sound else f"{here} is here, {wanted} is needed")


def _packages(wanted: list[Requirement]) -> Iterator[Check]:
    faults = [fault for requirement in wanted if (fault := _fault(requirement))]
    for name, what in faults:
        yield Check(f"package {name}", False, f"{what}; repeat the installation (make run)")
    if not faults:
        yield Check("packages", True, f"all {len(wanted)} are here in versions that fit")


def _fault(requirement: Requirement) -> tuple[str, str] | None:
    try:
        here = version(requirement.name)
    except PackageNotFoundError:
        return requirement.name, "it is not installed"
    if requirement.specifier.contains(here, prereleases=True):
        return None
    return requirement.name, f"{here} is here, {requirement.specifier} is needed"


def _folder(folder: Path) -> Check:
    try:
        nearest = next(place for place in (folder, *folder.absolute().parents) if place.exists())
    except OSError as error:
        return Check("data folder", False, f"{error.strerror}; set another folder")
    if not nearest.is_dir():
        return Check("data folder", False, "a file is in its place; move it, or set another folder")
    if not os.access(nearest, os.W_OK | os.X_OK):
        return Check("data folder", False, "it cannot be written; change its permissions")
    free = shutil.disk_usage(nearest).free // 1_000_000
    if free < LEAST_FREE_MB:
        return Check("data folder", False, f"only {free:,} MB are free; make some room")
    state = "it can be written" if folder.exists() else "it will be made at the first start"
    return Check("data folder", True, f"{state}, {free:,} MB are free")


def _database(file: Path) -> Check:
    name = f"database {file.name}"
    if not os.path.exists(file):  # unlike Path.exists it never raises
        return Check(name, True, "it will be made at the first start")
    try:
        with closing(_read_only(file)) as connection:
            faults = [row[0] for row in connection.execute("PRAGMA integrity_check(3)")]
            migrations.check(connection)
    except sqlite3.Error as error:
        return Check(name, False, f"it cannot be read ({error}); restore a copy or move it away")
    except SchemaTooNew as error:
        return Check(name, False, str(error))
    if faults != ["ok"]:
        return Check(name, False, f"it is damaged ({faults[0]}); restore a copy or move it away")
    return Check(name, True, f"it is whole, {file.stat().st_size / 1e6:,.1f} MB")


def _read_only(file: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)


def _embedder(embedder: Embedder) -> Check:
    began = time.perf_counter()
    try:
        width = embedder.embed(["Is everything in place?"]).shape[1]
    except EmbedderUnavailable as error:
        return Check("embedder", False, str(error))
    took = time.perf_counter() - began
    return Check(
        "embedder", True, f"{embedder.name}, {width} numbers a text, ready in {took:.1f} s"
    )


def _index(folder: Path, embedder: Embedder) -> Check:
    """Count the passages a search by meaning would miss; the index files are only a cache."""
    file = folder / "memory.db"
    if not os.path.exists(file):
        return Check("index", True, "there is nothing to index yet")
    try:
        with closing(_read_only(file)) as connection:
            passages, waiting = connection.execute(
                "SELECT count(*), count(*) FILTER (WHERE NOT EXISTS (SELECT 1 FROM chunks "
                "WHERE passage_seq = passages.seq AND model = ? AND width = ?)) "
                "FROM passages WHERE deleted_at IS NULL",
                (embedder.name, embedder.width),
            ).fetchone()
    except sqlite3.Error as error:
        return Check("index", False, f"memory.db cannot be read ({error})")
    later = f"; {waiting:,} get their vectors at the next start" if waiting else ""
    return Check("index", True, f"{passages:,} note{'' if passages == 1 else 's'}{later}")


def _model(settings: Settings) -> Check:
    key = "a key is set" if settings.api_key else "no key is set"
    if settings.provider == "offline":
        return Check(
            "model",
            True,
            f"offline, the built-in model of rules ({key}); set GOOGLE_API_KEY to use Gemini",
        )
    return Check("model", True, f"{settings.provider}, {settings.model.name} ({key})")
