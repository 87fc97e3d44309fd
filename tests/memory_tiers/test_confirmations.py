"""Edits that wait for a yes are answered once, and what came of them is kept."""

import threading
from pathlib import Path

import pytest

from memory_tiers import Conflict, InvalidInput, Memory, NotFound, UserMemory

ARGUMENTS = {"block": "human", "old": "tea", "new": "coffee \ud83d"}


def ask(mine: UserMemory, id: str = "c1", session_id: str = "s1", call_id: str = "x1") -> None:
    """Open a confirmation."""
    mine.confirmations.open(
        id, session_id=session_id, call_id=call_id, tool="replace", arguments=ARGUMENTS
    )


def test_confirmation_keeps_what_it_asks(mine: UserMemory):
    """A stored confirmation comes back with its call, argument for argument."""
    ask(mine)

    confirmation = mine.confirmations.get("c1")

    assert (confirmation.state, confirmation.outcome) == ("open", None)
    assert confirmation.arguments == ARGUMENTS


def test_asking_again_changes_nothing(mine: UserMemory):
    """The same id is one question, also after its answer."""
    ask(mine)
    mine.confirmations.answer("c1", "approved")
    ask(mine)

    assert mine.confirmations.get("c1").state == "approved"


def test_open_ones_are_pending_in_order(mine: UserMemory):
    """Pending lists what waits, of one session or of all."""
    for id, session_id in (("c1", "s1"), ("c2", "s2"), ("c3", "s1")):
        ask(mine, id, session_id)
    mine.confirmations.answer("c1", "rejected", "no")

    assert [c.id for c in mine.confirmations.pending()] == ["c2", "c3"]
    assert [c.id for c in mine.confirmations.pending("s1")] == ["c3"]


def test_pending_survives_reopening(tmp_path: Path):
    """A question is still open after a restart."""
    with Memory.open(tmp_path, "hash") as memory:
        ask(memory.for_user("u1"))

    with Memory.open(tmp_path, "hash") as memory:
        assert [c.id for c in memory.for_user("u1").confirmations.pending()] == ["c1"]


@pytest.mark.parametrize("first", ["approved", "rejected", "declined"])
def test_second_answer_is_a_conflict_that_names_the_first(mine: UserMemory, first):
    """A late click changes nothing and is told how the question ended."""
    ask(mine)
    mine.confirmations.answer("c1", first, "because")

    with pytest.raises(Conflict, match=first):
        mine.confirmations.answer("c1", "approved")

    assert mine.confirmations.get("c1").reason == "because"


def test_of_two_answers_at_one_moment_one_counts(memory: Memory):
    """Answers that race are settled by the store."""
    ask(memory.for_user("u1"))
    results: list[str] = []

    def click() -> None:
        try:
            memory.for_user("u1").confirmations.answer("c1", "approved")
            results.append("done")
        except Conflict:
            results.append("late")

    threads = [threading.Thread(target=click) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sorted(results) == ["done"] + ["late"] * 5


@pytest.mark.parametrize("state", ["open", "yes", "", None])
def test_only_answers_are_answers(mine: UserMemory, state):
    """A question cannot be answered with something else."""
    ask(mine)

    with pytest.raises(InvalidInput, match="approved, rejected, declined"):
        mine.confirmations.answer("c1", state)


def test_first_outcome_stays(mine: UserMemory):
    """What the tool returned is kept once."""
    ask(mine)
    mine.confirmations.settle("c1", {"ok": True})

    assert mine.confirmations.settle("c1", {"ok": False}).outcome == {"ok": True}


def test_confirmation_is_found_by_its_call(mine: UserMemory):
    """A call id that repeats leads to the newest question of its session."""
    ask(mine, "c1")
    ask(mine, "c2")
    ask(mine, "c3", session_id="s2")

    assert mine.confirmations.of_call("s1", "x1").id == "c2"
    assert mine.confirmations.of_call("s1", "other") is None


def test_unknown_confirmation_is_not_found(mine: UserMemory):
    """Neither reading, answering nor settling invents a question."""
    actions = (
        mine.confirmations.get,
        lambda id: mine.confirmations.answer(id, "approved"),
        lambda id: mine.confirmations.settle(id, {}),
    )
    for act in actions:
        with pytest.raises(NotFound, match="'gone'"):
            act("gone")
