"""A served page for the tests of the page."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.chromium import NO_BROWSER, executable
from tests.servers import page_server

DIRECTED = ("-m", "tests.directed_site", "{port}", "{folder}")


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
