"""The schema grows step by step, from any earlier state, and never backwards."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from memory_tiers import Memory, SchemaTooNew
from memory_tiers.sqlite import migrations
from memory_tiers.sqlite.migrations import MIGRATIONS, apply


def schema(file: Path) -> list[tuple[str, ...]]:
    """Return every object of a database with its definition."""
    with closing(sqlite3.connect(file)) as connection:
        query = "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name"
        return connection.execute(query).fetchall()


def contents(folder: Path) -> dict[str, bytes]:
    """Return every file of a folder."""
    return {file.name: file.read_bytes() for file in folder.iterdir()}


@pytest.fixture
def newest(tmp_path: Path) -> list[tuple[str, ...]]:
    """The schema of a new memory."""
    Memory.open(tmp_path / "new", "hash").close()
    return schema(tmp_path / "new" / "memory.db")


@pytest.mark.parametrize("steps", range(len(MIGRATIONS) + 1))
def test_every_earlier_state_reaches_the_same_schema(
    tmp_path: Path, newest, monkeypatch: pytest.MonkeyPatch, steps: int
):
    """A memory of any age becomes one like a new one."""
    with (
        monkeypatch.context() as earlier,
        closing(sqlite3.connect(tmp_path / "memory.db", isolation_level=None)) as connection,
    ):
        earlier.setattr(migrations, "MIGRATIONS", MIGRATIONS[:steps])
        apply(connection)

    Memory.open(tmp_path, "hash").close()

    assert schema(tmp_path / "memory.db") == newest


def test_names_are_distinct_and_in_order():
    """Each step has a name of its own, and the names tell the order."""
    names = [name for name, _ in MIGRATIONS]

    assert names == sorted(set(names))


def test_step_that_fails_leaves_no_trace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A step is done whole with its record, or not at all."""
    broken = (*MIGRATIONS[:1], ("002 broken", "CREATE TABLE half(a);\nCREATE TABLE half(a);\n"))
    monkeypatch.setattr(migrations, "MIGRATIONS", broken)

    with closing(sqlite3.connect(tmp_path / "memory.db", isolation_level=None)) as connection:
        with pytest.raises(sqlite3.OperationalError, match="half"):
            apply(connection)
        names = connection.execute("SELECT name FROM migrations").fetchall()
        half = connection.execute("SELECT 1 FROM sqlite_schema WHERE name = 'half'").fetchall()

    assert names == [("001 core blocks",)]
    assert half == []


def test_opening_again_changes_nothing(tmp_path: Path):
    """A memory that is up to date keeps its records."""
    Memory.open(tmp_path, "hash").close()
    before = schema(tmp_path / "memory.db")

    Memory.open(tmp_path, "hash").close()

    assert schema(tmp_path / "memory.db") == before


@pytest.mark.parametrize("mode", ["WAL", "DELETE"])
def test_newer_database_is_refused_and_left_alone(tmp_path: Path, mode: str):
    """A memory of a newer version stops the start, byte for byte as it was."""
    Memory.open(tmp_path, "hash").close()
    with closing(sqlite3.connect(tmp_path / "memory.db")) as connection:
        connection.execute("INSERT INTO migrations VALUES('999 from the future', '')")
        connection.commit()
        connection.execute(f"PRAGMA journal_mode = {mode}")
    before = (tmp_path / "memory.db").read_bytes()

    with pytest.raises(SchemaTooNew, match=r"newer version.*999 from the future.*nothing was"):
        Memory.open(tmp_path, "hash")

    assert (tmp_path / "memory.db").read_bytes() == before


def test_newer_database_in_its_log_is_refused(tmp_path: Path):
    """A step that only the write-ahead log holds yet is noticed, and the log is kept."""
    Memory.open(tmp_path, "hash").close()
    with closing(sqlite3.connect(tmp_path / "memory.db")) as connection:
        connection.execute("INSERT INTO migrations VALUES('999 from the future', '')")
        connection.commit()
        copy = tmp_path / "copy"
        copy.mkdir()
        for name in ("memory.db", "memory.db-wal"):
            (copy / name).write_bytes((tmp_path / name).read_bytes())
    before = contents(copy)

    with pytest.raises(SchemaTooNew):
        Memory.open(copy, "hash")

    after = contents(copy)
    assert {name: after[name] for name in before} == before


def test_every_table_names_its_owner(tmp_path: Path, newest):
    """No row can be stored without the user and the agent it belongs to."""
    with closing(sqlite3.connect(tmp_path / "new" / "memory.db")) as connection:
        tables = [
            name
            for kind, name, _, sql in newest
            if kind == "table" and "_words" not in name and sql and not name.startswith("sqlite_")
        ]
        columns = {
            table: {row[1] for row in connection.execute(f"PRAGMA table_info({table})")}
            for table in tables
            if table != "migrations"
        }

    assert len(columns) == 8
    assert all({"user_id", "agent_id"} <= names for names in columns.values())
