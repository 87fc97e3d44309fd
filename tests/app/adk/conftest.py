"""A real application over a data folder of the test's own, with a scripted model."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import pytest

from app.application import Application
from app.config import load_settings
from app.settings import Settings
from tests.fakes import ScriptedModel


@pytest.fixture
def settings(tmp_path: Path) -> Callable[..., Settings]:
    """Settings on this test's data folder; dotted keys override."""

    def make(**overrides: Any) -> Settings:
        given = {"storage.data_dir": str(tmp_path / "data"), "locale.timezone": "Europe/Berlin"}
        return load_settings(None, given | overrides, environ={})

    return make


@pytest.fixture
def opened(
    settings: Callable[..., Settings],
) -> Callable[..., AbstractAsyncContextManager[Application]]:
    """Open an application over a script; again in the same test, it is a restart."""

    def open_(
        script: list[Any] | ScriptedModel, **overrides: Any
    ) -> AbstractAsyncContextManager[Application]:
        model = script if isinstance(script, ScriptedModel) else ScriptedModel(script)
        return Application.open(settings(**overrides), model=model)

    return open_
