"""An index of nine rows, and its file."""

import pytest

from memory_tiers.sqlite.vectors import VectorIndex
from tests.memory_tiers.sqlite.vector_rows import WIDTH, Rows, unit_vectors


@pytest.fixture
def rows():
    """Nine rows whose numbers have gaps."""
    return Rows(zip(range(3, 30, 3), unit_vectors(9), strict=True))


@pytest.fixture
def file(tmp_path):
    """Where the index is kept; its folder does not exist yet."""
    return tmp_path / "index" / "one.faiss"


@pytest.fixture
def saved(rows, file):
    """The file of an index that holds the nine rows."""
    index = VectorIndex(file, "m", WIDTH)
    rows.into(index)
    index.save()
    return file
