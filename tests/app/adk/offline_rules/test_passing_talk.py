"""What deserves no save, and answers of the wrong kind."""

from datetime import UTC, datetime

import pytest

from app.adk.offline_rules import Seen, decide
from tests import scenes

NOW = datetime(2026, 3, 2, 14, 5, tzinfo=UTC)
HUMAN = "Name: Dana.\nLives in Lisbon.\nFavourite drink: green tea."


def calls(text: str) -> list[str]:
    """Name the calls of the first reply to `text`, over a block with three lines."""
    return [c.name for c in decide(Seen(text, {"human": HUMAN, "persona": ""}, (), NOW))]


@pytest.mark.parametrize("text", scenes.NOT_WORTH_SAVING)
def test_passing_talk_is_not_saved(text):
    """Small talk, questions, quotations, suppositions and lunch leave memory as it is."""
    saved = [name for name in calls(text) if name.startswith(("core_memory", "archival_insert"))]

    assert saved == []


@pytest.mark.parametrize("kind", ["colour", "food", "film"])
def test_favourite_of_another_kind_is_no_answer(kind):
    """The favourite drink does not answer a question about another favourite."""
    assert "archival_search" in calls(f"What is my favourite {kind}?")
