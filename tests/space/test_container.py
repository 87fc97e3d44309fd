"""The Dockerfile, as far as it can be tried without Docker."""

import json
import os
import re
import signal
import subprocess
import sys
from urllib.request import urlopen

from tests.servers import ROOT, free_port
from tests.space.environment import copied, tracked

LINES = (ROOT / "Dockerfile").read_text(encoding="utf-8").splitlines()
IGNORED = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()


def said(word):
    """Return what each line that begins with this word says."""
    return [line.removeprefix(f"{word} ") for line in LINES if line.startswith(f"{word} ")]


def sources():
    """Name what is copied into the image."""
    return [name for line in said("COPY") for name in line.split()[:-1]]


def variables():
    """Return the variables of the image."""
    return dict(re.findall(r"(\S+)=(\S+)", " ".join(said("ENV"))))


def test_copied_paths_exist_and_nothing_else_is_sent():
    """Each copied path is there and let through; keys, memories and history are not sent."""
    assert all((ROOT / name).exists() for name in sources())
    assert sorted(f"!{name}" for name in sources()) == sorted(x for x in IGNORED if x[0] == "!")
    assert "*" in IGNORED


def test_image_is_small_and_not_root():
    """It is the slim Python a Space has too, and runs as user 1000 with a folder that lasts."""
    assert said("FROM") == ["python:3.12-slim"]
    assert "useradd --uid 1000" in said("RUN")[-1]
    assert said("USER") == ["person"]
    assert said("VOLUME") == [variables()["TIERED_MEMORY__STORAGE__DATA_DIR"]]
    assert said("EXPOSE") == [variables()["PORT"]]


def test_command_serves_what_was_copied_and_ends_when_asked(tmp_path):
    """With the copied files and the image's variables alone it serves, and SIGTERM ends it."""
    copied([name for name in tracked() if name.startswith(tuple(sources()))], tmp_path / "program")
    port = free_port()
    told = {"PORT": str(port), "TIERED_MEMORY__STORAGE__DATA_DIR": str(tmp_path / "memory")}
    command = json.loads(said("CMD")[0])
    process = subprocess.Popen(
        [sys.executable, *command[1:]],
        cwd=tmp_path / "program",
        env=variables() | told | {"HOME": str(tmp_path), "PATH": os.defpath},
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    try:
        process.stdout.readline()
        with urlopen(f"http://127.0.0.1:{port}/") as answer:
            page = answer.read().decode()
        process.send_signal(signal.SIGTERM)
        process.wait(30)
    finally:
        process.kill()
        _, errors = process.communicate()

    assert command[0] == "python"
    assert "Tiered Memory" in page
    assert process.returncode == 0, errors
    assert (tmp_path / "memory" / "memory.db").exists()
