"""What a person sees on the first visit, and after the server was killed and started again."""

import pytest
from playwright.sync_api import expect

from tests.app.ui.conftest import DIRECTED
from tests.play import answer, human_block, say
from tests.servers import page_server

pytestmark = pytest.mark.browser

PATIENCE = 20_000


def first_visit(page):
    """Check that every place of an empty memory tells what it is for."""
    expect(page.locator(".welcome h2")).to_be_visible(timeout=PATIENCE)
    expect(page.locator(".welcome [data-say]")).to_have_count(3)
    expect(page.locator("#sessions")).to_contain_text("will be listed here")
    page.get_by_role("tab", name="Recall").click()
    expect(page.locator("#recall-found")).to_contain_text("Everything that was said")
    page.get_by_role("tab", name="Archival").click()
    expect(page.locator("#archival-found")).to_contain_text("No notes yet")
    page.get_by_role("tab", name="Core").click()


def leave_a_card(page):
    """Leave a session in which the agent waits for an answer; return its address."""
    say(page, "learn Lives in Lisbon")
    say(page, "change Lives in Lisbon to Lives in Porto")
    expect(page.locator(".card")).to_be_visible()
    return page.url.partition("?")[2]


def kill(page):
    """Have the server killed in the middle of a reply; return the session's address."""
    page.locator("#new").click()
    page.locator("#message textarea").fill("die 10")
    page.locator("#message textarea").press("Enter")
    expect(page.locator("#conversation .answer")).to_contain_text("w5", timeout=PATIENCE)
    return page.url.partition("?")[2]


def test_nothing_is_lost_by_a_kill(chromium, tmp_path):
    """Said words, the cut reply and the open card are there again; the card applies once."""
    page = chromium.new_page()
    with page_server(tmp_path, DIRECTED) as address:
        page.goto(address)
        first_visit(page)
        asking, cut = leave_a_card(page), kill(page)
    expect(page.locator("#lost")).to_contain_text("cannot be reached", timeout=PATIENCE)
    with page_server(tmp_path, DIRECTED) as address:
        page.goto(f"{address}?{cut}")
        expect(page.locator("#conversation .said")).to_have_text("You: die 10", timeout=PATIENCE)
        expect(page.locator(".notice")).to_contain_text("interrupted")
        expect(page.get_by_role("button", name="Retry")).to_be_visible()
        assert say(page, "are you there?") == "You said: are you there?"
        expect(page.locator("#sessions [data-session]")).to_have_count(2)

        page.goto(f"{address}?{asking}")
        expect(page.locator(".card")).to_contain_text("Lives in Porto", timeout=PATIENCE)
        assert "'ok': True" in answer(page, "yes")
        assert human_block(page) == "Lives in Porto"
    page.close()
