"""Imports Gradio without the part of its import that serves only people who write components.

While each of its component classes is made, Gradio parses the source of the class and renders a
`.pyi` file beside it, in the folder of the installed package. That is a third of the time its
import takes, and it writes where a program should not. Its own way out is an `OSError` for a class
that comes from no file, so that is what its classes say here, until the import is over.
"""

import inspect
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def no_stubs() -> Iterator[None]:
    """Let Gradio be imported within this block without writing `.pyi` files."""
    getfile = inspect.getfile

    def from_no_file(what: Any) -> str:
        if inspect.isclass(what) and what.__module__.startswith("gradio."):
            raise OSError("a class of the page's library: no stub file is wanted")
        return getfile(what)

    inspect.getfile = from_no_file  # type: ignore[assignment]
    try:
        yield
    finally:
        inspect.getfile = getfile
