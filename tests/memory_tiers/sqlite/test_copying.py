"""Copies of a database in use: sound, complete, without what was deleted, in nobody's way."""

import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest

from memory_tiers import InvalidInput, Memory, StoreUnavailable
from memory_tiers.sqlite.copying import check_database, copy_database


def test_backup_is_a_memory_like_the_one_it_was_made_of(memory: Memory, tmp_path: Path):
    """Every tier is in the copy, and word search and meaning work in it."""
    mine = memory.for_user("u1")
    mine.core.append("human", "Likes tea.")
    mine.recall.append("s1", "user", "the kettle sings")
    note = mine.archival.insert("green tea from Uji", tags=["tea"])
    (tmp_path / "other").mkdir()
    memory.backup(tmp_path / "other" / "memory.db")

    with Memory.open(tmp_path / "other", "hash") as copied:
        theirs = copied.for_user("u1")
        assert theirs.core.block("human").text == "Likes tea."
        assert theirs.recall.search("kettle").total == 1
        assert [hit.id for hit in theirs.archival.search("Uji").hits] == [note.id]
        assert theirs.archival.search(note.text).hits[0].score == pytest.approx(2.0)


def test_backup_while_a_thread_writes_holds_the_last_committed_message(
    memory: Memory, tmp_path: Path
):
    """What was acknowledged before the backup began is in it, and the file is sound."""
    mine = memory.for_user("u1")
    acknowledged: list[str] = []
    stop = threading.Event()

    def write() -> None:
        while not stop.is_set():
            acknowledged.append(mine.recall.append("s1", "user", f"n{len(acknowledged)}").id)

    thread = threading.Thread(target=write)
    thread.start()
    held = []
    try:
        for number in range(5):
            while len(acknowledged) < 20 * (number + 1):
                stop.wait(0.001)
            before = list(acknowledged)
            memory.backup(tmp_path / f"{number}.db")
            held.append((tmp_path / f"{number}.db", before))
    finally:
        stop.set()
        thread.join()

    for file, before in held:
        with closing(sqlite3.connect(file)) as copied:
            assert copied.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            ids = [id for (id,) in copied.execute("SELECT id FROM messages ORDER BY seq")]
        assert ids[: len(before)] == before


def test_nobody_waits_for_a_backup(tmp_path: Path):
    """While a copy is being read, others write and commit; the copy is of one instant."""
    source = tmp_path / "memory.db"
    with Memory.open(tmp_path, "hash") as memory:
        mine = memory.for_user("u1")
        mine.recall.append("s1", "user", "before")
        with closing(sqlite3.connect(source, isolation_level=None)) as reader:
            reader.execute("BEGIN")  # as the copy does for as long as it takes
            before = reader.execute("SELECT count(*) FROM messages").fetchone()
            mine.recall.append("s1", "user", "meanwhile")
            after = reader.execute("SELECT count(*) FROM messages").fetchone()

    assert before == after == (1,)


def test_deleted_text_does_not_travel(tmp_path: Path):
    """A page that is free in the source is not in the copy."""
    source, target = tmp_path / "a.db", tmp_path / "b.db"
    with closing(sqlite3.connect(source)) as database:
        database.execute("PRAGMA secure_delete = OFF")
        database.execute("CREATE TABLE t(text)")
        database.executemany("INSERT INTO t VALUES(?)", [("xyzzy " * 500,), ("kept",)])
        database.commit()
        database.execute("DELETE FROM t WHERE text <> 'kept'")
        database.commit()
    copy_database(source, target)

    assert b"xyzzy" in source.read_bytes()
    assert b"xyzzy" not in target.read_bytes()
    assert b"kept" in target.read_bytes()


def test_existing_file_is_never_replaced(memory: Memory, tmp_path: Path):
    """A backup onto a file is refused, and the file stays as it was."""
    file = tmp_path / "mine"
    file.write_text("mine")

    with pytest.raises(InvalidInput, match="exists"):
        memory.backup(file)
    with pytest.raises(FileExistsError):
        copy_database(tmp_path / "data" / "memory.db", file)
    assert file.read_text() == "mine"


def test_backup_into_a_missing_folder_is_one_sentence(memory: Memory, tmp_path: Path):
    """Where the copy cannot be written, that is said without a path, and memory goes on."""
    with pytest.raises(StoreUnavailable) as error:
        memory.backup(tmp_path / "missing" / "memory.db")

    assert str(tmp_path) not in str(error.value)
    memory.for_user("u1").recall.append("s1", "user", "still here")


def test_closed_memory_makes_no_backup(tmp_path: Path):
    """After closing, a backup is refused like every other call."""
    memory = Memory.open(tmp_path / "data", "hash")
    memory.close()

    with pytest.raises(StoreUnavailable, match="closed"):
        memory.backup(tmp_path / "copy.db")
    assert not (tmp_path / "copy.db").exists()


def test_damaged_source_leaves_no_copy(tmp_path: Path):
    """A database whose rows cannot be read is an error, and nothing half made stays."""
    source, target = tmp_path / "a.db", tmp_path / "b.db"
    with closing(sqlite3.connect(source)) as database:
        database.execute("CREATE TABLE t(text)")
        database.executemany("INSERT INTO t VALUES(?)", [("words " * 100,)] * 200)
        database.commit()
    content = bytearray(source.read_bytes())
    content[4096:20_000] = b"\x55" * (20_000 - 4096)
    source.write_bytes(content)

    with pytest.raises(sqlite3.Error):
        copy_database(source, target)
    with pytest.raises(sqlite3.Error):
        check_database(source)
    assert not target.exists()
