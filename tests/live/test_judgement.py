"""How well a real model follows the instruction: when it saves, when it searches, when it does not.

Run by `make test-live` with a key; prints the tool chosen in each scene and the save precision.
"""

from collections.abc import AsyncIterator

import pytest

from app import events as seen
from app.application import Application
from app.config import load_settings
from tests import scenes
from tests.turns import collect, kinds, texts

pytestmark = [pytest.mark.live, pytest.mark.timeout(900)]
SAVES = {"core_memory_append", "core_memory_replace", "archival_insert"}


@pytest.fixture
async def application(tmp_path) -> AsyncIterator[Application]:
    """The configured model over an empty memory; skipped where no real model is configured."""
    settings = load_settings("config.yaml", {"storage.data_dir": str(tmp_path / "data")})
    if settings.provider == "offline":
        pytest.skip("needs a real model: set GOOGLE_API_KEY, or model.base_url with a key")
    async with Application.open(settings) as opened:
        yield opened


def called(events: list[seen.Event]) -> list[str]:
    """Return the names of the tools of a turn, a waiting card's included."""
    return [event.name for event in kinds(events, seen.ToolStarted)]


async def test_four_scenes(application):
    """Facts are saved, a correction asks, a no is kept, a debrief is archived and found again."""
    mine = application.memory.for_user("live")
    chat = application.chat("live")
    rows = []

    rows.append(
        ("facts told", "core_memory_append", called(await collect(chat.send(scenes.FACTS))))
    )
    before = mine.core.block("human").text
    rows.append(
        ("correction", "core_memory_replace", called(await collect(chat.send(scenes.CORRECTION))))
    )
    for card in chat.pending():
        await collect(chat.confirm(card.id, approved=False, reason=scenes.REASON))
    kept = mine.core.block("human").text
    await collect(chat.send(scenes.CORRECTION_AGAIN))
    for card in chat.pending():
        await collect(chat.confirm(card.id, approved=True))
    rows.append(("debrief", "archival_insert", called(await collect(chat.send(scenes.DEBRIEF)))))
    later = await collect(application.chat("live").send(scenes.QUESTION))
    rows.append(("new session", "archival_search", called(later)))

    print("\n| scene | expected | chosen |\n|---|---|---|")  # noqa: T201 - the table is the result
    for scene, expected, chosen in rows:
        print(f"| {scene} | {expected} | {', '.join(chosen)} |")  # noqa: T201
    assert kept == before
    assert "Porto" in mine.core.block("human").text
    assert all(expected in chosen for _, expected, chosen in rows)
    assert "triage" in " ".join(texts(later)).lower()


async def test_turns_that_deserve_no_save(application):
    """Of twenty turns with nothing durable in them, at most one is saved."""
    wrong = []
    for line in scenes.NOT_WORTH_SAVING:
        if saves := SAVES & set(called(await collect(application.chat("live").send(line)))):
            wrong.append((line, saves))
    right = [
        bool(SAVES & set(called(await collect(application.chat("live").send(line)))))
        for line in (scenes.FACTS, scenes.DEBRIEF)
    ]

    precision = sum(right) / max(1, sum(right) + len(wrong))
    print(f"\nsave precision {precision:.2f}; saved without need: {wrong}")  # noqa: T201
    assert len(wrong) <= 1
    assert all(right)
