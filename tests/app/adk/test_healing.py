"""What a crash between the two databases left is put right before anything new is said."""

from google.adk.events import Event
from google.genai import types

from app import events as seen
from app.adk.sessions import open_sessions
from tests.fakes import ScriptedModel, request_text, say
from tests.turns import collect, kinds, notices, texts

EDIT = {"block": "human", "old": "tea", "new": "coffee"}


async def lost_card(application):
    """Open a chat whose card was stored the moment before the transcript would have been."""
    mine = application.memory.for_user("u1")
    mine.core.rewrite("human", "Likes tea.")
    chat = application.chat("u1")
    await collect(chat.send("Hello."))
    mine.confirmations.open(
        "lost", session_id=chat.session_id, call_id="c1", tool="core_memory_replace", arguments=EDIT
    )
    return chat, mine


async def test_a_yes_to_a_lost_card_changes_nothing_and_says_so(opened):
    """A card that is in no transcript ends with a sentence, also when it is approved."""
    async with opened([say("Hi."), say("Yes?")]) as application:
        chat, mine = await lost_card(application)
        events = await collect(chat.confirm("lost", approved=True))
        human = mine.core.block("human").text

    assert notices(events) == ["confirmation_lost"]
    assert human == "Likes tea."


async def test_typing_on_closes_a_lost_card(opened):
    """A card that is in no transcript does not stay open once the user writes on."""
    async with opened([say("Hi."), say("Yes?")]) as application:
        chat, _ = await lost_card(application)
        events = await collect(chat.send("Never mind."))
        pending = chat.pending()

    assert texts(events) == ["Yes?"]
    assert not pending


async def test_a_call_that_was_broken_off_is_told_to_the_model(opened, settings):
    """A call without a result gets one that says it may have been carried out."""
    model = ScriptedModel([say("Hi."), say("I look first.")])
    async with opened(model) as application:
        chat = application.chat("u1")
        await collect(chat.send("Hello."))
        sessions = open_sessions(settings().storage.data_dir)
        session = await sessions.get_session(
            app_name="tiered_memory", user_id="u1", session_id=chat.session_id
        )
        call = types.FunctionCall(id="c1", name="archival_insert", args={"text": "A note."})
        content = types.Content(role="model", parts=[types.Part(function_call=call)])
        broken = Event(author="tiered_memory", invocation_id="i1", content=content)
        await sessions.append_event(session=session, event=broken)
        await collect(chat.send("And now?"))
        steps = kinds(await chat.history(), seen.ToolFinished)

    assert "may have been carried out" in request_text(model.seen[1])
    assert [step.name for step in steps] == ["archival_insert"]


async def test_a_data_folder_that_cannot_be_used_is_told(opened, settings):
    """A file in the place of the folder of locks ends the turn with a sentence about the folder."""
    async with opened([say("Hi.")]) as application:
        chat = application.chat("u1")
        await collect(chat.send("Hello."))
        locks = settings().storage.data_dir / "locks"
        for file in locks.iterdir():
            file.unlink()
        locks.rmdir()
        locks.touch()
        events = await collect(chat.send("And now?"))

    assert notices(events) == ["store_unavailable"]
