"""Turns run on a thread of their own, and anybody may look on."""

import time

import pytest

from app.config import load_settings
from app.events import ConfirmationRequested, Done, Notice, Text, TextDelta, UserText
from app.jobs import Busy, Jobs
from memory_tiers import StoreUnavailable
from tests.fakes import ScriptedModel, call, say

PATIENCE = 20.0  # seconds


@pytest.fixture
def settings(tmp_path):
    """Settings over an empty folder."""
    return load_settings(None, {"storage.data_dir": tmp_path / "data"}, {})


def ended(turn):
    """Wait until a turn is over and return what happened in it."""
    until = time.monotonic() + PATIENCE
    while not turn.done:
        assert time.monotonic() < until
        time.sleep(0.005)
    return turn.events


def begun(turn):
    """Wait for the first sign of a turn."""
    until = time.monotonic() + PATIENCE
    while not turn.version:
        assert time.monotonic() < until
        time.sleep(0.005)


def words(events):
    """Return the replies."""
    return [event.text for event in events if isinstance(event, Text)]


def notices(events):
    """Return the codes of the notices."""
    return [event.code for event in events if isinstance(event, Notice)]


def test_turn_runs_to_its_end_unwatched(settings):
    """A turn nobody waits for is complete in the history afterwards."""
    with Jobs(settings, ScriptedModel([say("Hello, Dana.")])) as jobs:
        turn = jobs.start_turn("u1", "", "hi")
        events = ended(turn)

        assert words(events) == ["Hello, Dana."] and isinstance(events[-1], Done)
        assert jobs.running("u1", turn.session_id) is None
        shown = jobs.history("u1", turn.session_id)
        assert [type(event) for event in shown] == [UserText, Text]


def test_version_grows_with_every_event(settings):
    """Whoever saw a version knows whether there is more to see."""
    with Jobs(settings, ScriptedModel([say("one two three")])) as jobs:
        turn = jobs.start_turn("u1", "", "hi")
        ended(turn)

        assert turn.version == len(turn.events) + 1
        assert sum(isinstance(event, TextDelta) for event in turn.events) == 3


def test_second_message_while_answering_is_refused(settings):
    """One turn a session: the second message is not sent, the first goes on."""
    model = ScriptedModel([say("a b c d e f g h"), say("second")], delay=0.05)
    with Jobs(settings, model) as jobs:
        turn = jobs.start_turn("u1", "", "first")
        begun(turn)
        with pytest.raises(Busy, match="still being answered"):
            jobs.start_turn("u1", turn.session_id, "second")

        assert words(ended(turn)) == ["a b c d e f g h"]
        assert words(ended(jobs.start_turn("u1", turn.session_id, "again"))) == ["second"]


def test_other_sessions_and_users_are_not_refused(settings):
    """A turn keeps only its own session busy."""
    model = ScriptedModel([say("reply")], delay=0.05, repeat=True)
    with Jobs(settings, model) as jobs:
        turns = [jobs.start_turn(user, "", "hi") for user in ("u1", "u1", "u2")]

        assert [words(ended(turn)) for turn in turns] == [["reply"]] * 3


def test_two_answers_to_one_card_are_both_told(settings):
    """Of two answers at one moment one counts; both turns can be looked at."""
    change = call("core_memory_replace", block="persona", old="warm", new="cool")
    with Jobs(settings, ScriptedModel([change, say("Done.")])) as jobs:
        asked = jobs.start_turn("u1", "", "be cool")
        card = next(e for e in ended(asked) if isinstance(e, ConfirmationRequested))
        both = [jobs.start_answer("u1", asked.session_id, card.id, True, "") for _ in range(2)]
        told = [ended(turn) for turn in both]

        assert jobs.turns("u1", asked.session_id) == tuple(both)
        assert sorted(map(notices, told)) == [[], ["already_answered"]]
        persona = jobs.application.memory.for_user("u1").core.block("persona")
        assert "cool" in persona.text and persona.version == 1


def test_before_is_what_the_session_showed(settings):
    """A turn knows what was there when it began, so that it can be shown after it."""
    with Jobs(settings, ScriptedModel([say("one"), say("two")])) as jobs:
        first = jobs.start_turn("u1", "", "first")
        ended(first)
        second = jobs.start_turn("u1", first.session_id, "second")
        ended(second)

        assert first.before == []
        assert [getattr(event, "text", "") for event in second.before] == ["first", "one"]


def test_stop_ends_a_turn(settings):
    """A stopped turn ends with a notice instead of its last words."""
    model = ScriptedModel([say(" ".join("abcdefghijklmnopqrstuvwxyz"))], delay=0.05)
    with Jobs(settings, model) as jobs:
        turn = jobs.start_turn("u1", "", "hi")
        begun(turn)
        jobs.stop("u1", turn.session_id)

        assert notices(ended(turn)) == ["stopped"]


def test_closing_ends_running_turns(settings):
    """Closing does not wait for a slow model, and no turn is left hanging."""
    model = ScriptedModel([say("word " * 2000)], delay=0.05)
    with Jobs(settings, model) as jobs:
        turn = jobs.start_turn("u1", "", "hi")
        begun(turn)

    assert turn.done
    with Jobs(settings, ScriptedModel([])) as jobs:
        shown = jobs.history("u1", turn.session_id)
        assert isinstance(shown[0], UserText) and isinstance(shown[-1], Notice)


def test_folder_that_cannot_be_used_is_told_to_the_caller(tmp_path):
    """What keeps the application from opening is raised where it was asked for."""
    (tmp_path / "data").write_text("a file")
    settings = load_settings(None, {"storage.data_dir": tmp_path / "data"}, {})

    with pytest.raises(StoreUnavailable), Jobs(settings):
        pass


def test_turns_of_long_ago_are_not_kept(settings):
    """What was shown an hour ago leaves the program's memory with the next turn of anybody."""
    with Jobs(settings, ScriptedModel([say("One."), say("Two.")])) as jobs:
        early = jobs.start_turn("u1", "", "a secret")
        ended(early)
        early.begun -= 3601
        ended(jobs.start_turn("u2", "", "hello"))

        assert jobs.turns("u1", early.session_id) == ()
        assert len(jobs.history("u1", early.session_id)) == 2
