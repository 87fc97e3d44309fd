"""The memory panel: core blocks to edit, recall and archival memory to search."""

import pytest
from playwright.sync_api import expect

from tests.play import say

pytestmark = pytest.mark.browser

HOSTILE = '<img src="http://elsewhere.test/a.png" onerror="window.harmed=1"> **x** $5 مرحبا'


@pytest.fixture
def human(page):
    """The editor of the human block, emptied."""
    page.get_by_role("tab", name="Core").click()
    editor = page.locator(".core-block").nth(1)
    write(editor, "")
    if editor.get_by_role("button", name="Save").is_enabled():
        save(editor)
    return editor


def write(editor, text):
    """Put a text into a block's box, as a person would."""
    editor.locator("textarea").fill(text)


def save(editor):
    """Save, and wait for the answer."""
    editor.get_by_role("button", name="Save").click()
    expect(editor.locator("[role=status]")).not_to_be_empty()


def test_edit_is_saved(page, human):
    """What a person writes into a block is there after a reload, as typed."""
    expect(human.get_by_role("button", name="Save")).to_be_disabled()
    write(human, HOSTILE)
    save(human)
    expect(human.locator("[role=status]")).to_have_text("Saved.")
    expect(human.get_by_role("button", name="Save")).to_be_disabled()
    page.reload()

    expect(human.locator("textarea")).to_have_value(HOSTILE)
    expect(human).to_contain_text(f"{len(HOSTILE)} of 2,000 characters")
    assert page.evaluate("window.harmed") is None


def test_fill_level_counts_characters_and_warns(human):
    """The level counts characters as a person does, and warns before the limit."""
    write(human, "🦀" * 1900)

    expect(human.locator(".fill")).to_have_text("1,900 of 2,000 characters")
    expect(human).to_have_attribute("data-level", "near")


def test_edit_over_the_limit_is_refused_and_kept(page, site, human):
    """Too long a text is refused with the numbers; the draft stays, the block too."""
    write(human, "z" * 2001)
    save(human)

    expect(human.locator("[role=status]")).to_contain_text("2000 characters")
    assert human.locator("textarea").input_value() == "z" * 2001
    other = page.context.new_page()
    other.goto(site)
    expect(other.locator(".core-block .fill").last).to_have_text("0 of 2,000 characters")
    other.close()


def test_agent_edit_shows_at_once(page, human):
    """What the agent writes into a block appears without a reload."""
    say(page, "learn Grows tomatoes")

    expect(human.locator("textarea")).to_have_value("Grows tomatoes")


def test_agent_edit_leaves_a_draft_alone(page, human):
    """A draft is never overwritten; the person is told and decides."""
    write(human, "My own words")
    say(page, "learn Likes plums")

    expect(human.locator("textarea")).to_have_value("My own words")
    expect(human).to_contain_text("changed this block while you were editing")
    human.get_by_role("button", name="Show the new text").click()
    expect(human.locator("textarea")).to_have_value("Likes plums")


def test_save_over_a_newer_version_asks_first(page, site, human):
    """A block changed in another window is not overwritten unseen; keeping mine is a choice."""
    write(human, "From this window")
    other = page.context.new_page()
    other.goto(site)
    there = other.locator(".core-block").nth(1)
    write(there, "From the other window")
    save(there)
    other.close()
    human.get_by_role("button", name="Save").click()
    expect(human).to_contain_text("changed this block while you were editing")
    human.get_by_role("button", name="Keep my text").click()
    save(human)
    page.reload()

    expect(human.locator("textarea")).to_have_value("From this window")


@pytest.mark.parametrize("text", ["a\x00b", "a\ud800b", "\x07", "{{x}} ${y}", "</textarea><b>"])
def test_odd_text_in_a_block(page, human, text):
    """Odd text is saved, or replaced character by character, and never breaks the page."""
    human.locator("textarea").evaluate(
        """(field, codes) => {
            field.value = codes.map((code) => String.fromCharCode(code)).join('');
            field.dispatchEvent(new Event('input', {bubbles: true}));
        }""",
        [ord(character) for character in text],
    )
    save(human)

    kept = text.replace("\x00", "\ufffd").replace("\ud800", "\ufffd")
    expect(human.locator("textarea")).to_have_value(kept)
    expect(human.locator("[role=status]")).to_contain_text("replaced" if kept != text else "Saved.")
    page.reload()
    expect(human.locator("textarea")).to_have_value(kept)


def test_recall_search_finds_who_said_what(page):
    """A word finds messages of both sides, with who and when, as typed."""
    say(page, "the zeppelin <b>landed</b> for $5")
    page.get_by_role("tab", name="Recall").click()
    page.locator("#recall-query textarea").fill("zeppelin")

    found = page.locator("#recall-found .found")
    expect(found).to_have_count(2)
    expect(found.first.locator("time")).to_be_visible()
    expect(page.locator("#recall-found")).to_contain_text("You")
    expect(page.locator("#recall-found")).to_contain_text("the zeppelin <b>landed</b> for $5")
    assert page.locator("#recall-found .words b").count() == 0


def test_search_results_are_paged(page):
    """Ten results at a time; More brings the next ones."""
    for number in range(6):
        say(page, f"quokka {number}")
    page.get_by_role("tab", name="Recall").click()
    page.locator("#recall-query textarea").fill("quokka")
    expect(page.locator("#recall-found")).to_contain_text("12 messages")
    expect(page.locator("#recall-found .found")).to_have_count(10)
    page.locator("#recall-more").click()

    expect(page.locator("#recall-found .found")).to_have_count(12)
    expect(page.locator("#recall-more")).to_be_hidden()


def test_notes_are_listed_and_searched(page):
    """The newest notes first; a search finds by words and shows tags as typed."""
    say(page, f"note The ferry leaves at nine. {HOSTILE}")
    say(page, "note The bakery is closed on Mondays.")
    page.get_by_role("tab", name="Archival").click()
    found = page.locator("#archival-found .found")
    expect(found.first).to_contain_text("bakery")
    page.locator("#archival-query textarea").fill("ferry nine")

    expect(found.first).to_contain_text(HOSTILE)
    expect(found.first.locator(".tag")).to_have_text(["test", "<b>tag</b>"])
    assert page.locator("#archival-found :is(img, .tag b)").count() == 0
    page.locator("#archival-query textarea").fill("")
    expect(found.first).to_contain_text("bakery")


@pytest.mark.parametrize("tab", ["recall", "archival"])
@pytest.mark.parametrize(
    "query", ['"', "* OR NEAR(", "<script>", "{{x}}", "🦀", "x" * 20_000, "' --", "   "]
)
def test_any_text_is_a_legal_query(page, tab, query):
    """Whatever is searched for, the answer is results or a sentence, never a broken page."""
    page.get_by_role("tab", name=tab.title()).click()
    page.locator(f"#{tab}-query textarea").fill("")
    page.locator(f"#{tab}-query textarea").fill(query)
    page.locator(f"#{tab}-query textarea").press("Enter")

    expect(page.locator(f"#{tab}-found").locator(".nothing, .found").first).to_be_visible()
    expect(page.locator(f"#{tab}-found")).not_to_contain_text("broke")
