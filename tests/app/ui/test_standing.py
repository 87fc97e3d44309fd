"""The line above the conversation tells the truth about who looks and how long memory lasts."""

import os
import shutil
import subprocess
import sys
import time
from contextlib import contextmanager

import pytest

from app.evaluation.visitor import Visitor
from tests.servers import ROOT, free_port


@contextmanager
def page(folder, **variables):
    """Serve a data folder with these variables; yield the address."""
    port = free_port()
    environ = {name: value for name, value in os.environ.items() if "GRADIO" not in name}
    environ |= {
        "PORT": str(port),
        "TIERED_MEMORY__STORAGE__DATA_DIR": str(folder / "data"),
        "TIERED_MEMORY__MODEL__PROVIDER": "offline",
        **variables,
    }
    process = subprocess.Popen(
        [sys.executable, "-m", "app"], cwd=ROOT, env=environ, text=True, stdout=subprocess.PIPE
    )
    try:
        for line in process.stdout:
            if "Tiered Memory is at" in line:
                break
        yield f"http://127.0.0.1:{port}/"
    finally:
        process.terminate()
        process.communicate(timeout=30)


def line(visitor):
    """Return what the line says."""
    return visitor.call("show")[0]


def test_at_home_there_is_nothing_to_say(tmp_path):
    """One person, one disk: no line stands above the conversation."""
    with page(tmp_path) as url:
        assert line(Visitor(url)) == ""


def test_visitors_are_told_when_they_are_forgotten(tmp_path):
    """A visitor reads that memory is this browser's, and after how many days it is deleted."""
    given = {"TIERED_MEMORY__USERS__MODE": "visitors", "TIERED_MEMORY__USERS__VISITOR_DAYS": "12"}
    with page(tmp_path, **given) as url:
        told = line(Visitor(url))

    assert "belongs to this browser" in told
    assert "After 12 days without a message it is deleted" in told
    assert "Sign in" not in told


def test_space_without_a_bucket_says_that_memory_will_not_last(tmp_path):
    """Where the disk does not last and no snapshots are kept, the page says so at once."""
    with page(tmp_path, SYSTEM="spaces") as url:
        told = line(Visitor(url))

    assert "restart takes everything that is remembered here" in told


def test_space_with_a_bucket_makes_no_promise_and_no_alarm(tmp_path):
    """With snapshots that work there is no warning."""
    bucket = tmp_path / "bucket"
    bucket.mkdir()
    with page(tmp_path, SYSTEM="spaces", TIERED_MEMORY__SNAPSHOT__FOLDER=str(bucket)) as url:
        told = line(Visitor(url))

    assert "belongs to this browser" in told
    assert "warning" not in told


def test_failed_snapshot_is_shown(tmp_path):
    """When the bucket goes away, the line says what a restart would take; then it is well again."""
    bucket = tmp_path / "bucket"
    bucket.mkdir()
    given = {
        "TIERED_MEMORY__SNAPSHOT__FOLDER": str(bucket),
        "TIERED_MEMORY__SNAPSHOT__SECONDS": "1",
    }
    with page(tmp_path, **given) as url:
        visitor = Visitor(url)
        shutil.rmtree(bucket)
        visitor.say("Hi, I'm Dana.")
        failed = wait_for(lambda: line(visitor), "snapshot failed")
        bucket.mkdir()
        mended = wait_for(lambda: line(visitor) or "well", "well")

    assert "would be lost by a restart" in failed
    assert str(tmp_path) not in failed
    assert mended == "well"


@pytest.mark.parametrize("name", ['<img src=x onerror="harmed()">', "**dana** $5"])
def test_name_is_shown_as_typed(tmp_path, name):
    """A person's name never acts as markup."""
    with page(tmp_path, TIERED_MEMORY__USERS__MODE="header") as url:
        told = line(Visitor(url, {"X-Forwarded-User": name}))

    assert "<img" not in told
    assert told.count("<b>") == 1


def wait_for(look, words):
    """Look again until the words are there; return what was seen."""
    until = time.monotonic() + 30
    while words not in (seen := look()):
        assert time.monotonic() < until, seen
        time.sleep(0.3)
    return seen
