"""A Space on this machine: its packages, its variables, its files, and nothing else of this one."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import urlopen

import yaml

from tests.servers import PATIENCE, ROOT, free_port

# What a Space installs before and beside requirements.txt.
BASE = ("datasets", "huggingface-hub>=0.30", "hf-transfer>=0.1.4", "protobuf<4", "click<8.1")
BESIDE = ("uvicorn>=0.14.0", "websockets>=10.4", "spaces")
END_SECONDS = 30
NO_PYTHON = (
    "There is no Python {wanted} with its venv module on this machine (python{wanted} on PATH, or "
    "under ~/.pyenv/versions), so the Space was tried with Python {here} and the packages of the "
    "tests."
)
NO_INDEX = (
    "The index of packages cannot be reached, so the packages of a Space were not installed, and "
    "it was tried with those of the tests."
)


@dataclass(frozen=True, slots=True)
class Interpreter:
    """The Python a Space is tried with.

    Attributes:
        python: Its path.
        missing: Why it is not one that was built as a Space builds it; blank when it is.
    """

    python: Path
    missing: str = ""


def front_matter() -> dict[str, Any]:
    """Read what README.md tells a Space."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    _, head, _ = text.split("---\n", 2)
    found = yaml.safe_load(head)
    assert isinstance(found, dict), "README.md does not begin with front matter"
    return found


def build(folder: Path) -> Interpreter:
    """Make the environment of a Space in a folder, from nothing, with a Space's own commands.

    Where that cannot be done on this machine, it is this interpreter, with the reason.

    Raises:
        AssertionError: The packages do not go together.
    """
    wanted = str(front_matter()["python_version"])
    found = _python(wanted)
    if found is None:
        here = ".".join(map(str, sys.version_info[:2]))
        return Interpreter(Path(sys.executable), NO_PYTHON.format(wanted=wanted, here=here))
    subprocess.run([found, "-m", "venv", folder], check=True, env=_plain())
    gradio = f"gradio[oauth,mcp]=={front_matter()['sdk_version']}"
    python = folder / "bin" / "python"
    for packages in (BASE, ("-r", str(ROOT / "requirements.txt"), gradio, *BESIDE)):
        pip = [python, "-m", "pip", "install", "--disable-pip-version-check", *packages]
        done = subprocess.run(pip, capture_output=True, text=True, check=False, env=_plain())
        if done.returncode and re.search(r"connection broken by|Failed to establish", done.stderr):
            return Interpreter(Path(sys.executable), NO_INDEX)
        assert not done.returncode, done.stderr[-3000:]
    return Interpreter(python)


def _python(wanted: str) -> str | None:
    """Find a Python of that version that can make environments."""
    name = f"python{wanted}"
    kept = sorted(Path.home().glob(f".pyenv/versions/{wanted}*/bin/{name}"))
    for one in (sys.executable, shutil.which(name), *map(str, kept)):
        asked = "import ensurepip, sys; print(*sys.version_info[:2], sep='.')"
        if one is None:
            continue
        done = subprocess.run([one, "-c", asked], capture_output=True, text=True, check=False)
        if done.stdout.strip() == wanted:
            return one
    return None


def _plain() -> dict[str, str]:
    """Return the environment without what would lead one Python to another's packages."""
    return {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}


def tracked() -> list[str]:
    """Name the files that are pushed to a Space: those git knows."""
    done = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return [name for name in done.stdout.split("\0") if name and (ROOT / name).is_file()]


def copied(names: Iterable[str], folder: Path) -> Path:
    """Copy files of the repository to a folder, each to its place."""
    for name in names:
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, target)
    return folder


class Space:
    """A server started as a Space starts it, over a copy of the tracked files.

    Nothing is started until `start`, which may be called again after `end` or `kill`: the copy
    and the data folder stay. As a context manager it is running inside, and ended after.

    Args:
        interpreter: The Python it runs with.
        folder: An empty folder for the copy, a home and a folder of temporary files.
        variables: Variables beside those a Space sets, or instead of them.
        command: What Python is started with; `{port}` and `{data}` are filled in.
    """

    def __init__(
        self,
        interpreter: Interpreter,
        folder: Path,
        variables: Mapping[str, str] | None = None,
        command: tuple[str, ...] = ("app/gradio_app.py",),
    ) -> None:
        self.port = free_port()
        self.address = f"http://127.0.0.1:{self.port}/"
        self.root = copied(tracked(), folder / "program")
        self.data = self.root / "data"
        self._interpreter = interpreter
        self._folder = folder
        self._command = [one.format(port=self.port, data=self.data) for one in command]
        self._log = folder / "log"
        self._process: subprocess.Popen[bytes] | None = None
        for name in ("home", "temporary"):
            (folder / name).mkdir()
        self.variables = {
            "PATH": os.defpath,
            "HOME": str(folder / "home"),
            "TMPDIR": str(folder / "temporary"),
            "PYTHONDONTWRITEBYTECODE": "1",
            "SYSTEM": "spaces",
            "SPACE_ID": "dana/tiered-memory",
            "SPACE_HOST": f"127.0.0.1:{self.port}",
            "SPACE_AUTHOR_NAME": "dana",
            "OAUTH_CLIENT_ID": "a-client",
            "OAUTH_CLIENT_SECRET": "a-secret-of-the-tests",
            "OAUTH_SCOPES": "openid profile",
            "OPENID_PROVIDER_URL": "http://127.0.0.1:9",  # nobody: see tests/space/login.py
            "GRADIO_SERVER_PORT": str(self.port),
        } | dict(variables or {})

    @property
    def log(self) -> str:
        """What was printed so far, of every start."""
        return self._log.read_text(encoding="utf-8") if self._log.exists() else ""

    @property
    def pid(self) -> int:
        """The number of the process."""
        assert self._process, "it is not started"
        return self._process.pid

    def start(self) -> None:
        """Start it and wait until the page answers.

        Raises:
            AssertionError: It ended, or did not answer in time; the log says why.
        """
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                [self._interpreter.python, *self._command],
                cwd=self.root,
                env=self.variables,
                stdout=log,
                stderr=log,
            )
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            assert self._process.poll() is None, self.log
            try:
                with urlopen(self.address) as answer:
                    answer.read()
                return
            except URLError:
                time.sleep(0.1)
        raise AssertionError(f"no answer within {PATIENCE:.0f} s\n{self.log}")

    def end(self) -> int:
        """Ask it to end, as a Space does before it stops one; return the exit code."""
        return self._signalled(signal.SIGTERM)

    def kill(self) -> int:
        """End it at once, as when the machine under it is lost."""
        return self._signalled(signal.SIGKILL)

    def _signalled(self, kind: signal.Signals) -> int:
        assert self._process, "it is not started"
        self._process.send_signal(kind)
        return self._process.wait(END_SECONDS)

    def files(self) -> dict[str, tuple[int, int]]:
        """Return size and time of every file it might write, those of the data folder aside."""
        places = [self._folder]
        if not self._interpreter.missing:
            places.append(self._interpreter.python.parents[1])
        found = (path for place in places for path in _files(place) if path != self._log)
        return {
            str(path): (state.st_size, state.st_mtime_ns)
            for path in found
            if not path.is_relative_to(self.data)
            for state in [path.stat()]
        }

    def __enter__(self) -> "Space":
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process
        if self._process.poll() is None:
            try:
                self.end()
            except subprocess.TimeoutExpired:
                self.kill()
                raise


def _files(folder: Path) -> Iterator[Path]:
    for here, _, names in os.walk(folder):
        if Path(here).name != "__pycache__":
            yield from (Path(here) / name for name in names if not Path(here, name).is_symlink())
