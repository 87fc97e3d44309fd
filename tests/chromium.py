"""The machine's own Chromium, driven without downloading another."""

import shutil

from playwright.sync_api import Browser, Playwright

NO_BROWSER = "There is no Chromium on this machine, so the page was not tried in a browser."
NAMES = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def executable() -> str | None:
    """Return the path of an installed Chromium, None when there is none."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


def launch(playwright: Playwright) -> Browser:
    """Start it headless; it is a context manager that ends it."""
    return playwright.chromium.launch(executable_path=executable(), args=list(FLAGS))
