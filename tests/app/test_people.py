"""Persons across both databases: erased, taken along on signing in, and gone after long absence."""

import asyncio
import logging
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta

import pytest

from app.application import Application
from app.config import load_settings
from app.events import ConfirmationRequested
from app.identity import VISITOR
from app.locks import TurnLocks
from app.upkeep import Upkeep
from memory_tiers import InvalidInput, StoreUnavailable
from tests.fakes import Clock, ScriptedModel, call, say
from tests.memory_tiers.people_kit import ODD_IDS, content, fill, seen
from tests.turns import collect, kinds, notices, texts

GUEST = f"{VISITOR}abc"
DAYS = timedelta(days=30)
LATER = datetime.now(UTC) + timedelta(days=31)


@asynccontextmanager
async def opened(folder, *script, mode="single", **settings):
    """An application over a folder, whose model says these things."""
    given = {"storage.data_dir": str(folder), "users.mode": mode}
    checked = load_settings(None, {**given, **settings}, environ={})
    async with Application.open(checked, model=ScriptedModel(list(script))) as application:
        yield application


def crash_once(monkeypatch, application, step):
    """Let one step of the memory fail the first time it is taken."""
    real = getattr(application.memory, step)

    def failing(*given):
        if given:  # what finishes earlier work names nobody
            monkeypatch.undo()
            raise StoreUnavailable("The disk reported an error.")
        real()

    monkeypatch.setattr(application.memory, step, failing)


async def history(application, user, session_id):
    """Return the replies that a session shows to a user."""
    return texts(await application.chat(user, session_id).history())


async def test_nothing_of_an_erased_person_is_in_the_data_folder(tmp_path):
    """Words, ids and sessions are in no file; another person notices nothing."""
    async with opened(tmp_path, say("zqxreply one"), say("For the other.")) as application:
        chat = application.chat("zqgone")
        await collect(chat.send("zqxquestion"))
        other = application.chat("u2")
        await collect(other.send("Hello."))
        application.memory.for_user("zqgone").archival.insert("zqxnote")
        there = content(tmp_path)
        await application.erase("zqgone")
        left = content(tmp_path)

        marks = [b"zqxreply", b"zqxquestion", b"zqxnote", b"zqgone", chat.session_id.encode()]
        assert all(mark in there for mark in marks)
        assert not [mark for mark in marks if mark in left]
        assert await history(application, "u2", other.session_id) == ["For the other."]
        assert application.sessions("zqgone") == []


async def test_an_open_chat_goes_on_after_erasing(tmp_path):
    """Whoever had the page open may go on: the session begins anew, with nothing before."""
    async with opened(tmp_path, say("One."), say("Two.")) as application:
        chat = application.chat("u1")
        await collect(chat.send("first"))
        await application.erase("u1")
        after = await collect(chat.send("second"))

        assert texts(after) == ["Two."]
        assert await history(application, "u1", chat.session_id) == ["Two."]


async def test_erasing_waits_for_the_turn(tmp_path):
    """What a turn still writes is erased with the rest."""
    async with opened(tmp_path) as application:
        async with application._engine.locks.hold("u1"):
            task = asyncio.create_task(application.erase("u1"))
            await asyncio.sleep(0.1)
            application.memory.for_user("u1").recall.append("s", "user", "late")
            waited = not task.done()
        await task

        assert waited
        assert not application.memory.holds("u1")


async def test_blank_persons_are_refused_before_anything_is_done(tmp_path):
    """A name that is none keeps the others from being erased."""
    async with opened(tmp_path, say("One.")) as application:
        chat = application.chat("u1")
        await collect(chat.send("first"))
        with pytest.raises(InvalidInput):
            await application.erase("u1", " ")

        assert await history(application, "u1", chat.session_id) == ["One."]


async def test_a_conversation_goes_on_after_signing_in(tmp_path):
    """History, list, memory and the open card are the user's, and the visitor has nothing."""
    edit = call("core_memory_replace", block="human", old="tea", new="coffee")
    async with opened(tmp_path, say("Hello."), edit, say("Changed.")) as application:
        application.memory.for_user(GUEST).core.append("human", "Likes tea.")
        chat = application.chat(GUEST)
        await collect(chat.send("first"))
        (card,) = kinds(await collect(chat.send("I like coffee now.")), ConfirmationRequested)
        await application.adopt(GUEST, "hf-7")
        again = application.chat("hf-7", chat.session_id)
        pending = [one.id for one in again.pending()]
        answered = await collect(again.confirm(card.id, approved=True))

        assert pending == [card.id]
        assert texts(answered) == ["Changed."]
        assert application.memory.for_user("hf-7").core.block("human").text == "Likes coffee."
        assert await history(application, "hf-7", chat.session_id) == ["Hello.", "Changed."]
        assert [one.id for one in application.sessions("hf-7")] == [chat.session_id]
        assert not application.memory.holds(GUEST)
        assert await chat.history() == []


async def test_sessions_of_one_id_stay_apart_in_both_databases(tmp_path):
    """A conversation of the visitor's gets one new id wherever it is kept."""
    async with opened(tmp_path, say("For the user."), say("For the guest.")) as application:
        await collect(application.chat("hf-7", "s").send("one"))
        await collect(application.chat(GUEST, "s").send("two"))
        await application.adopt(GUEST, "hf-7")
        ids = [one.id for one in application.sessions("hf-7")]
        shown = {id: await history(application, "hf-7", id) for id in ids}

        assert shown.pop("s") == ["For the user."]
        assert list(shown.values()) == [["For the guest."]]


@pytest.mark.parametrize("both_have_one", [False, True])
async def test_adopting_is_finished_after_a_crash_between_the_databases(
    tmp_path, monkeypatch, both_have_one
):
    """The second time everything is there once, and nothing is left behind."""
    replies = [say("For the user.")] if both_have_one else []
    async with opened(tmp_path, *replies, say("For the guest.")) as application:
        if both_have_one:
            await collect(application.chat("hf-7", "s").send("one"))
        await collect(application.chat(GUEST, "s").send("two"))
        crash_once(monkeypatch, application, "adopt")
        with pytest.raises(StoreUnavailable):
            await application.adopt(GUEST, "hf-7")
        offered = application.memory.holds(GUEST)
        await application.adopt(GUEST, "hf-7")
        await application.adopt(GUEST, "hf-7")
        found = [await history(application, "hf-7", one.id) for one in application.sessions("hf-7")]

        assert offered and not application.memory.holds(GUEST)
        expected = [["For the user."]] * both_have_one + [["For the guest."]]
        assert sorted(found) == sorted(expected)


async def test_a_visitor_may_go_on_after_a_failed_adoption(tmp_path, monkeypatch):
    """Where the second database failed the chat still answers, and the next try takes it all."""
    async with opened(tmp_path, say("One."), say("Two.")) as application:
        chat = application.chat(GUEST)
        await collect(chat.send("first"))
        crash_once(monkeypatch, application, "adopt")
        with pytest.raises(StoreUnavailable):
            await application.adopt(GUEST, "hf-7")
        after = await collect(chat.send("second"))
        await application.adopt(GUEST, "hf-7")

        assert texts(after) == ["Two."] and notices(after) == []
        assert await history(application, "hf-7", chat.session_id) == ["One.", "Two."]


async def test_two_who_take_each_other_along_do_not_wait_for_ever(tmp_path):
    """Locks are taken in one order: both come to an end and nothing is lost."""
    async with opened(tmp_path) as application:
        for name in ("a", "b"):
            application.memory.for_user(name).archival.insert(f"note of {name}")
        async with application._engine.locks.hold("a"):  # so that neither is done at once
            first = asyncio.create_task(application.adopt("a", "b"))
            second = asyncio.create_task(application.adopt("b", "a"))
            await asyncio.sleep(0.1)
        await asyncio.wait_for(asyncio.gather(first, second), 30)

        kept = [application.memory.for_user(name).archival.count() for name in ("a", "b")]
        assert sorted(kept) == [0, 2]


async def test_upkeep_erases_idle_visitors_alone(tmp_path):
    """Users who are no visitors stay for ever, and so does a visitor who was here lately."""
    clock = Clock(datetime.now(UTC))
    async with opened(tmp_path) as application:
        for name in (*ODD_IDS, GUEST, f"{GUEST}d", "visitor", "Visitor-abc", "xvisitor-"):
            fill(application.memory.for_user(name))
        before = seen(application.memory, "visitor")
        upkeep = application.upkeep(DAYS, clock)
        early = await upkeep.once(asyncio.Event())
        clock.advance(days=30, hours=1)
        application.memory.for_user(f"{GUEST}d").recall.append("s1", "user", "back", at=clock.now)
        erased = await upkeep.once(asyncio.Event())

        assert (early, erased) == (0, 1)
        assert not application.memory.holds(GUEST)
        assert application.memory.holds(f"{GUEST}d")
        assert seen(application.memory, "visitor") == before
        assert all(
            application.memory.holds(name) for name in (*ODD_IDS, "Visitor-abc", "xvisitor-")
        )


async def test_upkeep_is_finished_after_a_crash_between_the_databases(tmp_path, monkeypatch):
    """The sessions went first, so the memory still names who is to be erased."""
    async with opened(tmp_path, say("zqxreply")) as application:
        chat = application.chat(GUEST)
        await collect(chat.send("zqxquestion"))
        crash_once(monkeypatch, application, "erase")
        upkeep = application.upkeep(DAYS, lambda: LATER)
        with pytest.raises(StoreUnavailable):
            await upkeep.once(asyncio.Event())
        between = await chat.history(), application.memory.holds(GUEST)
        erased = await upkeep.once(asyncio.Event())

        assert between == ([], True)
        assert erased == 1
        assert b"zqx" not in content(tmp_path) and GUEST.encode() not in content(tmp_path)


async def test_who_comes_back_is_not_erased(tmp_path):
    """A visitor whose turn runs is left alone; one who said something while we waited, too."""
    async with opened(tmp_path) as application:
        memory, locks = application.memory, application._engine.locks
        for name in (GUEST, f"{GUEST}2"):
            fill(memory.for_user(name))
        waiting = asyncio.Event()

        class Late(TurnLocks):
            def hold_all(self, user_ids):
                memory.for_user(f"{GUEST}2").recall.append("s", "user", "back", at=LATER)
                waiting.set()
                return super().hold_all(user_ids)

        late = Late(locks._folder)
        upkeep = Upkeep(memory, late, application._erase, DAYS, lambda: LATER)
        async with locks.hold(GUEST):
            erased = await upkeep.once(asyncio.Event())

        assert waiting.is_set() and erased == 0
        assert memory.holds(GUEST) and memory.holds(f"{GUEST}2")


async def test_a_visitors_page_begins_with_an_upkeep(tmp_path, caplog):
    """At start idle visitors go; the log has a number and no name."""
    long_ago = datetime.now(UTC) - timedelta(days=40)
    async with opened(tmp_path) as application:
        for name, at in ((GUEST, long_ago), (f"{GUEST}2", None), ("hf-7", long_ago)):
            application.memory.for_user(name).recall.append("s", "user", "zqxtext", at=at)
    caplog.set_level(logging.INFO, "app")
    async with opened(tmp_path, mode="visitors") as application:
        async with asyncio.timeout(30):
            while application.memory.holds(GUEST):  # noqa: ASYNC110 - a database has no event
                await asyncio.sleep(0.02)

        assert application.memory.holds(f"{GUEST}2") and application.memory.holds("hf-7")
    assert "visitors erased: 1" in caplog.messages
    assert GUEST not in caplog.text and "zqxtext" not in caplog.text


async def test_at_home_nobody_is_erased(tmp_path):
    """In the mode for one person no upkeep runs."""
    async with opened(tmp_path) as application:
        assert application._engine.tasks == set()


async def test_upkeep_outlives_what_fails(tmp_path, caplog, monkeypatch):
    """A failing disk is logged by its code and tried again at the next look; closing ends it."""
    monkeypatch.setattr("app.upkeep.HOUR", 0.01)
    looks = []
    closing = asyncio.Event()

    async def erase(*users):
        looks.append(users)
        if len(looks) == 1:
            raise StoreUnavailable("zqx secret")
        if len(looks) == 2:
            raise RuntimeError("zqx secret")
        closing.set()

    async with opened(tmp_path) as application:
        upkeep = Upkeep(application.memory, application._engine.locks, erase, DAYS, lambda: LATER)
        await asyncio.wait_for(upkeep.run(closing), 30)

    assert len(looks) == 3
    assert caplog.messages == [
        "visitors not erased: store_unavailable",
        "visitors not erased: RuntimeError",
    ]
