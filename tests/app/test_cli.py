"""The command line, as commands that are really run."""

import json
import logging
import os
import socket
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from app.cli import OneLine
from memory_tiers import HashEmbedder, Memory

ROOT = Path(__file__).parents[2]


@pytest.fixture
def run(tmp_path):
    """Run `python -m app …` in a folder of its own, with nothing of the machine's environment."""
    (tmp_path / "config.yaml").write_text("")

    def run(*arguments, lines="", **environ):
        return subprocess.run(
            [sys.executable, "-m", "app", *arguments],
            cwd=tmp_path,
            env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), **environ},
            input=lines,
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
        )

    return run


@pytest.fixture
def memory(tmp_path):
    """The memory that the commands find under `./data`."""
    with Memory.open(tmp_path / "data", HashEmbedder()) as memory:
        yield memory


def refused(done):
    """Tell whether a command ended with exit code 1 and one sentence on stderr."""
    return done.returncode == 1 and done.stderr.count("\n") == 1 and done.stdout == ""


def test_core_shows_the_blocks(run):
    """Without --json the blocks are shown with how full they are."""
    done = run("core")

    assert done.returncode == 0
    assert done.stdout.startswith("persona (118 of 2,000 characters)\nI am a warm")
    assert "human (0 of 2,000 characters)\n(empty)" in done.stdout


def test_options_may_stand_before_or_after_the_command(run, tmp_path):
    """--data-dir means the same on both sides of the command, and goes before the environment."""
    before = run("--data-dir", "one", "core", "--json", TIERED_MEMORY__STORAGE__DATA_DIR="three")
    after = run("core", "--data-dir", "two", "--json", TIERED_MEMORY__STORAGE__DATA_DIR="three")

    labels = [[block["label"] for block in json.loads(d.stdout)] for d in (before, after)]
    assert labels == [["persona", "human"]] * 2
    assert sorted(p.name for p in tmp_path.iterdir()) == ["config.yaml", "one", "two"]


def test_recall_finds_what_was_said(run, memory):
    """A search of recall gives the library's page as one line of JSON, of this user alone."""
    said = memory.for_user("dana").recall.append("s1", "user", "The key hangs by the blue door.")
    memory.for_user("other").recall.append("s1", "user", "My key is elsewhere.")

    page = json.loads(run("recall", "where's the key?", "--user", "dana", "--json").stdout)

    assert (page["total"], page["offset"]) == (1, 0)
    assert page["hits"][0]["id"] == said.id
    assert page["hits"][0]["at"] == said.at.isoformat()


def test_archival_finds_a_note(run, memory):
    """A search of archival memory is shown with date and tags."""
    memory.for_user("local").archival.insert("Debrief of the interview at Acme.", tags=["work"])

    done = run("archival", "interview debrief")

    assert "#work: Debrief of the interview at Acme." in done.stdout
    assert done.stdout.endswith("1 of 1 found.\n")


@pytest.mark.parametrize(
    "arguments",
    [["fly"], ["recall"], ["chat", "--yes", "--no"], ["core", "--data-dir"], ["bench"]],
)
def test_wrong_usage_is_exit_code_2(run, arguments):
    """An unknown command, a missing argument, flags that exclude each other."""
    done = run(*arguments)

    assert done.returncode == 2
    assert "usage: python -m app" in done.stderr


def test_misspelt_setting_stops_every_command(run, tmp_path):
    """A fault in config.yaml is one sentence, exit code 1, and nothing is made."""
    (tmp_path / "config.yaml").write_text("core: {human_limt: 5}")

    done = run("core")

    assert refused(done)
    assert "did you mean `core.human_limit`?" in done.stderr
    assert not (tmp_path / "data").exists()


def test_configuration_that_was_named_must_exist(run):
    """The default config.yaml may be missing; a file given with --config may not."""
    assert refused(run("core", "--config", "elsewhere.yaml"))


def test_gemini_without_a_key_does_not_start(run):
    """The missing key is told before anything is opened."""
    done = run("chat", "--message", "Hi", TIERED_MEMORY__MODEL__PROVIDER="gemini")

    assert refused(done)
    assert "set GOOGLE_API_KEY" in done.stderr


def test_blank_user_is_refused(run):
    """Nobody in particular has no memory."""
    assert refused(run("core", "--user", " "))


def test_data_folder_that_cannot_be_used_is_one_sentence(run, tmp_path):
    """A file in the folder's place: exit code 1, and the file is as it was."""
    (tmp_path / "data").write_text("mine")

    assert refused(run("recall", "tea"))
    assert (tmp_path / "data").read_text() == "mine"


def test_memory_of_a_newer_version_is_one_sentence(run, memory, tmp_path):
    """A step this program does not know: exit code 1 and what to do."""
    memory.close()
    database = sqlite3.connect(tmp_path / "data" / "memory.db")
    database.execute("INSERT INTO migrations VALUES('999 later', 'now')")
    database.commit()
    database.close()

    done = run("core")

    assert refused(done)
    assert "Update the program" in done.stderr


@pytest.mark.parametrize("arguments", [["serve"], []])
def test_busy_port_is_one_sentence(run, arguments):
    """With the port taken, serving ends before the page's library is loaded."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        port = str(listener.getsockname()[1])
        done = run(*arguments, PORT=port)

    assert refused(done)
    assert f"Port {port} on 127.0.0.1 is in use" in done.stderr


def test_looking_up_loads_neither_page_nor_agent(tmp_path):
    """`core` imports no Gradio and no ADK."""
    code = (
        "import sys; from app.cli import main; main(['--data-dir', 'd', 'core', '--json']);"
        "print({'gradio', 'google', 'torch'} & {*sys.modules})"
    )

    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )

    assert done.stdout.splitlines()[-1] == "set()"


def test_doctor_is_content_with_a_fresh_machine(run):
    """Everything is in place: a line each, exit code 0."""
    done = run("doctor")

    assert done.returncode == 0
    assert [line for line in done.stdout.splitlines() if not line.startswith("ok ")] == []


def test_doctor_tells_refused_settings(run):
    """A refused setting is a broken line, exit code 1, and the rest is still looked at."""
    done = run("doctor", PORT="none")

    assert done.returncode == 1
    assert "BROKEN  settings: `server.port` (PORT) is 'none'" in done.stdout
    assert "ok      Python" in done.stdout


def test_log_is_one_line_without_the_key():
    """A log record stays one line, traceback included, and a key in it is masked."""
    try:
        raise ValueError("asked with key=s3cret\nand failed")
    except ValueError:
        failed = sys.exc_info()
    record = logging.LogRecord("lib", 30, "", 1, "s3cret:\n%s", ("x",), failed)

    line = OneLine("s3cret").format(record)

    assert "\n" not in line
    assert "s3cret" not in line
    assert "(ValueError at test_cli.py:" in line


def test_log_has_neither_paths_nor_words_of_an_error():
    """A logged error is its kind and the line it came from, not its text or its trace."""
    try:
        raise ValueError("what Dana said")
    except ValueError:
        record = logging.LogRecord("app", 40, "", 0, "failed", None, sys.exc_info())

    line = OneLine("").format(record)

    assert "ValueError at test_cli.py:" in line
    assert "Dana" not in line
    assert str(ROOT) not in line


def test_chat_remembers_from_one_run_to_the_next(run):
    """Two runs of the command: the second answers from what the first was told."""
    told = run("chat", "--message", "Hi, I'm Dana and I work at Acme.")
    asked = run("chat", "--json", "--message", "What is my name?")

    events = [json.loads(line) for line in asked.stdout.splitlines()]
    assert (told.returncode, asked.returncode) == (0, 0)
    assert "Dana" in next(event["text"] for event in events if event["type"] == "Text")
    assert events[-1]["type"] == "Done"
    assert told.stderr.count("\n") == 1  # the session's line, and nothing a library says


def test_unknown_measurement_is_one_sentence(run):
    """A measurement that does not exist is refused with those that do."""
    done = run("bench", "everything")

    assert refused(done)
    assert "start, turn" in done.stderr


def test_backup_is_a_data_folder_and_restores(run, memory, tmp_path):
    """A backup made while the folder is open can be used as it is, and be put back elsewhere."""
    memory.for_user("local").recall.append("s1", "user", "The key hangs by the blue door.")
    made = run("backup", "copy")
    back = run("--data-dir", "new", "restore", "copy")
    found = [run("recall", "key", "--data-dir", folder).stdout for folder in ("copy", "new")]

    assert (made.returncode, back.returncode) == (0, 0), made.stderr + back.stderr
    assert "memory.db" in made.stdout
    assert all("blue door" in text for text in found)


def test_backup_and_restore_overwrite_nothing(run, memory, tmp_path):
    """A backup into a folder that is in use, and a restore over a memory, are one sentence."""
    made = run("backup", "copy")

    assert made.returncode == 0
    assert refused(run("backup", "copy"))
    assert refused(run("restore", "copy"))
    assert refused(run("--data-dir", "copy", "restore", "copy"))


def test_backup_of_nothing_is_one_sentence(run, tmp_path):
    """Where there is no memory none is made, neither here nor there."""
    assert refused(run("--data-dir", "none", "backup", "copy"))
    assert [file.name for file in tmp_path.iterdir()] == ["config.yaml"]


def test_damaged_backup_is_not_restored(run, memory, tmp_path):
    """One flipped bit: a sentence, exit code 1, and the data folder stays without a memory."""
    run("backup", "copy")
    content = bytearray((tmp_path / "copy" / "memory.db").read_bytes())
    content[len(content) // 2] ^= 1
    (tmp_path / "copy" / "memory.db").write_bytes(content)

    assert refused(run("--data-dir", "new", "restore", "copy"))
    assert not (tmp_path / "new" / "memory.db").exists()


def test_looking_up_restores_first(run, memory, tmp_path):
    """On a wiped disk a search finds what the snapshots hold, instead of a new empty memory."""
    memory.for_user("local").recall.append("s1", "user", "The key hangs by the blue door.")
    (tmp_path / "bucket").mkdir()
    run("backup", "bucket/snapshot-20260314T120000Z")
    done = run(
        "recall",
        "key",
        "--data-dir",
        "new",
        TIERED_MEMORY__SNAPSHOT__FOLDER=str(tmp_path / "bucket"),
    )

    assert "blue door" in done.stdout
