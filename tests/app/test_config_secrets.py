"""Settings: no key is in any view, message or traceback of them."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SECRET = "AIzaSyD-not-a-real-key-0123456789abcdef"


def test_key_is_in_no_view_of_the_settings(load):
    """Neither repr nor str nor a dump holds the key."""
    settings = load(environ={"GOOGLE_API_KEY": SECRET})

    views = [repr(settings), str(settings), str(settings.model_dump()), settings.model_dump_json()]
    assert [view for view in views if SECRET in view or "api_key" in view] == []


@pytest.mark.parametrize(
    "text",
    [
        f"model: {{api_key: {SECRET}}}",
        f"api_key: {SECRET}",
        f"GOOGLE_API_KEY: {SECRET}",
        f"secrets: {{google: {SECRET}}}",
        f"model: {{name: ok, token: {SECRET}}}",
    ],
)
def test_key_in_the_file_is_sent_to_dotenv(refusal, text):
    """A key put into config.yaml is refused with the place where it belongs, not repeated."""
    message = refusal(text)

    assert "secrets belong into the environment or the file .env" in message
    assert SECRET not in message


@pytest.mark.parametrize(
    "text",
    [
        f"model: {{provider: {SECRET}}}",
        f"limits: {{steps: {SECRET}}}",
        f"model: {SECRET}",
        f"limits: {{steps: [{SECRET}]}}",
        f"a: *{SECRET}",
        f"a: !{SECRET} b",
        "model: {base_url: 'ftp://me:hunter2@h.test'}",
    ],
)
def test_value_that_looks_like_a_secret_is_not_repeated(refusal, text):
    """A key that slipped into a wrong place does not come back in the message."""
    message = refusal(text)

    assert SECRET not in message
    assert "hunter2" not in message


def test_traceback_of_a_fault_holds_no_secret(tmp_path):
    """The chain of exceptions behind a fault is as silent as its message."""
    (tmp_path / "config.yaml").write_text(f"model: {{provider: {SECRET}}}")
    code = f"from app.config import load_settings; load_settings({str(tmp_path / 'config.yaml')!r})"

    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )

    assert done.returncode == 1
    assert SECRET not in done.stderr
