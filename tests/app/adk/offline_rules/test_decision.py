"""The offline model's replies, turn by turn."""

from datetime import UTC, datetime

import pytest

from app.adk.offline_rules import Answered, Seen, decide
from tests.app.adk.offline_rules.world import World

NOW = datetime(2026, 3, 2, 14, 5, tzinfo=UTC)
DEBRIEF = (
    "I just had an interview at Globex. They asked about system design and my biggest failure. "
    "I stumbled on the CAP theorem but the pairing went well."
)


def writes(world: World) -> list[str]:
    """Name the calls of the last turn that change memory."""
    return [c.name for c in world.calls if c.name.startswith(("core_memory", "archival_insert"))]


def test_an_introduction_is_saved_and_answered_in_one_reply():
    """A plain turn costs one model reply: the write and what is said about it."""
    world = World()

    reply = world.say("Hi, I'm Dana.")

    assert [call.name for call in world.calls] == ["core_memory_append", "send_message"]
    assert world.human == "Name: Dana."
    assert "Dana" in reply


def test_several_facts_in_a_sentence_become_several_lines():
    """Each fact can be asked for and corrected by itself."""
    world = World()

    world.say("I'm Dana, I live in Lisbon and work as a nurse.")

    assert world.human.splitlines() == ["Name: Dana.", "Lives in Lisbon.", "Works as a nurse."]


def test_a_pronoun_is_resolved_to_whom_it_stands_for():
    """A later sentence about "her" names the sister."""
    world = World()

    world.say("My sister Eva is a pilot. She lives in Porto.")

    assert "Sister Eva lives in Porto." in world.human.splitlines()


def test_a_fact_held_already_is_not_written_again():
    """Saying it twice changes nothing and is answered with what is held."""
    world = World(human="Lives in Lisbon.")

    reply = world.say("I live in Lisbon.")

    assert writes(world) == []
    assert "already" in reply


def test_a_new_value_of_what_one_has_only_once_replaces_the_line():
    """A second home is a move, so the exact line is replaced, alone in its reply."""
    world = World(human="Name: Dana.\nLives in Lisbon.")

    world.say("I live in Porto now.")

    assert world.human == "Name: Dana.\nLives in Porto."
    assert [call.name for call in world.calls] == ["core_memory_replace", "send_message"]


def test_what_one_may_have_several_of_is_added():
    """A second thing that is liked does not push out the first."""
    world = World(human="Likes tea.")

    world.say("I like coffee.")

    assert world.human.splitlines() == ["Likes tea.", "Likes coffee."]


@pytest.mark.parametrize(
    ("held", "said", "now"),
    [
        ("Locker: 12.", "it's not 12, it's 14", "Locker: 14."),
        ("Sister: Ada.", "My sister is called Eva, not Ada.", "Sister: Eva."),
        ("Likes tea.", "I no longer like tea, coffee now", "Likes coffee."),
        ("Name: Diane.", "No, my name is Diana.", "Name: Diana."),
        ("Wedding: on 5 June in Graz.", "The wedding is moved to 12 June.", "12 June in Graz"),
    ],
)
def test_a_correction_replaces_what_it_corrects(held, said, now):
    """However it is put, the old value is gone and what the change leaves alone stays."""
    world = World(human=held)

    world.say(said)

    assert now in world.human
    assert len(world.human.splitlines()) == 1


def test_a_declined_correction_keeps_the_old_value_in_block_and_reply():
    """After a rejection the reply holds the old value and not the new one."""
    world = World(human="Lives in Lisbon.", approve=False)

    reply = world.say("Actually, I moved to Porto.")

    assert world.human == "Lives in Lisbon."
    assert "Lisbon" in reply
    assert "Porto" not in reply


def test_a_declined_correction_is_not_answered_from_the_message_that_proposed_it():
    """What core memory holds outweighs what was said and turned down."""
    world = World(human="Locker: 12.", approve=False)
    world.say("My locker is 14.")

    reply = world.ask("What's the number of my locker?")

    assert "12" in reply
    assert "14" not in reply


def test_a_block_that_is_full_sends_the_fact_to_the_archive():
    """What core memory has no room for is kept as a note, and the reply says so."""
    world = World(human="x" * 1995)

    reply = world.say("I live in Lisbon.")

    assert [note["text"] for note in world.notes] == ["Lives in Lisbon."]
    assert "archive" in reply


def test_a_block_smaller_than_expected_sends_the_refused_fact_to_the_archive():
    """When the append itself is refused the fact is rescued."""
    world = World(human="y" * 1200, limit=1205)

    reply = world.say("I live in Lisbon.")

    assert [note["text"] for note in world.notes] == ["Lives in Lisbon."]
    assert "archive" in reply


def test_a_known_limit_is_respected_at_once():
    """A limit handed in decides where a fact goes, without a refused attempt."""
    seen = Seen("I live in Lisbon.", {"human": "Name: Dana."}, (), NOW, limits={"human": 20})

    calls = decide(seen)

    assert [call.name for call in calls] == ["archival_insert", "send_message"]


def test_a_debrief_becomes_a_note_in_the_users_own_words():
    """What happened is kept as it was told, with tags, and not cut into lines."""
    world = World()

    world.say(DEBRIEF)

    assert [note["text"] for note in world.notes] == [DEBRIEF]
    assert 1 <= len(world.notes[0]["tags"]) <= 3
    assert world.human == ""


def test_a_note_is_recalled_with_its_date_in_a_later_session():
    """A question about the debrief quotes it and says when it was told."""
    world = World()
    world.say(DEBRIEF)
    world.next_session()

    reply = world.ask("What did they ask me in the Globex interview?")

    assert "system design" in reply
    assert "2 March 2026" in reply


def test_a_question_that_core_memory_does_not_answer_searches_both_other_tiers():
    """Archival and recall are searched in one reply before anything is said."""
    seen = Seen("What is my locker code?", {"human": ""}, (), NOW)

    calls = decide(seen)

    assert [call.name for call in calls] == ["archival_search", "recall_search"]


def test_a_question_is_never_quoted_as_an_answer():
    """Neither the present question nor an earlier one proves anything."""
    world = World()
    world.say("Where is my passport?")

    reply = world.ask("Where's my passport?")

    assert "don't know" in reply


def test_what_the_agent_said_is_no_evidence():
    """Only the user's own statements are quoted."""
    rows = [
        {"id": "1", "text": "Your locker is 99.", "at": "2026-03-01 10:00", "role": "assistant"}
    ]
    found = {"results": rows, "total": 1, "page": 1}
    answered = (
        Answered("archival_search", {"query": "q"}, {"results": [], "total": 0, "page": 1}),
        Answered("recall_search", {"query": "q"}, found),
    )

    (said,) = decide(Seen("What's my locker?", {"human": ""}, answered, NOW))

    assert "99" not in said.arguments["message"]


def test_the_newer_of_two_notes_answers():
    """Of two statements on one matter the later one holds."""
    rows = [
        {"id": "1", "text": "My locker is 12.", "at": "2026-01-01 10:00"},
        {"id": "2", "text": "My locker is 14.", "at": "2026-02-01 10:00"},
    ]
    answered = (Answered("archival_search", {"query": "q"}, {"results": rows, "total": 2}),)

    (said,) = decide(Seen("What's my locker?", {"human": ""}, answered, NOW))

    assert "14" in said.arguments["message"]
    assert "12" not in said.arguments["message"]


def test_a_searches_failure_is_told():
    """A failed search is said, so that it differs from nothing found."""
    answered = (Answered("recall_search", {"query": "q"}, {"error": "Recall is unavailable."}),)

    (said,) = decide(Seen("What's my locker?", {"human": ""}, answered, NOW))

    assert "Recall is unavailable." in said.arguments["message"]


def test_somebody_elses_matter_is_not_taken_for_the_users():
    """My sister's home and job are not mine."""
    world = World(human="Sister Eva lives in Porto.\nSister Eva is a pilot.")

    replies = [world.ask("Where do I live?"), world.ask("What's my job?")]

    assert all("don't know" in reply for reply in replies)


def test_what_is_known_about_me_lists_the_block():
    """The overview names every line of core memory."""
    world = World(human="Name: Dana.\nLikes tea.")

    reply = world.say("What do you know about me?")

    assert "Name: Dana." in reply
    assert "Likes tea." in reply


def test_the_clock_is_read_from_the_present_moment():
    """The time is answered in the user's zone, without a search."""
    (said,) = decide(Seen("What time is it?", {"human": ""}, (), NOW))

    assert "14:05" in said.arguments["message"]


def test_forgetting_a_line_asks_for_its_removal():
    """A request to forget becomes a confirmed edit of that one line."""
    world = World(human="Name: Dana.\nLocker: 12.")

    world.say("Forget my locker.")

    assert world.human == "Name: Dana."


def test_forgetting_a_note_points_to_the_page():
    """What is no core line is not edited; the reply says where it can be deleted."""
    world = World(human="Name: Dana.")

    reply = world.say("Delete the note about the interview.")

    assert writes(world) == []
    assert "page" in reply


def test_a_short_answer_is_understood_from_the_question_before_it():
    """After "I don't know that yet" a bare name is the cat's."""
    world = World()
    world.say("What is my cat called?")

    world.say("Minka")

    assert world.human == "Cat is called Minka."


def test_facts_and_a_question_in_one_message_are_both_served():
    """The fact is written and the question answered in the same turn."""
    world = World(human="Lives in Lisbon.")

    reply = world.say("I'm Dana. Where do I live?")

    assert "Name: Dana." in world.human
    assert "Lisbon" in reply


def test_what_it_cannot_do_it_says_and_what_to_set():
    """A request for free text is declined with the way to a real model."""
    world = World()

    reply = world.say("Write me a poem about spring.")

    assert writes(world) == []
    assert "GOOGLE_API_KEY" in reply


def test_template_braces_and_markup_are_kept_as_typed():
    """What looks like a template or like markup is plain text."""
    world = World()

    world.say("My letter template uses {city}, {{name}} and <b>bold</b>.")

    assert "{city}, {{name}} and <b>bold</b>" in world.human


def test_an_address_is_not_rewritten():
    """A "my" inside an address is no pronoun."""
    world = World()

    world.say("My email is me@my.com.")

    assert "me@my.com" in world.human


@pytest.mark.parametrize("text", ["my sister, " * 18_000, "I not " * 33_000, "x" * 200_000])
def test_a_huge_paste_is_kept_whole_as_a_note(text):
    """Nothing of a text too long to be read clause by clause is lost."""
    world = World()

    world.say(text)

    assert [note["text"] for note in world.notes] == [text.strip()]
