"""Turns what memory holds into the text put before the model, and nothing else.

Pure: it reads no store and knows no model. Stored text is data here: it can neither close nor
open a section, and it is never read as a template, so braces stay as typed.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo

from memory_tiers.records import Block

SECTIONS = ("core_memory", "block", "summary", "now", "recalled")
_BLOCK = re.compile(
    r'<block label="(?P<label>[^"]+)" characters="\d+/(?P<limit>\d+)"'
    r'(?: changed="(?P<changed>[^"]*)")?[^\n]*>\n(?P<text>.*?)\n</block>',
    re.DOTALL,
)
_TAG = re.compile(rf"<(?=\s*/?\s*(?:{'|'.join(SECTIONS)})\b)", re.IGNORECASE)


def escape(text: str) -> str:
    """Disarm whatever in `text` looks like one of our section tags; all else stays as typed."""
    return _TAG.sub("&lt;", text)


@dataclass(frozen=True, slots=True)
class ShownBlock:
    """A block as the model reads it; `changed` is a local day like 2026-03-01, or blank."""

    label: str
    text: str
    limit: int
    changed: str


def render_core(blocks: Sequence[Block], summary: str = "", zone: tzinfo | None = None) -> str:
    """Render the stable part of the context: core blocks, then the summary slot.

    The same blocks and summary give the same bytes, so that a provider's prompt cache holds.
    `zone` is the user's, for the day of the last change; None is the machine's.
    """
    lines = ["<core_memory>"]
    for block in blocks:
        access = ' read_only="true"' if block.read_only else ""
        changed = f' changed="{block.at.astimezone(zone):%Y-%m-%d}"' if block.at else ""
        lines += [
            f'<block label="{block.label}" characters="{len(block.text)}/{block.limit}"'
            f'{changed}{access} about="{escape(block.description)}">',
            escape(block.text),
            "</block>",
        ]
    lines.append("</core_memory>")
    if summary:
        lines += ["<summary of earlier turns>", escape(summary), "</summary>"]
    return "\n".join(lines)


def render_now(now: datetime, messages: int, passages: int) -> str:
    """Render what changes with every turn: counts of both stores, then the clock.

    Args:
        now: The user's local time, with zone.
        messages: Messages in recall memory.
        passages: Passages in archival memory.
    """
    return (
        f"<now>recall memory: {messages} messages; archival memory: {passages} notes; "
        f"{now:%A, %d %B %Y, %H:%M %Z}</now>"
    )


def blocks_in(text: str) -> list[ShownBlock]:
    """Read the blocks back out of `render_core`'s text, for a model of rules."""
    return [
        ShownBlock(
            label=found["label"],
            text=found["text"].replace("&lt;", "<"),
            limit=int(found["limit"]),
            changed=found["changed"] or "",
        )
        for found in _BLOCK.finditer(text)
    ]
