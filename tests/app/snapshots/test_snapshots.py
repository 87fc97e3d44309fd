"""Snapshots: written when something changed, thinned out, restored; and a failure is shown."""

import os
import subprocess
import threading
from datetime import UTC, datetime, timedelta

import pytest

from app.backup import MANIFEST
from app.config import load_settings
from app.identity import visitor_key
from app.snapshots import Snapshots, SnapshotStatus, restore
from memory_tiers import Memory
from tests.app.snapshots.kept import damage, names, once, said, snapshots, wipe

SECONDS = 1  # between two looks, as short as the setting goes


def test_disk_that_was_wiped_comes_back(settings):
    """What was said before the last snapshot is there after the data folder is gone."""
    first = once(settings, "the kettle sings")
    wipe(settings)
    again = restore(settings)

    assert said(settings) == ["the kettle sings"]
    assert (first.state, again.state) == ("saved", "saved")
    assert again.saved_at == first.saved_at


def test_key_of_the_visitors_comes_back(settings):
    """Visitors find their memory again after the disk was lost: their cookies still count."""
    settings.storage.data_dir.mkdir()
    key = visitor_key(settings.storage.data_dir)
    once(settings, "hello")
    wipe(settings)
    restore(settings)

    assert visitor_key(settings.storage.data_dir) == key


def test_nothing_changed_nothing_written(settings, bucket):
    """A start over the same disk without a new word adds no snapshot."""
    once(settings, "hello")
    once(settings)

    assert len(names(bucket)) == 1


def test_only_the_newest_are_kept(settings, bucket):
    """`snapshot.keep` whole snapshots stay, the newest ones, also across a lost disk."""
    for number in range(4):
        once(settings, f"message {number}")
        wipe(settings)
    left = names(bucket)
    restore(settings)

    assert len(left) == 2
    assert said(settings) == [f"message {number}" for number in range(4)]


def test_what_is_not_ours_is_left_alone(settings, bucket):
    """Files and folders of other names stay, and what somebody put into a snapshot as well."""
    for name in ("photos", "snapshot-mine", "snapshot-20200101T000000Z.bak"):
        (bucket / name).mkdir()
        (bucket / name / "memory.db").write_text("mine")
    (bucket / "snapshot-20200101T000000Z").write_text("a file")
    once(settings, "hello")

    assert (bucket / "photos" / "memory.db").read_text() == "mine"
    assert (bucket / "snapshot-mine" / "memory.db").read_text() == "mine"
    assert (bucket / "snapshot-20200101T000000Z.bak" / "memory.db").read_text() == "mine"
    assert (bucket / "snapshot-20200101T000000Z").read_text() == "a file"
    assert len(names(bucket)) == 5


def test_unfinished_snapshots_are_cleared_away_when_nobody_writes_them(settings, bucket):
    """Half a snapshot of long ago goes; one begun just now may be another process at work."""
    fresh = f"snapshot-{datetime.now(UTC):%Y%m%dT%H%M%S%f}Z"
    for name in ("snapshot-20200101T000000Z", fresh):
        (bucket / name).mkdir()
        (bucket / name / "memory.db").write_bytes(b"half")
    once(settings, "hello")

    assert "snapshot-20200101T000000Z" not in names(bucket)
    assert fresh in names(bucket)


def test_older_snapshot_is_used_where_the_newest_is_damaged(settings, bucket, caplog):
    """A flipped bit in the newest: the one before is restored, and that is said."""
    once(settings, "first")
    once(settings, "second")
    newest = names(bucket)[-1]
    damage(bucket / newest / "memory.db")
    wipe(settings)
    status = restore(settings)

    assert said(settings) == ["first"]
    assert status.state == "saved"
    assert f"snapshot_damaged: {newest}" in caplog.text
    assert str(bucket) not in caplog.text


def test_snapshot_with_a_cut_manifest_does_not_count(settings, bucket):
    """Half a manifest is none: the snapshot before it is restored."""
    once(settings, "first")
    once(settings, "second")
    manifest = bucket / names(bucket)[-1] / MANIFEST
    manifest.write_bytes(manifest.read_bytes()[:50])
    wipe(settings)
    restore(settings)

    assert said(settings) == ["first"]


def test_no_sound_snapshot_is_told_and_none_is_thrown_away(settings, bucket, caplog):
    """Where all are damaged memory begins anew, says so for as long as it runs, and keeps them."""
    once(settings, "first")
    damage(bucket / names(bucket)[0] / "memory.db")
    old = names(bucket)
    wipe(settings)
    status = once(settings, "new")
    for number in range(3):
        once(settings, f"more {number}")

    assert "None of the 1 snapshots" in status.lost
    assert "not_restored" in caplog.text
    assert status.state == "saved"
    assert old[0] in names(bucket)
    assert len(names(bucket)) == 3


def test_existing_memory_is_never_overwritten(settings):
    """A data folder with a memory stays as it is, however new the snapshot."""
    once(settings, "in the snapshot")
    wipe(settings)
    with Memory.open(settings.storage.data_dir, "hash") as memory:
        memory.for_user("u1").recall.append("s1", "user", "mine")
    restore(settings)

    assert said(settings) == ["mine"]


def test_clock_that_went_back_does_not_hide_what_is_new(settings, bucket):
    """After a snapshot from the future the next one still is the newest."""
    once(settings, "first")
    future = datetime.now(UTC) + timedelta(days=400)
    (bucket / names(bucket)[0]).rename(bucket / f"snapshot-{future:%Y%m%dT%H%M%S%f}Z")
    once(settings, "second")
    wipe(settings)
    restore(settings)

    assert said(settings) == ["first", "second"]


def test_folder_named_after_the_end_of_time_hinders_nothing(settings, bucket):
    """Something empty with a name of the far future neither stops snapshots nor restoring."""
    (bucket / "snapshot-99991231T235959999999Z").mkdir()
    status = once(settings, "Hello.")
    wipe(settings)
    once(settings)

    assert status.state == "saved"
    assert said(settings) == ["Hello."]


def test_without_a_folder_it_says_that_none_is_kept(tmp_path):
    """Where no folder is set the status is "none", and nothing is started or written."""
    settings = load_settings(None, {"storage.data_dir": tmp_path / "data"}, {})
    status = once(settings, "hello")

    assert status.state == "none"
    assert said(settings) == ["hello"]
    assert sorted(file.name for file in tmp_path.iterdir()) == ["data"]


def test_missing_folder_stops_nothing_and_is_shown(settings, bucket, caplog):
    """A bucket that is not mounted: the program runs, the status says so, nothing is made there."""
    bucket.rmdir()
    status = once(settings, "hello")

    assert status.state == "failed"
    assert "missing" in status.error and "missing" in status.lost
    assert status.unsaved_since is not None and status.saved_at is None
    assert said(settings) == ["hello"]
    assert not bucket.exists()
    assert str(bucket) not in caplog.text


def test_failure_is_told_once_and_tried_again(settings, bucket, caplog):
    """While the folder is away each look fails, one line is logged; afterwards all is saved."""
    away = bucket.with_name("away")
    with Memory.open(settings.storage.data_dir, "hash") as memory:
        kept = snapshots(settings, memory)
        kept.look()
        saved = kept.status.saved_at
        bucket.rename(away)
        for number in range(3):
            memory.for_user("u1").recall.append("s1", "user", f"message {number}")
            kept.look()
        failed = kept.status
        away.rename(bucket)
        kept.look()

    assert failed.state == "failed"
    assert failed.saved_at == failed.unsaved_since == saved
    assert [r.getMessage().split(":")[0] for r in caplog.records] == ["snapshot_failed"]
    assert (kept.status.state, kept.status.unsaved_since) == ("saved", None)


def test_memory_of_another_data_folder_is_not_thinned_out(settings, bucket, tmp_path):
    """Two data folders that share a snapshot folder by mistake do not delete each other's."""
    once(settings, "mine")
    mine = names(bucket)
    other = settings.model_copy(
        update={"storage": settings.storage.model_copy(update={"data_dir": tmp_path / "other"})}
    )
    Memory.open(tmp_path / "other", "hash").close()
    for number in range(3):
        once(other, f"theirs {number}")

    assert mine[0] in names(bucket)
    assert len(names(bucket)) == 3


def test_looks_go_on_by_themselves(settings, bucket):
    """A snapshot is written while the program runs, not only at its end."""
    often = settings.model_copy(
        update={"snapshot": settings.snapshot.model_copy(update={"seconds": SECONDS})}
    )
    with Memory.open(settings.storage.data_dir, "hash") as memory:
        kept = snapshots(often, memory)
        kept.start()
        memory.for_user("u1").recall.append("s1", "user", "hello")
        waiting = threading.Event()
        while not names(bucket) or not (bucket / names(bucket)[0] / MANIFEST).exists():
            waiting.wait(0.05)
        kept.close()

    assert names(bucket)


def test_closing_gives_up_on_a_folder_that_hangs(settings, caplog):
    """A write that never ends does not keep the program from ending, and is told."""
    let_go = threading.Event()
    with Memory.open(settings.storage.data_dir, "hash"):
        ways = {"memory.db": lambda file: let_go.wait()}
        kept = Snapshots(settings, ways, SnapshotStatus(kept=True))
        kept.start()
        kept.close(timeout=0.1)
        status = kept.status
        let_go.set()
        kept._thread.join()

    assert status.state == "failed"
    assert "not finished" in status.error
    assert "snapshot_failed" in caplog.text


def test_failure_nobody_thought_of_is_shown_as_well(settings, caplog):
    """An error of another kind ends neither the thread nor the truth of the status."""
    with Memory.open(settings.storage.data_dir, "hash") as memory:
        kept = snapshots(settings, memory)
        kept._copies = {"memory.db": lambda file: 1 / 0}
        kept.start()
        kept.close()

    assert kept.status.state == "failed"
    assert "ZeroDivisionError" in kept.status.error


@pytest.fixture
def tiny(tmp_path):
    """A folder on a disk of its own with room for less than one snapshot."""
    folder = tmp_path / "tiny"
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(folder)],
        check=False,
        capture_output=True,
    )
    if mounted.returncode:
        pytest.skip("mounting a small disk needs root")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def test_full_disk_is_shown_and_leaves_nothing_half_done(settings, tiny):
    """A snapshot that does not fit is told in a sentence, and takes no room afterwards."""
    small = settings.model_copy(
        update={"snapshot": settings.snapshot.model_copy(update={"folder": str(tiny)})}
    )
    status = once(small, "hello")

    assert status.state == "failed"
    assert "No space left" in status.error
    assert list(tiny.iterdir()) == []
    assert said(settings) == ["hello"]


def test_read_only_folder_is_shown_and_still_restored_from(settings, tiny):
    """A folder mounted read-only gives back what it holds; that nothing is added is told."""
    subprocess.run(["mount", "-o", "remount,size=16m", str(tiny)], check=True)
    small = settings.model_copy(
        update={"snapshot": settings.snapshot.model_copy(update={"folder": str(tiny)})}
    )
    once(small, "before")
    subprocess.run(["mount", "-o", "remount,ro", str(tiny)], check=True)
    wipe(settings)
    restored = restore(small)
    status = once(small, "after")

    assert restored.state == "saved"
    assert status.state == "failed"
    assert "Read-only" in status.error or "cannot be written" in status.error
    assert said(settings) == ["before", "after"]


def test_folder_without_the_right_to_write_is_shown_at_start(settings, bucket, monkeypatch):
    """Before anything is to be written it is already said that nothing can be."""
    with Memory.open(settings.storage.data_dir, "hash") as memory:
        monkeypatch.setattr(os, "access", lambda *_: False)
        kept = snapshots(settings, memory)
        kept._closing.set()
        kept.look = lambda: None
        kept._run()

    assert kept.status.state == "failed"
    assert "cannot be written" in kept.status.error
