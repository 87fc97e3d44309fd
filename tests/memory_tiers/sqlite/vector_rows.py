"""The rows whose vectors an index is a cache of, for its tests."""

import logging

import numpy as np

from memory_tiers.sqlite.vectors import VectorIndex

WIDTH = 16


class Rows:
    """The truth an index is a cache of: vectors under numbers; it notes what is fetched."""

    def __init__(self, vectors):
        self.vectors = dict(vectors)
        self.fetched = []

    def digests(self):
        """Return what `reconcile` takes."""
        return {seq: VectorIndex.digest(seq, vector) for seq, vector in self.vectors.items()}

    def fetch(self, seqs):
        """Return the vectors of some rows."""
        self.fetched += seqs
        return np.array([self.vectors[seq] for seq in seqs], np.float32)

    def into(self, index):
        """Bring an index to these rows; return whether it changed."""
        self.fetched = []
        return index.reconcile(self.digests(), self.fetch)


def unit_vectors(count, seed=0):
    """Return `count` vectors of length 1."""
    found = np.random.default_rng(seed).standard_normal((count, WIDTH)).astype(np.float32)
    return found / np.linalg.norm(found, axis=1, keepdims=True)


def warnings(caplog):
    """Return the warnings of the index, as text."""
    return [r.getMessage() for r in caplog.records if r.levelno >= logging.WARNING]


def finds_its_own(index, rows):
    """Tell whether each row is the best answer to its own vector."""
    return all(index.search(vector, 1)[0][0] == seq for seq, vector in rows.vectors.items())
