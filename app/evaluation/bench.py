"""`python -m app bench NAME…`: figures of this machine, each beside its floor, as Markdown.

A floor is what the libraries alone take for the same, measured in the same run.
"""

import os
import platform
from collections.abc import Callable, Iterator, Sequence

from app.evaluation.embedders import embedding
from app.evaluation.snapshots import snapshots
from app.evaluation.start import start
from app.evaluation.turn import turn
from app.evaluation.visitors import visitors
from memory_tiers.errors import InvalidInput

BENCHES: dict[str, Callable[[], Iterator[str]]] = {
    "start": start,
    "turn": turn,
    "embedding": embedding,
    "snapshot": snapshots,
    "visitors": visitors,
}


def bench(names: Sequence[str]) -> Iterator[str]:
    """Measure what is named, one after the other, and yield the lines to print.

    Nothing of the person's is read or written: each measurement has a folder of its own.

    Raises:
        InvalidInput: there is no measurement of that name; nothing was measured.
        PortUnavailable: the page did not answer.
    """
    if unknown := [name for name in names if name not in BENCHES]:
        raise InvalidInput(
            f"There is no measurement {unknown[0]!r}; the measurements are {', '.join(BENCHES)}."
        )
    return _measure(names)


def _measure(names: Sequence[str]) -> Iterator[str]:
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else float("nan")
    yield (
        f"Python {platform.python_version()}, {os.cpu_count()} processors, "
        f"load {load:.1f} at the beginning."
    )
    for name in dict.fromkeys(names):
        yield ""
        yield f"## {name}"
        yield ""
        yield from BENCHES[name]()
