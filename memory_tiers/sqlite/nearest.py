"""Which chunks lie nearest to a vector: one index an owner, brought up to the rows before each use.

The rows are the truth. An index is opened when its owner first searches, and compared again only
when the owner's chunks have changed, in this process or another.
"""

from collections import OrderedDict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from sqlite3 import Connection
from threading import Lock

import numpy as np

from memory_tiers.errors import StoreUnavailable
from memory_tiers.sqlite.copying import sync_folder
from memory_tiers.sqlite.rows import OWNED, listed, owned, token
from memory_tiers.sqlite.vectors import VectorIndex
from memory_tiers.store import Embedded, Owner, Vectors

MOST_OPEN = 64
SAVE_AFTER = 100
DEEPEST = 1000


@dataclass(slots=True)
class _Opened:
    index: VectorIndex
    seen: int = -1
    unsaved: int = 0


class NearestChunks:
    """The open indexes; the one used longest ago is saved and closed when there are too many."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._opened: OrderedDict[tuple[Owner, str, int], _Opened] = OrderedDict()
        self._lock = Lock()

    def search(
        self,
        connection: Connection,
        owner: Owner,
        embedded: Embedded,
        allowed: Collection[int] | None,
    ) -> list[tuple[int, float]]:
        """Return (chunk, cosine) for up to `DEEPEST` chunks nearest to the first vector."""
        width = embedded.vectors.shape[1]
        with self._lock:
            opened = self._open(owner, embedded.model, width)
            self._refresh(connection, owner, (embedded.model, width), opened)
            return opened.index.search(embedded.vectors[0], DEEPEST, allowed)

    def begin(self, connection: Connection, owner: Owner, model: str, width: int) -> None:
        """Give an owner who never had a chunk an empty index, so that a missing one is a loss."""
        if _changes(connection, owner) is None:
            with self._lock:
                index = self._open(owner, model, width).index
                index.reconcile({}, lambda _: np.empty((0, width), np.float32))
                index.save()

    def sweep(self, connection: Connection) -> None:
        """Close the indexes of owners who have no chunks any more and remove their files.

        The transaction must be one that keeps others from writing, so that nobody begins meanwhile.

        Raises:
            StoreUnavailable: A file cannot be removed.
        """
        rows = connection.execute("SELECT user_id, agent_id FROM chunk_changes")
        owners = {Owner(row["user_id"], row["agent_id"]) for row in rows}
        names = {token(owner) for owner in owners}
        with self._lock:
            for key in [key for key in self._opened if key[0] not in owners]:
                del self._opened[key]
            files = [*self._folder.glob("*.faiss"), *self._folder.glob("*.faiss.part")]
            gone = [file for file in files if file.name.partition(".")[0] not in names]
            try:
                for file in gone:
                    file.unlink(missing_ok=True)
                if gone:
                    sync_folder(self._folder)
            except OSError as error:
                raise StoreUnavailable(
                    f"A file in the folder of the vector indexes cannot be removed "
                    f"({error.strerror}); make the data folder and what is in it writable."
                ) from error

    def close(self) -> None:
        """Save what changed since it was last saved."""
        with self._lock:
            for opened in self._opened.values():
                opened.index.save()
            self._opened.clear()

    def _open(self, owner: Owner, model: str, width: int) -> _Opened:
        key = (owner, model, width)
        if key not in self._opened:
            file = self._folder / f"{token(owner)}.faiss"
            self._opened[key] = _Opened(VectorIndex(file, model, width))
            if len(self._opened) > MOST_OPEN:
                self._opened.popitem(last=False)[1].index.save()
        self._opened.move_to_end(key)
        return self._opened[key]

    def _refresh(
        self, connection: Connection, owner: Owner, kind: tuple[str, int], opened: _Opened
    ) -> None:
        number = _changes(connection, owner) or 0
        if number == opened.seen:
            return
        model, width = kind
        rows = connection.execute(
            f"SELECT seq, digest FROM chunks WHERE {OWNED} AND model = :model AND width = :width",
            {**owned(owner), "model": model, "width": width},
        )

        def fetch(chunks: Sequence[int]) -> Vectors:
            return _vectors(connection, owner, chunks, width)

        digests = {row["seq"]: row["digest"] for row in rows}
        if opened.index.reconcile(digests, fetch):
            opened.unsaved += SAVE_AFTER if opened.seen < 0 else abs(number - opened.seen)
        opened.seen = number
        if opened.unsaved >= SAVE_AFTER:
            opened.index.save()
            opened.unsaved = 0


def _changes(connection: Connection, owner: Owner) -> int | None:
    """Return a number that differs after every change of an owner's chunks; None before any."""
    row = connection.execute(
        f"SELECT number FROM chunk_changes WHERE {OWNED}", owned(owner)
    ).fetchone()
    return int(row["number"]) if row else None


def _vectors(connection: Connection, owner: Owner, chunks: Sequence[int], width: int) -> Vectors:
    found = {
        row["seq"]: row["vector"]
        for row in connection.execute(
            f"SELECT seq, vector FROM chunks NOT INDEXED WHERE {OWNED} "
            "AND seq IN (SELECT value FROM json_each(:chunks))",
            {**owned(owner), "chunks": listed(chunks)},
        )
    }
    joined = b"".join(found[chunk] for chunk in chunks)
    return np.frombuffer(joined, np.float32).reshape(len(chunks), width)
