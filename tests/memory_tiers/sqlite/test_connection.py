"""What the disk may do to a memory: one plain sentence, nothing half done, usable again."""

import os
import sqlite3
import stat
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path

import pytest

from memory_tiers import Memory, StoreUnavailable
from memory_tiers.sqlite import connection as module
from memory_tiers.sqlite.connection import Database


def refused(folder: Path) -> str:
    """Return the sentence with which opening a folder is refused."""
    with pytest.raises(StoreUnavailable) as error:
        Memory.open(folder, "hash")
    sentence = str(error.value)
    assert str(folder) not in sentence
    assert folder.name not in sentence
    assert sentence.endswith(".")
    return sentence


def test_new_folder_is_private(tmp_path: Path):
    """The data folder is made with its parents, for its owner alone."""
    Memory.open(tmp_path / "a" / "b", "hash").close()

    assert stat.S_IMODE((tmp_path / "a" / "b").stat().st_mode) == 0o700


def test_writes_are_durable_and_erase_what_they_replace(tmp_path: Path):
    """The database runs with a write-ahead log, full syncs and secure deletes."""
    database = Database(tmp_path)
    with database.write() as connection:
        modes = [
            connection.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("journal_mode", "synchronous", "secure_delete", "foreign_keys")
        ]
    database.close()

    assert modes == ["wal", 2, 1, 1]


def test_file_in_the_place_of_the_folder(tmp_path: Path):
    """A file where the folder should be is named as the trouble and left as it is."""
    place = tmp_path / "wanted"
    place.write_text("mine")

    assert "file is in the place" in refused(place)
    assert "file is in the place" in refused(place / "below")
    assert place.read_text() == "mine"


@pytest.mark.parametrize(
    "content", [b"no database at all, but long enough" * 40, b"SQLite format 3"]
)
def test_file_that_is_no_database(tmp_path: Path, content: bytes):
    """A foreign file under the database's name is refused and left as it is."""
    (tmp_path / "memory.db").write_bytes(content)

    assert "no SQLite database" in refused(tmp_path)
    assert (tmp_path / "memory.db").read_bytes() == content


def test_damaged_database(tmp_path: Path):
    """A database whose pages are overwritten is refused as damaged."""
    Memory.open(tmp_path, "hash").close()
    file = tmp_path / "memory.db"
    content = bytearray(file.read_bytes())
    content[100:4096] = b"\x55" * 3996
    file.write_bytes(content)

    assert "damaged" in refused(tmp_path)


def test_folder_in_the_place_of_the_database(tmp_path: Path):
    """A folder under the database's name cannot be opened."""
    (tmp_path / "memory.db").mkdir()

    assert "cannot be opened" in refused(tmp_path)


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs a folder that takes no files")
def test_folder_that_cannot_be_made():
    """A place where the system allows no folder is refused."""
    assert "cannot be made" in refused(Path("/proc/memory-of-nobody"))


def test_folder_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A read-only folder is refused before anything is touched."""
    monkeypatch.setattr(os, "access", lambda *_: False)

    assert "cannot be written" in refused(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_disk_with_hardly_any_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A disk that is nearly full is refused with both numbers, before anything is touched."""
    monkeypatch.setattr(module, "LEAST_FREE_BYTES", 2**62)

    assert "MB are needed" in refused(tmp_path / "new")
    assert list(tmp_path.iterdir()) == []


def test_failed_write_leaves_the_memory_usable(tmp_path: Path):
    """When the disk is full a write fails with a sentence, whole; reading and later writes work."""
    database = Database(tmp_path)
    with database.write() as connection:
        connection.execute("CREATE TABLE t(x)")
        connection.execute("INSERT INTO t VALUES('kept')")
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {pages}")

    with pytest.raises(StoreUnavailable, match="disk is full"), database.write() as connection:
        connection.execute("INSERT INTO t VALUES('half')")
        connection.execute("INSERT INTO t VALUES(randomblob(1000000))")

    with database.read() as connection:
        assert [row[0] for row in connection.execute("SELECT x FROM t")] == ["kept"]
    with database.write() as connection:
        connection.execute("PRAGMA max_page_count = 1000000")
        connection.execute("INSERT INTO t VALUES('again')")
    database.close()


def test_body_that_fails_writes_nothing(tmp_path: Path):
    """An error inside a transaction passes through and undoes it."""
    database = Database(tmp_path)

    with pytest.raises(ValueError, match="stop"), database.write() as connection:
        connection.execute("CREATE TABLE t(x)")
        raise ValueError("stop")

    with database.read() as connection:
        assert not connection.execute("SELECT 1 FROM sqlite_schema WHERE name = 't'").fetchall()
    database.close()


def test_memory_held_by_another_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A lock that is not given up is told as such."""
    monkeypatch.setattr(module, "BUSY_SECONDS", 0.05)
    with (
        Memory.open(tmp_path, "hash") as memory,
        closing(sqlite3.connect(tmp_path / "memory.db", isolation_level=None)) as other,
    ):
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreUnavailable, match="Another program"):
            memory.for_user("u1").recall.append("s", "user", "tea")
        other.execute("ROLLBACK")

        memory.for_user("u1").recall.append("s", "user", "tea")


def test_readers_do_not_wait_for_a_writer(tmp_path: Path):
    """While one thread is inside a write, another reads what was committed before."""
    database = Database(tmp_path)
    entered, leave = threading.Event(), threading.Event()

    def write() -> None:
        with database.write() as connection:
            connection.execute("CREATE TABLE t(x)")
            entered.set()
            leave.wait(10)

    writer = threading.Thread(target=write)
    writer.start()
    entered.wait(10)
    with database.read() as connection:
        seen = connection.execute("SELECT 1 FROM sqlite_schema WHERE name = 't'").fetchall()
    leave.set()
    writer.join()
    database.close()

    assert seen == []


def test_processes_open_and_write_at_one_moment(tmp_path: Path):
    """Several processes may make the same new memory and write to it at once."""
    script = (
        "import sys; from memory_tiers import Memory\n"
        "with Memory.open(sys.argv[1], 'hash') as memory:\n"
        "    mine = memory.for_user('u1')\n"
        "    for n in range(10):\n"
        "        mine.recall.append('s', 'user', f'tea {sys.argv[2]} {n}')\n"
        "        mine.archival.insert(f'note {sys.argv[2]} {n}')\n"
        "        mine.core.append('human', f'{sys.argv[2]} {n}')\n"
    )
    running = [
        subprocess.Popen(
            [sys.executable, "-c", script, str(tmp_path / "data"), name],
            cwd=Path(__file__).parents[3],
            env={**os.environ, "PYTHONPATH": "."},
        )
        for name in ("left", "right", "middle")
    ]

    assert [process.wait(60) for process in running] == [0, 0, 0]
    with Memory.open(tmp_path / "data", "hash") as memory:
        mine = memory.for_user("u1")
        assert (mine.recall.count(), mine.archival.count()) == (30, 30)
        assert mine.recall.search("tea").total == 30
        assert mine.archival.search("note left 3").hits[0].text == "note left 3"
        assert len(mine.core.history("human")) == 31
