"""What README.md tells a Space is what a Space understands, and true."""

import re
from importlib.metadata import version

import pytest

from tests.servers import ROOT
from tests.space.environment import front_matter

COLOURS = {"red", "yellow", "green", "blue", "indigo", "purple", "pink", "gray"}
NEEDED = {"title", "emoji", "colorFrom", "colorTo", "sdk", "sdk_version", "python_version"}
KNOWN = {
    *NEEDED,
    *("app_file", "short_description", "header", "fullWidth", "pinned", "license"),
    *("models", "datasets", "tags", "thumbnail", "suggested_hardware", "custom_headers"),
    *("hf_oauth", "hf_oauth_scopes", "hf_oauth_expiration_minutes", "hf_oauth_authorized_org"),
    *("disable_embedding", "startup_duration_timeout", "preload_from_hub"),
}


def test_keys_are_those_a_space_knows():
    """No key is missing, and none is misspelt: a Space passes over those it does not know."""
    keys = front_matter().keys()

    assert keys >= {*NEEDED, "app_file", "license"}
    assert keys <= KNOWN


def test_texts_fit():
    """A description of more than 60 characters, or an unknown colour, is refused on the way in."""
    said = front_matter()

    assert len(said["short_description"]) <= 60
    assert {said["colorFrom"], said["colorTo"]} <= COLOURS
    assert said["header"] in ("mini", "default")
    assert len(said["emoji"].rstrip("\ufe0f")) == 1


def test_versions_are_text():
    """A version without quotes would be a number, and 3.10 would be 3.1."""
    said = front_matter()

    assert isinstance(said["python_version"], str)
    assert isinstance(said["sdk_version"], str)


def test_version_of_gradio_is_the_one_tried_here():
    """The Space gets the Gradio that is installed here, which requirements.txt pins as well."""
    said = front_matter()["sdk_version"]
    requirements = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()

    assert said == version("gradio")
    assert f"gradio=={said}" in requirements


def test_python_is_one_the_packages_accept():
    """Python is new enough for them and a version that ZeroGPU offers too."""
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")

    least = re.search(r'requires-python = ">=3\.(\d+)"', project)
    assert least and int(least[1]) <= int(front_matter()["python_version"].split(".")[1])
    assert front_matter()["python_version"] == "3.12"


@pytest.mark.parametrize(
    ("key", "value"), [("sdk", "gradio"), ("hf_oauth", True), ("app_file", "app/gradio_app.py")]
)
def test_space_starts_the_page_and_lets_people_sign_in(key, value):
    """The page is started by Gradio's own kind of Space, with what signing in needs."""
    assert front_matter()[key] == value


def test_file_that_is_started_exists():
    """The file a Space starts is where README.md says."""
    assert (ROOT / front_matter()["app_file"]).is_file()
