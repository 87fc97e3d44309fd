"""A snapshot folder, and settings with it."""

import pytest

from app.config import load_settings


@pytest.fixture
def bucket(tmp_path):
    """An empty snapshot folder."""
    folder = tmp_path / "bucket"
    folder.mkdir()
    return folder


@pytest.fixture
def settings(tmp_path, bucket):
    """Settings with that folder, two snapshots kept."""
    return load_settings(
        None,
        {
            "storage.data_dir": tmp_path / "data",
            "snapshot.folder": str(bucket),
            "snapshot.seconds": 3600,
            "snapshot.keep": 2,
        },
        {},
    )
