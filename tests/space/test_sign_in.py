"""Signing in with Hugging Face on a Space: the same person in every browser, and nobody else."""

import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.space.environment import Space
from tests.space.login import CLIENT, SECRET, LoginServer

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def login():
    """The provider, and the people it knows."""
    with LoginServer(("dana", "erik", "fay", "gus", "hana", "ivo", "jo")) as running:
        yield running


@pytest.fixture(scope="module")
def signing(interpreter, login, tmp_path_factory):
    """A Space whose visitors may sign in."""
    variables = {
        "OPENID_PROVIDER_URL": login.address,
        "OAUTH_CLIENT_ID": CLIENT,
        "OAUTH_CLIENT_SECRET": SECRET,
        "TIERED_MEMORY__LIMITS__CALLS_PER_MINUTE": "0",
    }
    with Space(interpreter, tmp_path_factory.mktemp("signing"), variables) as space:
        yield space


@pytest.fixture
def browsers(chromium: Browser):
    """Make browsers that know nothing of each other."""
    made: list[BrowserContext] = []

    def browser() -> Page:
        made.append(chromium.new_context())
        return made[-1].new_page()

    yield browser
    for context in made:
        context.close()


def come(page: Page, space: Space) -> None:
    """Open the page and wait until it says who is there."""
    page.goto(space.address)
    page.locator("#standing p").wait_for()


def sign_in(page: Page, name: str) -> None:
    """Sign in as one of the people the provider knows."""
    page.get_by_role("link", name="Sign in with Hugging Face").click()
    page.get_by_role("link", name=name).click()
    expect(page.locator("#standing")).to_contain_text(f"Signed in as {name}")


def say(page: Page, text: str) -> None:
    """Send a message and wait for its reply."""
    replies = page.locator(".reply .answer")
    before = replies.count()
    page.locator("#message textarea").fill(text)
    page.keyboard.press("Enter")
    expect(replies).to_have_count(before + 1)
    expect(page.locator("#stop")).to_be_hidden()


def blocks(page: Page) -> str:
    """Return what core memory holds about the person, as the page shows it."""
    return page.locator("#blocks textarea").last.input_value()


def test_two_people_are_two_memories(browsers, signing):
    """Who signs in as somebody else sees nothing of the first person."""
    dana, erik = browsers(), browsers()
    for page, name, fact in ((dana, "dana", "I live in Lisbon."), (erik, "erik", "I like chess.")):
        come(page, signing)
        sign_in(page, name)
        say(page, fact)

    for page in (dana, erik):
        page.reload()
        page.locator("#standing p").wait_for()
    expect(dana.locator("#sessions")).to_contain_text("Lisbon")
    expect(erik.locator("#sessions")).not_to_contain_text("Lisbon")
    expect(dana.locator("#conversation")).not_to_contain_text("chess")


def test_one_person_in_two_browsers_is_one_memory(browsers, signing):
    """Signed in elsewhere, a person finds what was said here; signed out it is gone from view."""
    here, there = browsers(), browsers()
    come(here, signing)
    sign_in(here, "fay")
    say(here, "My bicycle is called Rosinante.")
    come(there, signing)
    expect(there.locator("#sessions")).not_to_contain_text("Rosinante")
    sign_in(there, "fay")

    expect(there.locator("#sessions")).to_contain_text("Rosinante")
    there.get_by_role("link", name="Sign out").click()
    expect(there.locator("#standing")).to_contain_text("belongs to this browser")
    expect(there.locator("#sessions")).not_to_contain_text("Rosinante")


def test_sign_in_ends_by_itself(browsers, signing, login):
    """When the provider's time is over the page is a visitor's again, not the person's."""
    page = browsers()
    come(page, signing)
    login.lifetime = 4
    try:
        sign_in(page, "gus")
    finally:
        login.lifetime = 3600
    say(page, "My locker is number 12.")
    time.sleep(4)
    page.reload()

    expect(page.locator("#standing")).to_contain_text("belongs to this browser")
    expect(page.locator("#sessions")).not_to_contain_text("locker")


def test_what_was_said_before_may_be_taken_along(browsers, signing):
    """Signing in offers to keep what this browser said; kept, it is there in any browser."""
    here, there = browsers(), browsers()
    come(here, signing)
    say(here, "Hi, I'm Hana. I live in Porto.")
    sign_in(here, "hana")
    expect(here.locator("#sessions")).not_to_contain_text("Hana")
    here.get_by_role("button", name="Keep them").click()

    expect(here.locator("#sessions")).to_contain_text("Hana")
    expect(here.locator("#standing")).not_to_contain_text("Keep them")
    come(there, signing)
    sign_in(there, "hana")
    expect(there.locator("#sessions")).to_contain_text("Hana")
    say(there, "Where do I live?")
    expect(there.locator(".reply .answer").last).to_contain_text("Porto")


def test_what_is_not_taken_along_stays_with_the_browser(browsers, signing):
    """Without a yes nothing moves: signed out again, the browser finds what it said."""
    page = browsers()
    come(page, signing)
    say(page, "My kayak is yellow.")
    sign_in(page, "ivo")
    expect(page.locator("#standing")).to_contain_text("Before you signed in")
    page.get_by_role("link", name="Sign out").click()

    expect(page.locator("#sessions")).to_contain_text("kayak")


class Elsewhere(BaseHTTPRequestHandler):
    """A page of another site that shows the Space within a frame."""

    framed = ""

    def do_GET(self) -> None:
        """Answer with the frame."""
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        frame = f'<iframe src="{self.framed}" style="width: 1200px; height: 700px"></iframe>'
        self.wfile.write(f"<!doctype html><title>Elsewhere</title>{frame}".encode())

    def log_message(self, *_: object) -> None:
        """Print nothing."""


@pytest.fixture
def elsewhere(signing):
    """The address of that page; `localhost` and `127.0.0.1` are two sites."""
    handler = type("Framing", (Elsewhere,), {"framed": signing.address})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        yield f"http://localhost:{server.server_port}/"
        server.shutdown()
        thread.join()


def test_in_a_frame_it_works_without_foreign_cookies(browsers, elsewhere):
    """Where third-party storage is blocked, memory lasts in the frame all the same, and signing
    in is offered in a tab of its own.
    """
    page = browsers()
    page.goto(elsewhere)
    frame = page.frame_locator("iframe")
    frame.locator("#message textarea").fill("My kayak is yellow.")
    frame.locator("#message textarea").press("Enter")
    expect(frame.locator(".reply .answer")).to_have_count(1)
    page.reload()

    expect(frame.locator("#sessions")).to_contain_text("kayak")
    link = frame.get_by_role("link", name="Open this in a tab of its own to sign in")
    with page.context.expect_page() as opened:
        link.click()
    expect(opened.value.locator("#standing")).to_contain_text("Sign in with Hugging Face")
    sign_in(opened.value, "jo")
