"""Plays the four scenes on the page as a person would, and keeps what was seen."""

from collections.abc import Callable
from dataclasses import dataclass, field

from playwright.sync_api import Page, expect

from tests import scenes

Shot = Callable[[str], None]
PATIENCE = 20_000  # milliseconds


@dataclass
class Seen:
    """What the page showed after each step that matters."""

    replies: list[str] = field(default_factory=list)
    human: list[str] = field(default_factory=list)


def say(page: Page, text: str) -> str:
    """Type a message, wait until the turn has ended, return the reply or the card's words."""
    before = page.locator("#conversation .said").count()
    page.locator("#message textarea").fill(text)
    page.locator("#message textarea").press("Enter")
    expect(page.locator("#conversation .said")).to_have_count(before + 1, timeout=PATIENCE)
    return settled(page)


def settled(page: Page) -> str:
    """Wait until nothing runs any more; return the newest reply, card or notice."""
    expect(page.locator("#stop")).to_be_hidden(timeout=PATIENCE)
    newest = page.locator("#conversation").locator(".answer, .card, .notice").last
    expect(newest).to_be_visible(timeout=PATIENCE)
    return newest.inner_text()


def answer(page: Page, word: str, reason: str = "") -> str:
    """Answer the card on the page: word is yes or no."""
    if reason:
        page.locator(".card input[name=reason]").fill(reason)
    page.locator(f".card [data-answer={word}]").click()
    expect(page.locator(".card")).to_have_count(0, timeout=PATIENCE)
    return settled(page)


def human_block(page: Page) -> str:
    """Return what the memory panel shows of the human block."""
    return page.locator("#blocks textarea").nth(1).input_value()


def play(page: Page, shot: Shot = lambda name: None) -> Seen:
    """Play all four scenes; `shot` is called where a picture is worth taking."""
    seen = Seen()
    expect(page.locator(".welcome")).to_be_visible(timeout=PATIENCE)
    shot("empty")
    seen.replies.append(say(page, scenes.FACTS))
    seen.human.append(human_block(page))
    shot("facts")

    say(page, scenes.CORRECTION)
    shot("card")
    seen.replies.append(answer(page, "no", scenes.REASON))
    seen.human.append(human_block(page))
    say(page, scenes.CORRECTION_AGAIN)
    seen.replies.append(answer(page, "yes"))
    seen.human.append(human_block(page))

    seen.replies.append(say(page, scenes.DEBRIEF))
    page.locator(".step summary").last.click()
    shot("note")
    page.locator("#new").click()
    expect(page.locator("#conversation .said")).to_have_count(0, timeout=PATIENCE)
    seen.replies.append(say(page, scenes.QUESTION))
    shot("recalled")
    return seen
