"""Settings read from a text of the test's own."""

from pathlib import Path

import pytest

from app.config import ConfigError, load_settings

ROOT = Path(__file__).parents[2]
SECRET = "AIzaSyD-not-a-real-key-0123456789abcdef"


@pytest.fixture
def load(tmp_path):
    """Load settings from a text, as `config.yaml` in a folder of its own."""

    def load(text="", environ=None, overrides=None, dotenv=None):
        file = tmp_path / "config.yaml"
        file.write_text(text, encoding="utf-8")
        if dotenv is not None:
            (tmp_path / ".env").write_text(dotenv, encoding="utf-8")
        return load_settings(file, overrides, environ or {})

    return load


@pytest.fixture
def refusal(load):
    """Load settings that must be refused; give the message."""

    def refusal(text="", **places):
        with pytest.raises(ConfigError) as caught:
            load(text, **places)
        return str(caught.value)

    return refusal
