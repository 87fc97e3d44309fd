"""The two embedding backends beside each other; a process of its own measures each.

`python -m app.evaluation.embedders BACKEND` prints the figures of one, as JSON.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from statistics import median

import numpy as np

from app.evaluation.server import ROOT, resident
from app.evaluation.table import table
from memory_tiers.embedding import load

BACKENDS = ("onnx", "sentence-transformers")
QUERIES = 50
SENTENCES = (
    "The interview went well, although they asked about distributed systems for an hour.",
    "Nadia from the platform team was friendly and spoke about the on-call rota.",
    "I said that I would need four weeks' notice, and they seemed fine with it.",
    "Afterwards I walked along the river and thought about moving to Lisbon.",
    "My sister's birthday is on the third of May; she collects old maps.",
    "Where did we leave the spare key of the bicycle?",
    "The second round is a take-home task of about three hours, in Python.",
)


def embedding() -> Iterator[str]:
    """Measure both backends of the packaged model, and how far their vectors agree."""
    figures = [_measured(backend) for backend in BACKENDS]
    yield from table(
        ("all-MiniLM-L6-v2", *BACKENDS),
        *((what, *(f"{one[what]:.1f}" for one in figures)) for what in figures[0]),
    )
    yield ""
    texts = _texts()
    one, other = (load(backend).embed(texts) for backend in BACKENDS)
    cosines = (one * other).sum(axis=1)
    yield (
        f"Agreement on {len(texts)} texts of one to seven sentences: cosine {cosines.mean():.4f} "
        f"on average, {cosines.min():.4f} at least."
    )


def _texts() -> list[str]:
    """Return 200 different texts of one to seven sentences."""
    count = len(SENTENCES)
    return [
        " ".join(
            (f"Day {number}.", *(SENTENCES[(number + step) % count] for step in range(length)))
        )
        for number, length in enumerate(np.resize((1, 1, 1, 2, 3, 1, 1, 7), 200))
    ]


def _measured(backend: str) -> dict[str, float]:
    done = subprocess.run(
        [sys.executable, "-m", __name__, backend],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    found: dict[str, float] = json.loads(done.stdout)
    return found


def _measure(backend: str) -> dict[str, float]:
    empty = resident(os.getpid())
    embedder = load(backend)
    begun = time.perf_counter()
    embedder.embed([SENTENCES[0]])
    loaded = time.perf_counter() - begun
    memory = resident(os.getpid())
    walls, processor = [], []
    for number in range(QUERIES):
        begun, spent = time.perf_counter(), time.process_time()
        embedder.embed([f"Where did we leave the spare key number {number}?"])
        walls.append(time.perf_counter() - begun)
        time.sleep(0.02)  # what its threads spend on waiting afterwards counts too
        processor.append(time.process_time() - spent)
    texts = _texts()
    begun = time.perf_counter()
    embedder.embed(texts)
    return {
        "first vector, import and load included, s": loaded,
        "memory it adds, MB": memory - empty,
        "one query, median ms": 1000 * median(walls),
        "its processor time, median ms": 1000 * median(processor),
        "texts a second": len(texts) / (time.perf_counter() - begun),
        "memory it adds after that, MB": resident(os.getpid()) - empty,
    }


if __name__ == "__main__":
    sys.stdout.write(json.dumps(_measure(sys.argv[1])))
