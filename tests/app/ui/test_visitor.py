"""What a browser claims is read with care; what breaks becomes a sentence."""

import gradio as gr
import pytest
from starlette.requests import Request

from app.gate import PERSON
from app.identity import Person
from app.jobs import Busy
from app.ui.visitor import BROKEN, Nobody, Place, calm, sent, who
from memory_tiers import NotFound


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("12/abc", Place(12, "abc")),
        ("12/", Place(12, "")),
        ("", Place(0, "")),
        ("x/abc", Place(0, "abc")),
        ("-3/abc", Place(0, "abc")),
        ("²/a/b", Place(0, "a/b")),
    ],
)
def test_place_is_read_with_care(text, place):
    """Whatever the browser holds, reading it does not fail."""
    assert Place.read(text) == place


@pytest.mark.parametrize("data", [None, [], "text", 3, {}, {"id": 3}, {"id": ["x"]}])
def test_event_data_of_another_shape_is_blank(data):
    """An event without the text that was expected gives a blank one."""
    assert sent(gr.EventData(None, data), "id") == ""


def asked(person):
    """A request as the gate hands it on, with everything else a browser may claim."""
    scope = {"type": "http", "headers": [(b"cookie", b"user=mallory")], PERSON: person}
    return gr.Request(Request(scope), username="mallory", session_hash="mallory")


def test_who_is_what_the_gate_found_out():
    """The person comes from the gate, whatever else the request says."""
    assert who(asked(Person("u1", name="Dana"))) == "u1"


def test_nobody_is_told_why():
    """Without a person nothing is done, and the sentence says what to change."""
    with pytest.raises(Nobody, match="keeps no cookie"):
        who(asked(None))


@pytest.mark.parametrize(
    ("error", "shown"),
    [
        (NotFound("There is no <b>."), "There is no &lt;b&gt;."),
        (Busy("Wait."), "Wait."),
        (Nobody("Who?"), "Who?"),
        (RuntimeError("secret"), BROKEN),
    ],
)
def test_what_fails_says_so_in_a_sentence(error, shown):
    """Errors made to be shown are shown as text, all others as one calm sentence."""

    def fails():
        raise error

    assert calm("place")(fails)() == {"place": shown}
