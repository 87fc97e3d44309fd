"""Values as lines for a terminal."""

import json
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from app import display
from app.events import ConfirmationRequested, Done, Text
from memory_tiers.records import Hit, Page

AT = datetime(2024, 5, 6, 22, 30, tzinfo=UTC)


@pytest.mark.parametrize("text", ["\x1b[2J", "a\rb", "\x9b31m", "\u202eabc", "\x07", "\ud800"])
def test_what_a_terminal_obeys_is_not_printed(text):
    """Escape sequences, carriage returns and direction marks become visible replacements."""
    assert "\ufffd" in display.printable(text)
    assert display.printable(display.printable(text)) == display.printable(text)


def test_ordinary_text_is_printed_as_it_is():
    """Line breaks, tabs, emoji, right-to-left letters and braces stay."""
    text = "a\n\tb 🎉 שלום {x} <b>"

    assert display.printable(text) == text


def test_event_is_one_line_of_json():
    """An event has its kind as `type`; line breaks inside stay inside."""
    line = display.event_json(Text("two\nlines"))

    assert json.loads(line) == {"type": "Text", "text": "two\nlines"}
    assert "\n" not in line
    assert json.loads(display.event_json(Done("s1"))) == {
        "type": "Done",
        "session_id": "s1",
        "usage": {},
    }


def test_found_messages_have_the_time_of_the_users_zone():
    """A search result tells when, in the user's zone, who, and what."""
    hit = Hit("m1", "Tea, please.", AT, 1.0, "recall", role="user", session_id="s1")

    lines = list(display.found(Page((hit,), 3, 0), ZoneInfo("Asia/Tokyo")))

    assert lines == ["2024-05-07 07:30  user: Tea, please.", "1 of 3 found."]


def test_found_notes_have_their_tags():
    """A note is shown with its tags, a page with its notice."""
    hit = Hit("p1", "Debrief.", AT, 1.0, "archival", tags=("work", "2024"))

    lines = list(display.found(Page((hit,), 1, 0, "Look again."), UTC))

    assert lines == ["Look again.", "2024-05-06 22:30  #work #2024: Debrief.", "1 of 1 found."]


def test_card_shows_old_and_new():
    """An edit that waits is shown with its block and both texts, each line marked."""
    request = ConfirmationRequested(
        "c1", "core_memory_replace", {"block": "human", "old": "a\nb", "new": "\x1b[1mc"}
    )

    assert list(display.card(request)) == [
        "The agent asks to change your human block:",
        "  - a",
        "  - b",
        "  + \ufffd[1mc",
    ]
