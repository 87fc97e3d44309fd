"""What a snapshot of a large memory takes, and how long others wait meanwhile."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from threading import Event, Thread

from app.backup import MEMORY, Copies
from app.evaluation.table import table
from app.settings import Settings, Snapshot, Storage
from app.snapshots import Snapshots, SnapshotStatus
from memory_tiers import HashEmbedder, Memory, UserMemory

NOTES = 20_000
SNAPSHOTS = 10
BETWEEN = 0.01  # seconds between two writes, and two searches: a busy page, not a flood
THINGS = ("kettle", "bicycle", "harbour", "ledger", "orchard", "violin", "lantern", "compass")
SHELVES = 2000  # ten notes speak of each


def snapshots() -> Iterator[str]:
    """Measure snapshots of many notes, with somebody who writes and somebody who searches."""
    with TemporaryDirectory() as folder:
        data, bucket = Path(folder, "data"), Path(folder, "bucket")
        bucket.mkdir()
        settings = Settings(
            storage=Storage(data_dir=data), snapshot=Snapshot(folder=str(bucket), keep=2)
        )
        with Memory.open(data, HashEmbedder()) as memory:
            mine = memory.for_user("somebody")
            _fill(mine)
            kept = Snapshots(settings, _copies(memory), SnapshotStatus(kept=True))
            alone = _timed(kept, mine)
            with _busy(mine) as before:
                time.sleep(sum(alone))  # as long as the snapshots will take
            with _busy(mine) as meanwhile:
                among = _timed(kept, mine)
            size = (data / MEMORY).stat().st_size / 1e6
    yield from table(
        (
            f"{SNAPSHOTS} snapshots of {NOTES:,} notes, {size:.0f} MB",
            "median s",
            "slowest s",
            "limit",
        ),
        ("nobody else at work", *_seconds(alone), ""),
        ("while others write and search", *_seconds(among), "1"),
    )
    yield ""
    yield from table(
        ("what others wait", "times", "median ms", "longest ms"),
        ("floor: a message stored, no snapshot", *_milliseconds(before[0])),
        ("a message stored, snapshots meanwhile", *_milliseconds(meanwhile[0])),
        ("floor: a search, no snapshot", *_milliseconds(before[1])),
        ("a search, snapshots meanwhile", *_milliseconds(meanwhile[1])),
    )


def _fill(mine: UserMemory) -> None:
    for number in range(NOTES):
        thing, other = THINGS[number % 8], THINGS[number // 8 % 8]
        shelf = f"shelf{number % SHELVES}"
        mine.archival.insert(f"{number}: on {shelf} the {thing} lies beside the {other}.")


def _copies(memory: Memory) -> Copies:
    return {MEMORY: memory.backup}


def _timed(kept: Snapshots, mine: UserMemory) -> list[float]:
    """Return how long each snapshot took; before each something is said, so that it is needed."""
    spent = []
    for number in range(SNAPSHOTS):
        mine.recall.append("snapshots", "user", f"Said before snapshot {number}.")
        begun = time.perf_counter()
        kept.look()
        spent.append(time.perf_counter() - begun)
        assert kept.status.state == "saved", kept.status.error
    return spent


@contextmanager
def _busy(mine: UserMemory) -> Iterator[tuple[list[float], list[float]]]:
    """Write and search until the block ends; the seconds of each write and of each search."""
    end = Event()

    def again(work: Callable[[int], object], spent: list[float]) -> None:
        for number in count():
            begun = time.perf_counter()
            work(number)
            spent.append(time.perf_counter() - begun)
            if end.wait(BETWEEN):
                return

    writes, searches = list[float](), list[float]()
    mine.archival.search(THINGS[0])  # the first opens the index
    threads = (
        Thread(
            target=again, args=(lambda n: mine.recall.append("s1", "user", f"Word {n}."), writes)
        ),
        Thread(
            target=again,
            args=(lambda n: mine.archival.search(f"What is on shelf{n % SHELVES}?"), searches),
        ),
    )
    for thread in threads:
        thread.start()
    try:
        yield writes, searches
    finally:
        end.set()
        for thread in threads:
            thread.join()


def _seconds(spent: list[float]) -> tuple[str, str]:
    return f"{median(spent):.2f}", f"{max(spent):.2f}"


def _milliseconds(spent: list[float]) -> tuple[str, str, str]:
    return str(len(spent)), f"{1000 * median(spent):.1f}", f"{1000 * max(spent):.0f}"
