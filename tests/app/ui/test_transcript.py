"""Events become lines: what stands where, while a turn runs and afterwards."""

import re

import pytest

from app.events import (
    ConfirmationRequested,
    Done,
    Notice,
    Text,
    TextDelta,
    ToolFinished,
    ToolStarted,
    UserText,
)
from app.ui.transcript import EMPTY, lines

ARGUMENTS = {"block": "human", "old": "tea", "new": "coffee"}
CARD = ConfirmationRequested("c1", "core_memory_replace", ARGUMENTS)
ASKED = ToolStarted("t1", "core_memory_replace", ARGUMENTS)


def tool(name, result, error=None, **arguments):
    """A call that was made and answered."""
    return [
        ToolStarted("t1", name, arguments),
        ToolFinished("t1", name, arguments, result, error),
    ]


def read(events, cards=(), running=False):
    """Return the lines as a reader gets them, without markup and marks."""
    shown = [html for _, html in lines(events, cards, running=running)]
    return [" ".join(re.sub("<[^>]*>", " ", html).split()) for html in shown]


def test_nothing_said_yet_invites():
    """An empty conversation shows what this is and what could be said."""
    assert lines([]) == [EMPTY]


def test_words_stand_over_the_steps_that_led_to_them():
    """A reply comes first, its steps under it, though they happened before."""
    events = [UserText("hi"), *tool("archival_search", {"total": 3}, query="x"), Text("Found it.")]

    assert read(events)[:2] == ["You : hi".replace(" :", ":"), "Agent: Found it."]
    assert read(events)[2].startswith("Searched archival memory: 3 notes")


def test_two_replies_of_a_turn_keep_their_order():
    """What is said between two steps stays between them."""
    events = [
        UserText("hi"),
        Text("One moment."),
        *tool("recall_search", {"total": 1}),
        Text("So:"),
    ]

    assert [line[:20] for line in read(events)] == [
        "You: hi",
        "Agent: One moment.",
        "Agent: So:",
        "Searched recall memo",
    ]


def test_provisional_words_are_replaced():
    """Streamed pieces are one text, and the final one takes their place."""
    pieces = [UserText("hi"), TextDelta("Hel"), TextDelta("lo")]

    assert read(pieces, running=True)[-1] == "Agent: Hello"
    assert read([*pieces, Text("Hello!"), Done("s")])[-1] == "Agent: Hello!"


def test_provisional_words_are_withdrawn_if_nothing_follows():
    """Pieces that no final text confirms are gone when the turn is over."""
    assert read([UserText("hi"), TextDelta("Hel"), Done("s")]) == ["You: hi"]


def test_waiting_is_seen():
    """Until the first word there is a sign that something happens."""
    assert "Thinking" in lines([UserText("hi")], running=True)[-1][1]
    assert "Thinking" not in lines([UserText("hi")], running=False)[-1][1]


def test_lines_keep_their_keys():
    """A line has the same key while its reply grows and after the turn ended."""
    events = [UserText("hi"), TextDelta("He"), *tool("archival_insert", {"ok": True})]
    running = [key for key, _ in lines(events, running=True)]

    assert [key for key, _ in lines([*events, Text("Hello"), Done("s")])] == running


@pytest.mark.parametrize(
    ("event", "title"),
    [
        (tool("core_memory_append", {"ok": True}, block="human"), "Core memory: added to human"),
        (
            tool("core_memory_append", {"error": "full"}, "full", block="human"),
            "Core memory: not added to human",
        ),
        (
            tool("core_memory_replace", {"declined": True}, block="human"),
            "Core memory: kept human as it was",
        ),
        (tool("core_memory_replace", {"ok": True}, block="human"), "Core memory: changed human"),
        (tool("archival_insert", {"ok": True, "known": False}), "Archival memory: note saved"),
        (tool("archival_insert", {"known": True}), "Archival memory: note was already there"),
        (tool("archival_search", {"total": 1}), "Searched archival memory: 1 note"),
        (tool("recall_search", {"total": 0}), "Searched recall memory: 0 messages"),
        (tool("recall_search", {"error": "no"}, "no"), "Search of recall memory failed"),
        (tool("strange<b>", {"ok": True}), "Tool strange<b>"),
    ],
)
def test_step_titles(event, title):
    """A step says in the product's words what was done and how it went."""
    html = lines([UserText("x"), *event])[-1][1]

    assert title.replace("<", "&lt;").replace(">", "&gt;") in html


def test_step_of_an_ended_turn_does_not_spin():
    """A call that was never answered is marked as not finished once nothing runs."""
    events = [UserText("x"), ToolStarted("t1", "archival_insert", {})]

    assert 'class="step pending"' in lines(events, running=True)[-1][1]
    assert 'class="step stopped"' in lines(events)[-1][1]


def test_step_details_are_literal():
    """Arguments and results of a step are text, nested ones too."""
    evil = "<script>"
    shown = lines([*tool("archival_search", {"results": [{"text": evil, "tags": [evil]}]}, q=evil)])

    assert "<script" not in shown[-1][1]
    assert shown[-1][1].count("&lt;script&gt;") == 3


def test_card_waits_after_everything_else():
    """An open question stands last, its step says that it waits, and nothing spins."""
    shown = lines([UserText("x"), ASKED], [CARD])

    assert [key for key, _ in shown] == ["said-0", "step-t1", "card-c1"]
    assert 'class="step waiting"' in shown[1][1]


def test_card_of_a_removal_says_so():
    """A change to nothing is worded, not left blank."""
    card = ConfirmationRequested("c1", "core_memory_replace", ARGUMENTS | {"new": ""})

    assert "with nothing in its place" in lines([], [card])[-1][1]


def test_answered_card_is_no_step_of_its_own():
    """The result of an approved edit is told at the step that asked for it."""
    finished = ToolFinished("t1", "core_memory_replace", ARGUMENTS, {"ok": True})
    shown = read([UserText("x"), ASKED, finished, Text("Done.")])

    assert len(shown) == 3
    assert shown[2].startswith("Core memory: changed human")


@pytest.mark.parametrize(
    ("code", "button"),
    [
        ("step_limit", "Continue"),
        ("interrupted", "Retry"),
        ("model_error", "Retry"),
        ("already_answered", ""),
    ],
)
def test_notices_offer_a_way_on(code, button):
    """The newest notice has the button that fits; earlier ones and running turns have none."""
    notice = Notice(code, "Something happened.")

    assert read([UserText("x"), notice]) == ["You: x", f"Something happened. {button}".strip()]
    assert read([notice, UserText("x")])[0] == "Something happened."
    assert read([UserText("x"), notice], running=True)[-1] == "Something happened."
