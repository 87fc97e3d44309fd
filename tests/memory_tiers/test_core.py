"""Core memory: what an edit does, and what it refuses without touching the block."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_tiers import (
    BlockFull,
    BlockPolicy,
    BlockReadOnly,
    EditRefused,
    InvalidInput,
    Memory,
    NothingChanged,
    Policy,
    TextFoundTwice,
    TextNotFound,
    UnknownBlock,
    UserMemory,
)
from memory_tiers.edits import appended, replaced

PLANTS = "Likes  tea.\nHas a cat.\nThe cat is grey."


def opened(folder: Path, *blocks: BlockPolicy) -> Memory:
    """Open a memory with these blocks."""
    return Memory.open(folder, "hash", Policy(blocks=blocks))


def test_first_append_has_no_leading_line_break(mine: UserMemory):
    """The first thing appended to an empty block starts on its first line."""
    mine.core.append("human", "Likes tea.")

    assert mine.core.block("human").text == "Likes tea."


def test_appended_text_gets_its_own_line(mine: UserMemory):
    """Appending joins with one line break."""
    mine.core.append("human", "Likes tea.")

    assert mine.core.append("human", "Has a cat.").text == "Likes tea.\nHas a cat."


def test_append_after_a_line_break_adds_no_empty_line(mine: UserMemory):
    """A block that ends with a line break is continued on that line."""
    mine.core.append("human", "Likes tea.\n")

    assert mine.core.append("human", "Has a cat.").text == "Likes tea.\nHas a cat."


@pytest.mark.parametrize("blank", ["", "  ", "\n\t"])
def test_blank_append_is_refused(mine: UserMemory, blank: str):
    """Nothing is no addition."""
    with pytest.raises(InvalidInput, match="blank"):
        mine.core.append("human", blank)


def test_text_that_is_no_text_is_refused(mine: UserMemory):
    """A value of another type is named in the error."""
    with pytest.raises(InvalidInput, match="NoneType"):
        mine.core.append("human", None)  # type: ignore[arg-type]


def test_unknown_block_lists_those_there_are(mine: UserMemory):
    """The error of a wrong label names the right ones."""
    with pytest.raises(UnknownBlock, match=r"'hobbies'.*persona, human"):
        mine.core.append("hobbies", "chess")


def test_labels_match_regardless_of_case_and_blanks(mine: UserMemory):
    """A label is found as people write it."""
    assert mine.core.append("  HUMAN ", "Likes tea.").label == "human"


def test_blocks_come_in_declared_order(mine: UserMemory):
    """Blocks are listed as the policy lists them, whichever was edited last."""
    mine.core.append("human", "Likes tea.")
    mine.core.append("persona", "Speaks briefly.")

    assert [block.label for block in mine.core.blocks()] == ["persona", "human"]


def test_text_not_found_names_block_nearest_line_and_current_text(mine: UserMemory):
    """A model can repair its edit from the refusal alone."""
    mine.core.append("human", PLANTS)

    with pytest.raises(TextNotFound) as refused:
        mine.core.replace("human", "Has a cot.", "Has a dog.")

    assert "'human'" in str(refused.value)
    assert "Nearest: 'Has a cat.'" in str(refused.value)
    assert PLANTS in str(refused.value)
    assert mine.core.block("human").text == PLANTS


def test_difference_in_spacing_is_said(mine: UserMemory):
    """Text that differs only in blanks is not replaced, and the refusal says why."""
    mine.core.append("human", PLANTS)

    with pytest.raises(TextNotFound, match="only in spacing"):
        mine.core.replace("human", "Likes tea.", "Likes coffee.")

    assert mine.core.block("human").text == PLANTS


def test_replacing_in_an_empty_block_says_so(mine: UserMemory):
    """An empty block asks for an append."""
    with pytest.raises(TextNotFound, match=r"empty.*append"):
        mine.core.replace("human", "tea", "coffee")


def test_text_found_twice_names_the_lines(mine: UserMemory):
    """An ambiguous edit is refused with the places."""
    mine.core.append("human", PLANTS)

    with pytest.raises(TextFoundTwice, match=r"2 times.*lines 2, 3"):
        mine.core.replace("human", "cat", "dog")

    assert mine.core.block("human").text == PLANTS


def test_lines_found_twice_are_named_as_ranges(mine: UserMemory):
    """A text of several lines that occurs twice is named by first and last line."""
    mine.core.append("human", "a\nb\n-\na\nb")

    with pytest.raises(TextFoundTwice, match="lines 1-2, 4-5"):
        mine.core.replace("human", "a\nb", "c")


def test_overlapping_places_are_ambiguous(mine: UserMemory):
    """Two places that share characters are two places."""
    mine.core.append("human", "aaa")

    with pytest.raises(TextFoundTwice, match="2 times"):
        mine.core.replace("human", "aa", "b")


def test_empty_old_text_is_refused(mine: UserMemory):
    """Nothing cannot be replaced."""
    mine.core.append("human", "Likes tea.")

    with pytest.raises(TextNotFound, match="is empty"):
        mine.core.replace("human", "", "coffee")


def test_same_old_and_new_write_no_history(mine: UserMemory):
    """An edit that changes nothing leaves no version."""
    mine.core.append("human", "Likes tea.")

    with pytest.raises(NothingChanged):
        mine.core.replace("human", "tea", "tea")

    assert len(mine.core.history("human")) == 2


def test_empty_new_text_deletes(mine: UserMemory):
    """Replacing by nothing leaves the rest as it was."""
    mine.core.append("human", "Likes tea. Has a cat.")

    assert mine.core.replace("human", "Likes tea. ", "").text == "Has a cat."


@pytest.mark.parametrize("letter", ["a", "é", "語", "🎂"])
def test_limit_counts_characters(tmp_path: Path, letter: str):
    """A block is full at its limit in characters, however many bytes they take."""
    with opened(tmp_path, BlockPolicy("human", "", limit=10)) as memory:
        core = memory.for_user("u1").core

        assert len(core.append("human", letter * 10).text) == 10


def test_over_the_limit_is_refused_with_the_numbers(tmp_path: Path):
    """A refusal tells length, limit and overrun, separator counted, and changes nothing."""
    with opened(tmp_path, BlockPolicy("human", "", limit=10)) as memory:
        core = memory.for_user("u1").core
        core.append("human", "12345678")

        with pytest.raises(BlockFull, match=r"8 of 10 characters.* 11, 1 too many"):
            core.append("human", "ab")

        assert core.block("human").text == "12345678"
        assert core.append("human", "a").text == "12345678\na"


def test_lowered_limit_keeps_the_text_and_lets_it_shrink(tmp_path: Path):
    """A block over a lowered limit stays whole, may be shortened and may not grow."""
    with opened(tmp_path, BlockPolicy("human", "", limit=20)) as memory:
        memory.for_user("u1").core.append("human", "x" * 18 + "yz")

    with opened(tmp_path, BlockPolicy("human", "", limit=10)) as memory:
        core = memory.for_user("u1").core

        assert len(core.block("human").text) == 20
        assert len(core.replace("human", "yz", "y").text) == 19
        with pytest.raises(BlockFull):
            core.replace("human", "y", "yz")
        assert core.rewrite("human", "x" * 9).text == "x" * 9
        with pytest.raises(BlockFull):
            core.rewrite("human", "x" * 15)


@pytest.mark.parametrize("label", ["rules", "RULES "])
def test_read_only_block_refuses_every_edit(tmp_path: Path, label: str):
    """No path changes a read-only block, however its label is written."""
    with opened(tmp_path, BlockPolicy("rules", "", read_only=True, initial="Be kind.")) as memory:
        core = memory.for_user("u1").core
        edits = (
            lambda: core.append(label, "x"),
            lambda: core.replace(label, "kind", "rude"),
            lambda: core.check_replace(label, "kind", "rude"),
            lambda: core.rewrite(label, "x"),
            lambda: core.undo(label),
        )

        for edit in edits:
            with pytest.raises(BlockReadOnly):
                edit()

        assert core.block("rules").text == "Be kind."
        assert core.block("rules").version == 0


@pytest.mark.parametrize(
    "prefix", ["2→", "2: ", "2 | ", "   2\t", "2. ", "2) ", "[2]: ", "L2: ", "line 2: ", "2 -> "]
)
def test_line_number_in_front_of_old_is_stripped(mine: UserMemory, prefix: str):
    """A quoted line number is no part of the text, in the old text and in the new."""
    mine.core.append("human", "Likes tea.\nHas a cat.")

    block = mine.core.replace("human", f"{prefix}Has a cat.", f"{prefix}Has a dog.")

    assert block.text == "Likes tea.\nHas a dog."


def test_line_numbers_of_several_lines_are_stripped(mine: UserMemory):
    """Each line of a quoted passage may bring its number."""
    mine.core.append("human", "Likes tea.\nHas a cat.")

    assert mine.core.replace("human", "1→Likes tea.\n2→Has a cat.", "New.").text == "New."


def test_genuine_number_in_front_of_a_line_stays(mine: UserMemory):
    """What looks like a line number is text where the block holds it."""
    mine.core.append("human", "1: buy milk\n2: buy eggs")

    block = mine.core.replace("human", "1: buy milk", "1: buy bread")

    assert block.text == "1: buy bread\n2: buy eggs"


def test_line_number_that_does_not_help_is_refused_as_typed(mine: UserMemory):
    """Text that is absent with and without its number is not found."""
    mine.core.append("human", "Likes tea.")

    with pytest.raises(TextNotFound):
        mine.core.replace("human", "1: Likes milk.", "x")


def test_check_replace_raises_what_replace_would_and_writes_nothing(mine: UserMemory):
    """The dry run answers like the edit and leaves no version."""
    mine.core.append("human", PLANTS)

    mine.core.check_replace("human", "grey", "black")
    with pytest.raises(TextFoundTwice):
        mine.core.check_replace("human", "cat", "dog")

    assert mine.core.block("human").text == PLANTS
    assert len(mine.core.history("human")) == 2


@pytest.mark.parametrize(
    "text", ["a\tb  ", "one\r\ntwo\r\n", " x ", "</persona> {city} <b>", "e\u0301"]
)
def test_text_is_kept_as_typed(mine: UserMemory, text: str):
    """Tabs, line ends, blanks, markup and braces are characters like any other."""
    assert mine.core.rewrite("human", text).text == text


def test_unstorable_characters_are_replaced(mine: UserMemory):
    """NUL and lone surrogates become the replacement character."""
    assert mine.core.append("human", "a\x00b\ud83dc").text == "a\ufffdb\ufffdc"


def test_edits_survive_reopening(tmp_path: Path):
    """What was acknowledged is there after a restart."""
    with Memory.open(tmp_path, "hash") as memory:
        memory.for_user("u1").core.append("human", "Likes tea.")

    with Memory.open(tmp_path, "hash") as memory:
        assert memory.for_user("u1").core.block("human").text == "Likes tea."


@given(before=st.text(), old=st.text(min_size=1), after=st.text(), new=st.text())
def test_replacing_touches_nothing_else(before: str, old: str, after: str, new: str):
    """An edit either is refused or leaves both sides of the one place as they were."""
    text = before + old + after
    try:
        result = replaced("human", text, old, new)
    except EditRefused:
        assert old == new or text.find(old) != text.rfind(old)
    else:
        assert result == before + new + after


@given(text=st.text(), addition=st.text(min_size=1))
def test_appending_keeps_both_texts(text: str, addition: str):
    """What was there stays in front, what is added stays behind."""
    result = appended(text, addition)

    assert result.startswith(text)
    assert result.endswith(addition)
    assert len(result) <= len(text) + 1 + len(addition)
