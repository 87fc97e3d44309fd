"""The command line: what can be asked for, and how it ends.

0: done. 1: refused or failed, with one sentence on stderr. 2: wrong usage. This is the only module
that configures logging.
"""

import argparse
import logging
import os
import sys
import traceback
import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from app import display
from app.config import ConfigError, Settings, load_settings
from app.identity import LOCAL_USER
from app.port import PortUnavailable, check_port
from memory_tiers.errors import MemoryTiersError

# Each command imports what it needs when it runs: only `serve` should wait for the page's library
# and only `chat` for the agent's.

INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    options = _parser().parse_args(arguments)
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="replace")  # type: ignore[union-attr]
    if not sys.warnoptions:
        warnings.simplefilter("ignore")  # other people's advice to programmers
    try:
        return int(options.run(options))
    except (ConfigError, MemoryTiersError, PortUnavailable) as error:
        print(error, file=sys.stderr)
        return 1
    except BrokenPipeError:  # whoever read the output has left
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except KeyboardInterrupt:
        return INTERRUPTED


def _parser() -> argparse.ArgumentParser:
    everywhere = _everywhere(argparse.SUPPRESS)
    parser = argparse.ArgumentParser(
        prog="python -m app",
        description="An agent that remembers. Without a command: serve the page.",
        parents=[_everywhere(None)],
    )
    parser.set_defaults(run=_serve)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")

    def command(name: str, run: Any, text: str, *parents: argparse.ArgumentParser) -> Any:
        added = commands.add_parser(
            name, help=text, description=text, parents=[everywhere, *parents]
        )
        added.set_defaults(run=run)
        return added

    person = _person()
    command("serve", _serve, "Serve the page.")
    chat = command("chat", _chat, "Talk in the terminal.", person)
    chat.add_argument("--session", metavar="S", help="go on with this session; default: a new one")
    chat.add_argument(
        "--message", metavar="TEXT", action="append", default=[], help="say this and exit; repeats"
    )
    answer = chat.add_mutually_exclusive_group()
    answer.add_argument(
        "--yes", dest="answer", action="store_true", default=None, help="approve open cards"
    )
    answer.add_argument(
        "--no", dest="answer", action="store_false", default=None, help="reject open cards"
    )
    recall = command("recall", _recall, "Search what was said.", person)
    recall.add_argument("query", metavar="QUERY")
    archival = command("archival", _archival, "Search the long-term notes.", person)
    archival.add_argument("query", metavar="QUERY")
    command("core", _core, "Show the core blocks.", person)
    command("doctor", _doctor, "Check that everything is in place, and say what to do if not.")
    backup = command("backup", _backup, "Copy the data folder, also while it is in use.")
    backup.add_argument("folder", metavar="FOLDER", type=Path, help="a new one for the copy")
    back = command("restore", _restore, "Fill an empty data folder from a backup or a snapshot.")
    back.add_argument("folder", metavar="FOLDER", type=Path, help="what to restore from")
    bench = command("bench", _bench, "Measure this machine.")
    bench.add_argument("name", metavar="NAME", nargs="+")
    return parser


def _everywhere(default: Any) -> argparse.ArgumentParser:
    """Options that may stand before or after the command; after it none must reset an earlier."""
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument(
        "--data-dir", metavar="DIR", default=default, help="folder of the databases"
    )
    parser.add_argument("--config", metavar="FILE", default=default, help="default: config.yaml")
    return parser


def _person() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument(
        "--user", metavar="U", default=LOCAL_USER, help=f"whose memory; default: {LOCAL_USER}"
    )
    parser.add_argument("--json", action="store_true", help="one JSON value a line")
    return parser


def _settings(options: argparse.Namespace) -> Settings:
    if options.config is not None and not Path(options.config).exists():
        raise ConfigError(f"The file given with --config does not exist: {options.config}")
    overrides = {} if options.data_dir is None else {"storage.data_dir": options.data_dir}
    settings = load_settings(options.config or "config.yaml", overrides)
    for notice in settings.notices:
        print(notice, file=sys.stderr)
    _configure_logging("" if settings.api_key is None else settings.api_key.get_secret_value())
    return settings


class OneLine(logging.Formatter):
    """A line a record, without the key: an error of a library may quote a request."""

    def __init__(self, secret: str) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")
        self._secret = secret

    def formatException(self, ei: Any) -> str:
        """Name the error and its line: its text may quote a person, its trace has paths."""
        kind, _, trace = ei
        places = traceback.extract_tb(trace)[-1:]
        at = "".join(f" at {Path(place.filename).name}:{place.lineno}" for place in places)
        return f"({kind.__name__ if kind else 'error'}{at})"

    def format(self, record: logging.LogRecord) -> str:
        """See `logging.Formatter.format`."""
        line = " ".join(super().format(record).split())
        return line.replace(self._secret, "(key)") if self._secret else line


def _configure_logging(secret: str) -> None:
    log = logging.StreamHandler()
    log.setFormatter(OneLine(secret))
    # Our own warnings, and of other people's libraries only what failed.
    logging.basicConfig(level=logging.ERROR, handlers=[log], force=True)
    for package in ("app", "tools", "memory_tiers"):
        logging.getLogger(package).setLevel(logging.WARNING)


def _serve(options: argparse.Namespace) -> int:
    settings = _settings(options)
    check_port(settings.host, settings.server.port)
    from app.gradio_app import serve

    serve(settings)
    return 0


def _chat(options: argparse.Namespace) -> int:
    settings = _settings(options)
    from app.jobs import Jobs
    from app.terminal import converse

    with Jobs(settings) as jobs:
        converse(
            jobs,
            options.user,
            options.session,
            messages=options.message,
            answer=options.answer,
            as_json=options.json,
        )
    return 0


def _recall(options: argparse.Namespace) -> int:
    return _search(options, lambda mine: mine.recall)


def _archival(options: argparse.Namespace) -> int:
    return _search(options, lambda mine: mine.archival)


def _search(options: argparse.Namespace, tier: Callable[[Any], Any]) -> int:
    settings = _settings(options)
    with _memory(settings) as memory:
        page = tier(memory.for_user(options.user)).search(options.query)
    _print([display.as_json(asdict(page))] if options.json else display.found(page, settings.zone))
    return 0


def _core(options: argparse.Namespace) -> int:
    with _memory(_settings(options)) as memory:
        blocks = memory.for_user(options.user).core.blocks()
    if options.json:
        _print([display.as_json([asdict(block) for block in blocks])])
    else:
        _print(display.blocks(blocks))
    return 0


def _memory(settings: Settings) -> Any:
    from app.snapshots import restore
    from memory_tiers import Memory
    from memory_tiers.embedding import load

    restore(settings)
    embedder = load(settings.embedding.backend, settings.embedding.model)
    return Memory.open(settings.storage.data_dir, embedder=embedder, policy=settings.policy())


def _print(lines: Iterable[str]) -> None:
    for line in lines:
        print(line, flush=True)  # a measurement takes its time


def _doctor(options: argparse.Namespace) -> int:
    from app.doctor import examine

    try:
        settings: Settings | ConfigError = _settings(options)
    except ConfigError as error:
        settings = error
    broken = 0
    for check in examine(settings):
        print(f"{'ok    ' if check.sound else 'BROKEN'}  {check.name}: {check.text}", flush=True)
        broken |= not check.sound
    return int(broken)


def _backup(options: argparse.Namespace) -> int:
    data = _settings(options).storage.data_dir
    from app.adk.sessions import copy_sessions
    from app.backup import back_up, copies, copy_memory

    made = back_up(copies(data, copy_sessions, partial(copy_memory, data)), options.folder)
    print(f"Copied {', '.join(made)}: checked, and usable with --data-dir.")
    return 0


def _restore(options: argparse.Namespace) -> int:
    data = _settings(options).storage.data_dir
    from app.snapshots import restore_from

    print(f"Restored what was there at {restore_from(options.folder, data):%Y-%m-%d %H:%M:%S %Z}.")
    return 0


def _bench(options: argparse.Namespace) -> int:
    _settings(options)
    from app.evaluation.bench import bench

    _print(bench(options.name))
    return 0
