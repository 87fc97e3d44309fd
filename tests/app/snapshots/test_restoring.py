"""Restoring by hand fills an empty data folder, or says in a sentence why not."""

import threading

import pytest

from app.snapshots import restore, restore_from
from memory_tiers import InvalidInput, Memory, StoreUnavailable
from tests.app.snapshots.kept import damage, names, once, said, wipe


def test_restoring_by_hand_takes_a_snapshot_or_a_folder_of_them(settings, bucket, tmp_path):
    """A single snapshot and the folder they lie in both fill an empty data folder."""
    saved = once(settings, "hello").saved_at

    for number, source in enumerate((bucket, bucket / names(bucket)[0])):
        target = tmp_path / f"new{number}"
        assert restore_from(source, target) == saved
        with Memory.open(target, "hash") as memory:
            assert memory.for_user("u1").recall.count() == 1


def test_restoring_by_hand_overwrites_nothing(settings, bucket, tmp_path):
    """A data folder that holds anything is refused and left as it is."""
    once(settings, "hello")
    target = tmp_path / "mine"
    target.mkdir()
    (target / "notes.txt").write_text("mine")

    with pytest.raises(InvalidInput, match="not empty"):
        restore_from(bucket, target)
    assert (target / "notes.txt").read_text() == "mine"
    assert not (target / "memory.db").exists()


def test_restoring_by_hand_from_nothing_is_one_sentence(tmp_path):
    """An empty or missing folder holds neither a backup nor a snapshot."""
    (tmp_path / "empty").mkdir()

    for name in ("empty", "missing"):
        with pytest.raises(InvalidInput, match="neither a backup nor a snapshot"):
            restore_from(tmp_path / name, tmp_path / "data")


def test_restoring_by_hand_from_damage_is_one_sentence(settings, bucket, tmp_path):
    """Where no snapshot is sound nothing is restored."""
    once(settings, "hello")
    damage(bucket / names(bucket)[0] / "memory.db")

    with pytest.raises(StoreUnavailable, match="None of the 1"):
        restore_from(bucket, tmp_path / "new")
    assert not (tmp_path / "new" / "memory.db").exists()


def test_two_processes_do_not_restore_at_one_time(settings):
    """Whoever comes second finds the memory of the first and leaves it as it is."""
    once(settings, "hello")
    wipe(settings)
    threads = [threading.Thread(target=restore, args=(settings,)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert said(settings) == ["hello"]
    assert not (settings.storage.data_dir / "restoring").exists()
