"""Whatever a model replies, nothing of it is lost, leaked or carried out that should not be."""

import pytest
from google.adk.models.llm_response import LlmResponse
from google.genai import types

from app import events as seen
from tests.fakes import ScriptedModel, call, say, text
from tests.turns import collect, kinds, notices, texts


def reply(*parts, **fields):
    """Build a whole response, with call ids as they are given."""
    return LlmResponse(content=types.Content(role="model", parts=list(parts)), **fields)


def numbered(name, **arguments):
    """Build a call under the one id a careless model gives to all of them."""
    return types.Part(function_call=types.FunctionCall(id="call_0", name=name, args=arguments))


async def say_hello(application):
    """Play one turn of u1; return the chat and what was seen."""
    chat = application.chat("u1")
    return chat, await collect(chat.send("Hello."))


async def test_a_message_that_failed_may_be_said_again(opened):
    """Words whose first sending was refused for another argument reach the user the second time."""
    script = [say("Hello Dana.", request_heartbeat="perhaps"), say("Hello Dana.")]
    async with opened(script) as application:
        _, events = await say_hello(application)

    assert texts(events) == ["Hello Dana."]


async def test_calls_that_share_an_id_are_each_carried_out(opened):
    """A model that numbers every call alike loses neither an edit nor a message in recall."""
    script = [
        reply(numbered("core_memory_append", block="human", text="Likes tea.")),
        reply(numbered("core_memory_append", block="human", text="Has a cat.")),
        reply(numbered("send_message", message="Noted.")),
    ]
    async with opened(script) as application:
        chat, events = await say_hello(application)
        mine = application.memory.for_user("u1")
        human = mine.core.block("human").text
        said = [message.text for message in mine.recall.messages(chat.session_id)]

    assert human == "Likes tea.\nHas a cat."
    assert said == ["Hello.", "Noted."]
    assert texts(events) == ["Noted."]


@pytest.mark.parametrize("request_", [{}, {"originalFunctionCall": {"id": "1", "name": "x"}}])
async def test_a_model_cannot_show_a_card_itself(opened, request_):
    """The call by which ADK asks the user is an unknown tool when a model makes it."""
    async with opened([call("adk_request_confirmation", **request_), say("Hi.")]) as application:
        chat, events = await say_hello(application)
        pending = chat.pending()

    assert "no tool" in kinds(events, seen.ToolFinished)[0].error
    assert texts(events) == ["Hi."]
    assert not pending


async def test_numbers_in_an_edit_become_text_before_the_card(opened):
    """An edit given as numbers is asked about, and applied, as the text they stand for."""
    edit = call("core_memory_replace", block="human", old=1999, new=2000)
    async with opened([edit, say("Changed.")]) as application:
        mine = application.memory.for_user("u1")
        mine.core.rewrite("human", "Born in 1999.")
        chat, events = await say_hello(application)
        (card,) = kinds(events, seen.ConfirmationRequested)
        await collect(chat.confirm(card.id, approved=True))
        human = mine.core.block("human").text

    assert (card.arguments["old"], card.arguments["new"]) == ("1999", "2000")
    assert human == "Born in 2000."


async def test_a_reply_that_ended_badly_executes_nothing(opened):
    """The calls inside a malformed reply are dropped, and the user is told."""
    bad = reply(
        call("archival_insert", text="half a note"),
        finish_reason=types.FinishReason.MALFORMED_FUNCTION_CALL,
    )
    async with opened([bad]) as application:
        _, events = await say_hello(application)
        notes = application.memory.for_user("u1").archival.count()

    assert notices(events) == ["model_faulty"]
    assert notes == 0


async def test_a_cut_reply_is_shown_and_marked(opened):
    """Half a sentence at the length limit is shown, with a notice that it was cut."""
    half = reply(text("This is half of a"), finish_reason=types.FinishReason.MAX_TOKENS)
    async with opened([half]) as application:
        _, events = await say_hello(application)

    assert texts(events) == ["This is half of a"]
    assert notices(events) == ["reply_cut"]


async def test_a_blocked_reply_without_words_says_why(opened):
    """A reply that only tells it was blocked becomes the sentence for that."""
    async with opened([LlmResponse(finish_reason=types.FinishReason.SAFETY)]) as application:
        _, events = await say_hello(application)

    assert notices(events) == ["model_blocked"]


async def test_the_provider_s_own_error_text_stays_inside(opened):
    """An error in the provider's words, whatever its code looks like, is not shown."""
    leaky = LlmResponse(error_code="rate_limited", error_message="key sk-1 at http://inner.test")
    async with opened([leaky]) as application:
        chat, events = await say_hello(application)
        shown = repr(events) + repr(await chat.history())

    assert "sk-1" not in shown
    assert notices(events) == ["model_faulty"]


async def test_a_tool_name_that_cannot_be_stored_is_an_unknown_tool(opened):
    """A broken character in a tool's name costs one step and not the turn."""
    async with opened([call("wipe\ud800"), say("Hi.")]) as application:
        _, events = await say_hello(application)

    assert texts(events) == ["Hi."]


@pytest.mark.parametrize("nothing", [text("\u200b\u2060"), [text("\u200b"), text(" ")]])
async def test_a_reply_nobody_can_see_is_no_reply(opened, nothing):
    """Invisible characters alone are followed by a visible notice."""
    async with opened(ScriptedModel([nothing])) as application:
        _, events = await say_hello(application)

    assert notices(events) == ["no_reply"]


async def test_a_message_nobody_can_see_is_not_sent(opened):
    """The reply tool refuses invisible words, and the model says something else."""
    async with opened([say("\u200b"), say("Hi.")]) as application:
        _, events = await say_hello(application)

    assert texts(events) == ["Hi."]
