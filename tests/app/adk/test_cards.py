"""Confirmations: an edit waits for a yes, and happens exactly once or not at all."""

import asyncio

import pytest

from app import events as seen
from tests.fakes import ScriptedModel, call, request_text, say
from tests.turns import collect, kinds, notices, texts

TEA = call("core_memory_replace", block="human", old="Likes tea.", new="Likes coffee.")


async def prepared(application, human="Likes tea."):
    """Open a chat in which the script proposes its first edit of the human block."""
    mine = application.memory.for_user("u1")
    mine.core.rewrite("human", human)
    chat = application.chat("u1")
    events = await collect(chat.send("I prefer coffee now."))
    return chat, events


def human(application):
    """Return the human block as it is."""
    return application.memory.for_user("u1").core.block("human").text


async def test_replace_pauses_the_turn(opened):
    """A replacement shows a card with old and new, and changes nothing yet."""
    async with opened([TEA, say("Updated.")]) as application:
        chat, events = await prepared(application)

        (card,) = kinds(events, seen.ConfirmationRequested)
        assert card.tool == "core_memory_replace"
        assert card.arguments["old"] == "Likes tea."
        assert chat.pending() == [card]
        assert human(application) == "Likes tea."
        assert not texts(events)


async def test_approving_applies_the_edit(opened):
    """After a yes the block is changed and the turn goes on to its reply."""
    async with opened([TEA, say("Coffee it is.")]) as application:
        chat, _ = await prepared(application)
        events = await collect(chat.confirm(chat.pending()[0].id, approved=True))

        assert human(application) == "Likes coffee."
        assert texts(events) == ["Coffee it is."]
        assert chat.pending() == []


async def test_rejecting_is_strict(opened):
    """After a no the block is byte-identical and the next request says declined, keep, why."""
    model = ScriptedModel([TEA, say("I keep tea.")])
    async with opened(model) as application:
        chat, _ = await prepared(application)
        card = chat.pending()[0].id
        events = await collect(chat.confirm(card, approved=False, reason="only at work"))

        assert human(application) == "Likes tea."
        assert texts(events) == ["I keep tea."]
    told = request_text(model.seen[1])
    assert "declined" in told and "keep" in told and "only at work" in told


async def test_rejected_value_cannot_come_in_by_appending(opened):
    """In the turn of a no, the model cannot append what was declined."""
    append = call("core_memory_append", block="human", text="Likes coffee.")
    async with opened([TEA, append, say("Kept.")]) as application:
        chat, _ = await prepared(application)
        events = await collect(chat.confirm(chat.pending()[0].id, approved=False))

        assert human(application) == "Likes tea."
        assert "declined" in kinds(events, seen.ToolFinished)[-1].error


async def test_no_reply_is_spoken_before_the_answer(opened):
    """send_message in the same reply as the edit is held back until the card is answered."""
    async with opened([[TEA, say("Changed!")], say("Kept tea.")]) as application:
        chat, events = await prepared(application)
        after = await collect(chat.confirm(chat.pending()[0].id, approved=False))

    assert texts(events) == []
    assert texts(after) == ["Kept tea."]


async def test_late_yes_after_a_no_is_refused(opened):
    """A card answered no stays answered: a yes with the same id changes nothing."""
    async with opened([TEA, say("Kept.")]) as application:
        chat, _ = await prepared(application)
        card = chat.pending()[0].id
        await collect(chat.confirm(card, approved=False))
        events = await collect(chat.confirm(card, approved=True))

        assert notices(events) == ["already_answered"]
        assert human(application) == "Likes tea."


async def test_two_clicks_at_one_moment_apply_once(opened):
    """Of two answers racing for a card one counts, and the other is told."""
    async with opened([TEA, say("Coffee.")]) as application:
        chat, _ = await prepared(application)
        card = chat.pending()[0].id
        both = await asyncio.gather(
            collect(chat.confirm(card, approved=True)), collect(chat.confirm(card, approved=True))
        )
        history = application.memory.for_user("u1").core.history("human")

    assert sorted(map(notices, both)) == [[], ["already_answered"]]
    assert [version.text for version in history][-2:] == ["Likes tea.", "Likes coffee."]


async def test_card_survives_a_restart(opened):
    """After a restart the card is still open, applies once, and the reply follows."""
    async with opened([TEA]) as application:
        chat, _ = await prepared(application)
        session = chat.session_id
    async with opened([say("Coffee it is.")]) as application:
        chat = application.chat("u1", session)
        events = await collect(chat.confirm(chat.pending()[0].id, approved=True))

        assert human(application) == "Likes coffee."
        assert texts(events) == ["Coffee it is."]


async def test_typing_on_declines_the_card(opened):
    """A new message answers the card with no; the question is answered and a late yes is not."""
    model = ScriptedModel([TEA, say("Half past four.")])
    async with opened(model) as application:
        chat, _ = await prepared(application)
        card = chat.pending()[0].id
        events = await collect(chat.send("What time is it?"))
        late = await collect(chat.confirm(card, approved=True))

        assert texts(events) == ["Half past four."]
        assert notices(late) == ["already_answered"]
        assert human(application) == "Likes tea."
        assert chat.pending() == []
    assert "nothing was changed" in request_text(model.seen[1])


async def test_session_goes_on_after_typing_on(opened):
    """Turns after a card declined by typing work like any other."""
    async with opened([TEA, say("One."), say("Two.")]) as application:
        chat, _ = await prepared(application)
        await collect(chat.send("Never mind."))

        assert texts(await collect(chat.send("Again."))) == ["Two."]


async def test_edit_that_cannot_apply_shows_no_card(opened):
    """Not found, found twice, unchanged, incomplete: no card, the reason goes to the model."""
    replaces = [
        {"block": "human", "old": "Likes milk.", "new": "x"},
        {"block": "human", "old": "e", "new": "x"},
        {"block": "human", "old": "Likes tea.", "new": "Likes tea."},
        {"block": "human", "old": "Likes tea.", "new": "y" * 5000},
        {"block": "human", "old": "Likes tea."},
        {"block": "human", "old": ["Likes tea."], "new": "x"},
    ]
    script = [call("core_memory_replace", **arguments) for arguments in replaces] + [say("No.")]
    async with opened(script) as application:
        _, events = await prepared(application)

        assert kinds(events, seen.ConfirmationRequested) == []
        assert all(tool.error for tool in kinds(events, seen.ToolFinished))
        assert len(kinds(events, seen.ToolFinished)) == len(replaces)
        assert human(application) == "Likes tea."


async def test_approved_edit_that_no_longer_applies_is_refused(opened):
    """When the block changed under an open card, a yes changes nothing and says so."""
    async with opened([TEA, say("I could not.")]) as application:
        chat, _ = await prepared(application)
        application.memory.for_user("u1").core.rewrite("human", "Likes water.")
        events = await collect(chat.confirm(chat.pending()[0].id, approved=True))

        assert notices(events) == ["edit_not_applied"]
        assert human(application) == "Likes water."


async def test_approved_edit_held_up_by_a_crash_is_carried_out_once(opened):
    """A yes that was stored but not carried out is applied before the next request, and told."""
    model = ScriptedModel([TEA, say("Hello again.")])
    async with opened(model) as application:
        chat, _ = await prepared(application)
        mine = application.memory.for_user("u1")
        mine.confirmations.answer(chat.pending()[0].id, "approved")
        events = await collect(chat.send("Are you there?"))

        assert texts(events) == ["Hello again."]
        assert human(application) == "Likes coffee."
        assert len(mine.core.history("human")) == 3
    assert "'ok': True" in request_text(model.seen[1])


async def test_edit_applied_before_a_crash_is_not_applied_again(opened):
    """An edit that was made before its result reached the transcript is only told."""
    model = ScriptedModel([TEA, say("Hello again.")])
    async with opened(model) as application:
        chat, _ = await prepared(application)
        mine = application.memory.for_user("u1")
        card = mine.confirmations.answer(chat.pending()[0].id, "approved")
        mine.core.rewrite("human", "Likes coffee.")
        mine.confirmations.settle(card.id, {"ok": True, "block": "human", "text": "Likes coffee."})
        await collect(chat.send("Are you there?"))

        assert human(application) == "Likes coffee."
        assert len(mine.core.history("human")) == 3
    assert "'ok': True" in request_text(model.seen[1])


async def test_wrong_card_is_refused(opened):
    """An invented id, and another person's id, change nothing and say so."""
    async with opened([TEA, say("x")]) as application:
        chat, _ = await prepared(application)
        invented = await collect(chat.confirm("nonsense", approved=True))
        foreign = await collect(application.chat("u2").confirm(chat.pending()[0].id, approved=True))

        assert notices(invented) == notices(foreign) == ["unknown_confirmation"]
        assert human(application) == "Likes tea."
        assert len(chat.pending()) == 1


async def test_two_cards_in_one_turn_are_answered_apart(opened):
    """Two edits in one reply make two cards; the model goes on after the last answer."""
    cat = call("core_memory_replace", block="human", old="Has a cat.", new="Has a dog.")
    model = ScriptedModel([[TEA, cat], say("Both done.")])
    async with opened(model) as application:
        chat, _ = await prepared(application, "Likes tea.\nHas a cat.")
        first, second = chat.pending()
        early = await collect(chat.confirm(first.id, approved=True))
        late = await collect(chat.confirm(second.id, approved=False))

        assert human(application) == "Likes coffee.\nHas a cat."
        assert texts(early) == []
        assert texts(late) == ["Both done."]


@pytest.mark.parametrize("card", ["", " ", "a\0b", "\ud800"])
async def test_an_impossible_card_is_an_unknown_one(opened, card):
    """An id no card can have is answered like any that does not exist."""
    async with opened([]) as application:
        events = await collect(application.chat("u1").confirm(card, approved=True))

    assert notices(events) == ["unknown_confirmation"]
