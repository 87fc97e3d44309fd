"""Past a cap there is a polite sentence and no model call, and others are not held up."""

import asyncio
import json

import pytest
from pydantic import PrivateAttr

from app.application import Application
from app.caps import FILE_NAME, WAITING, Caps
from app.config import load_settings
from tests.fakes import ScriptedModel, call, say
from tests.turns import collect, notices, texts


class Watch:
    """A clock that is moved by hand."""

    def __init__(self):
        self.now = 1_800_000_000.0

    def __call__(self):
        """Return the time it shows, in seconds since 1970."""
        return self.now


@pytest.fixture
def watch():
    """A clock that is moved by hand."""
    return Watch()


@pytest.fixture
def settings(tmp_path):
    """Settings on this test's data folder with limits of its own."""

    def make(**limits):
        given = {f"limits.{name}": value for name, value in limits.items()}
        return load_settings(None, {"storage.data_dir": str(tmp_path), **given}, environ={})

    return make


class HeldModel(ScriptedModel):
    """Answers only once it is let go."""

    _held: asyncio.Event = PrivateAttr(default_factory=asyncio.Event)

    async def generate_content_async(self, llm_request, stream=False):
        """Wait, then give the next reply."""
        await self._held.wait()
        async for response in super().generate_content_async(llm_request, stream):
            yield response


def none():
    """Count the turns of a new session."""
    return 0


def test_without_caps_nothing_is_refused(settings, watch, tmp_path):
    """At home a thousand calls within a minute are nobody's business, and nothing is written."""
    caps = Caps(settings(), watch, watch)

    assert [caps.call("u1") for _ in range(1000)] == [None] * 1000
    assert caps.refusal("u1", "hi", none) is None
    assert caps.crowded("u1") is None
    assert list(tmp_path.iterdir()) == []


def test_calls_of_a_minute_are_one_persons(settings, watch):
    """Who has used up the minute waits for it to pass; others are served meanwhile."""
    caps = Caps(settings(calls_per_minute=2), watch, watch)
    first = [caps.call("u1") for _ in range(2)]
    watch.now += 20
    refused = caps.call("u1")

    assert first == [None, None]
    assert refused.code == "too_fast"
    assert "wait 40 seconds" in refused.text
    assert caps.refusal("u1", "hi", none).code == "too_fast"
    assert caps.call("u2") is None
    watch.now += 40
    assert caps.call("u1") is None


def test_clock_that_is_set_back_locks_nobody_out(settings, watch):
    """The minute is counted by a steady clock, whatever the time of day says."""
    hour = Watch()
    caps = Caps(settings(calls_per_minute=1), hour, watch)
    caps.call("u1")
    hour.now -= 3600
    watch.now += 30

    assert "wait 30 seconds" in caps.call("u1").text


def test_calls_of_a_day_are_everybodys(settings, watch):
    """The day's calls are used up by all together, also across a restart, and come back."""
    caps = Caps(settings(calls_per_day=3), watch, watch)
    for user in ("u1", "u2", "u3"):
        assert caps.call(user) is None

    restarted = Caps(settings(calls_per_day=3), watch, watch)
    assert caps.call("u4").code == "day_used_up"
    assert restarted.refusal("u4", "hi", none).code == "day_used_up"
    watch.now += 86_400
    assert restarted.call("u4") is None


@pytest.mark.parametrize("content", ["", "[]", "{", '{"day": 1}', '{"day": "x", "calls": null}'])
def test_harmed_count_of_the_day_begins_anew(settings, watch, tmp_path, content):
    """A file that cannot be read counts as no calls; it is no reason not to start."""
    (tmp_path / FILE_NAME).write_text(content)
    caps = Caps(settings(calls_per_day=1), watch, watch)

    assert caps.call("u1") is None
    assert json.loads((tmp_path / FILE_NAME).read_text())["calls"] == 1


def test_calls_that_are_over_take_no_room(settings, watch):
    """Thousands of visitors who left are not remembered by their calls."""
    caps = Caps(settings(calls_per_minute=5), watch, watch)
    for number in range(3000):
        caps.call(f"visitor-{number}")
        watch.now += 1

    assert len(caps._calls) <= 61


def test_turns_at_one_time_are_counted_until_they_end(settings):
    """One turn more than may run is refused; when one has ended there is room again."""
    caps = Caps(settings(turns_at_once=1))
    with caps.running() as first:
        with caps.running() as second:
            pass
        crowded = caps.crowded("u2")

    assert first is None
    assert second.code == crowded.code == "too_many_turns"
    assert caps.crowded("u2") is None


def test_waiting_messages_of_one_person_are_bounded(settings):
    """Who lets messages pile up is told to wait; nobody else is."""
    caps = Caps(settings(turns_at_once=9))
    for _ in range(WAITING):
        caps.join("u1")

    assert caps.crowded("u1").code == "too_many_waiting"
    assert caps.crowded("u2") is None
    caps.leave("u1")
    assert caps.crowded("u1") is None


async def test_sixty_messages_of_one_are_capped_and_the_other_is_served(settings):
    """Of sixty messages in a minute the first are answered, the rest cost no model call."""
    model = ScriptedModel([say("Yes.")] * 60)
    async with Application.open(settings(calls_per_minute=10), model=model) as application:
        flood = [await collect(application.chat("u1").send(f"Message {n}")) for n in range(60)]
        asked = len(model.seen)
        other = await collect(application.chat("u2").send("And me?"))
        kept = application.memory.for_user("u1").recall.count(role="user")

    assert asked == 10
    assert [texts(events) for events in flood[:10]] == [["Yes."]] * 10
    assert {notices(events)[0] for events in flood[10:]} == {"too_fast"}
    assert texts(other) == ["Yes."]
    assert kept == 10


async def test_sixty_messages_at_once_are_capped_too(settings):
    """Messages that were let in together still end at the cap, each with a sentence."""
    model = ScriptedModel([say("Yes.")] * 60)
    async with Application.open(settings(calls_per_minute=5), model=model) as application:
        sent = await asyncio.gather(
            *(collect(application.chat("u1").send(f"Message {n}")) for n in range(60))
        )

    ended = [texts(events) or notices(events) for events in sent]
    assert len(model.seen) == 5
    assert sorted(map(tuple, ended)) == [("Yes.",)] * 5 + [("too_fast",)] * 55


async def test_cap_within_a_turn_ends_it_with_a_sentence(settings):
    """A turn of many steps stops where the calls are used up, and says so."""
    model = ScriptedModel([call("recall_search", query=f"tea {n}") for n in range(9)])
    async with Application.open(settings(calls_per_minute=3), model=model) as application:
        events = await collect(application.chat("u1").send("Look for tea."))

    assert len(model.seen) == 3
    assert notices(events) == ["too_fast"]


async def test_session_with_all_its_turns_points_to_a_new_one(settings):
    """Past the turns of a session nothing is sent, and a new session goes on."""
    model = ScriptedModel([say("One."), say("Two."), say("Three.")])
    async with Application.open(settings(session_turns=2), model=model) as application:
        chat = application.chat("u1")
        shown = [await collect(chat.send(text)) for text in ("a", "b", "c")]
        fresh = await collect(application.chat("u1").send("c"))

    assert notices(shown[2]) == ["session_full"]
    assert texts(fresh) == ["Three."]


async def test_notes_past_the_limit_are_told_to_the_model(settings):
    """The tool says that no more notes fit, as an error the model can act on."""
    script = [
        [call("archival_insert", text="Note one is here."), say("Kept.")],
        call("archival_insert", text="Note two is here."),
        say("No room."),
    ]
    model = ScriptedModel(script)
    async with Application.open(settings(notes=1), model=model) as application:
        chat = application.chat("u1")
        await collect(chat.send("one"))
        events = await collect(chat.send("two"))
        count = application.memory.for_user("u1").archival.count()

    assert count == 1
    assert texts(events) == ["No room."]
    errors = [event.error for event in events if getattr(event, "error", None)]
    assert len(errors) == 1 and "limits.notes" in errors[0]


async def test_crowd_is_told_and_one_person_cannot_fill_the_room(settings):
    """With every place taken the next is asked to come again; waiting takes no place."""
    model = HeldModel([say("Done.")] * 9)
    async with Application.open(settings(turns_at_once=2), model=model) as application:
        flood = [
            asyncio.create_task(collect(application.chat("u1").send(f"Message {n}")))
            for n in range(4)
        ]
        await asyncio.sleep(0.3)
        other = asyncio.create_task(collect(application.chat("u2").send("Me too?")))
        await asyncio.sleep(0.3)
        late = await collect(application.chat("u3").send("And me?"))
        model._held.set()
        answers = [await task for task in (*flood, other)]

    assert notices(late) == ["too_many_turns"]
    assert [notices(answer) for answer in answers[:4]].count(["too_many_waiting"]) == 1
    assert texts(answers[4]) == ["Done."]


async def test_a_person_whose_turn_runs_is_busy(settings):
    """While a reply is written its person is busy, and nobody else is."""
    model = HeldModel([say("Done.")])
    async with Application.open(settings(), model=model) as application:
        turn = asyncio.create_task(collect(application.chat("u1").send("Hello.")))
        await asyncio.sleep(0.2)
        during = [application.busy(*users) for users in (("u1",), ("u2",), ("u2", "u1"))]
        model._held.set()
        await turn
        after = application.busy("u1")

    assert during == [True, False, True]
    assert after is False
