"""Vectors that are made later than their texts."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from memory_tiers import EmbedderUnavailable, Memory


class Misshapen:
    """An embedder whose vectors have another width than it says."""

    name = "misshapen"
    width = 8

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return rows that are too short."""
        return np.ones((len(texts), 4), np.float32)


def test_vectors_of_another_width_are_refused_and_the_text_kept(tmp_path: Path):
    """A wrong width ends settling with a sentence; the note is stored and found by its words."""
    with Memory.open(tmp_path, Misshapen()) as memory:
        archival = memory.for_user("u1").archival
        archival.insert("The gate code is 4411.")

        with pytest.raises(EmbedderUnavailable, match="misshapen"):
            memory.settle()
        assert archival.search("gate").total == 1
