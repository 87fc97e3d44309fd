"""A Space on this machine for the tests of it."""

import shutil
from collections.abc import Iterator

import pytest

from tests.space.environment import Interpreter, Space, build

BUILD_SECONDS = 900  # the packages of a Space may have to be fetched first


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give the tests of a Space time to wait for its environment."""
    for item in items:
        if "interpreter" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.timeout(BUILD_SECONDS))


@pytest.fixture(scope="session")
def interpreter(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Interpreter]:
    """A Space's Python with its packages, made anew; deleted after, since it is large."""
    folder = tmp_path_factory.mktemp("python") / "environment"
    yield build(folder)
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def space(interpreter: Interpreter, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Space]:
    """A running Space; tests that end it or need other variables start their own."""
    with Space(interpreter, tmp_path_factory.mktemp("space")) as started:
        yield started
