"""The page in a process of its own, as a person starts it."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

ROOT = Path(__file__).parents[1]
PATIENCE = 60.0  # seconds until the page must answer


def free_port() -> int:
    """Return a port nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def page_server(
    data_dir: Path, command: Sequence[str] = ("-m", "app", "--data-dir", "{folder}")
) -> Iterator[str]:
    """Serve a data folder with `python command…`; yield the address, end the process after.

    `{folder}` and `{port}` in the command are filled in.
    """
    port = free_port()
    filled = [part.format(folder=data_dir, port=port) for part in command]
    environ = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("TIERED_MEMORY", "GOOGLE_API", "GEMINI_API"))
    }
    process = subprocess.Popen(
        [sys.executable, *filled], cwd=ROOT, env={**environ, "PORT": str(port), "PYTHONPATH": "."}
    )
    address = f"http://127.0.0.1:{port}/"
    try:
        _wait(process, address)
        yield address
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(30)


def _wait(process: subprocess.Popen[bytes], address: str) -> None:
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        assert process.poll() is None, f"the server ended with code {process.returncode}"
        try:
            with urlopen(address) as answer:
                answer.read()
            return
        except URLError:
            time.sleep(0.1)
    raise AssertionError(f"no answer within {PATIENCE:.0f} s")
