"""Gemini, through its real client library, against a server on loopback."""

from app import events as seen
from app.application import Application
from app.config import load_settings
from tests.gemini_stub import gemini_stub
from tests.turns import collect, kinds, notices, texts

KEY = "test-key-that-must-not-leak"


def configured(tmp_path, stub):
    """Settings that choose Gemini, at the stub's address."""
    return load_settings(
        None,
        {"storage.data_dir": str(tmp_path / "data"), "model.base_url": stub.url},
        environ={"GOOGLE_API_KEY": KEY},
    )


def function_call(name, **arguments):
    """A call as Gemini writes it."""
    return {"functionCall": {"name": name, "args": arguments}}


async def test_gemini_drives_the_tools(tmp_path):
    """A call, then send_message: both reach the person and memory, with key and six tools sent."""
    replies = [
        [function_call("core_memory_append", block="human", text="Name: Dana.")],
        [function_call("send_message", message="Hello Dana!")],
    ]
    with gemini_stub(replies) as stub:
        async with Application.open(configured(tmp_path, stub)) as application:
            events = await collect(application.chat("u1").send("Hi, I'm Dana."))
            human = application.memory.for_user("u1").core.block("human").text

    assert texts(events) == ["Hello Dana!"]
    assert human == "Name: Dana."
    assert stub.keys == [KEY, KEY]
    assert "gemini-2.5-flash" in stub.paths[0]
    declared = stub.requests[0]["tools"][0]["functionDeclarations"]
    assert len(declared) == 6
    assert kinds(events, seen.Done)[0].usage == {"input_tokens": 42, "output_tokens": 14}


async def test_gemini_plain_text_is_streamed_and_shown(tmp_path):
    """Text without the tool comes as deltas and as one reply."""
    with gemini_stub([[{"text": "Hello there."}]]) as stub:
        async with Application.open(configured(tmp_path, stub)) as application:
            events = await collect(application.chat("u1").send("Hi."))

    assert texts(events) == ["Hello there."]
    assert kinds(events, seen.TextDelta)


async def test_gemini_confirmation_resumes(tmp_path):
    """A gated edit pauses, a yes applies it, and Gemini is asked once more for the reply."""
    replies = [
        [function_call("core_memory_replace", block="human", old="tea", new="coffee")],
        [function_call("send_message", message="Coffee it is.")],
    ]
    with gemini_stub(replies) as stub:
        async with Application.open(configured(tmp_path, stub)) as application:
            application.memory.for_user("u1").core.append("human", "Likes tea.")
            chat = application.chat("u1")
            await collect(chat.send("I prefer coffee."))
            events = await collect(chat.confirm(chat.pending()[0].id, approved=True))
            human = application.memory.for_user("u1").core.block("human").text

    assert texts(events) == ["Coffee it is."]
    assert human == "Likes coffee."


async def test_refused_key_is_a_sentence_without_the_key(tmp_path):
    """A 403 becomes a notice that names the variable; neither key nor provider text is shown."""
    with gemini_stub([403]) as stub:
        async with Application.open(configured(tmp_path, stub)) as application:
            events = await collect(application.chat("u1").send("Hi."))

    assert notices(events) == ["model_key"]
    assert "GOOGLE_API_KEY" in kinds(events, seen.Notice)[0].text
    assert KEY not in repr(events)


async def test_passing_fault_is_retried(tmp_path):
    """A 503 followed by an answer is one turn with a reply and no notice."""
    with gemini_stub([503, [{"text": "Back again."}]]) as stub:
        async with Application.open(configured(tmp_path, stub)) as application:
            events = await collect(application.chat("u1").send("Hi."))

    assert texts(events) == ["Back again."]
    assert notices(events) == []
