"""A conversation in the terminal, with a scripted model behind it."""

import io
import json

import pytest

from app.config import load_settings
from app.jobs import Jobs
from app.terminal import converse
from tests.fakes import ScriptedModel, call, say, text

TEA = call("core_memory_replace", block="human", old="Likes tea.", new="Likes coffee.")


@pytest.fixture
def jobs(tmp_path):
    """Open jobs over a script and a human block that says `Likes tea.`."""
    running = []

    def jobs(*script):
        settings = load_settings(None, {"storage.data_dir": tmp_path}, environ={})
        running.append(Jobs(settings, model=ScriptedModel([*script])).__enter__())
        running[0].application.memory.for_user("u1").core.rewrite("human", "Likes tea.")
        return running[0]

    yield jobs
    for one in running:
        one.__exit__(None, None, None)


@pytest.fixture
def typed(monkeypatch):
    """Type lines on stdin."""
    return lambda *lines: monkeypatch.setattr("sys.stdin", io.StringIO("".join(lines)))


def human(jobs):
    """Return the human block as it is."""
    return jobs.application.memory.for_user("u1").core.block("human").text


def test_messages_are_said_in_order_and_replies_shown_once(jobs, capsys):
    """Each message gets its reply, streamed or not, exactly once; the session is told aside."""
    one = jobs(say("Hello, Dana."), text("Plain words."))

    converse(one, "u1", "s1", messages=["Hi", "Hi again"])

    out, err = capsys.readouterr()
    assert out.split("\n") == ["Hello, Dana. ", "Plain words. ", ""]
    assert err.startswith("Session s1, ")


def test_json_is_one_event_a_line(jobs, capsys):
    """With --json every line is an event; a turn ends with Done and its session."""
    converse(jobs(say("Hello.")), "u1", "s1", messages=["Hi"], as_json=True)

    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {"type": "Text", "text": "Hello."} in events
    assert (events[-1]["type"], events[-1]["session_id"]) == ("Done", "s1")


def test_card_stays_open_without_an_answer(jobs, capsys):
    """Without --yes or --no the card is printed and waits, in the next run too."""
    one = jobs(TEA)

    converse(one, "u1", "s1", messages=["I prefer coffee."])

    assert "  - Likes tea.\n  + Likes coffee.\n" in capsys.readouterr().out
    assert len(one.application.chat("u1", "s1").pending()) == 1
    assert human(one) == "Likes tea."


@pytest.mark.parametrize(
    ("answer", "kept"), [(True, "Likes coffee."), (False, "Likes tea.")], ids=["yes", "no"]
)
def test_flag_answers_the_card(jobs, answer, kept):
    """--yes applies the edit that a message brings up, --no leaves the block as it is."""
    one = jobs(TEA, say("Done."))

    converse(one, "u1", "s1", messages=["I prefer coffee."], answer=answer)

    assert human(one) == kept
    assert one.application.chat("u1", "s1").pending() == []


def test_flag_without_a_message_answers_what_waits(jobs, capsys):
    """--yes on a session with an open card answers it and ends."""
    one = jobs(TEA, say("Coffee it is."))
    converse(one, "u1", "s1", messages=["I prefer coffee."])

    converse(one, "u1", "s1", answer=True)

    assert human(one) == "Likes coffee."
    assert "Coffee it is." in capsys.readouterr().out


@pytest.mark.parametrize(
    ("lines", "kept"),
    [
        (["y\n"], "Likes coffee."),
        (["Yes\n"], "Likes coffee."),
        (["n\n", "only at work\n"], "Likes tea."),
        (["no\n", "\n"], "Likes tea."),
        (["let us talk of boats\n"], "Likes tea."),
        ([], "Likes tea."),
    ],
)
def test_typed_answer_to_a_card(jobs, typed, lines, kept):
    """y applies the edit, n does not, other words decline it, the end of input changes nothing."""
    one = jobs(TEA, say("Well."))
    typed("I prefer coffee.\n", *lines)

    converse(one, "u1", "s1")

    assert human(one) == kept
    assert (one.application.chat("u1", "s1").pending() == []) == bool(lines)


def test_reason_reaches_the_model(jobs, typed):
    """The reason typed after a no is in the next request."""
    one = jobs(TEA, say("I see."))
    typed("I prefer coffee.\n", "n\n", "only at work\n")

    converse(one, "u1", "s1")

    assert "only at work" in str(one._model.seen[1].contents)


def test_blank_lines_are_not_sent(jobs, typed, capsys):
    """Enter alone says nothing."""
    typed("\n", "   \n", "Hi\n")

    converse(jobs(say("Hello.")), "u1", "s1")

    assert capsys.readouterr().out == "Hello. \n"


def test_reply_cannot_steer_the_terminal(jobs, capsys):
    """An escape sequence in a reply, streamed or not, is not passed on."""
    converse(jobs(say("a \x1b[2J b")), "u1", "s1", messages=["Hi"])

    assert "\x1b" not in capsys.readouterr().out


def test_failed_tool_is_told(jobs, capsys):
    """A tool's step is shown, with its sentence when it failed."""
    script = call("core_memory_append", block="nobody", text="x"), say("Sorry.")

    converse(jobs(*script), "u1", "s1", messages=["Hi"])

    first, last = capsys.readouterr().out.splitlines()
    assert first.startswith("  [core_memory_append] ")
    assert "nobody" in first
    assert last == "Sorry. "


def test_steps_do_not_cut_a_streamed_reply(jobs, capsys):
    """A tool that ends while the reply is on its way is shown below it, the reply once."""
    both = [call("core_memory_append", block="human", text="Likes boats."), say("Noted, boats.")]

    converse(jobs(both), "u1", "s1", messages=["I like boats."])

    lines = [line.rstrip() for line in capsys.readouterr().out.splitlines()]
    assert sorted(lines) == ["  [core_memory_append]", "Noted, boats."]


def test_broken_off_reply_ends_its_line(jobs, capsys):
    """What follows words that never became a reply stands on a line of its own."""
    converse(jobs(RuntimeError("gone")), "u1", "s1", messages=["Hi"])

    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith("! ")
