"""What a browser sends is bounded in size, time and shape, and bound to its person's queue."""

import asyncio
import json

import pytest

from app.gate import MOST_BYTES, NOBODYS_BYTES, Gate
from app.identity import COOKIE
from app.settings import Settings
from tests.app.gate_asking import DATA, HOME, JOIN, KINDS, VISITORS, Behind, ask


async def test_queues_of_two_people_are_never_the_same():
    """The same name of a queue, sent by two people, leads to two queues."""
    body = json.dumps({"fn_index": 0, "session_hash": "abc", "data": ["\u00e9", 1]}).encode()
    one, other = VISITORS.new(), VISITORS.new()
    seen = []
    for value in (one, other, one):
        kept = [("cookie", f"{COOKIE}={value}"), ("content-length", str(len(body)))]
        _, _, joined = await ask(JOIN, "POST", kept, body=body)
        _, _, followed = await ask(DATA, "GET", kept, query="session_hash=abc&x=1")
        content = json.loads(joined.body)
        assert content["data"] == ["\u00e9", 1]
        assert dict(joined.scope["headers"])[b"content-length"] == str(len(joined.body)).encode()
        query = followed.scope["query_string"].decode()
        assert query == f"session_hash={content['session_hash']}&x=1"
        seen.append(content["session_hash"])

    assert seen[0] == seen[2] != seen[1]
    assert "abc" not in seen


@pytest.mark.parametrize(
    "content",
    [
        "",
        "no json",
        "[]",
        "7",
        "[" * 5000,
        "{}",
        {"fn_index": 0},
        {"fn_index": 0, "data": ["x"]},
        {"fn_index": 0, "data": ["x", 1, 2]},
        {"fn_index": 0, "data": ["x", "1"]},
        {"fn_index": 0, "data": ["x", True]},
        {"fn_index": 0, "data": ["x", 1e300]},
        '{"fn_index": 0, "data": ["x", NaN]}',
        {"fn_index": 0, "data": [["x"], 1]},
        {"fn_index": 0, "data": [{"path": "/etc/passwd"}, 1]},
        {"fn_index": 0, "data": [None, 1]},
        {"fn_index": 0, "data": "x1"},
        {"fn_index": -1, "data": []},
        {"fn_index": 999, "data": []},
        {"fn_index": True, "data": []},
        {"fn_index": "1", "data": []},
        {"fn_index": 1, "data": [], "event_data": [1]},
        {"fn_index": 1, "data": [], "event_data": {"a": {"b": 1}}},
        {"fn_index": 1, "data": [], "trigger_id": "x"},
    ],
)
async def test_what_the_page_would_not_send_is_refused(content):
    """Another shape than the page's own gets a sentence, before anything is done with it."""
    body = content if isinstance(content, str) else json.dumps(content)
    status, _, behind = await ask(JOIN, "POST", mode="single", body=body.encode())

    assert (status, behind.scope) == (400, None)


@pytest.mark.parametrize("event", [None, "typed", 3, {"id": "x", "index": 2, "on": True}])
async def test_what_events_bring_is_handed_on(event):
    """A plain value, or a few by name, reach the page as they were sent."""
    content = {"fn_index": 1, "data": [], "event_data": event}
    status, _, behind = await ask(JOIN, "POST", mode="single", body=json.dumps(content).encode())

    assert status == 200
    assert json.loads(behind.body)["event_data"] == event


async def test_fields_the_page_does_not_know_go_no_further():
    """Only what the page needs is handed on."""
    content = {"fn_index": 1, "data": [], "username": "mallory", "batched": True}
    _, _, behind = await ask(JOIN, "POST", mode="single", body=json.dumps(content).encode())

    assert sorted(json.loads(behind.body)) == [
        "data",
        "event_data",
        "fn_index",
        "session_hash",
        "trigger_id",
    ]


async def test_body_that_is_too_large_is_refused():
    """What is larger than any message is not kept; its length is not taken on trust."""
    status, _, behind = await ask(JOIN, "POST", mode="single", body=b"x" * (MOST_BYTES + 1))

    assert (status, behind.scope) == (413, None)


async def test_nobody_may_send_little():
    """From somebody who is not known no more is read than a page's own steps need."""
    status, _, behind = await ask(JOIN, "POST", body=b"x" * (NOBODYS_BYTES + 1))

    assert (status, behind.scope) == (413, None)


async def test_body_that_does_not_arrive_is_given_up(monkeypatch):
    """Who promises a body and does not send it holds nothing for long."""
    monkeypatch.setattr("app.gate.BODY_SECONDS", 0.05)
    sent = []

    async def receive():
        await asyncio.sleep(60)

    async def send(message):
        sent.append(message)

    scope = {"type": "http", "method": "POST", "path": JOIN, "headers": HOME}
    gate = Gate(Behind(), Settings(), None, KINDS)
    await gate({**scope, "client": None}, receive, send)

    assert sent[0]["status"] == 408
