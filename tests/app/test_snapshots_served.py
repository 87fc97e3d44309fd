"""A served page whose disk does not last: killed, wiped, asked to end in the middle of a turn."""

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import closing
from urllib.request import urlopen

import pytest

from app.adk.sessions import open_sessions
from app.backup import MANIFEST, read
from memory_tiers import Memory
from tests.servers import ROOT, free_port

PATIENCE = 60.0
SERVE = """
import sys, threading
from app.config import load_settings
from app.gradio_app import serve
from app.jobs import Jobs
from tests.fakes import ScriptedModel, say

port, folder, bucket, seconds, words = sys.argv[1:]
settings = load_settings(None, {
    "server.port": int(port), "storage.data_dir": folder,
    "snapshot.folder": bucket, "snapshot.seconds": int(seconds),
}, {})

def talk(jobs):  # a person, without a browser: says what comes on stdin
    for line in sys.stdin:
        jobs.start_turn("u1", "s1", line.strip())

entered = Jobs.__enter__
def enter(jobs):
    entered(jobs)
    threading.Thread(target=talk, args=(jobs,), daemon=True).start()
    return jobs
Jobs.__enter__ = enter
serve(settings, ScriptedModel([say(" ".join(["word"] * int(words)))], delay=0.02, repeat=True))
"""


class Served:
    """A page in a process of its own, and a person who talks to it."""

    def __init__(self, tmp_path, seconds=3600, words=2):
        self.data, self.bucket = tmp_path / "data", tmp_path / "bucket"
        self.bucket.mkdir(exist_ok=True)
        self.port = free_port()
        environ = {name: value for name, value in os.environ.items() if "GOOGLE" not in name}
        given = map(str, (self.port, self.data, self.bucket, seconds, words))
        self.process = subprocess.Popen(
            [sys.executable, "-c", SERVE, *given],
            cwd=ROOT,
            env={**environ, "PYTHONPATH": str(ROOT)},
            text=True,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def answered(self):
        """Wait for the page."""
        assert "is at" in self.process.stdout.readline()
        urlopen(f"http://127.0.0.1:{self.port}/").close()

    def say(self, text):
        """Say something; the turn runs on."""
        self.process.stdin.write(f"{text}\n")
        self.process.stdin.flush()

    def end(self, kind):
        """Send a signal; return exit code and stderr."""
        self.process.send_signal(kind)
        _, errors = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, errors


@pytest.fixture
def served(tmp_path):
    """Serve a data folder with a bucket beside it; whatever still runs is killed at the end."""
    started = []

    def serve(**given):
        started.append(Served(tmp_path, **given))
        started[-1].answered()
        return started[-1]

    yield serve
    for one in started:
        one.process.kill()
        one.process.communicate()


def until(true):
    """Wait until something holds."""
    end, pause = time.monotonic() + PATIENCE, threading.Event()
    while not true():
        assert time.monotonic() < end, "it did not come to pass"
        pause.wait(0.05)


def messages(folder):
    """Return (role, text) of the session in a memory.db, read without opening the memory."""
    file = folder / "memory.db"
    if not file.exists():
        return []
    with closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)) as database:
        return database.execute("SELECT role, text FROM messages ORDER BY seq").fetchall()


def whole(bucket):
    """Return the snapshots that count, oldest first."""
    return [path for path in sorted(bucket.iterdir()) if read(path)]


def test_killed_and_wiped_it_comes_back_with_the_last_snapshot(served):
    """kill -9, the disk gone, started again: all that was in the last snapshot is there, sound."""
    page = served(seconds=1)
    page.say("my locker is teal")
    until(lambda: whole(page.bucket) and len(messages(whole(page.bucket)[-1])) == 2)
    page.end(signal.SIGKILL)
    saved = messages(whole(page.bucket)[-1])
    shutil.rmtree(page.data)
    again = served()
    code, errors = again.end(signal.SIGTERM)

    assert saved == [("user", "my locker is teal"), ("assistant", "word word")]
    assert messages(again.data) == saved
    for name in ("memory.db", "sessions.db"):
        with closing(sqlite3.connect(again.data / name)) as database:
            assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert (code, "Traceback" in errors) == (0, False)


async def test_asked_to_end_in_a_turn_it_saves_what_was_said(served):
    """SIGTERM during a reply: the turn is ended, the last snapshot has it, the files are closed."""
    page = served(words=2000)
    page.say("tell me a long story")
    until(lambda: messages(page.data))
    code, errors = page.end(signal.SIGTERM)
    left = sorted(file.name for file in page.data.iterdir() if ".db" in file.name)
    snapshot = whole(page.bucket)[-1]
    sessions = open_sessions(snapshot)
    stored = await sessions.get_session(app_name="tiered_memory", user_id="u1", session_id="s1")
    await sessions.close()

    assert (code, "Traceback" in errors) == (0, False), errors
    assert left == ["memory.db", "sessions.db"]  # no log is left: both were closed
    assert messages(snapshot) == messages(page.data)
    assert messages(snapshot)[0] == ("user", "tell me a long story")
    assert stored.events[-1].error_code == "stopped"


def test_restored_page_goes_on_with_the_conversation(served):
    """After SIGTERM in mid-reply and a lost disk the session is there, and answers again."""
    page = served(words=2000)
    page.say("tell me a long story")
    until(lambda: messages(page.data))
    page.end(signal.SIGTERM)
    shutil.rmtree(page.data)
    again = served(words=2)
    again.say("and now a short one")
    until(lambda: ("assistant", "word word") in messages(again.data))
    code, _ = again.end(signal.SIGTERM)

    said = messages(again.data)
    assert code == 0
    assert said[0] == ("user", "tell me a long story")
    assert said[-2:] == [("user", "and now a short one"), ("assistant", "word word")]


def test_backup_of_a_served_folder_holds_the_last_committed_message(served, tmp_path):
    """The command copies while the page runs and writes; the copy opens elsewhere and is sound."""
    page = served(words=2000)
    page.say("remember the kettle")
    until(lambda: messages(page.data))
    done = subprocess.run(
        [sys.executable, "-m", "app", "--data-dir", page.data, "backup", tmp_path / "copy"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    with Memory.open(tmp_path / "copy", "hash") as memory:
        found = memory.for_user("u1").recall.search("kettle").total

    assert done.returncode == 0, done.stderr
    assert found == 1
    assert json.loads((tmp_path / "copy" / MANIFEST).read_text())["schema"] == 1
