"""Twenty visitors at once on one page: how soon each sees first words, and what it takes."""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from threading import Barrier

from app.evaluation.server import served
from app.evaluation.table import table
from app.evaluation.visitor import Visitor

VISITORS = 20
MESSAGES = 10  # of each, one after the other, all visitors at the same time
SITE = """
import sys
from app.adk.bench_model import REPLY, InstantModel
from app.config import load_settings
from app.gradio_app import serve
serve(load_settings(None, {"storage.data_dir": sys.argv[1], "users.mode": "visitors"}),
      InstantModel())
"""
FIRST_WORDS = "Good to hear."  # how the model's reply begins


def visitors() -> Iterator[str]:
    """Let visitors talk at the same time with a model that takes no time."""
    with TemporaryDirectory() as folder, served(["-c", SITE, folder]) as page:
        people = [Visitor(page.url) for _ in range(VISITORS)]
        _talk(people[0], Barrier(1), 0)  # the first pays for what is loaded on first use
        together = Barrier(VISITORS)
        with ThreadPoolExecutor(VISITORS) as pool:
            spent = [*pool.map(lambda n: _talk(people[n], together, n), range(VISITORS))]
        alone = _talk(people[0], Barrier(1), 0)
        memory = page.resident()
    times = [seconds for seconds, _ in (one for person in spent for one in person)]
    mixed = sum(not right for person in spent for _, right in person)
    ranks = quantiles(times, n=100)
    yield from table(
        ("seconds from sending to first words", "p50", "p95", "slowest"),
        ("one visitor alone", f"{median(s for s, _ in alone):.2f}", "", ""),
        (f"{VISITORS} at once", f"{ranks[49]:.2f}", f"{ranks[94]:.2f}", f"{max(times):.2f}"),
        ("limit", "0.50", "1.50", ""),
    )
    yield ""
    yield from table(
        (f"{VISITORS * MESSAGES} messages", "", "limit"),
        ("without an answer, or with words of somebody else", f"{mixed}", "0"),
        ("resident memory of the page, MB", f"{memory:.0f}", "700"),
    )


def _talk(person: Visitor, together: Barrier, number: int) -> list[tuple[float, bool]]:
    """Send messages at the same moments as the others; return time and rightness of each."""
    together.wait()
    found, place = [], "0/"
    for turn in range(MESSAGES):
        mine = f"visitor {number} says thing {turn}"
        begun = time.perf_counter()
        shown = person.say(mine, place)
        place = f"{shown['look']}/{shown['session']}"
        seconds = 0.0 if not _answered(shown["lines"], turn) else time.perf_counter() - begun
        for message in person.follow("follow", place):
            if not seconds and FIRST_WORDS in str(message.get("output", "")):
                seconds = time.perf_counter() - begun
        lines = str(person.call("enter", shown["session"])[0]["lines"])
        others = lines.count("visitor ") != lines.count(f"visitor {number} says")
        found.append((seconds or time.perf_counter() - begun, mine in lines and not others))
    return found


def _answered(lines: list[list[str]], turn: int) -> bool:
    """Tell whether the reply to this turn has begun."""
    return sum(FIRST_WORDS in html for _, html in lines) > turn
