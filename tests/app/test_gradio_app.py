"""The page as a process: it starts, says where it is, and ends when asked."""

import os
import signal
import socket
import subprocess
import sys
from contextlib import contextmanager
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from tests.servers import ROOT, free_port

UPLOAD = b"\r\n".join(
    (
        b"--x",
        b'Content-Disposition: form-data; name="files"; filename="a.txt"',
        b"",
        b"some text",
        b"--x--",
        b"",
    )
)


@contextmanager
def started(command, port, folder):
    """Run a command with port and folder in its environment, and a proxy that is no help."""
    environ = {name: value for name, value in os.environ.items() if "PYTHON" not in name}
    for name in ("GOOGLE_API_KEY", "GEMINI_API_KEY"):
        environ.pop(name, None)
    environ |= {"PORT": str(port), "TIERED_MEMORY__STORAGE__DATA_DIR": str(folder)}
    environ |= {"http_proxy": f"http://127.0.0.1:{free_port()}"}  # a proxy that is down
    process = subprocess.Popen(
        [sys.executable, *command],
        cwd=ROOT,
        env=environ,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


@pytest.mark.parametrize("kind", [signal.SIGINT, signal.SIGTERM])
def test_started_as_a_file_it_serves_and_ends(tmp_path, kind):
    """Started as a Space starts it, it prints its address, serves the page, and ends in peace."""
    port = free_port()
    with started(["app/gradio_app.py"], port, tmp_path) as process:
        line = process.stdout.readline()
        with urlopen(f"http://127.0.0.1:{port}/") as answer:
            page = answer.read().decode()
        process.send_signal(kind)
        _, errors = process.communicate(timeout=30)

    assert f"http://127.0.0.1:{port}/" in line
    assert "Offline model" in page and "GOOGLE_API_KEY" in page
    assert process.returncode == 0
    assert "Traceback" not in errors


def test_busy_port_is_one_sentence(tmp_path):
    """Where something else listens it ends with code 1 and says so; no other port is tried."""
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        with started(["-m", "app.gradio_app"], port, tmp_path) as process:
            output, errors = process.communicate(timeout=60)

    assert process.returncode == 1
    assert output == ""
    assert errors.strip().splitlines()[-1].startswith(f"Port {port} on 127.0.0.1 is in use")
    assert "Traceback" not in errors


def test_server_answers_no_file_and_names_no_handler(tmp_path):
    """Files of the machine are not served, uploads are refused, handlers are not published."""
    port = free_port()
    with started(["-m", "app"], port, tmp_path) as process:
        process.stdout.readline()
        base = f"http://127.0.0.1:{port}/gradio_api"
        assert status(f"{base}/file={ROOT / 'pyproject.toml'}") in (403, 404)
        assert status(f"{base}/upload", UPLOAD, "multipart/form-data; boundary=x") >= 400
        assert status(f"{base}/info") == 404
        assert status(f"{base}/openapi.json") == 404


def status(address, body=None, kind="text/plain"):
    """Return the status with which an address answers."""
    try:
        with urlopen(Request(address, body, {"Content-Type": kind})) as answer:
            return answer.status
    except HTTPError as refused:
        return refused.code


def test_import_writes_nothing_into_the_installed_library():
    """Importing the page opens no stub file of Gradio's; its own import opens dozens."""
    code = (
        "import sys\n"
        "opened = []\n"
        "sys.addaudithook(lambda kind, what: kind == 'open' and opened.append(str(what[0])))\n"
        "import app.gradio_app\n"
        "print(len([name for name in opened if name.endswith('.pyi')]))"
    )

    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )

    assert done.stdout.strip() == "0"
