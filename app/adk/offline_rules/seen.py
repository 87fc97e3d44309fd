"""What the rules are given and what they return. Plain values."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any


@dataclass(frozen=True, slots=True)
class Call:
    """One tool call the rules ask for."""

    name: str
    arguments: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Answered:
    """A tool call of the running turn and what came back."""

    name: str
    arguments: dict[str, Any]
    response: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Seen:
    """All that the rules may look at.

    Attributes:
        text: What the user just said.
        blocks: Label to text, of at least `persona` and `human`.
        answered: The calls of this turn that have been answered, in order.
        now: The present moment in the user's zone.
        previous: What the agent said last; blank when it has said nothing.
        limits: Label to the most characters that block may hold, where it is known.
        changed: Label to the day that block was last changed, like 2026-03-02, where it is known.
    """

    text: str
    blocks: Mapping[str, str]
    answered: tuple[Answered, ...]
    now: datetime
    previous: str = ""
    limits: Mapping[str, int] = field(default_factory=dict)
    changed: Mapping[str, str] = field(default_factory=dict)
