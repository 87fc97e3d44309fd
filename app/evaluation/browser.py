"""A Chromium without a window that looks at a page, where the machine has one."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

MISSING = "not measured: needs playwright and Chromium"

# Starts the clock at the key, stops it in the frame that shows one reply more than before.
FIRST_WORDS = """() => {
  const replies = () => document.querySelectorAll("#conversation .reply .answer").length;
  const before = replies();
  window.firstWords = new Promise((resolve) => {
    let begun = 0;
    const press = (event) => { if (event.key === "Enter") begun = performance.now(); };
    document.addEventListener("keydown", press, { capture: true, once: true });
    new MutationObserver((_, observer) => {
      if (replies() <= before) return;
      observer.disconnect();
      requestAnimationFrame(() => resolve(performance.now() - begun));
    }).observe(document.body, { childList: true, subtree: true, characterData: true });
  });
}"""
QUIET = "() => !document.querySelector('#conversation [aria-busy=true]')"


@contextmanager
def opened(url: str) -> Iterator[Any]:
    """Open a page, wait until it has loaded, and yield it; None without a browser."""
    program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)
    try:
        # Only developers install it; the program itself never needs a browser of its own.
        playwright = import_module("playwright.sync_api")
    except ImportError:
        program = None
    if program is None:
        yield None
        return
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=program, args=["--no-sandbox"])
        page = browser.new_page()
        page.goto(url)
        page.locator("#message textarea").wait_for()
        # The page holds a stream open: its network is never idle, and what it lacks soon comes.
        page.wait_for_timeout(1000)
        yield page
        browser.close()


def say(page: Any, text: str) -> float:
    """Type a message, press Enter, and return the milliseconds to the first words of a reply."""
    page.locator("#message textarea").fill(text)
    page.evaluate(FIRST_WORDS)
    page.locator("#message textarea").press("Enter")
    milliseconds = float(page.evaluate("() => window.firstWords"))
    page.wait_for_function(QUIET)
    return milliseconds
