"""The rows of one person become those of another, inside the caller's transaction.

What both have under one id is kept twice: the newcomer's gets an id of its own, always the same
one, so that whoever keeps something else under these ids can follow.
"""

import sqlite3
from collections.abc import Mapping
from datetime import datetime
from hashlib import blake2b

from memory_tiers.records import BlockVersion, Passage
from memory_tiers.sqlite.blocks import add_version, versions_of
from memory_tiers.sqlite.nearest import NearestChunks
from memory_tiers.sqlite.passages import add_row, same_text
from memory_tiers.sqlite.rows import OWNED, owned, token
from memory_tiers.store import Merging, Owner

_THEIRS = "user_id = :visitor AND agent_id = :agent_id"
_BY_ID = ("messages", "passages", "confirmations")
_MOVED = ("sessions", "confirmations", "passage_tags", "chunks")
_SESSIONS = (
    "SELECT id FROM sessions WHERE user_id = ? UNION "
    "SELECT session_id FROM confirmations WHERE user_id = ?"
)
_AGENTS = " UNION ".join(
    f"SELECT agent_id FROM {table} WHERE user_id = :visitor"
    for table in ("messages", "passages", "chunk_changes", "block_versions", *_MOVED)
)


def new_session_ids(
    connection: sqlite3.Connection, visitor_id: str, user_id: str
) -> dict[str, str]:
    """Return what the sessions of a visitor will be called whose ids the user has too."""
    theirs, own = (
        {row["id"] for row in connection.execute(_SESSIONS, (person, person))}
        for person in (visitor_id, user_id)
    )
    taken = theirs | own
    found = {}
    for id in sorted(theirs & own):
        found[id] = _free(id, visitor_id, taken)
        taken.add(found[id])
    return found


def adopt(
    connection: sqlite3.Connection,
    nearest: NearestChunks,
    persons: tuple[str, str],
    merge: Merging,
    at: datetime,
) -> list[tuple[Owner, Passage]]:
    """Give everything of the first person to the second; return the passages `merge` made."""
    visitor_id, user_id = persons
    made: list[tuple[Owner, Passage]] = []
    if visitor_id == user_id:
        return made
    _rename_sessions(connection, visitor_id, new_session_ids(connection, visitor_id, user_id))
    for row in connection.execute(_AGENTS, {"visitor": visitor_id}).fetchall():
        visitor, user = Owner(visitor_id, row["agent_id"]), Owner(user_id, row["agent_id"])
        _begin_index(connection, nearest, visitor, user)
        _move_rows(connection, visitor, user)
        for passage in _merge_blocks(connection, visitor, user, merge, at):
            made.append((user, passage))
    return made


def _rename_sessions(
    connection: sqlite3.Connection, visitor_id: str, names: Mapping[str, str]
) -> None:
    for old, new in names.items():
        for table, column in (
            ("sessions", "id"),
            ("messages", "session_id"),
            ("confirmations", "session_id"),
        ):
            connection.execute(
                f"UPDATE {table} SET {column} = ? WHERE user_id = ? AND {column} = ?",
                (new, visitor_id, old),
            )


def _begin_index(
    connection: sqlite3.Connection, nearest: NearestChunks, visitor: Owner, user: Owner
) -> None:
    """Let the index of the user know of chunks to come, or make one."""
    newest = connection.execute(
        f"SELECT model, width FROM chunks WHERE {OWNED} ORDER BY seq DESC LIMIT 1", owned(visitor)
    ).fetchone()
    if newest is None:
        return
    nearest.begin(connection, user, newest["model"], newest["width"])
    connection.execute(
        "INSERT INTO chunk_changes SELECT :user_id, agent_id, number FROM chunk_changes "
        f"WHERE {_THEIRS} ON CONFLICT(user_id, agent_id) DO UPDATE SET number = number + 1",
        {**owned(user), "visitor": visitor.user_id},
    )


def _move_rows(connection: sqlite3.Connection, visitor: Owner, user: Owner) -> None:
    who = {**owned(user), "visitor": visitor.user_id, "token": token(user)}
    connection.execute(
        f"DELETE FROM passages WHERE {_THEIRS} AND deleted_at IS NULL AND fingerprint IN "
        f"(SELECT fingerprint FROM passages WHERE {OWNED} AND deleted_at IS NULL)",
        who,
    )
    for table in _BY_ID:
        _part_ids(connection, table, visitor, user)
    for table in ("messages", "passages"):
        connection.execute(
            f"UPDATE {table} SET user_id = :user_id, owner = :token WHERE {_THEIRS}", who
        )
    for table in _MOVED:
        connection.execute(f"UPDATE {table} SET user_id = :user_id WHERE {_THEIRS}", who)
    connection.execute(f"DELETE FROM chunk_changes WHERE {_THEIRS}", who)


def _part_ids(connection: sqlite3.Connection, table: str, visitor: Owner, user: Owner) -> None:
    """Give rows of the visitor another id where the user has one of the same."""
    theirs, own = (
        {row["id"] for row in connection.execute(f"SELECT id FROM {table} WHERE {OWNED}", who)}
        for who in (owned(visitor), owned(user))
    )
    taken = theirs | own
    for id in sorted(theirs & own):
        new = _free(id, visitor.user_id, taken)
        taken.add(new)
        connection.execute(
            f"UPDATE {table} SET id = :new WHERE {OWNED} AND id = :id",
            {**owned(visitor), "new": new, "id": id},
        )


def _merge_blocks(
    connection: sqlite3.Connection, visitor: Owner, user: Owner, merge: Merging, at: datetime
) -> list[Passage]:
    """Move, add or note what the visitor's blocks say; return the new passages."""
    made = []
    labels = connection.execute(
        f"SELECT DISTINCT label FROM block_versions WHERE {OWNED}", owned(visitor)
    ).fetchall()
    for (label,) in labels:
        theirs = versions_of(connection, visitor, label)
        own = versions_of(connection, user, label)
        merged = merge(theirs, own)
        if merged.moved:
            _move_versions(connection, visitor, user, label)
        if merged.text is not None:
            newest = BlockVersion(label, own[-1].version + 1, merged.text, "import", at)
            add_version(connection, user, newest, None)
        note = merged.note
        if note is not None and same_text(connection, user, note.text) is None:
            add_row(connection, user, note)
            made.append(note)
    connection.execute(f"DELETE FROM block_versions WHERE {OWNED}", owned(visitor))
    return made


def _move_versions(connection: sqlite3.Connection, visitor: Owner, user: Owner, label: str) -> None:
    who = {**owned(user), "visitor": visitor.user_id, "label": label}
    connection.execute(  # a key both used stays used
        f"UPDATE block_versions SET key = NULL WHERE {_THEIRS} AND label = :label AND key IN "
        f"(SELECT key FROM block_versions WHERE {OWNED})",
        who,
    )
    connection.execute(
        f"UPDATE block_versions SET user_id = :user_id WHERE {_THEIRS} AND label = :label", who
    )


def _free(id: str, visitor_id: str, taken: set[str]) -> str:
    mark = blake2b(visitor_id.encode(), digest_size=4).hexdigest()
    while id in taken:
        id = f"{id}-{mark}"
    return id
