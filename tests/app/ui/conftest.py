"""A browser and a served page for the tests of the page."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.chromium import executable, launch
from tests.servers import page_server

NO_BROWSER = "There is no Chromium on this machine, so the page was not tried in a browser."
DIRECTED = ("-m", "tests.directed_site", "{port}", "{folder}")


# Of one module, since Playwright holds the thread's event loop as long as it runs.
@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """The machine's Chromium."""
    if executable() is None:
        pytest.skip(NO_BROWSER)
    with sync_playwright() as playwright, launch(playwright) as browser:
        yield browser


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a page whose model follows stage directions."""
    if executable() is None:
        pytest.skip(NO_BROWSER)
    with page_server(tmp_path_factory.mktemp("site"), DIRECTED) as address:
        yield address


@pytest.fixture(scope="module")
def window(chromium: Browser, site: str) -> Iterator[Page]:
    """A browser window on the site; loading it is most of what a short test would take."""
    context = chromium.new_context(viewport={"width": 1280, "height": 800})
    opened = context.new_page()
    opened.goto(f"{site}?session=new")
    yield opened
    context.close()


@pytest.fixture
def page(window: Page) -> Page:
    """The window at a new session, with nothing in the box."""
    window.locator("#new").click()
    window.locator(".welcome").wait_for()
    expect(window.locator("#stop")).to_be_hidden()
    window.locator("#message textarea").fill("")
    return window
