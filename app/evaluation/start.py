"""How long from the command to the first page, and how much memory a page takes."""

import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from statistics import median
from tempfile import TemporaryDirectory
from urllib.request import urlopen

from app.evaluation.browser import opened, say
from app.evaluation.server import ROOT, Served, served
from app.evaluation.table import table

RUNS = 5
LIBRARIES = """
import os, time
import gradio
from google.adk.agents import Agent
from google.adk.runners import Runner
from app.evaluation.server import resident
print(time.process_time(), resident(os.getpid()))
"""
NOTE = (
    "Debrief of today's interview at the harbour office: they asked about distributed systems and "
    "on-call work, Nadia was friendly, the salary was not mentioned, and I should write on Monday."
)


def start() -> Iterator[str]:
    """Measure the start of `python -m app`; the floor imports gradio and ADK, nothing else."""
    _libraries()  # the first run compiles, and fills the system's file cache for both sides
    floors, starts, memory = [], [], []
    for run in range(RUNS):
        floors.append(_libraries())
        with TemporaryDirectory() as folder, served(["-m", "app", "--data-dir", folder]) as page:
            starts.append((page.seconds, page.processor))
            if run == RUNS - 1:
                memory = list(_memory(page))
    yield from table(
        (f"start, {RUNS} runs", "median s", "fastest s", "of that computing", "limit s"),
        ("floor: importing gradio and google.adk", *_summed_up(floors), ""),
        ("command to first answered page request", *_summed_up(starts), "5"),
    )
    yield ""
    yield from table(
        ("resident memory", "MB", "limit MB"),
        ("floor: gradio and google.adk imported", f"{floors[-1][2]:.0f}", ""),
        *memory,
    )


def _libraries() -> tuple[float, float, float]:
    """Import what the page cannot do without; return seconds, those spent computing, and MB."""
    begun = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", LIBRARIES], cwd=ROOT, capture_output=True, text=True, check=True
    )
    seconds = time.perf_counter() - begun
    computing, memory = map(float, done.stdout.split())
    return seconds, computing, memory


def _memory(page: Served) -> Iterator[tuple[str, str, str]]:
    with opened(page.url) as browser:
        if browser is None:
            for path in ("", "config"):
                with urlopen(page.url + path) as answer:
                    answer.read()
            yield "page fetched (no browser here to open it)", f"{page.resident():.0f}", "450"
            return
        yield "page open in a browser", f"{page.resident():.0f}", "450"
        say(browser, NOTE)
        yield "the same after a note was embedded", f"{page.resident():.0f}", "450"


def _summed_up(runs: Sequence[Sequence[float]]) -> tuple[str, str, str]:
    fastest = min(runs, key=lambda run: run[0])
    return f"{median(run[0] for run in runs):.2f}", f"{fastest[0]:.2f}", f"{fastest[1]:.2f}"
