"""What a Hugging Face Space needs before the page is launched there. Elsewhere it is not called."""

import importlib
import importlib.util
from typing import Any

from gradio import http_server


def prepare() -> None:
    """Let the page start on every hardware a Space may have, and serve nothing but the page."""
    # Gradio would listen on a second port of the Space, to hand out the files below the program,
    # the data folder among them, and to replace its code.
    vars(http_server)["watchfn_spaces"] = _watch_nothing
    # ZeroGPU ends a program that marks no function. A Space installs the package; no one else.
    if importlib.util.find_spec("spaces"):
        importlib.import_module("spaces").GPU(_no_work)


def _watch_nothing(reloader: Any) -> None:
    """Stand where Gradio starts the hot reload of a Space."""


def _no_work() -> None:
    """Be the function that may have a GPU; it is never called, so nobody's share is used."""
