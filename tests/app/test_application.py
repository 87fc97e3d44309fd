"""Opening and closing: whole or not at all."""

import pytest

from app.application import Application
from app.config import load_settings
from memory_tiers import StoreUnavailable
from tests.fakes import ScriptedModel, say
from tests.turns import collect, texts


async def test_broken_sessions_are_told_at_start(tmp_path):
    """A sessions.db that is no database stops the start with a sentence and stays as it is."""
    (tmp_path / "sessions.db").write_bytes(b"this is no database " * 100)
    settings = load_settings(None, {"storage.data_dir": str(tmp_path)}, environ={})

    with pytest.raises(StoreUnavailable, match=r"sessions\.db"):
        async with Application.open(settings, model=ScriptedModel([])):
            pass
    assert (tmp_path / "sessions.db").read_bytes().startswith(b"this is no database")


async def test_closing_waits_for_the_running_turn(tmp_path):
    """An application closed in mid-reply stops the turn and keeps what was said."""
    settings = load_settings(None, {"storage.data_dir": str(tmp_path)}, environ={})
    model = ScriptedModel([say("one two three four five six seven")], delay=0.1)
    async with Application.open(settings, model=model) as application:
        chat = application.chat("u1")
        async for _ in chat.send("Count."):
            break
    async with Application.open(settings, model=ScriptedModel([say("Back.")])) as application:
        again = application.chat("u1", chat.session_id)
        shown = texts(await again.history())
        after = await collect(again.send("Go on."))

    assert shown and shown[0].startswith("one")
    assert texts(after) == ["Back."]


async def test_persons_of_one_application_share_nothing(tmp_path):
    """What one person saves is in no request, list or search of another."""
    settings = load_settings(None, {"storage.data_dir": str(tmp_path)}, environ={})
    model = ScriptedModel([say("Noted: teal."), say("I do not know.")])
    async with Application.open(settings, model=model) as application:
        application.memory.for_user("u1").core.append("human", "Likes teal.")
        await collect(application.chat("u1").send("My locker is 12."))
        await collect(application.chat("u2").send("Which colour do I like?"))

        assert "teal" not in str(model.seen[1].config.system_instruction)
        assert application.memory.for_user("u2").recall.search("locker").total == 0
        assert len(application.sessions("u1")) == len(application.sessions("u2")) == 1
