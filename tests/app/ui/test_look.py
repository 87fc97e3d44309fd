"""How the page behaves as a page: on a phone, in the dark, by keyboard, and towards other hosts."""

import pytest
from playwright.sync_api import expect

from tests.app.ui.test_conversation import HOSTILE
from tests.play import answer, say

pytestmark = pytest.mark.browser

PATIENCE = 20_000


@pytest.fixture(scope="module")
def phone(chromium, site):
    """A phone, 390 points wide, at a new session."""
    context = chromium.new_context(
        viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True, color_scheme="dark"
    )
    page = context.new_page()
    page.goto(f"{site}?session=new")
    page.locator(".welcome").wait_for(timeout=PATIENCE)
    yield page
    context.close()


def width(page):
    """Return how wide the page is that could be scrolled to."""
    return page.evaluate("document.documentElement.scrollWidth")


def test_phone_shows_the_conversation_first(phone):
    """On a phone no panel lies over the conversation at load."""
    expect(phone.locator("#message textarea")).to_be_visible()
    expect(phone.locator("#left")).to_be_hidden()
    expect(phone.locator("#right")).to_be_hidden()
    assert width(phone) == 390


def test_phone_follows_the_dark_of_the_system(phone):
    """Where the system is dark, the page is."""
    shade = phone.evaluate("getComputedStyle(document.body).backgroundColor")

    assert all(int(part) < 60 for part in shade.removeprefix("rgb(").rstrip(")").split(","))


def test_phone_never_scrolls_sideways(phone):
    """Long words, steps, a card, search results: nothing is wider than the phone."""
    long = "w" * 400
    say(phone, f"note {long}")
    phone.locator(".step summary").first.tap()
    say(phone, f"learn {long}")
    say(phone, f"change {long} to {'v' * 400}")
    expect(phone.locator(".card")).to_be_visible()
    assert width(phone) == 390

    phone.locator("[data-panel=right]").tap()
    expect(phone.locator("#right")).to_be_visible()
    assert width(phone) == 390
    phone.locator("#right [data-close]").tap()
    expect(phone.locator("#right")).to_be_hidden()
    answer(phone, "no")


def test_phone_card_fits_the_screen(phone):
    """The whole card, both answers included, can be seen at once."""
    say(phone, "learn Phones home")
    say(phone, "change Phones home to Writes letters")
    expect(phone.locator(".card .no")).to_be_focused()
    card, box = phone.locator(".card").bounding_box(), phone.locator("#composer").bounding_box()
    answer(phone, "yes")

    assert card["y"] > 56
    assert card["y"] + card["height"] <= box["y"]


def test_phone_buttons_are_large_enough(phone):
    """Everything to tap is at least 44 points high, in the panels too."""
    sizes = {}
    for side in ("left", "right"):
        phone.locator(f"[data-panel={side}]").tap()
        expect(phone.locator(f"#{side}")).to_be_visible()
        sizes |= phone.locator("button:visible, summary:visible").evaluate_all(
            """nodes => Object.fromEntries(nodes.map((node) => [
                node.innerText || node.ariaLabel, node.getBoundingClientRect().height]))"""
        )
        phone.keyboard.press("Escape")
        expect(phone.locator(f"#{side}")).to_be_hidden()

    assert len(sizes) > 8
    assert {name: height for name, height in sizes.items() if height < 43.5} == {}


def test_no_gradio_around_the_page(page):
    """No footer, no built-in buttons, no name of the framework."""
    expect(page.locator("footer")).to_be_hidden()
    assert "gradio" not in page.locator("body").inner_text().lower()
    assert page.title() == "Tiered Memory"


def test_no_request_leaves_for_another_host(chromium, site):
    """From the first byte on, hostile text included, only our own address is asked."""
    context = chromium.new_context()
    page, asked, errors = context.new_page(), [], []
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(f"{site}?session=new")
    page.locator(".welcome").wait_for(timeout=PATIENCE)
    say(page, f"note {HOSTILE}")
    say(page, f"learn {HOSTILE}")
    page.get_by_role("tab", name="Archival").click()
    expect(page.locator("#archival-found .found").first).to_be_visible()
    context.close()

    assert [url for url in asked if not url.startswith((site, "data:", "blob:"))] == []
    assert errors == []


def test_pictures_of_other_hosts_are_forbidden(page):
    """Even a picture that got into the page would not be fetched."""
    blocked = page.evaluate(
        """() => new Promise((resolve) => {
            const told = (event) => resolve(event.blockedURI);
            document.addEventListener('securitypolicyviolation', told);
            const picture = new Image();
            picture.src = 'http://elsewhere.test/a.png';
        })"""
    )

    assert blocked.startswith("http://elsewhere.test")


def test_panels_can_be_put_away(page):
    """On a wide screen both sides close and open again, and say which they are."""
    toggle = page.locator("[data-panel=right]")
    expect(toggle).to_have_attribute("aria-expanded", "true")
    toggle.click()
    expect(page.locator("#right")).to_be_hidden()
    expect(toggle).to_have_attribute("aria-expanded", "false")
    toggle.click()

    expect(page.locator("#right")).to_be_visible()


def test_model_is_explained(page):
    """Beside the name of the model stands what it is; Escape closes the explanation."""
    page.get_by_text("What is this?").click()
    expect(page.locator("details.model p")).to_be_visible()
    page.keyboard.press("Escape")

    expect(page.locator("details.model p")).to_be_hidden()


def test_focus_can_be_seen(page):
    """Whatever has the focus by keyboard is outlined."""
    page.locator("#message textarea").focus()
    page.keyboard.press("Tab")

    expect(page.locator("#send")).to_be_focused()
    assert page.locator("#send").evaluate("node => getComputedStyle(node).outlineStyle") == "solid"
