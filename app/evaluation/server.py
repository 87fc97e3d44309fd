"""Programs in processes of their own, as a person starts them, and what they take."""

import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

from app.port import PortUnavailable

ROOT = Path(__file__).parents[2]
PATIENCE = 60.0  # seconds until a page that does not answer is given up
POLL = 0.01  # seconds


@dataclass(frozen=True, slots=True)
class Served:
    """A page that answers: where, in which process, and the seconds it took until then.

    `processor` counts the seconds it was computing; other work on the machine hardly changes them.
    """

    url: str
    process: int
    seconds: float
    processor: float

    def resident(self) -> float:
        """Return the memory of the process in MB; not a number where the system does not tell."""
        return resident(self.process)


@contextmanager
def served(arguments: Sequence[str]) -> Iterator[Served]:
    """Start Python with `arguments` and a free port in PORT; ended with the block.

    Raises:
        PortUnavailable: nothing answered on that port in time.
    """
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    # The rest of the environment is passed on as it is; a model is never asked.
    environment = {
        **os.environ,
        "HOST": "127.0.0.1",
        "PORT": str(port),
        "TIERED_MEMORY__MODEL__PROVIDER": "offline",
        "GRADIO_ANALYTICS_ENABLED": "False",
    }
    begun = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, *arguments], cwd=ROOT, env=environment, stdout=subprocess.DEVNULL
    )
    try:
        url = f"http://127.0.0.1:{port}/"
        _wait(process, url, begun + PATIENCE)
        yield Served(url, process.pid, time.perf_counter() - begun, _processor(process.pid))
    finally:
        process.terminate()
        try:
            process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def resident(process: int) -> float:
    """Return the resident memory of a process in MB; not a number where the system hides it."""
    status = Path(f"/proc/{process}/status")
    found = re.search(r"VmRSS:\s+(\d+)", status.read_text()) if status.exists() else None
    return int(found[1]) / 1024 if found else float("nan")


def _processor(process: int) -> float:
    """Return the processor time of a process in seconds; not a number where it is not told."""
    status = Path(f"/proc/{process}/stat")
    if not status.exists():
        return float("nan")
    user, system = status.read_text().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def _wait(process: "subprocess.Popen[bytes]", url: str, until: float) -> None:
    while process.poll() is None and time.perf_counter() < until:
        try:
            with urlopen(url, timeout=PATIENCE) as answer:
                if answer.status == 200:
                    return
        except (URLError, ConnectionError):
            time.sleep(POLL)
    raise PortUnavailable("The page that was to be measured did not answer.")
