"""What may be stored, and the two sides of finding it again."""

from hypothesis import given
from hypothesis import strategies as st

from memory_tiers.text import MOST_TERMS, clean, searchable, terms


def test_clean_replaces_only_what_cannot_be_stored():
    """NUL and lone surrogates become U+FFFD; all else stays."""
    assert clean("a\x00\ud800b\r\n\t \x07é🎉") == "a\ufffd\ufffdb\r\n\t \x07é🎉"


@given(st.text(st.characters(exclude_categories=()), max_size=50))
def test_cleaned_text_can_be_encoded(text: str):
    """Any text can be stored once it is clean, and cleaning it again changes nothing."""
    cleaned = clean(text)

    assert cleaned.encode().decode() == cleaned == clean(cleaned)


def test_ordinary_words_stay_readable():
    """Someone at a plain command line recognises and matches what is stored."""
    assert searchable("The spare Key, behind the door.") == "the spare key behind the door"


def test_word_with_symbols_has_a_token_of_its_own():
    """The bare word can be matched as well as the exact spelling."""
    assert searchable("C++ at work") == "c++ at work cq2bzq2bz0"
    assert terms("c++") == ("cq2bzq2bz0", "c")


def test_stop_words_are_left_out_unless_alone():
    """Small words count only where there is nothing else."""
    assert terms("what is the plan") == ("plan",)
    assert terms("what is the") == ("what", "is", "the")


def test_terms_are_few_and_the_first_ones():
    """A long query keeps its beginning."""
    found = terms(" ".join(f"word{n}" for n in range(1000)))

    assert len(found) == MOST_TERMS
    assert found[:2] == ("word0", "word1")


def test_terms_are_distinct():
    """A word said twice is one term."""
    assert terms("tea Tea TEA") == ("tea",)


def test_run_without_blanks_is_a_phrase_of_characters():
    """Two characters are looked for side by side."""
    assert terms("東京") == ("東 京",)
    assert searchable("東京") == "東 京"


@given(st.text(max_size=100))
def test_terms_hold_no_query_syntax(text: str):
    """Whatever was typed, a term consists of words and marks alone."""
    assert not any(character in term for term in terms(text) for character in '"*():^+-{}')
