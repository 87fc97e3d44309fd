"""The word indexes agree with the rows, and a stock command line can use them."""

import shutil
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from memory_tiers import Memory, UserMemory
from memory_tiers.sqlite.rows import match_expression
from memory_tiers.store import Owner

INDEXES = ("messages_words", "passages_words")


@pytest.fixture
def stock(tmp_path: Path, memory: Memory) -> Iterator[sqlite3.Connection]:
    """The database of `memory`, opened without anything of ours."""
    with closing(sqlite3.connect(tmp_path / "data" / "memory.db")) as connection:
        yield connection


def check(connection: sqlite3.Connection) -> None:
    """Run the indexes' own check against the rows, and the database's."""
    for index in INDEXES:
        connection.execute(f"INSERT INTO {index}({index}, rank) VALUES('integrity-check', 1)")
    connection.commit()
    assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def fill(mine: UserMemory) -> None:
    """Store, correct and delete in both tiers."""
    for n in range(6):
        mine.recall.append("s1", "user", f"tea {n} C++", id=f"m{n}")
    passages = [mine.archival.insert(f"note {n} 東京") for n in range(6)]
    mine.recall.delete("m1")
    mine.recall.delete("m4")
    mine.archival.update(passages[0].id, "corrected")
    mine.archival.delete(passages[1].id)


def test_indexes_agree_with_the_rows_after_every_kind_of_change(
    mine: UserMemory, stock: sqlite3.Connection
):
    """After inserts, corrections and deletes the integrity check passes."""
    fill(mine)

    check(stock)


def test_restored_and_purged_rows_keep_the_indexes_right(
    mine: UserMemory, stock: sqlite3.Connection
):
    """A deleted row may come back or go for good, by plain SQL, and search follows."""
    fill(mine)
    stock.execute("UPDATE messages SET deleted_at = NULL WHERE id = 'm1'")
    stock.execute("DELETE FROM messages WHERE id IN ('m2', 'm4')")
    stock.execute("DELETE FROM passages WHERE deleted_at IS NOT NULL")
    stock.commit()

    check(stock)
    assert {hit.id for hit in mine.recall.search("tea").hits} == {"m0", "m1", "m3", "m5"}


def test_deleted_words_leave_the_index(mine: UserMemory, stock: sqlite3.Connection):
    """The index holds no entry of a message that was deleted."""
    message = mine.recall.append("s1", "user", "zanzibar")
    mine.recall.delete(message.id)

    found = stock.execute("SELECT 1 FROM messages_words WHERE messages_words MATCH 'zanzibar'")

    assert found.fetchall() == []


def test_schema_needs_nothing_of_ours(stock: sqlite3.Connection):
    """Tokenizers are stock ones, and triggers call no function but builtin ones."""
    schema = "\n".join(row[0] for row in stock.execute("SELECT sql FROM sqlite_schema") if row[0])

    assert schema.count("tokenize='porter unicode61'") == schema.count("USING fts5") == 2


def test_stock_connection_can_write(mine: UserMemory, stock: sqlite3.Connection):
    """A plain connection may add a row, and search finds it."""
    mine.recall.append("s1", "user", "first")
    stock.execute(
        "INSERT INTO messages(user_id, agent_id, owner, id, session_id, role, text, searchable, at)"
        " SELECT user_id, agent_id, owner, 'm9', 's1', 'user', 'Zebra', 'zebra', at FROM messages"
    )
    stock.commit()

    assert mine.recall.search("zebra").hits[0].id == "m9"


@pytest.mark.skipif(shutil.which("sqlite3") is None, reason="the sqlite3 command is not installed")
def test_stock_command_line_can_match(tmp_path: Path, mine: UserMemory):
    """The sqlite3 command reads and searches what was stored."""
    mine.recall.append("s1", "user", "The spare key hangs behind the blue door.")
    query = (
        "SELECT text FROM messages_words JOIN messages ON seq = messages_words.rowid "
        "WHERE messages_words MATCH 'searchable : hanging' ORDER BY rank"
    )

    shown = subprocess.run(
        ["sqlite3", str(tmp_path / "data" / "memory.db"), query],
        capture_output=True,
        text=True,
        check=True,
    )

    assert shown.stdout.strip() == "The spare key hangs behind the blue door."


def test_search_reads_the_owners_entries_only(stock: sqlite3.Connection, memory: Memory):
    """The full-text query itself is bound to the owner, before any row is joined."""
    for name in ("a", "b"):
        memory.for_user(name).recall.append("s", "user", "tea")

    expression = match_expression(Owner("a", "default"), ["tea"])
    found = stock.execute(
        "SELECT count(*) FROM messages_words WHERE messages_words MATCH ?", (expression,)
    )

    assert found.fetchone() == (1,)
