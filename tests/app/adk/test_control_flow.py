"""No model output and no fault ends a session or runs for ever."""

import pytest

from app import events as seen
from tests.fakes import ScriptedModel, call, say, text
from tests.turns import collect, kinds, notices, texts


async def test_same_call_for_ever_is_broken_off(opened):
    """A search repeated without end stops early with a sentence, and the session goes on."""
    looping = [call("recall_search", query="tea")] * 30
    model = ScriptedModel(looping)
    async with opened(model) as application:
        chat = application.chat("u1")
        events = await collect(chat.send("tea?"))
        used = len(model.seen)
        model.script = [say("ok")] * 60
        after = await collect(chat.send("Thanks."))

    assert notices(events) == ["repeated_call"]
    assert used <= 5
    assert texts(after) == ["ok"]


async def test_two_alternating_calls_are_broken_off(opened):
    """Two calls taking turns for ever stop within ten model calls."""
    pair = [call("recall_search", query="tea"), call("archival_search", query="tea")]
    model = ScriptedModel(pair, repeat=True)
    async with opened(model) as application:
        events = await collect(application.chat("u1").send("tea?"))

    assert notices(events) == ["repeated_call"]
    assert len(model.seen) <= 10


async def test_failing_call_repeated_is_broken_off(opened):
    """The same failing call a third time is not run again, and the model is told."""
    bad = call("core_memory_append", block="pets", text="cat")
    async with opened(ScriptedModel([bad], repeat=True)) as application:
        events = await collect(application.chat("u1").send("cat"))

    errors = [tool.error for tool in kinds(events, seen.ToolFinished)]
    assert "before" in errors[2]
    assert notices(events) == ["repeated_call"]


async def test_steps_are_capped_for_each_turn(opened):
    """A turn of ever new calls ends at limits.steps with a notice; the next has its own count."""
    model = ScriptedModel([call("recall_search", query=f"word{i}") for i in range(40)])
    async with opened(model, **{"limits.steps": 4}) as application:
        chat = application.chat("u1")
        events = await collect(chat.send("Look."))
        used = len(model.seen)
        again = await collect(chat.send("continue"))

    assert notices(events) == ["step_limit"]
    assert used == 4
    assert notices(again) == ["step_limit"]
    assert len(model.seen) == 8


@pytest.mark.parametrize(
    "faulty",
    [
        call("recall_search"),
        call("recall_search", query={"a": 1}),
        call("archival_insert", text="x", tags="not a list"),
        call("recall_search", query="tea", page="first"),
        call("recall_search", query="tea", since="2026-02-30"),
        call("archival_insert", text="   "),
        call("send_message", message=""),
    ],
)
async def test_faulty_arguments_are_told_to_the_model(opened, faulty):
    """Missing, wrongly typed and impossible arguments come back as errors, never end the run."""
    model = ScriptedModel([faulty, say("Sorry.")])
    async with opened(model) as application:
        events = await collect(application.chat("u1").send("Go."))

    answer = model.seen[1].contents[-1].parts[-1].function_response.response
    assert "error" in answer
    assert texts(events) == ["Sorry."]


async def test_extra_and_convertible_arguments_are_accepted(opened):
    """An argument too many is dropped, a number for text is read as text."""
    lenient = call("recall_search", query=42, page="1", mood="curious")
    async with opened([lenient, say("Done.")]) as application:
        events = await collect(application.chat("u1").send("42?"))

    assert kinds(events, seen.ToolFinished)[0].error is None


async def test_two_tools_in_one_reply_both_run(opened):
    """Both calls of one reply are carried out and answered."""
    both = [
        call("archival_insert", text="The bike lock code is 8812."),
        call("recall_search", query="bike"),
    ]
    async with opened([both, say("Done.")]) as application:
        events = await collect(application.chat("u1").send("bike"))
        notes = application.memory.for_user("u1").archival.count()

    assert len(kinds(events, seen.ToolFinished)) == 2
    assert notes == 1


async def test_exception_in_a_tool_is_told_without_details(opened, monkeypatch):
    """A tool that breaks inside gives an error result without its details; a reply follows."""
    async with opened([call("recall_search", query="tea"), say("Sorry.")]) as application:

        def broken(*_args, **_named):
            raise OSError("/secret/path")

        monkeypatch.setattr("memory_tiers.recall.RecallMemory.search", broken)
        events = await collect(application.chat("u1").send("tea?"))

    assert "secret" not in repr(events)
    assert kinds(events, seen.ToolFinished)[0].error
    assert texts(events) == ["Sorry."]


async def test_storage_that_fails_is_said(opened):
    """When nothing can be written, the turn ends with the storage's sentence and no model call."""
    model = ScriptedModel([say("x")])
    async with opened(model) as application:
        application.memory.close()
        events = await collect(application.chat("u1").send("Hello."))

    assert notices(events) == ["store_unavailable"]
    assert model.seen == []


@pytest.mark.parametrize("blank", ["", "   ", "\n\t "])
async def test_blank_message_is_refused_without_a_model_call(opened, blank):
    """An empty message gets a sentence, and nothing is stored."""
    model = ScriptedModel([say("x")])
    async with opened(model) as application:
        events = await collect(application.chat("u1").send(blank))
        stored = application.memory.for_user("u1").recall.count()

    assert notices(events) == ["blank_message"]
    assert (stored, model.seen) == (0, [])


async def test_long_message_is_refused_without_a_model_call(opened):
    """A message over limits.message_chars is refused with both numbers, not cut in silence."""
    model = ScriptedModel([say("x")])
    async with opened(model, **{"limits.message_chars": 1000}) as application:
        events = await collect(application.chat("u1").send("x" * 1001))

    (notice,) = kinds(events, seen.Notice)
    assert "1,001" in notice.text and "1,000" in notice.text
    assert model.seen == []


@pytest.mark.parametrize(
    "odd",
    [
        "y" * 200_000,
        "tab\tand \x07 bell and \x1b[31m",
        "<script>alert(1)</script> ![x](http://host.test/a.png)",
        "{city} {{name}} {artifact.x} $5 and $7",
        "\u202eright to left\u202c مرحبا abc 123",
    ],
)
async def test_odd_text_is_kept_as_typed(opened, odd):
    """Huge text, control characters, markup and braces arrive and are stored as typed."""
    async with opened([say(odd)]) as application:
        chat = application.chat("u1")
        events = await collect(chat.send(odd))
        stored = application.memory.for_user("u1").recall.messages(chat.session_id)

    assert texts(events) == [odd]
    assert [message.text for message in stored] == [odd, odd]


async def test_unstorable_characters_are_replaced_and_said(opened):
    """NUL and a lone surrogate become a replacement character, and a notice says so."""
    async with opened([text("Hm \x00 \ud800.")]) as application:
        chat = application.chat("u1")
        events = await collect(chat.send("a\x00b\ud800c"))
        stored = application.memory.for_user("u1").recall.messages(chat.session_id)

    assert notices(events) == ["text_cleaned"]
    assert stored[0].text == "a\ufffdb\ufffdc"
    assert texts(events) == ["Hm \ufffd \ufffd."]
