"""A conversation in the terminal: lines in, a reply out as it comes, a question for each card."""

import sys
import time
from collections.abc import Iterator, Sequence

from app import display
from app.events import ConfirmationRequested, Done, Event, Notice, Text, TextDelta, ToolFinished
from app.jobs import Jobs, Turn

LOOK = 0.02  # seconds between two looks at a running turn
MOST_CARDS = 10  # answered by one flag; a model that asks for ever is left waiting


def converse(
    jobs: Jobs,
    user: str,
    session: str | None,
    *,
    messages: Sequence[str] = (),
    answer: bool | None = None,
    as_json: bool = False,
) -> None:
    """Hold a conversation in a session, a new one when `session` is None.

    With `messages`, or an `answer` for open cards, these are carried out and that is all;
    otherwise lines are read from stdin until it ends.

    Raises:
        InvalidInput: `user` is blank.
    """
    session_id = jobs.application.chat(user, session).session_id
    talk = _Talk(jobs, user, session_id, as_json)
    if not as_json:
        print(f"Session {session_id}, {jobs.application.model_label}", file=sys.stderr)
    if not messages and answer is None:
        talk.listen()
        return
    talk.answer_all(answer)
    for message in messages:
        talk.say(message)
        talk.answer_all(answer)


class _Talk:
    """One session, printed."""

    def __init__(self, jobs: Jobs, user: str, session_id: str, as_json: bool) -> None:
        self._jobs = jobs
        self._user = user
        self._session_id = session_id
        self._as_json = as_json
        self._streamed = ""
        self._steps: list[str] = []

    def listen(self) -> None:
        """Read lines until there are none; an open card is asked about first."""
        while True:
            cards = self._pending()
            line = _ask(f"{_question(cards[0])} [y/n] " if cards else "> ")
            if line is None:
                break
            if cards and line.strip().lower() in ("y", "yes"):
                self._answer(cards[0], True, "")
            elif cards and line.strip().lower() in ("n", "no"):
                self._answer(cards[0], False, _ask("Why? (Enter for no reason) ") or "")
            elif line.strip():
                self.say(line)
        self._jobs.call(self._jobs.application.chat(self._user, self._session_id).end())

    def say(self, text: str) -> None:
        """Send a message and print the turn."""
        self._follow(self._jobs.start_turn(self._user, self._session_id, text))

    def answer_all(self, answer: bool | None) -> None:
        """Answer open cards the same way; None leaves them open."""
        for _ in range(MOST_CARDS if answer is not None else 0):
            for card in self._pending()[:1]:
                self._answer(card, bool(answer), "")

    def _answer(self, card: ConfirmationRequested, approved: bool, reason: str) -> None:
        self._follow(
            self._jobs.start_answer(self._user, self._session_id, card.id, approved, reason)
        )

    def _pending(self) -> list[ConfirmationRequested]:
        return self._jobs.application.chat(self._user, self._session_id).pending()

    def _follow(self, turn: Turn) -> None:
        seen = 0
        while True:
            done = turn.done  # before the look at the events: none comes after it
            for event in turn.events[seen:]:
                self._print(event)
                seen += 1
            if done:
                return
            time.sleep(LOOK)

    def _print(self, event: Event) -> None:
        if self._as_json:
            print(display.event_json(event), flush=True)
        else:
            self._show(event)

    def _show(self, event: Event) -> None:
        match event:
            case TextDelta(text):
                print(display.printable(text), end="", flush=True)
                self._streamed += text
            case Text(text):
                print(self._rest(text))
                self._flush()
            case ToolFinished(name=name, error=error):
                self._steps.append(f"  [{name}]{f' {display.printable(error)}' if error else ''}")
                if not self._streamed:  # else the reply's line is finished first
                    self._flush()
            case ConfirmationRequested() | Notice() | Done():
                if self._streamed:
                    print()
                self._flush()
                print("".join(f"{line}\n" for line in _closing(event)), end="", flush=True)

    def _flush(self) -> None:
        print("".join(f"{line}\n" for line in self._steps), end="", flush=True)
        self._steps.clear()
        self._streamed = ""

    def _rest(self, text: str) -> str:
        """Return what of a reply was not streamed yet; all of it, on a new line, if it differs."""
        for shown in (self._streamed, self._streamed.rstrip()):
            if text.startswith(shown):
                return display.printable(text[len(shown) :])
        return f"\n{display.printable(text)}"


def _closing(event: ConfirmationRequested | Notice | Done) -> Iterator[str]:
    """Show what may follow a reply or stand in its place."""
    if isinstance(event, ConfirmationRequested):
        yield from display.card(event)
    elif isinstance(event, Notice):
        yield f"! {display.printable(event.text)}"


def _ask(prompt: str) -> str | None:
    """Read a line; None when there are no more. The prompt is for people only."""
    if sys.stdin.isatty():
        print(prompt, end="", file=sys.stderr, flush=True)
    line = sys.stdin.readline()
    return line.rstrip("\n") if line else None


def _question(card: ConfirmationRequested) -> str:
    return f"Approve the change to {display.printable(str(card.arguments.get('block', 'memory')))}?"
