"""What the tests of whole persons fill a memory with, and where they look for traces."""

import sqlite3
from contextlib import closing
from pathlib import Path

from memory_tiers import Memory, UserMemory

VISITOR, USER = "visitor-1", "hf-7"
ODD_IDS = ("u", "u1", "u1%", "u_1", "u'1\"", "Zoë 🙂", "東京", "u\U0010ffff", "u1 ", "U1", "[u]*")


def tables(folder: Path) -> dict[str, int]:
    """Return every table that names a user and how many rows it has."""
    with closing(sqlite3.connect(folder / "memory.db")) as connection:
        names = [
            name
            for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")
            if any(
                column == "user_id"
                for _, column, *_ in connection.execute(f"PRAGMA table_info({name})")
            )
        ]
        return {
            name: connection.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in names
        }


def rows_of(folder: Path, user_id: str) -> int:
    """Count what any table holds of a user."""
    with closing(sqlite3.connect(folder / "memory.db")) as connection:
        return sum(
            connection.execute(
                f"SELECT count(*) FROM {name} WHERE user_id = ?", (user_id,)
            ).fetchone()[0]
            for name in tables(folder)
        )


def check(folder: Path) -> None:
    """Run the word indexes' own check, the database's, and that of its references."""
    with closing(sqlite3.connect(folder / "memory.db")) as connection:
        for index in ("messages_words", "passages_words"):
            connection.execute(f"INSERT INTO {index}({index}, rank) VALUES('integrity-check', 1)")
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []


def content(folder: Path) -> bytes:
    """Return every byte of a folder, names included."""
    files = sorted(file for file in folder.rglob("*") if file.is_file())
    return b"".join(file.name.encode() + file.read_bytes() for file in files)


def fill(mine: UserMemory, word: str = "tea") -> None:
    """Store something of every kind, under ids that repeat for every user."""
    for n in range(3):
        mine.recall.append("s1", "user", f"{word} message {n}", id=f"m{n}")
    mine.recall.append("s2", "assistant", f"{word} elsewhere", id="m9")
    mine.recall.delete("m1")
    mine.sessions.title("s1", f"About {word}")
    mine.archival.insert(f"{word} note with tags", ["Drinks", word])
    removed = mine.archival.insert(f"{word} note that went")
    mine.archival.delete(removed.id)
    changed = mine.archival.insert(f"{word} note to be changed")
    mine.archival.update(changed.id, f"{word} note that was changed")
    mine.core.append("human", f"Likes {word}.")
    mine.confirmations.open(
        "card", session_id="s1", call_id="c1", tool="t", arguments={"new": word}
    )


def seen(memory: Memory, user_id: str, agent: str = "default") -> tuple[object, ...]:
    """Return all that can be seen of a user's memory."""
    mine = memory.for_user(user_id, agent)
    return (
        [(b.label, b.text, b.version) for b in mine.core.blocks()],
        [mine.core.history(label) for label in ("persona", "human") if mine.core.block(label).at],
        mine.sessions.list(),
        [mine.recall.messages(session.id) for session in mine.sessions.list()],
        mine.archival.list().hits,
        mine.confirmations.pending(),
        [hit.id for hit in mine.recall.search("tea message").hits],
        [hit.id for hit in mine.archival.search("tea note").hits],
    )
