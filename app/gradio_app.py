"""Serves the page: what `python -m app` ends up in, and the file a Space starts."""

import os
import runpy
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

# Started as a file, Python looks for modules in the folder of this file instead of the root.
if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
# The libraries read these when they are imported: nothing about a visit leaves the machine.
os.environ["GRADIO_ANALYTICS_ENABLED"] = "False"
os.environ["HF_HUB_DISABLE_TELEMETRY"] = "1"

from app.ui.stubless import no_stubs

with no_stubs():
    import gradio as gr

from starlette.middleware import Middleware

from app.adk.rehearsal import rehearse
from app.config import bypass_proxy
from app.gate import Gate
from app.identity import VisitorCookie, visitor_key
from app.jobs import Jobs
from app.port import PortUnavailable
from app.settings import Settings
from app.ui import space
from app.ui.page import NAME, build_page
from app.ui.theme import head, theme

LET_GO = 3.0  # seconds in which the answers on their way may end


def build(jobs: Jobs, settings: Settings) -> gr.Blocks:
    """Build the page over running jobs, ready to be launched."""
    page = build_page(jobs, settings)
    page.queue(
        default_concurrency_limit=20,
        max_size=1000,  # said nowhere, it is one on ZeroGPU
    )
    return page


def gate(settings: Settings, page: gr.Blocks) -> Middleware:
    """Return what every request passes first; the data folder must be there."""
    visitors = settings.user_mode == "visitors"
    cookie = VisitorCookie(visitor_key(settings.storage.data_dir)) if visitors else None
    if settings.user_mode == "header":
        # Else the web server takes the address of the proxy from a header, and it would be lost.
        os.environ["FORWARDED_ALLOW_IPS"] = ""
    kinds = {
        number: tuple("number" if isinstance(one, gr.Number) else "text" for one in action.inputs)
        for number, action in page.fns.items()
    }
    return Middleware(Gate, settings=settings, cookie=cookie, kinds=kinds)


def serve(settings: Settings, model: Any = None) -> None:
    """Serve the page until the process is asked to end (Ctrl-C, SIGTERM), then close everything.

    Args:
        settings: Checked settings, see `app.config.load_settings`.
        model: Any ADK model instead of the configured one, for tests.

    Raises:
        PortUnavailable: the port is taken; no other is tried.
        StoreUnavailable: the data folder cannot be used; nothing was changed.
    """
    with _asked_to_end() as end, Jobs(settings, model) as jobs:
        page = build(jobs, settings)
        host, port = settings.host, settings.server.port
        bypass_proxy(host)
        if settings.on_space:
            space.prepare()
        try:
            page.launch(
                server_name=f"[{host}]" if ":" in host else host,
                server_port=port,
                prevent_thread_lock=True,
                quiet=True,
                theme=theme(),
                head=head(),
                footer_links=[],
                show_error=False,
                run_history=False,
                enable_monitoring=False,
                ssr_mode=False,
                pwa=False,
                mcp_server=False,
                max_threads=400,  # also how many pages may follow a turn at one time
                max_file_size=1,  # bytes: the page takes no files
                app_kwargs={"middleware": [gate(settings, page)]},
            )
        except OSError as error:
            raise PortUnavailable(
                f"Port {port} on {host} is in use; stop what uses it, or choose another with PORT."
            ) from error
        sys.stdout.write(f"{NAME} is at {page.local_url} (Ctrl-C ends it)\n")
        sys.stdout.flush()
        jobs.call(rehearse())
        end.wait()
        jobs.closing.set()
        _close(page)


def _close(page: gr.Blocks) -> None:
    """Stop serving: pages that follow a turn let go by themselves, a stuck one is cut off."""
    until = time.monotonic() + LET_GO
    while page.server.server_state.tasks and time.monotonic() < until:
        time.sleep(0.05)
    page.server.config.timeout_graceful_shutdown = 1
    page.close(verbose=False)


@contextmanager
def _asked_to_end() -> Iterator[threading.Event]:
    """Turn the first request to end into an event; a second one ends the process at once."""
    end = threading.Event()
    kinds = (signal.SIGINT, signal.SIGTERM)
    before = {kind: signal.getsignal(kind) for kind in kinds}

    def asked(kind: int, frame: object) -> None:
        end.set()
        for one, handler in before.items():
            signal.signal(one, handler)

    for kind in kinds:
        signal.signal(kind, asked)
    try:
        yield end
    finally:
        for kind, handler in before.items():
            signal.signal(kind, handler)


def main() -> None:
    """Run the command line without a command, which serves the page."""
    runpy.run_module("app", run_name="__main__")


if __name__ == "__main__":
    main()
