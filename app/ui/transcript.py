"""A conversation's events → the lines of the page, each with a key that stays with it. Pure.

A reply and the steps that led to it form one segment, the words on top and the steps under them.
While a turn runs, its provisional words stand where the reply will be.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from app.events import (
    ConfirmationRequested,
    Done,
    Event,
    Notice,
    Text,
    TextDelta,
    ToolFinished,
    ToolStarted,
    UserText,
)
from app.ui.render import difference, literal, words
from app.ui.steps import Step, show_step

Line = tuple[str, str]  # key, HTML

EXAMPLES = (
    "Hi, I'm Dana. I live in Lisbon and I prefer tea to coffee.",
    "Remember this: the spare key is with our neighbour Ruth in flat 3B.",
    "What do you know about me?",
)
EMPTY = (
    "empty",
    '<div class="welcome"><h2>A conversation that is remembered</h2>'
    "<p>Tell me about you and your work. What matters stays in memory, across conversations and "
    "restarts, and you can see and change it at any time.</p>"
    '<p class="try">Try one of these</p><ul>'
    + "".join(
        f'<li><button type="button" data-say="{literal(text)}">{literal(text)}</button></li>'
        for text in EXAMPLES
    )
    + "</ul></div>",
)
WAITING = (
    '<div class="reply"><div class="dots" role="img" aria-label="Thinking">'
    "<i></i><i></i><i></i></div></div>"
)


@dataclass(slots=True)
class _Said:
    text: str


@dataclass(slots=True)
class _Reply:
    text: str = ""
    provisional: str = ""
    steps: list[Step] = field(default_factory=list)


@dataclass(slots=True)
class _Told:
    notice: Notice


class _Reading:
    """Reads events in order and sorts them into what is shown together."""

    def __init__(self) -> None:
        self.parts: list[_Said | _Reply | _Told] = []
        self.cards: list[ConfirmationRequested] = []
        self.open: _Reply | None = None
        self._steps: dict[str, Step] = {}

    def segment(self) -> _Reply:
        """Return the reply that is still being written, beginning one if need be."""
        if self.open is None:
            self.open = _Reply()
            self.parts.append(self.open)
        return self.open

    def feed(self, event: Event) -> None:
        """Take in one event."""
        match event:
            case UserText(text):
                self._close(_Said(text))
            case TextDelta(text):
                self.segment().provisional += text
            case Text(text):
                self.segment().text = text
                self.open = None
            case Notice():
                self._close(_Told(event))
            case ConfirmationRequested():
                self.cards.append(event)
            case ToolStarted() | ToolFinished():
                self._step(event)
            case Done():
                self._withdraw()

    def _step(self, event: ToolStarted | ToolFinished) -> None:
        step = self._steps.get(event.id)
        if step is None:
            step = self._steps[event.id] = Step(event.id, event.name, event.arguments)
            self.segment().steps.append(step)
        if isinstance(event, ToolFinished):
            step.result, step.error, step.finished = event.result, event.error, True

    def _close(self, part: _Said | _Told) -> None:
        self._withdraw()
        self.open = None
        self.parts.append(part)

    def _withdraw(self) -> None:
        if self.open is not None:
            self.open.provisional = ""


def lines(
    events: Iterable[Event], cards: Iterable[ConfirmationRequested] = (), *, running: bool = False
) -> list[Line]:
    """Show a conversation. `cards` are those stored as open; events may bring their own."""
    reading = _Reading()
    for event in events:
        reading.feed(event)
    if running and not reading.cards and not _answered(reading):
        reading.segment()
    asked = [*cards, *reading.cards]
    shown: list[Line] = []
    for number, part in enumerate(reading.parts):
        last = number == len(reading.parts) - 1
        shown += _part(part, number, running=running, last=last, asked=bool(asked))
    shown += [(f"card-{card.id}", _card(card)) for card in asked]
    return shown or [EMPTY]


def _answered(reading: _Reading) -> bool:
    """Tell whether the last thing shown ends a reply, so that nothing need be waited for."""
    last = reading.parts[-1] if reading.parts else None
    return isinstance(last, _Told) or (isinstance(last, _Reply) and bool(last.text))


def _part(
    part: _Said | _Reply | _Told, number: int, *, running: bool, last: bool, asked: bool
) -> Iterable[Line]:
    match part:
        case _Said(text):
            yield f"said-{number}", f'<div class="said">{_side("You")}{words(text, "bubble")}</div>'
        case _Told(notice):
            yield f"notice-{number}", _notice(notice, last=last and not running)
        case _Reply(text, provisional, steps):
            if text or provisional:
                shown = words(text or provisional, "answer")
                yield f"reply-{number}", f'<div class="reply">{_side("Agent")}{shown}</div>'
            elif running and last and not asked:
                yield f"reply-{number}", WAITING
            for step in steps:
                state = step.state(running and last, asked and last)
                yield f"step-{step.id}", show_step(step, state)


def _side(name: str) -> str:
    return f'<span class="unseen">{name}: </span>'


def _notice(notice: Notice, *, last: bool) -> str:
    action = _way_out(notice.code) if last else ""
    return (
        f'<div class="notice" role="note" data-code="{literal(notice.code)}">'
        f'<span class="words" dir="auto">{literal(notice.text)}</span>{action}</div>'
    )


def _way_out(code: str) -> str:
    if code == "step_limit":
        return '<button type="button" data-say="Continue.">Continue</button>'
    if code in ("interrupted", "internal_error") or code.startswith("model_"):
        return '<button type="button" data-retry>Retry</button>'
    return ""


def _card(card: ConfirmationRequested) -> str:
    """Show an edit that waits: the block, old and new word by word, yes, no and why."""
    given = {name: str(card.arguments.get(name, "")) for name in ("block", "old", "new")}
    old, new = difference(given["old"], given["new"])
    gone = '<em class="gone">Removed, with nothing in its place</em>'
    return (
        f'<section class="card" data-card="{literal(card.id)}" aria-label="A change to memory">'
        f'<h3>Change core memory <b dir="auto">{literal(given["block"])}</b>?</h3>'
        "<p>The agent asks before it overwrites something it knows.</p>"
        f'<dl><dt>Old</dt><dd class="words" dir="auto" tabindex="0">{old}</dd>'
        f'<dt>New</dt><dd class="words" dir="auto" tabindex="0">{new or gone}</dd></dl>'
        '<label>Reason <span class="hint">(optional, the agent reads it)</span>'
        '<input type="text" name="reason" maxlength="2000" autocomplete="off" dir="auto"></label>'
        '<div class="answers"><button type="button" class="no" data-answer="no">Reject</button>'
        '<button type="button" class="yes" data-answer="yes">Approve</button></div></section>'
    )
