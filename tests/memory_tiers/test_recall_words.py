"""Which words find a message: any text is a legal query, in any script and spelling."""

# ruff: noqa: RUF001 - the letters that look alike are what is tested

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memory_tiers import Memory, UserMemory
from memory_tiers.text import blank

SYMBOLS = (
    "ship the release-2024 build from tools/build.py",
    "I write C++ at work",
    "vitamin C tablets",
    "party 🎉🎂 on Saturday",
    "battery at 50% #later",
    "mail ana.b@mail.test about v2.10.3 of https://shop.test/a?b=1",
    "ticket 3f2b9c1e-77aa-4c0d-9f00-0123456789ab is open",
    "call file_name_v2 in .NET, not in net",
)


def say(mine: UserMemory, *texts: str) -> None:
    """Store messages of one session, in order."""
    for text in texts:
        mine.recall.append("s1", "user", text)


def found(mine: UserMemory, query: str) -> list[str]:
    """Return the texts a search finds, best first."""
    return [hit.text for hit in mine.recall.search(query).hits]


@pytest.mark.parametrize(
    ("query", "place"),
    [
        ("release-2024", 0),
        ("tools/build.py", 0),
        ("C++", 1),
        ("c++?", 1),
        ("🎉", 3),
        ("🎂", 3),
        ("50%", 4),
        ("#later", 4),
        ("ana.b@mail.test", 5),
        ("v2.10.3", 5),
        ("https://shop.test/a?b=1", 5),
        ("3f2b9c1e-77aa-4c0d-9f00-0123456789ab", 6),
        ("file_name_v2", 7),
        (".NET", 7),
    ],
)
def test_word_with_symbols_is_found_first(mine: UserMemory, query: str, place: int):
    """Symbols are part of a word, not query syntax, and the exact spelling ranks first."""
    say(mine, *SYMBOLS)

    assert found(mine, query)[0] == SYMBOLS[place]


@pytest.mark.parametrize(
    "query", ["what's behind the blue door?", "have we talked about where the key hangs"]
)
def test_question_finds_what_answers_it(mine: UserMemory, query: str):
    """The small words of a question neither fail nor hide the message."""
    say(mine, "What a day.", "The spare key hangs behind the blue door.", "Where were we?")

    assert found(mine, query)[0] == "The spare key hangs behind the blue door."


@pytest.mark.parametrize("query", ["NOT window", "lamp AND", "do not book", "WINDOW not"])
def test_operators_are_ordinary_words(mine: UserMemory, query: str):
    """AND, OR, NOT and NEAR have no effect, in upper and in lower case."""
    say(mine, "Do NOT book the window seat AND bring the lamp")

    assert len(found(mine, query)) == 1
    assert found(mine, query.lower()) == found(mine, query.upper())


@pytest.mark.parametrize(
    "query",
    [
        "AND",
        "OR",
        "NEAR(",
        "NEAR(a b)",
        '"',
        "*",
        "-x",
        "a:b",
        "{x}:",
        "(",
        "a^2",
        "col : x",
        "\x00",
    ],
)
def test_query_syntax_is_harmless(mine: UserMemory, query: str):
    """What would be syntax elsewhere is answered with an ordinary page."""
    say(mine, "nothing special")

    assert mine.recall.search(query).hits == ()


@pytest.mark.parametrize("query", ["", "   ", "\t\n", "...", "?!", "´", "-- ' \""])
def test_query_without_a_word_asks_for_one(mine: UserMemory, query: str):
    """Blank and punctuation-only queries get a plain hint."""
    say(mine, "hello there")

    page = mine.recall.search(query)

    assert (page.hits, page.total) == ((), 0)
    assert "word" in page.notice


@pytest.mark.parametrize("query", ["text", "type", "_", "%", "searchable", "owner", "s1", "user"])
def test_schema_words_and_wildcards_match_nothing_by_themselves(mine: UserMemory, query: str):
    """Names of columns, ids and wildcards find only messages that hold them."""
    say(mine, "an apple a day", "plum cake")

    assert found(mine, query) == []


def test_only_stop_words_do_not_match_everything(mine: UserMemory):
    """A query of small words finds those words and no others."""
    say(mine, "the whole truth", "plum cake")

    assert found(mine, "who is it?") == []


def test_very_long_query_finds_its_first_words(mine: UserMemory):
    """A paste of 20,000 words is cut, not refused."""
    say(mine, "a quixotic plan")

    query = "quixotic " + " ".join(f"word{n}" for n in range(20_000))

    assert found(mine, query) == ["a quixotic plan"]


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("東京で友達とラーメンを食べました", "ラーメン"),
        ("東京で友達とラーメンを食べました", "東京"),
        ("東京で友達とラーメンを食べました", "友達とラーメン"),
        ("東京で友達とラーメンを食べました", "ラーメンを食べたのはどこ"),
        ("我昨天在北京大学学习中文", "大学"),
        ("我昨天在北京大学学习中文", "中文学习在哪里"),
        ("저는 서울에서 친구를 만났어요", "서울"),
        ("ฉันชอบกินข้าวผัดที่ร้านนี้", "ข้าวผัด"),
        ("मुझे चाय पसंद है", "चाय"),
        ("Я живу в Москве", "москве"),
        ("Ο γιατρός είναι εδώ", "γιατρος"),
        ("أحب القهوة كثيرا", "القهوة"),
        ("ﾗｰﾒﾝ ＡＢＣ", "ラーメン"),
    ],
)
def test_every_script_can_be_found(mine: UserMemory, text: str, query: str):
    """Part of a sentence is found in scripts with and without blanks."""
    say(mine, text, "something else")

    assert found(mine, query) == [text]


@pytest.mark.parametrize(
    ("text", "query"),
    [("かき氷", "がき"), ("ハス", "バス"), ("กา", "กี"), ("東西南北", "西東")],
)
def test_signs_that_change_a_letter_are_kept_apart(mine: UserMemory, text: str, query: str):
    """A sound mark or a vowel sign makes another letter, and order matters within a run."""
    say(mine, text)

    assert found(mine, query) == []


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("Café crème brûlée", "cafe creme brulee"),
        ("cafe creme", "CAFÉ"),
        ("Cafe\u0301", "café"),
        ("Straße nach Łódź", "strasse lodz"),
        ("ＦＵＬＬ width", "full"),
        ("zero\u200bwidth joi\u00adner", "zerowidth joiner"),
        ("I adopted two kittens", "kitten adoption"),
        ("the garden gate", "gate of the garden"),
        ("Ana’s dog", "Ana's"),
        ("l'amour dure", "amour"),
    ],
)
def test_spelling_variants_are_one(mine: UserMemory, text: str, query: str):
    """Case, accents, width, invisible characters, endings and order do not hide a message."""
    say(mine, text)

    assert found(mine, query) == [text]


def test_beginning_of_a_word_finds_it(mine: UserMemory):
    """Where no message holds the word, the words that begin like it are found."""
    say(mine, "dinner at the restaurant", "plum cake")

    assert found(mine, "restau") == ["dinner at the restaurant"]


def test_whole_word_leaves_no_room_for_beginnings(mine: UserMemory):
    """A word that is found as it is does not bring longer ones."""
    say(mine, "my car", "my cardigan")

    assert found(mine, "car") == ["my car"]


@settings(
    max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(query=st.text(max_size=200), text=st.text(min_size=1, max_size=200))
def test_any_text_is_a_legal_query(memory: Memory, query: str, text: str):
    """No query fails, and every word-bearing message is found by its own text."""
    owner = memory.for_user("u1")
    if not blank(text):
        stored = owner.recall.append("s", "user", text)
        page = owner.recall.search(text, limit=10_000)
        assert page.notice or stored.id in {hit.id for hit in page.hits}

    owner.recall.search(query)
