"""Text becomes HTML that shows it as typed and can do nothing else."""

from datetime import UTC, datetime, timedelta
from html import unescape
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.ui.render import (
    day,
    difference,
    literal,
    message_card,
    note_card,
    session_list,
    when,
    words,
)
from memory_tiers import Hit, Session

NOON = datetime(2026, 3, 14, 12, tzinfo=UTC)


def untagged(html, tag):
    """Take one tag out of an HTML text and read the rest as text."""
    return unescape(html.replace(f"<{tag}>", "").replace(f"</{tag}>", ""))


@given(st.text(alphabet=st.characters(codec="utf-8", exclude_categories=["Cc"])))
def test_literal_reads_back_as_typed(text):
    """What is escaped reads as it was, and no character of markup is left."""
    html = literal(text)

    assert unescape(html) == text
    assert not set(html) & set("<>\"'")


@pytest.mark.parametrize("odd", ["\x00", "\x07", "\x1b", "\x7f", "\ud800", "\udfff"])
def test_literal_replaces_what_no_page_can_hold(odd):
    """Controls and lone surrogates become U+FFFD; the rest stays, and all of it can be sent."""
    assert literal(f"a{odd}b\tc\nd") == "a\ufffdb\tc\nd"
    assert literal(odd).encode()


def test_long_words_scroll_and_can_be_reached():
    """A very long text gets a box of its own that takes the focus."""
    assert 'tabindex="0"' in words("x" * 5000, "bubble")
    assert "tabindex" not in words("x" * 50, "bubble")


@given(st.text("ab <&\n", max_size=60), st.text("ab <&\n", max_size=60))
def test_difference_shows_both_texts_whole(old, new):
    """Marks are added; no letter of either text is lost, moved or shown as markup."""
    gone, come = difference(old, new)

    assert untagged(gone, "del") == old
    assert untagged(come, "ins") == new


@pytest.mark.parametrize(
    ("old", "new", "gone", "come"),
    [
        ("Lives in Lisbon.", "Lives in Porto.", "Lisbon", "Porto"),
        ("Likes green tea", "Likes black coffee", "green tea", "black coffee"),
        ("one two", "one two three", "", " three"),
        ("a  b", "a b", "  ", " "),
        ("same", "", "same", ""),
    ],
)
def test_difference_marks_words(old, new, gone, come):
    """Only the words that differ are marked, two changed neighbours as one."""
    removed, added = difference(old, new)

    assert (f"<del>{gone}</del>" in removed) == bool(gone)
    assert (f"<ins>{come}</ins>" in added) == bool(come)
    assert removed.count("<del>") <= 1
    assert added.count("<ins>") <= 1


def test_difference_of_huge_texts_is_whole():
    """Beyond a size the texts are marked as a whole instead of compared for seconds."""
    gone, come = difference("a " * 50_000, "b " * 50_000)

    assert gone.startswith("<del>a a") and come.startswith("<ins>b b")


@pytest.mark.parametrize(
    ("ago", "said"),
    [(0, "Today"), (1, "Yesterday"), (3, "3 days ago"), (8, "6 Mar 2026"), (-1, "Today")],
)
def test_day_is_said_as_people_do(ago, said):
    """Near days by their distance, others by their date; a clock set back does no harm."""
    assert day(NOON - timedelta(days=ago), NOON) == said


def test_times_are_the_persons():
    """A stored time is shown in the person's zone, to the minute."""
    assert "14 Mar 2026, 13:00" in when(NOON, ZoneInfo("Europe/Berlin"))


def test_lists_show_stored_text_literally():
    """Titles, messages, notes and tags come through as text."""
    evil = "<img src=x>"
    hit = Hit("1", evil, NOON, 1.0, "archival", tags=(evil,))
    shown = (
        session_list([Session(evil, evil, NOON)], NOON)
        + message_card(hit, UTC)
        + note_card(hit, UTC)
    )

    assert "<img" not in shown
    assert shown.count("&lt;img src=x&gt;") == 5
