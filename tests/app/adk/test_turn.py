"""A turn: what the user says is kept, what the agent says arrives once, one call is enough."""

import asyncio

import pytest
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from app import events as seen
from memory_tiers import InvalidInput
from tests.fakes import ScriptedModel, call, request_text, say, text
from tests.turns import collect, kinds, notices, texts


def recalled(application, session_id):
    """Return what recall keeps of a session, as pairs of role and text."""
    mine = application.memory.for_user("u1")
    return [(m.role, m.text) for m in mine.recall.messages(session_id)]


async def test_plain_turn_costs_one_model_call(opened):
    """A reply through send_message ends the turn after a single request."""
    model = ScriptedModel([say("Hello Dana!")])
    async with opened(model) as application:
        events = await collect(application.chat("u1").send("Hi, I'm Dana."))

    assert texts(events) == ["Hello Dana!"]
    assert len(model.seen) == 1
    assert isinstance(events[-1], seen.Done)


async def test_save_and_reply_together_cost_one_model_call(opened):
    """A core append beside send_message needs no second request."""
    model = ScriptedModel(
        [[call("core_memory_append", block="human", text="Name: Dana."), say("Hello Dana!")]]
    )
    async with opened(model) as application:
        events = await collect(application.chat("u1").send("Hi, I'm Dana."))
        blocks = {b.label: b.text for b in application.memory.for_user("u1").core.blocks()}

    assert len(model.seen) == 1
    assert texts(events) == ["Hello Dana!"]
    assert blocks["human"] == "Name: Dana."


async def test_search_beside_a_reply_is_still_read(opened):
    """The result of a search called together with send_message reaches the model."""
    model = ScriptedModel([[say("Let me look."), call("recall_search", query="tea")], say("Done.")])
    async with opened(model) as application:
        events = await collect(application.chat("u1").send("tea?"))

    assert texts(events) == ["Let me look.", "Done."]
    assert len(model.seen) == 2


async def test_heartbeat_keeps_the_turn_going(opened):
    """send_message with request_heartbeat is heard at once and the model goes on."""
    model = ScriptedModel([say("One moment.", request_heartbeat=True), say("Here it is.")])
    async with opened(model) as application:
        events = await collect(application.chat("u1").send("Find it."))

    assert texts(events) == ["One moment.", "Here it is."]


async def test_failed_write_beside_a_reply_is_told_to_the_model(opened):
    """When the append beside send_message fails, the model gets to read why."""
    model = ScriptedModel(
        [[call("core_memory_append", block="pets", text="A cat."), say("Noted!")], say("Sorry.")]
    )
    async with opened(model) as application:
        events = await collect(application.chat("u1").send("I have a cat."))

    assert texts(events) == ["Noted!", "Sorry."]
    assert kinds(events, seen.ToolFinished)[0].error


async def test_plain_text_reaches_the_user_once(opened):
    """A model that answers without the reply tool is shown, and kept, once."""
    async with opened([text("It is blue.")]) as application:
        chat = application.chat("u1")
        events = await collect(chat.send("Which colour?"))
        kept = recalled(application, chat.session_id)

    assert texts(events) == ["It is blue."]
    assert kept == [("user", "Which colour?"), ("assistant", "It is blue.")]


async def test_same_words_as_text_and_as_message_are_shown_once(opened):
    """Text and send_message with the same words are one reply, also in recall."""
    async with opened([[text("It is blue."), say("It is blue.")]]) as application:
        chat = application.chat("u1")
        events = await collect(chat.send("Which colour?"))
        kept = recalled(application, chat.session_id)

    assert texts(events) == ["It is blue."]
    assert [role for role, _ in kept] == ["user", "assistant"]


async def test_words_repeated_in_a_later_step_are_shown_once(opened):
    """Text said beside a call and again as the message is one reply."""
    script = [[text("It is blue."), call("recall_search", query="colour")], say("It is  blue.")]
    async with opened(script) as application:
        events = await collect(application.chat("u1").send("Which colour?"))

    assert texts(events) == ["It is blue."]


async def test_silence_after_a_save_gets_a_visible_reply(opened):
    """A model that archives a note and stops leaves a short reply, kept like any other."""
    script = [call("archival_insert", text="The gate code is 4411."), text("")]
    async with opened(script) as application:
        chat = application.chat("u1")
        events = await collect(chat.send("Note the gate code 4411."))
        again = texts(await chat.history())

    assert texts(events) == ["Saved to archival memory."]
    assert again == texts(events)


async def test_silence_without_a_save_gets_a_notice(opened):
    """An empty completion ends in a visible sentence, also after a reload."""
    async with opened([text("")]) as application:
        chat = application.chat("u1")
        events = await collect(chat.send("Hello?"))
        again = notices(await chat.history())

    assert notices(events) == ["no_reply"]
    assert again == ["no_reply"]


async def test_unknown_tool_is_told_to_the_model(opened):
    """A call of a tool that does not exist comes back with the tools that do."""
    model = ScriptedModel([call("wipe_everything"), text("I cannot do that.")])
    async with opened(model) as application:
        events = await collect(application.chat("u1").send("Wipe it."))

    error = kinds(events, seen.ToolFinished)[0].error
    assert "wipe_everything" in error and "archival_search" in error
    assert texts(events) == ["I cannot do that."]


async def test_both_sides_are_kept_in_recall_once(opened):
    """Each message of both sides is one row, in order."""
    async with opened([say("Hello."), say("Good.")]) as application:
        chat = application.chat("u1")
        await collect(chat.send("Hi."))
        await collect(chat.send("How are you?"))
        kept = recalled(application, chat.session_id)

    assert kept == [
        ("user", "Hi."),
        ("assistant", "Hello."),
        ("user", "How are you?"),
        ("assistant", "Good."),
    ]


async def test_tool_results_are_not_kept_as_messages(opened):
    """What a search returned is found neither in recall nor by another search."""
    script = [say("Zanzibar it is."), call("recall_search", query="zanzibar"), say("Found.")]
    async with opened(script) as application:
        chat = application.chat("u1")
        await collect(chat.send("Pick a place."))
        await collect(chat.send("Which place?"))
        kept = recalled(application, chat.session_id)

    assert len(kept) == 4


async def test_search_leaves_out_the_question_itself(opened):
    """The message being answered, saved first, is not its own best hit."""
    async with opened([call("recall_search", query="xylophone"), say("No.")]) as application:
        events = await collect(application.chat("u1").send("Did I mention a xylophone?"))

    assert kinds(events, seen.ToolFinished)[0].result["total"] == 0


async def test_message_is_saved_before_the_model_is_called(opened):
    """When the model fails, the user's words are in recall and a sentence is shown."""
    async with opened([RuntimeError("secret upstream detail")]) as application:
        chat = application.chat("u1")
        events = await collect(chat.send("Remember the harbour."))
        kept = recalled(application, chat.session_id)

    assert kept == [("user", "Remember the harbour.")]
    assert notices(events) == ["model_error"]
    assert "secret" not in repr(events)


async def test_turns_started_together_are_answered_in_pairs(opened):
    """Six messages sent at once in one session are kept in pairs, each once, without error."""
    async with opened([say(f"r{i}") for i in range(6)]) as application:
        chat = application.chat("u1")
        outcomes = await asyncio.gather(*(collect(chat.send(f"m{i}")) for i in range(6)))
        kept = recalled(application, chat.session_id)
        found = application.memory.for_user("u1").recall.count()

    assert [role for role, _ in kept] == ["user", "assistant"] * 6
    assert {body for role, body in kept if role == "user"} == {f"m{i}" for i in range(6)}
    assert not any(notices(events) for events in outcomes)
    assert found == 12


async def test_leaving_early_does_not_end_the_turn(opened):
    """A follower that goes away after the first words finds the whole reply later."""
    model = ScriptedModel([say("one two three four five")], delay=0.02)
    async with opened(model) as application:
        chat = application.chat("u1")
        async for event in chat.send("Count."):
            if isinstance(event, seen.TextDelta):
                break
        await chat.end()

        assert texts(await chat.history()) == ["one two three four five"]


async def test_deltas_add_up_to_the_reply(opened):
    """The streamed pieces of send_message are the words of the final text."""
    async with opened([say("a quick brown fox")]) as application:
        events = await collect(application.chat("u1").send("Go."))

    pieces = "".join(event.text for event in kinds(events, seen.TextDelta))
    assert pieces.strip() == texts(events)[0]


async def test_stop_keeps_what_was_shown(opened):
    """Stopping in mid-reply keeps the words shown so far and says that it stopped."""
    model = ScriptedModel([say("one two three four five six"), say("Next.")], delay=0.05)
    async with opened(model) as application:
        chat = application.chat("u1")
        events = []
        async for event in chat.send("Count."):
            events.append(event)
            if len(kinds(events, seen.TextDelta)) == 2:
                chat.stop()
                chat.stop()
        after = await collect(chat.send("And now?"))

    assert notices(events) == ["stopped"]
    assert texts(events) and texts(events)[0].startswith("one two")
    assert "six" not in texts(events)[0]
    assert texts(after) == ["Next."]


async def test_memory_outlives_the_process(opened):
    """After a restart the session reads as before and core memory is in the next request."""
    script = [[call("core_memory_append", block="human", text="Name: Dana."), say("Hello!")]]
    async with opened(script) as application:
        chat = application.chat("u1")
        await collect(chat.send("I'm Dana."))
        before = await chat.history()
    model = ScriptedModel([say("Dana.")])
    async with opened(model) as application:
        after = await application.chat("u1", chat.session_id).history()
        await collect(application.chat("u1").send("Who am I?"))

    assert after == before
    assert "Name: Dana." in str(model.seen[0].config.system_instruction)


async def test_another_users_session_is_not_readable(opened):
    """A session id of one person opens nothing for another."""
    async with opened([say("My locker is 12.")]) as application:
        chat = application.chat("u1")
        await collect(chat.send("locker?"))

        assert await application.chat("u2", chat.session_id).history() == []
        assert application.sessions("u2") == []


async def test_white_space_around_a_message_is_kept(opened):
    """A message is stored, shown again and sent to the model with its indentation."""
    typed = "  indented:\n    deeper\n"
    model = ScriptedModel([say("ok")])
    async with opened(model) as application:
        chat = application.chat("u1")
        await collect(chat.send(typed))
        stored = application.memory.for_user("u1").recall.messages(chat.session_id)[0].text
        shown = (await chat.history())[0].text

    assert stored == shown == typed
    assert typed in request_text(model.seen[0])


@pytest.mark.parametrize("session_id", [" ", "a\0b", "\ud800"])
async def test_an_impossible_session_is_refused_at_once(opened, session_id):
    """A session id that cannot be stored raises before anything is said in it."""
    async with opened([]) as application:
        with pytest.raises(InvalidInput):
            application.chat("u1", session_id)


async def test_spans_hold_no_texts(opened):
    """Who listens to OpenTelemetry learns what took how long, not what was said."""
    kept = InMemorySpanExporter()
    provider = trace.get_tracer_provider()
    if not isinstance(provider, TracerProvider):
        trace.set_tracer_provider(provider := TracerProvider())
    provider.add_span_processor(SimpleSpanProcessor(kept))
    script = [call("recall_search", query="zebra"), say("A quagga, perhaps.")]
    async with opened(script) as application:
        await collect(application.chat("u1").send("Which animal has aardvark stripes?"))
    kept.shutdown()

    told = " ".join(span.to_json() for span in kept.get_finished_spans())
    assert "generate_content" in told
    assert [word for word in ("zebra", "quagga", "aardvark") if word in told] == []
