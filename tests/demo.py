"""Writes docs/demo_transcript.md and its pictures from a run of the four scenes on the page.

`make demo` plays them in a real browser with the offline model. What happened behind the scenes is
read back from the databases of that run.
"""

import asyncio
import json
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from playwright.sync_api import sync_playwright

from app import events as seen
from app.adk.chat import Chat
from app.application import Application
from app.config import load_settings
from tests.chromium import launch
from tests.pages import DOCS
from tests.play import play
from tests.servers import page_server

USER = "local"
HEAD = """# A conversation, and what happens behind it

This page is written by `make demo`: four scenes played on the page in a real browser, with the
built-in offline model. The indented lines are what the person does not see by default; on the page
they are the steps under each reply. {today} is the day of the run.

![The page before anything was said](images/empty.png)
"""
TITLES = (
    "Scene 1: facts are told",
    "Scene 2: a correction is proposed, rejected, then approved",
    "Scene 3: a debrief is kept as a note",
    "Scene 4: a new session remembers the note",
)
PICTURES = {
    0: ("facts", "The facts are in core memory, at the right"),
    1: ("card", "A change of core memory waits for a yes"),
    3: ("note", "The note is saved, with its step opened by a click"),
    4: ("recalled", "A new session quotes the note"),
}
SCENE_OF_TURN = (0, 1, 1, 2, 3)


def transcript(data_dir: Path) -> str:
    """Tell the whole run from its databases."""
    # On a thread of its own: a browser that is open in this one has a loop running.
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, _transcript(data_dir)).result()


async def _transcript(data_dir: Path) -> str:
    settings = load_settings(
        None, {"storage.data_dir": str(data_dir), "model.provider": "offline"}, environ={}
    )
    async with Application.open(settings) as application:
        chats = [application.chat(USER, s.id) for s in reversed(application.sessions(USER))]
        told = [line async for line in _turns(application, chats)]
    text = HEAD.replace("{today}", "“today”") + "\n".join(told) + "\n"
    return _undated(text)


async def _turns(application: Application, chats: list[Chat]) -> Any:
    turn = -1
    for chat in chats:
        for event in await chat.history(200):
            if isinstance(event, seen.UserText):
                turn += 1
                scene = SCENE_OF_TURN[turn]
                if turn == 0 or scene != SCENE_OF_TURN[turn - 1]:
                    yield f"\n## {TITLES[scene]}\n"
                yield f"**You:** {event.text}\n"
            else:
                for line in _told(event):
                    yield line
            if isinstance(event, seen.Text) and turn in PICTURES:
                name, alt = PICTURES[turn]
                yield f"![{alt}](images/{name}.png)\n"
    core = application.memory.for_user(USER).core
    yield "\n## What is kept\n"
    yield "The versions of the block `human`, oldest first:\n"
    for version in core.history("human"):
        text = version.text.replace("\n", " / ") or "(empty)"
        yield f"{version.version}. {text} ({version.cause})"


def _told(event: seen.Event) -> Iterator[str]:
    match event:
        case seen.Text(text):
            yield f"**Agent:** {text}\n"
        case seen.Notice(_, text):
            yield f"*{text}*\n"
        case seen.ToolFinished(name=name, arguments=arguments, result=result, error=error):
            shown = ", ".join(f"{key}={_short(value)}" for key, value in arguments.items())
            yield f"> `{name}({shown})`\n>\n> {_outcome(name, result, error)}\n"


def _outcome(name: str, result: dict[str, Any], error: str | None) -> str:
    if error:
        return f"refused: {error}"
    if result.get("declined"):
        return f"the person declined, with the reason “{result['reason']}”; the block is unchanged"
    if name == "core_memory_replace":
        return "the person approved; the line is replaced"
    if "results" in result:
        hits = [f"“{_short(hit['text'], 60)}” ({hit['at']})" for hit in result["results"]]
        return f"{result['total']} found" + (": " + "; ".join(hits) if hits else "")
    return "saved"


def _short(value: Any, length: int = 90) -> str:
    text = value if isinstance(value, str) else json.dumps(value)
    text = " / ".join(text.split("\n"))
    return text if len(text) <= length else f"{text[:length].rstrip()}…"


def _undated(text: str) -> str:
    """Write today's date as a word, so that the same run gives the same page on any day."""
    now = datetime.now().astimezone()
    spelled = (f"{now.day} {now:%B %Y}", f"{now:%d %B %Y}", f"{now:%Y-%m-%d}")
    for form in spelled:
        text = text.replace(form, "today")
    text = text.replace("on today", "today")
    return re.sub(r"today,? (?:at )?\d\d:\d\d", "today", text)


def main() -> None:
    """Play, take the pictures, write the page."""
    images = DOCS / "images"
    images.mkdir(exist_ok=True)
    with TemporaryDirectory() as folder:
        with (
            sync_playwright() as playwright,
            launch(playwright) as browser,
            page_server(Path(folder)) as address,
        ):
            page = browser.new_page(viewport={"width": 1280, "height": 800})
            page.goto(address)

            def shot(name: str) -> None:
                page.screenshot(path=images / f"{name}.png")

            play(page, shot)
        (DOCS / "demo_transcript.md").write_text(transcript(Path(folder)), encoding="utf-8")


if __name__ == "__main__":
    main()
