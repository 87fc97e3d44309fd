"""What the agent did, in the words of the product: a tool call → a title and its details. Pure."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

from app.ui.render import literal

State = Literal["pending", "waiting", "done", "declined", "error", "stopped"]
MARKS = {
    "pending": "Working",
    "waiting": "Waiting for you",
    "done": "Done",
    "declined": "Declined",
    "error": "Failed",
    "stopped": "Not finished",
}


@dataclass(slots=True)
class Step:
    """One tool call and how far it came."""

    id: str
    name: str
    arguments: dict[str, Any]
    result: dict[str, Any] = field(default_factory=dict)
    error: str | None = None
    finished: bool = False

    def state(self, running: bool, asked: bool) -> State:
        """Tell how far the call came; `asked`: a card waits for the user."""
        if self.error is not None:
            return "error"
        if self.result.get("declined"):
            return "declined"
        if self.finished:
            return "done"
        if asked and self.name == "core_memory_replace":
            return "waiting"
        return "pending" if running else "stopped"


def title(step: Step, state: State) -> str:
    """Say in a few words what a step does or did."""
    worded = TITLES.get(step.name)
    return worded(step, state) if worded else f"Tool {step.name}"


def show_step(step: Step, state: State) -> str:
    """Show a step as one line that opens to its arguments and result, as literal text."""
    details = _section("Given", step.arguments)
    if step.error is not None:
        details += _section("Failed", step.error)
    elif step.result:
        details += _section("Came back", step.result)
    return (
        f'<details class="step {state}"><summary><span class="mark" role="img" '
        f'aria-label="{MARKS[state]}"></span><span dir="auto">{literal(title(step, state))}</span>'
        f'</summary><div class="inside">{details}</div></details>'
    )


def _append(step: Step, state: State) -> str:
    done = {"done": "added to", "error": "not added to"}.get(state, "adding to")
    return f"Core memory: {done} {_block(step)}"


def _replace(step: Step, state: State) -> str:
    done = {
        "done": "changed {}",
        "declined": "kept {} as it was",
        "error": "{} not changed",
        "waiting": "a change to {} waits for you",
    }.get(state, "changing {}")
    return f"Core memory: {done.format(_block(step))}"


def _insert(step: Step, state: State) -> str:
    if state == "done":
        known = step.result.get("known")
        return f"Archival memory: {'note was already there' if known else 'note saved'}"
    return f"Archival memory: {'note not saved' if state == 'error' else 'saving a note'}"


def _searched(place: str, one: str) -> Callable[[Step, State], str]:
    def worded(step: Step, state: State) -> str:
        if state != "done":
            return f"Search of {place} failed" if state == "error" else f"Searching {place}"
        total = step.result.get("total", 0)
        return f"Searched {place}: {total} {one if total == 1 else one + 's'}"

    return worded


def _block(step: Step) -> str:
    return str(step.arguments.get("block", "")) or "a block"


TITLES: dict[str, Callable[[Step, State], str]] = {
    "core_memory_append": _append,
    "core_memory_replace": _replace,
    "archival_insert": _insert,
    "archival_search": _searched("archival memory", "note"),
    "recall_search": _searched("recall memory", "message"),
}


def _section(name: str, value: object) -> str:
    return f'<p class="part">{name}</p>{_value(value)}'


def _value(value: object) -> str:
    if isinstance(value, dict):
        rows = "".join(
            f"<dt>{literal(str(key))}</dt><dd>{_value(inner)}</dd>" for key, inner in value.items()
        )
        return f"<dl>{rows}</dl>"
    if isinstance(value, list) and any(isinstance(inner, dict | list) for inner in value):
        return "<ul>" + "".join(f"<li>{_value(inner)}</li>" for inner in value) + "</ul>"
    return f'<span class="words" dir="auto">{literal(_plain(value)) or "(empty)"}</span>'


def _plain(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(map(_plain, value)) or "none"
    return "none" if value is None else str(value)
