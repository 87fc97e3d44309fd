"""The vectors nearest to a vector, by exact inner product: a cache of rows kept elsewhere.

Knows neither texts nor owners. The rows are the truth: what the file lacks, or holds with other
content, is fetched again, and losing the file costs time alone.
"""

import json
import logging
import os
from collections.abc import Callable, Collection, Mapping, Sequence
from hashlib import blake2b
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memory_tiers.sqlite.copying import sync_folder

_FORMAT = "tiered-memory vectors 1"
_CHECKSUM_BYTES = 32
_FETCHED_AT_ONCE = 4096  # vectors: it bounds the memory of a rebuild

_log = logging.getLogger(__name__)


class VectorIndex:
    """Vectors of one model under the numbers of their rows. One thread at a time.

    Args:
        file: Where the index is kept between processes; nothing is read before `reconcile`.
        model: Whose vectors these are; a file of another model is not used.
        width: How many numbers a vector has.
    """

    def __init__(self, file: Path, model: str, width: int) -> None:
        self._file = file
        self._width = width
        self._head = f"{json.dumps([_FORMAT, model, width])}\n".encode()
        self._rows: dict[int, int] = {}
        self._index: Any = None
        self._saved = False

    @staticmethod
    def digest(seq: int, vector: NDArray[np.float32]) -> int:
        """Return a number under 2**63 that stands for this vector in this row."""
        content = seq.to_bytes(8, "little", signed=True) + vector.astype("<f4").tobytes()
        return int.from_bytes(blake2b(content, digest_size=8).digest(), "little") >> 1

    def reconcile(
        self, rows: Mapping[int, int], fetch: Callable[[Sequence[int]], NDArray[np.float32]]
    ) -> bool:
        """Make the index hold exactly `rows`; tell whether it had to change.

        Args:
            rows: The number of each row and the digest of its vector.
            fetch: Returns the vectors of some rows, in order: shape (rows, width). It is asked
                for those alone whose content the index lacks.
        """
        if self._index is None:
            self._load(len(rows))
        stale = [seq for seq, digest in self._rows.items() if rows.get(seq) != digest]
        if stale:
            self._saved = False
            self._index.remove_ids(np.array(stale, np.int64))
            for seq in stale:
                del self._rows[seq]
        missing = [seq for seq in rows if seq not in self._rows]
        for start in range(0, len(missing), _FETCHED_AT_ONCE):
            some = missing[start : start + _FETCHED_AT_ONCE]
            vectors = np.ascontiguousarray(fetch(some), np.float32)
            self._saved = False
            self._index.add_with_ids(vectors, np.array(some, np.int64))
            self._rows.update((seq, rows[seq]) for seq in some)
        return bool(stale or missing)

    def search(
        self, vector: NDArray[np.float32], k: int, allowed: Collection[int] | None = None
    ) -> list[tuple[int, float]]:
        """Return up to `k` rows and their inner products with `vector`, the best first.

        Equal ones come in the order of their numbers. Before the first `reconcile` there is none.

        Args:
            vector: Shape (width,).
            k: How many at most.
            allowed: The rows that may be found; None: all.
        """
        most = len(self._rows) if allowed is None else min(len(self._rows), len(allowed))
        wanted = min(k, most)
        if wanted <= 0:
            return []
        asked, tied = wanted, True
        while tied:  # what ties with the last one wanted is asked for too: the numbers decide
            asked = min(2 * asked, most)
            found = self._nearest(vector, asked, allowed)
            tied = len(found) == asked < most and found[-1][1] == found[wanted - 1][1]
        return sorted(found, key=lambda pair: (-pair[1], pair[0]))[:wanted]

    def save(self) -> None:
        """Write the index to its file, whole or not at all, when it differs from what is there.

        A failure is logged and loses nothing: the rows are kept elsewhere.
        """
        if self._index is None or self._saved:
            return
        table = np.array([len(self._rows), *self._rows.keys(), *self._rows.values()], "<i8")
        payload = (table.tobytes(), _faiss().serialize_index(self._index))
        part = self._file.with_name(f"{self._file.name}.part")
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            with part.open("wb") as stream:
                stream.writelines((self._head, self._checksum(*payload), *payload))
                stream.flush()
                os.fsync(stream.fileno())
            part.replace(self._file)
            sync_folder(self._file.parent)
        except OSError as error:
            _log.warning(
                "The vector index could not be saved (%s); nothing is lost, it is made again from "
                "the database at the next start.",
                error.strerror,
            )
            return
        self._saved = True

    def _nearest(
        self, vector: NDArray[np.float32], k: int, allowed: Collection[int] | None
    ) -> list[tuple[int, float]]:
        faiss = _faiss()
        parameters = None
        if allowed is not None:
            numbers = np.fromiter(allowed, np.int64, len(allowed))
            parameters = faiss.SearchParameters(sel=faiss.IDSelectorBatch(numbers))
        query = np.ascontiguousarray(vector, np.float32).reshape(1, self._width)
        scores, numbers = self._index.search(query, k, params=parameters)
        pairs = zip(numbers[0].tolist(), scores[0].tolist(), strict=True)
        return [(seq, score) for seq, score in pairs if seq >= 0]  # -1 pads what was not found

    def _load(self, expected: int) -> None:
        """Take the index from its file, or start an empty one and say why."""
        faiss = _faiss()
        problem = "is missing" if expected else ""
        try:
            problem = self._take(faiss, self._file.read_bytes())
        except FileNotFoundError:
            pass
        except OSError:
            problem = "cannot be read"
        if self._index is None:
            self._index = faiss.IndexIDMap2(faiss.IndexFlatIP(self._width))
        if problem:
            _log.warning("The vector index %s; making it again from the database.", problem)

    def _take(self, faiss: Any, content: bytes) -> str:
        """Use the content of a file; return what is wrong with it, blank when nothing is."""
        if not content.startswith(self._head):
            return "is damaged, or of another model or version"
        start = len(self._head) + _CHECKSUM_BYTES
        payload = memoryview(content)[start:]
        if content[len(self._head) : start] != self._checksum(payload):
            return "is damaged"
        count = int(np.frombuffer(payload, "<i8", 1)[0])
        table = np.frombuffer(payload, "<i8", 2 * count, offset=8).reshape(2, count)
        try:
            self._index = faiss.deserialize_index(
                np.frombuffer(payload, np.uint8, offset=8 + table.nbytes)
            )
        except RuntimeError:
            return "is of another version of faiss"
        self._rows = dict(zip(*table.tolist(), strict=True))
        self._saved = True
        return ""

    def _checksum(self, *payload: Any) -> bytes:
        checksum = blake2b(self._head, digest_size=_CHECKSUM_BYTES)
        for part in payload:
            checksum.update(part)
        return checksum.digest()


def _faiss() -> Any:
    """Import faiss on first use, since start-up must not pay for it; keep it to this thread.

    One query gains nothing from more threads; they would only wait in busy loops. The setting
    holds for the calling thread alone.
    """
    faiss = import_module("faiss")
    faiss.omp_set_num_threads(1)
    return faiss
