"""What all tests share."""

import os
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from memory_tiers import Memory, Policy, UserMemory
from tests.chromium import NO_BROWSER, executable, launch
from tests.fakes import Clock, HashEmbedder


@pytest.fixture
def clock() -> Clock:
    """A clock that stands at noon (UTC) of a Saturday, 14 March 2026."""
    return Clock()


@pytest.fixture
def memory(tmp_path: Path, clock: Clock) -> Iterator[Memory]:
    """An empty memory whose days are those of Berlin."""
    policy = Policy(timezone="Europe/Berlin")
    with Memory.open(tmp_path / "data", HashEmbedder(), policy, clock) as opened:
        yield opened


@pytest.fixture
def mine(memory: Memory) -> UserMemory:
    """The tiers of one user."""
    return memory.for_user("u1")


# Of one module, since Playwright holds the thread's event loop as long as it runs.
@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """The machine's Chromium."""
    if executable() is None:
        pytest.skip(NO_BROWSER)
    with sync_playwright() as playwright, launch(playwright) as browser:
        yield browser


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Where REQUIRE_BROWSER is set, turn the skip of a browser test into a failure."""
    report = yield
    if report.skipped and os.environ.get("REQUIRE_BROWSER") and item.get_closest_marker("browser"):
        report.outcome = "failed"
        report.longrepr = (
            f"A browser test was skipped, and REQUIRE_BROWSER is set: {report.longrepr}"
        )
    return report
