"""Short words for what tests do with snapshots."""

import shutil
from pathlib import Path

from app.adk.sessions import copy_sessions
from app.backup import copies
from app.snapshots import Snapshots, SnapshotStatus, restore
from memory_tiers import Memory


def snapshots(settings, memory, status=None):
    """Return snapshots of an open memory, not started yet."""
    ways = copies(settings.storage.data_dir, copy_sessions, memory.backup)
    return Snapshots(settings, ways, status or SnapshotStatus(kept=True))


def once(settings, *messages):
    """Open the memory as a program that is started does, say this, and close it all."""
    status = restore(settings)
    with Memory.open(settings.storage.data_dir, "hash") as memory:
        kept = snapshots(settings, memory, status)
        kept.start()
        for text in messages:
            memory.for_user("u1").recall.append("s1", "user", text)
        kept.close()
    return kept.status


def said(settings):
    """Return what the data folder's memory holds."""
    with Memory.open(settings.storage.data_dir, "hash") as memory:
        return [message.text for message in memory.for_user("u1").recall.messages("s1")]


def wipe(settings):
    """Lose the disk."""
    shutil.rmtree(settings.storage.data_dir)


def names(bucket):
    """Return what lies in the snapshot folder, oldest first."""
    return sorted(file.name for file in bucket.iterdir())


def damage(file: Path):
    """Flip one bit in the middle of a file."""
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(content)
