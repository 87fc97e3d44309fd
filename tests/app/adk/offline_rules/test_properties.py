"""Whatever is said, held or found, there is a reply."""

from datetime import UTC, datetime

from hypothesis import given, settings
from hypothesis import strategies as st

from app.adk.offline_rules import Answered, Seen, decide
from app.adk.offline_rules.replies import LONGEST

NOW = datetime(2026, 3, 2, 14, 5, tzinfo=UTC)
VOCABULARY = r"""I my is am not now actually sister live in Lisbon called Rex 12 14 , . ? ! : ; " '
( ) [ \ {x} remember forget what where who when how no longer like tea moved to from and but
which name <b> *** instead of changed every do you know about me"""
WORDS = st.sampled_from(
    [*VOCABULARY.split(), "\n", "\x00", "\ud800", "\u2019", "\u201c", "\u2014", ""]
)
TEXT = st.one_of(st.text(max_size=200), st.lists(WORDS, max_size=25).map(" ".join))
ROW = st.fixed_dictionaries(
    {"id": st.just("1"), "text": TEXT, "at": st.sampled_from(["2026-03-01 14:05", "", "soon"])},
    optional={"role": st.sampled_from(["user", "assistant"]), "tags": st.just(["x"])},
)
RESPONSE = st.one_of(
    st.fixed_dictionaries({"error": TEXT}),
    st.fixed_dictionaries({"ok": st.just(True)}, optional={"known": st.booleans()}),
    st.fixed_dictionaries({"declined": st.just(True), "reason": TEXT, "keep": TEXT}),
    st.fixed_dictionaries({"results": st.lists(ROW, max_size=4), "total": st.integers(0, 9)}),
    st.just({}),
)
WRITES = ["core_memory_append", "core_memory_replace", "archival_insert"]
NAMES = st.sampled_from([*WRITES, "archival_search", "recall_search"])
ARGUMENTS = st.fixed_dictionaries(
    {}, optional={"block": st.just("human"), "text": TEXT, "old": TEXT, "new": TEXT, "query": TEXT}
)
ANSWERED = st.builds(Answered, NAMES, ARGUMENTS, RESPONSE)


@settings(max_examples=150, deadline=None)
@given(TEXT, TEXT, st.lists(ANSWERED, max_size=3), TEXT)
def test_every_input_is_answered_with_calls_that_can_be_made(text, human, answered, previous):
    """Calls are never missing, messages never blank or too long, arguments are strings or lists."""
    blocks = {"persona": "I am kind.", "human": human}

    calls = decide(Seen(text, blocks, tuple(answered), NOW, previous))

    assert calls
    for call in calls:
        assert all(isinstance(v, (str, list)) for v in call.arguments.values())
        if call.name == "send_message":
            assert call.arguments["message"].strip()
            assert len(call.arguments["message"]) <= LONGEST
    said = [call.name for call in calls].count("send_message")
    assert said == (calls[-1].name == "send_message")


@settings(max_examples=60, deadline=None)
@given(TEXT, TEXT)
def test_an_edit_names_text_that_the_block_holds_once(text, human):
    """A replacement can always apply: its old text occurs exactly once."""
    calls = decide(Seen(text, {"persona": "", "human": human}, (), NOW))

    edits = [call.arguments["old"] for call in calls if call.name == "core_memory_replace"]

    assert all(human.count(old) == 1 for old in edits)
