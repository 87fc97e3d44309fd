"""One copy of the data folder: whole or it does not count, put back or not begun."""

import json
import os
from datetime import UTC, datetime
from functools import partial

import pytest

from app import backup
from app.adk.sessions import copy_sessions, open_sessions
from app.backup import (
    MANIFEST,
    back_up,
    clear,
    copies,
    copy_memory,
    deliver,
    draft,
    put_back,
    read,
)
from app.identity import KEY_FILE, visitor_key
from memory_tiers import InvalidInput, Memory, StoreUnavailable

NOW = datetime(2026, 3, 14, 12, tzinfo=UTC)
WHOLE = [MANIFEST, "memory.db", "sessions.db", KEY_FILE]


@pytest.fixture
async def data(tmp_path):
    """A data folder with a message, a stored session and a key."""
    folder = tmp_path / "data"
    with Memory.open(folder, "hash") as memory:
        memory.for_user("u1").recall.append("s1", "user", "the kettle sings")
    sessions = open_sessions(folder)
    await sessions.create_session(app_name="a", user_id="u1", session_id="s1")
    await sessions.close()
    visitor_key(folder)
    return folder


@pytest.fixture
def copied(data, tmp_path):
    """A backup of that folder."""
    back_up(ways(data), tmp_path / "copy")
    return tmp_path / "copy"


def ways(data):
    """Return how each file of a data folder is copied."""
    return copies(data, copy_sessions, partial(copy_memory, data))


def said(data):
    """Return what one can find in a data folder that was restored."""
    with Memory.open(data, "hash") as memory:
        return [hit.text for hit in memory.for_user("u1").recall.search("kettle").hits]


def test_backup_holds_every_file_and_is_a_data_folder(data, copied):
    """The copy has both databases, the key and the manifest, for its owner's eyes, and opens."""
    assert sorted(file.name for file in copied.iterdir()) == sorted(WHOLE)
    assert (copied / KEY_FILE).read_bytes() == (data / KEY_FILE).read_bytes()
    assert (copied.stat().st_mode & 0o777, (copied / KEY_FILE).stat().st_mode & 0o777) == (
        0o700,
        0o600,
    )
    assert said(copied) == ["the kettle sings"]


def test_sessions_are_copied_before_memory(data):
    """What is written between the two is in memory, from which sessions are completed."""
    assert list(ways(data)) == ["sessions.db", KEY_FILE, "memory.db"]


def test_backup_is_never_mixed_with_other_files(data, tmp_path):
    """A folder that holds anything, or a file, is refused and left as it is."""
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine").write_text("mine")
    (tmp_path / "file").write_text("mine")

    for name in ("full", "file"):
        with pytest.raises(InvalidInput, match="not empty"):
            back_up(ways(data), tmp_path / name)
    assert [file.name for file in (tmp_path / "full").iterdir()] == ["mine"]
    assert (tmp_path / "file").read_text() == "mine"


def test_failed_backup_leaves_nothing(data, tmp_path):
    """A memory that cannot be read ends the backup, and its folder is gone again."""
    (data / "memory.db").write_bytes(b"this is no database " * 100)

    with pytest.raises(StoreUnavailable, match="no SQLite database"):
        back_up(ways(data), tmp_path / "copy")
    assert not (tmp_path / "copy").exists()


def test_copy_is_put_back_whole(copied, tmp_path):
    """Memory, sessions and key of the copy are those of the new data folder."""
    target = tmp_path / "new"
    target.mkdir()
    put_back(copied, target)

    for name in ("memory.db", "sessions.db", KEY_FILE):
        assert (target / name).read_bytes() == (copied / name).read_bytes()
    assert not (target / "restoring").exists()
    assert said(target) == ["the kettle sings"]


@pytest.mark.parametrize("name", ["memory.db", "sessions.db", KEY_FILE])
def test_one_flipped_bit_is_noticed(copied, tmp_path, name):
    """A file that is not what the manifest says is refused by name; nothing is put in place."""
    content = bytearray((copied / name).read_bytes())
    content[len(content) // 2] ^= 1
    (copied / name).write_bytes(content)
    target = tmp_path / "new"
    target.mkdir()

    with pytest.raises(StoreUnavailable, match=name.replace(".", r"\.")):
        put_back(copied, target)
    assert list(target.iterdir()) == []


def test_database_that_was_damaged_before_it_was_hashed_is_noticed(copied, tmp_path):
    """A right hash over a broken database does not help: SQLite looks through it."""
    content = bytearray((copied / "memory.db").read_bytes())
    content[4096:12288] = b"\x55" * 8192
    (copied / "memory.db").write_bytes(content)
    manifest = json.loads((copied / MANIFEST).read_text())
    manifest["files"]["memory.db"]["sha256"] = backup._digest(copied / "memory.db")
    (copied / MANIFEST).write_text(json.dumps(manifest))
    target = tmp_path / "new"
    target.mkdir()

    with pytest.raises(StoreUnavailable, match="no sound database"):
        put_back(copied, target)
    assert list(target.iterdir()) == []


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text[: len(text) // 2],
        lambda text: "",
        lambda text: text.replace('"schema": 1', '"schema": 2'),
        lambda text: text.replace('"memory.db"', '"../memory.db"'),
        lambda text: text.replace('"memory.db"', '"visitors.key2"'),
        lambda text: text.replace('"bytes": ', '"bytes": 1'),
    ],
    ids=["cut", "empty", "newer", "elsewhere", "no memory", "other size"],
)
def test_copy_without_a_valid_manifest_is_none(copied, change):
    """A manifest that is cut, of another format, or not about these files makes no copy whole."""
    (copied / MANIFEST).write_text(change((copied / MANIFEST).read_text()))

    assert read(copied) is None


def test_copy_that_lacks_a_file_is_none(copied):
    """The manifest alone is not a copy."""
    (copied / "sessions.db").unlink()

    assert read(copied) is None


@pytest.mark.parametrize("placed", range(5))
def test_crash_while_restoring_leaves_all_or_nothing(copied, tmp_path, monkeypatch, placed):
    """Stopped after any number of files, the folder is whole or what was begun is taken back."""
    target = tmp_path / "new"
    target.mkdir()
    link, calls = os.link, []

    def crash(*paths):
        if len(calls) == placed:
            raise KeyboardInterrupt
        calls.append(link(*paths))

    monkeypatch.setattr(os, "link", crash)
    monkeypatch.setattr(backup, "clear", lambda data: None)  # a killed process does not tidy up
    if placed < 4:
        with pytest.raises(KeyboardInterrupt):
            put_back(copied, target)
    else:
        put_back(copied, target)
    clear(target)

    names = sorted(file.name for file in target.iterdir())
    whole = ["lineage", "memory.db", "sessions.db", KEY_FILE]
    assert names == (whole if placed == 4 else [])


def test_file_that_is_there_already_stays(copied, tmp_path):
    """Restoring beside sessions that exist keeps them, also where it is broken off."""
    target = tmp_path / "new"
    target.mkdir()
    (target / "sessions.db").write_bytes(b"mine")
    put_back(copied, target)

    assert (target / "sessions.db").read_bytes() == b"mine"
    assert said(target) == ["the kettle sings"]


def test_log_of_a_database_that_is_gone_does_not_spoil_the_restored_one(copied, tmp_path):
    """A write-ahead log without its database is not played into the one that takes its place."""
    target = tmp_path / "new"
    with Memory.open(target, "hash") as memory:
        memory.for_user("u9").recall.append("s1", "user", "another kettle")
        log = (target / "memory.db-wal").read_bytes()
    for file in target.iterdir():
        file.unlink()
    (target / "memory.db-wal").write_bytes(log)
    put_back(copied, target)

    assert said(target) == ["the kettle sings"]


def test_manifest_is_delivered_last(data, tmp_path, monkeypatch):
    """Broken off before its end, a delivery left a folder that does not count."""
    made, target = tmp_path / "made", tmp_path / "target"
    made.mkdir()
    manifest = draft(ways(data), made, NOW)
    monkeypatch.setattr(backup, "finish", lambda *_: os.strerror(5))
    deliver(made, manifest, target)

    assert sorted(file.name for file in target.iterdir()) == sorted({*WHOLE} - {MANIFEST})
    assert read(target) is None


def test_manifest_says_size_hash_format_and_time(data, copied):
    """What the manifest holds can be checked without this program."""
    manifest = json.loads((copied / MANIFEST).read_text())

    assert manifest["schema"] == 1
    assert datetime.fromisoformat(manifest["at"]).tzinfo is not None
    assert manifest["files"]["memory.db"] == {
        "bytes": (copied / "memory.db").stat().st_size,
        "sha256": backup._digest(copied / "memory.db"),
    }
