"""The card that asks before core memory is overwritten."""

import pytest
from playwright.sync_api import expect

from tests.play import answer, human_block, say, settled

pytestmark = pytest.mark.browser

PATIENCE = 20_000


def ask(page, old, new):
    """Learn a text, then have the agent ask to change it."""
    say(page, f"learn {old}")
    say(page, f"change {old} to {new}")
    expect(page.locator(".card")).to_be_visible()


def test_card_shows_block_old_and_new(page):
    """The card names the block and marks the words that go and come by more than a colour."""
    ask(page, "Drinks green tea daily", "Drinks black coffee daily")
    card = page.locator(".card")

    expect(card.locator("h3")).to_have_text("Change core memory human?")
    expect(card.locator("dd").first).to_have_text("Drinks green tea daily")
    expect(card.locator("dd").last).to_have_text("Drinks black coffee daily")
    expect(card.locator("del")).to_have_text("green tea")
    expect(card.locator("ins")).to_have_text("black coffee")
    expect(card.locator("del")).to_have_css("text-decoration-line", "line-through")
    expect(card.locator("ins")).to_have_css("text-decoration-line", "underline")
    answer(page, "no")


def test_approve_changes_the_block_in_view(page):
    """After a yes the memory panel reads differently at once and the turn goes on."""
    ask(page, "Owns a red bike", "Owns a blue bike")
    reply = answer(page, "yes")

    assert "Owns a blue bike" in human_block(page)
    assert "Owns a red bike" not in human_block(page)
    assert "'ok': True" in reply
    expect(page.locator(".step summary").last).to_contain_text("Core memory: changed human")


def test_reject_keeps_the_block_as_it_is(page):
    """After a no the block is the same to the letter, and the reply goes on from it."""
    ask(page, "Sings in a choir", "Plays the drums")
    before = human_block(page)
    reply = answer(page, "no", reason="not yet")

    assert human_block(page) == before
    assert "keep “Sings in a choir”" in reply
    expect(page.locator(".step summary").last).to_contain_text("kept human as it was")
    expect(page.locator(".step").last).to_contain_text("not yet")


def test_two_clicks_at_one_moment_apply_once(page):
    """A double click on Approve changes the block once, and the page says what the second did."""
    ask(page, "Has one cat", "Has one cat and one cat")
    page.locator(".card .yes").evaluate("button => { button.click(); button.click(); }")
    expect(page.locator(".card")).to_have_count(0, timeout=PATIENCE)

    expect(page.locator(".notice")).to_contain_text("approved before", timeout=PATIENCE)
    settled(page)
    assert human_block(page).count("Has one cat and one cat") == 1


def test_card_survives_reload(page):
    """The card is there again after a reload and can be answered."""
    ask(page, "Works nights", "Works days")
    page.reload()
    expect(page.locator(".card")).to_contain_text("Works days")
    answer(page, "yes")

    assert "Works days" in human_block(page)


def test_typing_on_declines_and_a_late_yes_does_nothing(page):
    """Writing instead of answering declines; the old card, in another tab, says it is too late."""
    ask(page, "Speaks Welsh", "Speaks Irish")
    late = page.context.new_page()
    late.goto(page.url)
    expect(late.locator(".card")).to_be_visible()
    assert say(page, "what time is it?") == "You said: what time is it?"
    expect(page.locator(".card")).to_have_count(0)
    late.locator(".card .yes").click()

    expect(late.locator(".notice")).to_contain_text("declined before", timeout=PATIENCE)
    expect(late.locator(".card")).to_have_count(0)
    assert "Speaks Welsh" in human_block(late)
    late.close()


def test_card_is_literal(page):
    """Markup, marks and money in an edit are shown letter by letter."""
    old, new = "<img src=x onerror=window.harmed=1> costs $5 & $7", "**bold** _name_ <b>x</b>"
    ask(page, old, new)

    assert page.locator(".card dd").first.text_content() == old
    assert page.locator(".card dd").last.text_content() == new
    assert page.locator(".card dd :is(img, b)").count() == 0
    assert page.evaluate("window.harmed") is None
    answer(page, "no")


def test_card_by_keyboard(page):
    """The focus is on Reject; Escape, and Enter in the reason, decide nothing."""
    ask(page, "Reads poems", "Reads novels")
    expect(page.get_by_role("button", name="Reject")).to_be_focused()
    page.keyboard.press("Escape")
    page.get_by_label("Reason").fill("I like poems")
    page.keyboard.press("Enter")
    expect(page.locator(".card")).to_be_visible()
    page.get_by_role("button", name="Reject").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".card")).to_have_count(0, timeout=PATIENCE)
    settled(page)

    expect(page.locator("#message textarea")).to_be_focused()
    assert "Reads poems" in human_block(page)


def test_edit_that_cannot_apply_shows_no_card(page):
    """A text that is not in the block is the agent's to hear about, not the person's."""
    reply = say(page, "change nowhere to be found to anything")

    assert reply.startswith("Result: ")
    expect(page.locator(".card")).to_have_count(0)
    expect(page.locator(".step summary")).to_contain_text("human not changed")


@pytest.mark.parametrize("card", ["", "no-such-card", "x" * 2000, "\x00"])
def test_answer_to_an_unknown_card(page, card):
    """An answer to a card that does not exist changes nothing and says so."""
    ask(page, f"Keeps {len(card)} bees", "Keeps none")
    before = human_block(page)
    page.locator(".card").evaluate("(node, id) => { node.dataset.card = id; }", card)
    page.locator(".card .yes").click()

    expect(page.locator("#told")).to_contain_text("Nothing was changed")
    assert human_block(page) == before
    page.reload()
    answer(page, "no")
