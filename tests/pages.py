"""The pages of docs/ that are made from the code; `make docs` writes them, a test compares."""

import inspect
from pathlib import Path
from textwrap import dedent

from google.adk.tools.function_tool import FunctionTool

from memory_tiers import Memory
from memory_tiers.sqlite.migrations import MIGRATIONS
from tools.catalogue import build_tools

DOCS = Path(__file__).parents[1] / "docs"

TOOLS_HEAD = """# Tools

The six tools, as the model sees them. Results are dicts; a failure is `{"error": sentence}`, which
the model can read and act on: it never ends the turn.

* Every call but `send_message` chains by itself: the model is asked again with its result.
  `send_message` ends the turn, unless `request_heartbeat` is true, or another call of the same
  reply failed or was a search whose result has not been read yet.
* `core_memory_replace` waits for the user's yes. An edit that cannot apply is not asked about.
  Declined, it returns `{"declined": true, "reason": …, "keep": …}`.
* Arguments are checked before anything runs. The same call a third time in one turn is not run.
* Search results hold five entries a page: `{"results": [{"id", "text", "at"}], "total", "page"}`.
"""

SCHEMA_HEAD = """# Schema of memory.db

SQLite in WAL mode with `synchronous=FULL` and `secure_delete=ON`. Made by the migrations below, in
order; each step and its record in the table `migrations` are one transaction. A database that
names a step this version does not know is refused unchanged. `PRAGMA user_version` is 1 while
bytes may be left of a person who was erased, else 0.

Every table names its owner, `user_id` and `agent_id`. Times are UTC, as text that sorts. The
columns `searchable` hold the text in words that SQLite's own tokenizer understands, so the stock
command line can read and match everything:

```
sqlite3 data/memory.db "SELECT text FROM messages JOIN messages_words ON rowid = seq \\
  WHERE messages_words MATCH 'searchable: tea'"
```
"""


def tools_page() -> str:
    """Write docs/tools.md: signature and docstring of each tool."""
    return TOOLS_HEAD + "".join(_tool(tool) for tool in build_tools(_no_memory()))


def schema_page() -> str:
    """Write docs/schema.md: the migrations."""
    steps = (f"\n## {name}\n\n```sql\n{dedent(sql).strip()}\n```\n" for name, sql in MIGRATIONS)
    return SCHEMA_HEAD + "".join(steps)


def _no_memory() -> Memory:
    """Stand for a memory that the tools keep but do not touch while they are described."""
    return object.__new__(Memory)


def _tool(tool: FunctionTool) -> str:
    parameters = [
        f"{name}={parameter.default!r}" if parameter.default is not parameter.empty else name
        for name, parameter in inspect.signature(tool.func).parameters.items()
        if name != "tool_context"
    ]
    text = inspect.getdoc(tool.func) or ""
    return f"\n## `{tool.name}({', '.join(parameters)})`\n\n```\n{text}\n```\n"


PAGES = {"tools.md": tools_page, "schema.md": schema_page}

if __name__ == "__main__":
    for name, page in PAGES.items():
        (DOCS / name).write_text(page(), encoding="utf-8")
