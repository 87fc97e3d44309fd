"""What all tests share."""

import os
from collections.abc import Generator

import pytest


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
