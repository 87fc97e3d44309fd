"""Opening a memory, and keeping its owners apart."""

import itertools
import subprocess
import sys
from pathlib import Path

import pytest

import memory_tiers
from memory_tiers import BlockPolicy, InvalidInput, Memory, Policy, StoreUnavailable

ODD = (
    "u1",
    "a/b",
    "a:b",
    "a%",
    "a_",
    "A",
    "a",
    "..",
    "a\x1fb",
    " a",
    "a ",
    "é",
    "e\u0301",
    "x" * 200,
)


@pytest.mark.parametrize("id", ["", "  ", "\n", None, 5, "a\x00b", "\ud800"])
def test_no_id_no_memory(memory: Memory, id):
    """A missing or unstorable id is an error; there is no shared pool."""
    with pytest.raises(InvalidInput, match="user_id"):
        memory.for_user(id)
    with pytest.raises(InvalidInput, match="agent"):
        memory.for_user("u1", agent=id)


def test_owners_with_odd_ids_never_mix(memory: Memory):
    """Each owner sees and counts exactly what is theirs, whatever characters the id has."""
    owners = [memory.for_user(id) for id in ODD] + [memory.for_user("u1", agent="other")]
    for n, mine in enumerate(owners):
        mine.core.append("human", f"likes teal {n}")
        mine.recall.append("s1", "user", f"my locker is teal {n}", id="m1")
        mine.archival.insert(f"teal paint {n}", tags=["teal"])
        mine.confirmations.open("c1", session_id="s1", call_id="x", tool="t", arguments={"n": n})
        mine.sessions.title("s1", f"teal {n}")

    for n, mine in enumerate(owners):
        assert mine.core.block("human").text == f"likes teal {n}"
        assert [m.text for m in mine.recall.messages("s1")] == [f"my locker is teal {n}"]
        assert [h.text for h in mine.recall.search("teal").hits] == [f"my locker is teal {n}"]
        assert [h.text for h in mine.archival.search("teal paint").hits] == [f"teal paint {n}"]
        assert [h.text for h in mine.archival.search("teal", tags="teal").hits] == [
            f"teal paint {n}"
        ]
        assert [p.text for p in mine.archival.list().hits] == [f"teal paint {n}"]
        assert [s.title for s in mine.sessions.list()] == [f"teal {n}"]
        assert [c.arguments for c in mine.confirmations.pending()] == [{"n": n}]
        assert (mine.recall.count(), mine.archival.count()) == (1, 1)


def test_one_owner_cannot_change_what_is_another_s(memory: Memory):
    """A known id of somebody else is an unknown one."""
    theirs, mine = memory.for_user("u1"), memory.for_user("u2")
    message = theirs.recall.append("s1", "user", "my locker is 12")
    passage = theirs.archival.insert("teal paint")
    theirs.confirmations.open("c1", session_id="s1", call_id="x", tool="t", arguments={})
    attempts = (
        lambda: mine.recall.get(message.id),
        lambda: mine.recall.delete(message.id),
        lambda: mine.archival.get(passage.id),
        lambda: mine.archival.update(passage.id, "gone"),
        lambda: mine.archival.delete(passage.id),
        lambda: mine.confirmations.answer("c1", "approved"),
        lambda: mine.sessions.title("s1", "mine now"),
    )

    for attempt in attempts:
        with pytest.raises(memory_tiers.NotFound):
            attempt()

    assert theirs.recall.count() == theirs.archival.count() == 1
    assert theirs.confirmations.get("c1").state == "open"


def test_everything_survives_reopening(tmp_path: Path):
    """What was acknowledged is there after a restart, in every tier."""
    with Memory.open(tmp_path, "hash") as memory:
        mine = memory.for_user("u1")
        mine.core.append("human", "Likes tea.")
        mine.recall.append("s1", "user", "the kettle sings")
        mine.archival.insert("green tea from Uji")

    with Memory.open(tmp_path, "hash") as memory:
        mine = memory.for_user("u1")
        assert mine.core.block("human").text == "Likes tea."
        assert mine.recall.search("kettle").total == 1
        assert mine.archival.search("Uji").total == 1
        assert [session.id for session in mine.sessions.list()] == ["s1"]


def test_closed_memory_says_so(tmp_path: Path):
    """A call after closing is one sentence; closing twice is fine."""
    memory = Memory.open(tmp_path, "hash")
    memory.close()
    memory.close()

    with pytest.raises(StoreUnavailable, match="closed"):
        memory.for_user("u1").recall.count()


def test_unknown_zone_is_refused_at_opening(tmp_path: Path):
    """A time zone that does not exist stops the start, before anything is made."""
    with pytest.raises(InvalidInput, match="Mars"):
        Memory.open(tmp_path / "data", "hash", Policy(timezone="Mars/Olympus"))

    assert not (tmp_path / "data").exists()


def test_blocks_are_those_of_the_policy(tmp_path: Path):
    """The application says which blocks there are, with which first text."""
    policy = Policy(blocks=(BlockPolicy("Notes", "Anything.", limit=5, initial="abc"),))
    with Memory.open(tmp_path, "hash", policy) as memory:
        (block,) = memory.for_user("u1").core.blocks()

    assert (block.label, block.text, block.limit, block.version) == ("Notes", "abc", 5, 0)


def test_public_names_exist_and_are_documented():
    """Everything the package exports says what it is, down to the methods."""
    for name in memory_tiers.__all__:
        public = getattr(memory_tiers, name)
        if isinstance(public, type):
            assert public.__doc__, name
            methods = [
                m for m in vars(public).items() if not m[0].startswith("_") and callable(m[1])
            ]
            assert all(method.__doc__ for _, method in methods), name


def test_error_codes_are_distinct():
    """Each error has a stable code of its own."""
    errors = [
        value
        for value in vars(memory_tiers).values()
        if isinstance(value, type) and issubclass(value, memory_tiers.MemoryTiersError)
    ]

    assert all(a.code != b.code for a, b in itertools.combinations(errors, 2))


def test_hard_stop_loses_nothing_acknowledged(tmp_path: Path):
    """A process that dies without closing leaves every stored text to be found by itself."""
    script = (
        "import os, sys; from memory_tiers import Memory\n"
        "mine = Memory.open(sys.argv[1], 'hash').for_user('u1')\n"
        "mine.archival.insert('cherry tree by the gate')\n"
        "mine.archival.search('cherry')\n"
        "mine.archival.insert('dentist on Tuesday')\n"
        "mine.recall.append('s1', 'user', 'the kettle sings')\n"
        "mine.core.append('human', 'Likes tea.')\n"
        "os._exit(9)\n"
    )
    stopped = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path)], cwd=Path(__file__).parents[2], check=False
    )

    with Memory.open(tmp_path, "hash") as memory:
        mine = memory.for_user("u1")
        assert stopped.returncode == 9
        for note in ("cherry tree by the gate", "dentist on Tuesday"):
            assert mine.archival.search(note).hits[0].score == pytest.approx(2.0)
        assert mine.recall.search("kettle").total == 1
        assert mine.core.block("human").text == "Likes tea."


@pytest.mark.parametrize("folder", ["a\0b", "~nobody-of-this-name/data", 5])
def test_an_impossible_folder_is_refused(folder: object):
    """A path that no folder can have is one sentence."""
    with pytest.raises(InvalidInput):
        Memory.open(folder, embedder="hash")
