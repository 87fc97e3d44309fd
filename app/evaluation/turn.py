"""What a turn costs beyond ADK and the model, and how soon its first words are on the page."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from statistics import mean, median
from tempfile import TemporaryDirectory
from typing import Any

from app.adk.bench_model import BareAgent, InstantModel
from app.application import Application
from app.evaluation.browser import MISSING, opened, say
from app.evaluation.server import served
from app.evaluation.table import table
from app.settings import Settings, Storage

SESSIONS = 20  # a side; the sides take turns, so that whatever else the machine does hits both
TURNS = 10  # a session
MESSAGES = 20  # sent on the page
ECHO = """
import os
import gradio
said = []
def echo(text):
    said.append(text)
    lines = "".join(f'<p class="reply"><span class="answer">{text}</span></p>' for text in said)
    return lines, ""
with gradio.Blocks(analytics_enabled=False) as page:
    log = gradio.HTML(elem_id="conversation")
    box = gradio.Textbox(elem_id="message")
    box.submit(echo, box, [log, box], queue=False, show_progress="hidden")
plain = gradio.themes.Base(font=["sans-serif"], font_mono=["monospace"])
page.launch(server_port=int(os.environ["PORT"]), quiet=True, theme=plain)
"""


def turn() -> Iterator[str]:
    """Measure turns of an instant model, with our layer and without, then turns on the page."""
    rows = []
    for what, searches in (("a reply", False), ("a search of recall, then a reply", True)):
        ours, bare = asyncio.run(_sides(searches=searches))
        beyond = median(ours) - median(bare)
        rows += [
            (f"floor: {what}, bare ADK", f"{median(bare):.1f}", f"{mean(bare):.1f}", ""),
            (f"{what}, this program", f"{median(ours):.1f}", f"{mean(ours):.1f}", ""),
            ("beyond the floor", f"{beyond:.1f}", f"{mean(ours) - mean(bare):.1f}", "10"),
        ]
    head = (f"processor time of a turn, {SESSIONS * TURNS} turns", "median ms", "mean ms", "limit")
    yield from table(head, *rows)
    yield ""
    echo = _first_words(["-c", ECHO])
    with TemporaryDirectory() as folder:
        page = _first_words(["-m", "app", "--data-dir", folder])
    yield from table(
        (f"Enter to first words, {MESSAGES} messages", "median ms", "slowest ms", "limit"),
        ("floor: a page of gradio alone that echoes", *echo, ""),
        ("first words of a reply, offline model", *page, "150"),
    )


async def _sides(*, searches: bool) -> tuple[list[float], list[float]]:
    """Return the processor time of each turn in ms: this program's, then bare ADK's."""
    ours: list[float] = []
    bare: list[float] = []
    model = InstantModel(searches=searches)
    with TemporaryDirectory() as folder:
        settings = Settings(storage=Storage(data_dir=Path(folder)))
        async with Application.open(settings, model=model) as application:
            agent = BareAgent(application.memory, model, Path(folder))
            for number in range(SESSIONS + 1):
                spent = (
                    await _session(application.chat("ours").send),
                    await _session(await agent.talk("bare")),
                )
                if number > 0:  # the first pays for what is loaded on first use
                    ours += spent[0]
                    bare += spent[1]
            await agent.close()
    return ours, bare


async def _session(say: Callable[[str], AsyncIterator[Any]]) -> list[float]:
    """Run the turns of one session, each to its end, and return the processor time of each."""
    spent = []
    for number in range(TURNS):
        begun = time.process_time()
        async for _event in say(f"I went for ride {number} on my bicycle today, along the river."):
            pass
        spent.append(1000 * (time.process_time() - begun))
    return spent


def _first_words(arguments: list[str]) -> tuple[str, str]:
    """Return the median and the slowest time to the first words in ms."""
    with served(arguments) as page, opened(page.url) as browser:
        if browser is None:
            return MISSING, ""
        say(browser, "Hello there!")  # the first pays for what is loaded on first use
        times = [say(browser, f"How are you on day {number}?") for number in range(MESSAGES)]
    return f"{median(times):.0f}", f"{max(times):.0f}"
