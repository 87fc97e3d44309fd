"""One visitor floods a public page; the page stays polite, and the others are served."""

from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

import pytest

from app.evaluation.visitor import Visitor
from tests.servers import page_server

SITE = ("-m", "app", "--data-dir", "{folder}", "--config", "{folder}/config.yaml")
CONFIG = """
users: {mode: visitors}
model: {provider: offline}
limits: {calls_per_minute: 8, notes: 5, session_turns: 100, message_chars: 20000}
"""


@pytest.fixture(scope="module")
def url(tmp_path_factory):
    """A page for visitors with caps."""
    folder = tmp_path_factory.mktemp("flooded")
    (folder / "config.yaml").write_text(CONFIG)
    with page_server(folder, SITE) as address:
        yield address


@pytest.fixture
def slow(tmp_path):
    """A page for visitors whose model takes half a minute for a patient one."""
    with page_server(tmp_path, ("-m", "tests.slow_site", "{port}", "{folder}")) as address:
        yield address


def tell(visitor, text, place):
    """Send a message and wait for its end; return where it was said and what was told."""
    shown, told, *_ = visitor.call("say", text, place)
    if "look" not in shown:
        return place, told
    place = f"{shown['look']}/{shown['session']}"
    for _ in visitor.follow("follow", place):
        pass
    return place, told


def test_sixty_messages_are_capped_and_the_other_is_served(url):
    """Past the cap each message gets a sentence, is kept out, and costs nobody else anything."""
    flooding, other = Visitor(url), Visitor(url)
    place, told = "0/", []
    for number in range(60):
        place, words = tell(flooding, f"Message {number}.", place)
        told.append(words)
    there, words = tell(other, "Hi, I'm Omar.", "0/")
    answered = other.call("enter", there.partition("/")[2])[0]["lines"]
    kept = flooding.call("enter", place.partition("/")[2])[0]["lines"]

    assert told[:8] == [""] * 8
    assert all("model calls within a minute" in sentence for sentence in told[8:])
    assert words == ""
    assert any("Omar" in html and "reply" in html for _, html in answered)
    assert sum('class="said"' in html for _, html in kept) == 8


def test_message_of_two_megabytes_is_refused_in_a_sentence(url):
    """A message over the limit is not sent, and both numbers are told."""
    _, told = tell(Visitor(url), "x" * 2_000_000, "0/")

    assert "2,000,000 characters; 20,000 are accepted" in told


def test_body_beyond_any_message_is_refused(url):
    """What is far larger than a message is not read to its end: refused, or cut off in mid-way."""
    visitor = Visitor(url)
    try:
        content = visitor.request("say", ["x" * 17_000_000, "0/"])
        status, _ = visitor.ask("gradio_api/run/predict", content)
    except URLError:
        status = 413

    assert status == 413
    assert visitor.call("find_messages", "x")


def test_odd_content_holds_nobody_up(url):
    """A few megabytes of nested lists are refused before anything is done with them."""
    visitor = Visitor(url)
    content = visitor.request("say", ["x", "0/"]) | {"data": [[[]] * 500_000]}
    status, body = visitor.ask("gradio_api/run/predict", content)

    assert status == 400
    assert len(body) < 200


def test_looks_of_one_person_leave_room_for_the_others(slow):
    """Many looks at one running turn are let go, and another person's reply is seen at once."""
    flooding, other = Visitor(slow), Visitor(slow)
    shown = flooding.say("Take your time.")
    place = f"{shown['look']}/{shown['session']}"
    for _ in range(450):
        flooding.ask("gradio_api/queue/join", flooding.request("follow", [place]))
    there = other.say("Me too.")
    told = [*other.follow("follow", f"{there['look']}/{there['session']}")]

    assert "Here I am." in str(told)
    assert flooding.call("enter", shown["session"])[0]["busy"]


def test_uploads_are_not_there(url):
    """Thirty uploads are thirty times nothing."""
    found = set()
    for _ in range(30):
        request = Request(
            f"{url}gradio_api/upload", b"--x--", {"Content-Type": "multipart/form-data; boundary=x"}
        )
        with pytest.raises(HTTPError) as refused:
            urlopen(request)
        with refused.value as answer:
            found.add(answer.code)

    assert found == {404}
