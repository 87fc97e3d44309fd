"""Core memory over time: versions, undo, stale writers and edits that are repeated."""

import threading

import pytest

from memory_tiers import Conflict, Memory, NothingChanged, UserMemory
from tests.fakes import Clock


def test_history_starts_with_the_declared_text(mine: UserMemory, clock: Clock):
    """Every version is kept with its cause and time, from the first text on."""
    mine.core.append("human", "Likes tea.")
    clock.advance(hours=1)
    mine.core.replace("human", "tea", "coffee", cause="user")

    history = mine.core.history("human")

    assert [(v.version, v.text, v.cause) for v in history] == [
        (0, "", "initial"),
        (1, "Likes tea.", "tool"),
        (2, "Likes coffee.", "user"),
    ]
    assert history[2].at == clock.now


def test_history_of_an_untouched_block_is_its_declared_text(mine: UserMemory):
    """A block nobody edited has one version."""
    assert [version.version for version in mine.core.history("human")] == [0]


def test_undo_goes_back_step_by_step(mine: UserMemory):
    """Each undo takes back one more edit, and each is a version of its own."""
    mine.core.append("human", "one")
    mine.core.append("human", "two")

    assert mine.core.undo("human").text == "one"
    assert mine.core.undo("human").text == ""
    assert len(mine.core.history("human")) == 5


def test_undo_after_undo_and_edit_takes_back_the_edit(mine: UserMemory):
    """An edit made after an undo is what the next undo takes back."""
    mine.core.append("human", "one")
    mine.core.append("human", "two")
    mine.core.undo("human")
    mine.core.append("human", "three")

    assert mine.core.undo("human").text == "one"


def test_undo_without_an_edit_is_refused(mine: UserMemory):
    """There is nothing to take back in an untouched block."""
    with pytest.raises(NothingChanged, match="no edit"):
        mine.core.undo("human")


def test_rewrite_of_a_stale_version_is_a_conflict(mine: UserMemory):
    """A writer who has not seen the newest text does not overwrite it."""
    mine.core.append("human", "one")
    mine.core.append("human", "two")

    with pytest.raises(Conflict, match=r"version 2.*version 1"):
        mine.core.rewrite("human", "mine", version=1)

    assert mine.core.rewrite("human", "mine", version=2).text == "mine"


def test_same_key_applies_an_edit_once(mine: UserMemory):
    """An edit repeated with its key changes nothing and answers with the block."""
    mine.core.append("human", "Likes tea.", key="turn-1")

    again = mine.core.append("human", "Likes tea.", key="turn-1")

    assert again.text == "Likes tea."
    assert len(mine.core.history("human")) == 2


def test_same_key_of_another_user_is_another_key(memory: Memory):
    """A key belongs to its owner."""
    memory.for_user("a").core.append("human", "one", key="k")

    assert memory.for_user("b").core.append("human", "two", key="k").text == "two"


def test_used_key_answers_even_where_the_edit_would_be_refused(mine: UserMemory):
    """A repeated replace finds its old text gone and is still no error."""
    mine.core.append("human", "Likes tea.")
    mine.core.replace("human", "tea", "coffee", key="k")

    assert mine.core.replace("human", "tea", "coffee", key="k").text == "Likes coffee."


def test_edits_at_one_moment_are_all_kept(memory: Memory):
    """Appends from several threads lose nothing."""
    threads = [
        threading.Thread(target=lambda n=n: memory.for_user("u1").core.append("human", f"fact {n}"))
        for n in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    lines = memory.for_user("u1").core.block("human").text.split("\n")

    assert sorted(lines) == [f"fact {n}" for n in range(8)]
