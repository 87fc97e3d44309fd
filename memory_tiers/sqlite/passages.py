"""The rows of archival memory, their word index and their vectors.

The planner knows no statistics here, so queries that start from a few rows say so: `CROSS JOIN`
reads the word index first, `NOT INDEXED` looks rows up by number, not through their owner.
"""

import hashlib
import json
import sqlite3
from collections.abc import Sequence
from datetime import datetime

from memory_tiers.dates import stamp
from memory_tiers.records import Passage
from memory_tiers.sqlite.connection import Database
from memory_tiers.sqlite.nearest import NearestChunks
from memory_tiers.sqlite.rows import (
    OWNED,
    listed,
    match_expression,
    moment,
    owned,
    time_bounds,
    token,
)
from memory_tiers.sqlite.vectors import VectorIndex
from memory_tiers.store import Candidate, Embedded, Filter, Owner, Vectors
from memory_tiers.text import searchable

_LIVE = f"{OWNED} AND deleted_at IS NULL"
_SELECT = (
    "SELECT passages.seq, id, text, at, (SELECT json_group_array(tag) FROM (SELECT tag FROM "
    "passage_tags WHERE passage_seq = passages.seq ORDER BY position)) AS tags FROM passages "
    f"WHERE {_LIVE}"
)


class SqlitePassages:
    """`PassageRows` over `passages`, `passages_words`, `chunks` and the indexes of the chunks."""

    def __init__(self, database: Database, nearest: NearestChunks) -> None:
        self._database = database
        self._nearest = nearest

    def add(self, owner: Owner, passage: Passage, embedded: Embedded | None) -> Passage:
        """Store a passage; return it, or the one with the same text, marked as known."""
        with self._database.write() as connection:
            known = same_text(connection, owner, passage.text)
            if known is not None:
                return known
            seq = add_row(connection, owner, passage)
            self._replace_chunks(connection, owner, seq, embedded)
        return passage

    def same(self, owner: Owner, text: str) -> Passage | None:
        """Return the passage that has this text, None when there is none."""
        with self._database.read() as connection:
            return same_text(connection, owner, text)

    def get(self, owner: Owner, id: str) -> Passage | None:
        """Return one passage, None when there is none."""
        return self.many(owner, [id]).get(id)

    def many(self, owner: Owner, ids: Sequence[str]) -> dict[str, Passage]:
        """Return the passages that exist among `ids`."""
        with self._database.read() as connection:
            rows = connection.execute(
                f"{_SELECT} AND id IN (SELECT value FROM json_each(:ids))",
                {**owned(owner), "ids": listed(ids)},
            ).fetchall()
        return {row["id"]: _passage(row) for row in rows}

    def list(self, owner: Owner, limit: int, offset: int) -> tuple[Sequence[Passage], int]:
        """Return a stretch of the passages, newest first, and their total."""
        with self._database.read() as connection:
            (total,) = connection.execute(
                f"SELECT count(*) FROM passages WHERE {_LIVE}", owned(owner)
            ).fetchone()
            rows = connection.execute(
                f"{_SELECT} ORDER BY at DESC, passages.seq DESC LIMIT :limit OFFSET :offset",
                {**owned(owner), "limit": limit, "offset": offset},
            ).fetchall()
        return [_passage(row) for row in rows], total

    def update(self, owner: Owner, id: str, text: str, embedded: Embedded | None) -> Passage | None:
        """Replace a passage's text and vectors; None when there is no such passage."""
        with self._database.write() as connection:
            row = connection.execute(
                f"{_SELECT} AND id = :id", {**owned(owner), "id": id}
            ).fetchone()
            if row is None:
                return None
            connection.execute(
                "UPDATE passages SET text = :text, searchable = :searchable, "
                f"fingerprint = :fingerprint WHERE {OWNED} AND seq = :seq",
                {**owned(owner), **_written(text), "seq": row["seq"]},
            )
            self._replace_chunks(connection, owner, row["seq"], embedded)
        return Passage(id, text, _passage(row).tags, moment(row["at"]))

    def delete(self, owner: Owner, id: str, at: datetime) -> bool:
        """Take a passage out of every view; tell whether it was there.

        Its vectors go at once; a passage that is restored gets new ones like any that has none.
        """
        with self._database.write() as connection:
            row = connection.execute(
                f"SELECT seq FROM passages WHERE {_LIVE} AND id = :id", {**owned(owner), "id": id}
            ).fetchone()
            if row is None:
                return False
            connection.execute(
                f"UPDATE passages SET deleted_at = :at WHERE {OWNED} AND seq = :seq",
                {**owned(owner), "seq": row["seq"], "at": stamp(at)},
            )
            self._replace_chunks(connection, owner, row["seq"], None)
        return True

    def candidates(
        self, owner: Owner, terms: Sequence[str], embedded: Embedded | None, where: Filter
    ) -> Sequence[Candidate]:
        """Return what holds any of `terms` or lies near the first vector of `embedded`.

        Where no passage holds a term, those with words that begin like one are found.
        """
        condition, parameters = _conditions(owner, where)
        with self._database.read() as connection:
            words = _by_words(connection, owner, terms, condition, parameters)
            near = {}
            if embedded is not None:
                narrowed = None if where == Filter() else (condition, parameters)
                near = self._by_meaning(connection, owner, embedded, narrowed)
            rows = connection.execute(
                f"SELECT seq, id, at FROM passages NOT INDEXED WHERE {condition} "
                "AND seq IN (SELECT value FROM json_each(:found))",
                {**parameters, "found": listed(words.keys() | near.keys())},
            ).fetchall()
        return [
            Candidate(
                id=row["id"],
                at=moment(row["at"]),
                order=row["seq"],
                words=words.get(row["seq"], 0.0),
                likeness=near.get(row["seq"], 0.0),
            )
            for row in rows
        ]

    def unembedded(self, model: str, width: int, limit: int) -> Sequence[tuple[Owner, str, str]]:
        """Return (owner, id, text) of passages of anyone that have no vector of this model."""
        with self._database.read() as connection:
            rows = connection.execute(
                "SELECT user_id, agent_id, id, text FROM passages WHERE deleted_at IS NULL "
                "AND NOT EXISTS (SELECT 1 FROM chunks WHERE passage_seq = passages.seq "
                "AND model = :model AND width = :width) ORDER BY seq LIMIT :limit",
                {"model": model, "width": width, "limit": limit},
            ).fetchall()
        return [(Owner(row["user_id"], row["agent_id"]), row["id"], row["text"]) for row in rows]

    def embed(self, owner: Owner, id: str, text: str, embedded: Embedded) -> None:
        """Attach vectors to a passage whose text is still `text`."""
        with self._database.write() as connection:
            row = connection.execute(
                f"SELECT seq FROM passages WHERE {_LIVE} AND id = :id AND text = :text",
                {**owned(owner), "id": id, "text": text},
            ).fetchone()
            if row is not None:
                self._replace_chunks(connection, owner, row["seq"], embedded)

    def _replace_chunks(
        self,
        connection: sqlite3.Connection,
        owner: Owner,
        seq: int,
        embedded: Embedded | None,
    ) -> None:
        connection.execute(
            f"DELETE FROM chunks INDEXED BY chunks_by_passage WHERE {OWNED} AND passage_seq = :seq",
            {**owned(owner), "seq": seq},
        )
        if embedded is None:
            return
        self._nearest.begin(connection, owner, embedded.model, embedded.vectors.shape[1])
        for vector in embedded.vectors:
            _add_chunk(connection, owner, seq, embedded.model, vector)

    def _by_meaning(
        self,
        connection: sqlite3.Connection,
        owner: Owner,
        embedded: Embedded,
        narrowed: tuple[str, dict[str, str | int]] | None,
    ) -> dict[int, float]:
        """Return the best cosine of each passage that has a chunk near the vector."""
        allowed = None
        if narrowed is not None:
            condition, parameters = narrowed
            chunks = connection.execute(
                "SELECT seq FROM chunks WHERE passage_seq IN "
                f"(SELECT seq FROM passages WHERE {condition}) AND {OWNED}",
                parameters,
            )
            allowed = {row["seq"] for row in chunks}
        found = dict(self._nearest.search(connection, owner, embedded, allowed))
        near: dict[int, float] = {}
        for row in connection.execute(
            f"SELECT seq, passage_seq FROM chunks NOT INDEXED WHERE {OWNED} "
            "AND seq IN (SELECT value FROM json_each(:found))",
            {**owned(owner), "found": listed(found)},
        ):
            cosine = found[row["seq"]]
            near[row["passage_seq"]] = max(cosine, near.get(row["passage_seq"], cosine))
        return near


def add_row(connection: sqlite3.Connection, owner: Owner, passage: Passage) -> int:
    """Store a passage and its tags inside the caller's transaction; return its row's number."""
    cursor = connection.execute(
        "INSERT INTO passages(user_id, agent_id, owner, id, text, searchable, fingerprint, at) "
        "VALUES(:user_id, :agent_id, :owner, :id, :text, :searchable, :fingerprint, :at)",
        {
            **owned(owner),
            **_written(passage.text),
            "owner": token(owner),
            "id": passage.id,
            "at": stamp(passage.at),
        },
    )
    seq = _row_number(cursor)
    connection.executemany(
        "INSERT INTO passage_tags VALUES(?, ?, ?, ?, ?, ?)",
        [
            (owner.user_id, owner.agent_id, seq, position, tag, tag.casefold())
            for position, tag in enumerate(passage.tags)
        ],
    )
    return seq


def same_text(connection: sqlite3.Connection, owner: Owner, text: str) -> Passage | None:
    """Return the passage that has this text, marked as known; None when there is none."""
    row = connection.execute(
        f"{_SELECT} AND fingerprint = :fingerprint ORDER BY seq LIMIT 1",
        {**owned(owner), **_written(text)},
    ).fetchone()
    return _passage(row, known=True) if row else None


def _written(text: str) -> dict[str, str]:
    return {
        "text": text,
        "searchable": searchable(text),
        "fingerprint": hashlib.sha256(text.strip().encode()).hexdigest(),
    }


def _by_words(
    connection: sqlite3.Connection,
    owner: Owner,
    terms: Sequence[str],
    condition: str,
    parameters: dict[str, str | int],
) -> dict[int, float]:
    words: dict[int, float] = {}
    for prefix in (False, True):
        rows = connection.execute(
            "SELECT seq, -bm25(passages_words, 0.0, 1.0) AS score FROM passages_words "
            "CROSS JOIN passages ON passages.seq = passages_words.rowid "
            f"WHERE passages_words MATCH :match AND {condition}",
            {**parameters, "match": match_expression(owner, terms, prefix=prefix)},
        )
        words = {row["seq"]: row["score"] for row in rows}
        if words:
            break
    return words


def _conditions(owner: Owner, where: Filter) -> tuple[str, dict[str, str | int]]:
    times, bounds = time_bounds(where, "passages")
    condition = f"{_LIVE}{times}"
    parameters: dict[str, str | int] = {**owned(owner), **bounds}
    if where.tags:
        condition += (
            " AND (SELECT count(*) FROM passage_tags WHERE passage_seq = passages.seq "
            "AND folded IN (SELECT value FROM json_each(:tags))) >= :tags_needed"
        )
        parameters["tags"] = listed(where.tags)
        parameters["tags_needed"] = len(where.tags) if where.all_tags else 1
    return condition, parameters


def _add_chunk(
    connection: sqlite3.Connection, owner: Owner, seq: int, model: str, vector: Vectors
) -> None:
    cursor = connection.execute(
        "INSERT INTO chunks(user_id, agent_id, passage_seq, model, width, digest, vector) "
        "VALUES(:user_id, :agent_id, :seq, :model, :width, 0, :vector)",
        {
            **owned(owner),
            "seq": seq,
            "model": model,
            "width": len(vector),
            "vector": vector.tobytes(),
        },
    )
    chunk = _row_number(cursor)
    # The digest covers the number the row has just been given.
    connection.execute(
        f"UPDATE chunks SET digest = :digest WHERE {OWNED} AND seq = :chunk",
        {**owned(owner), "digest": VectorIndex.digest(chunk, vector), "chunk": chunk},
    )


def _row_number(cursor: sqlite3.Cursor) -> int:
    assert cursor.lastrowid is not None
    return cursor.lastrowid


def _passage(row: sqlite3.Row, *, known: bool = False) -> Passage:
    return Passage(row["id"], row["text"], tuple(json.loads(row["tags"])), moment(row["at"]), known)
