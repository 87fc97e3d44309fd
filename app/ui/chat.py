"""The chat column: the conversation, the box to write in, and following a turn as it runs.

What is shown is the stored history plus whatever the running turn has brought so far, so a reload
loses nothing and any number of browsers may look on.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from typing import Any

import gradio as gr

from app.events import ConfirmationRequested, Event, Notice, ToolFinished, UserText
from app.jobs import SHOWN, Jobs, Turn
from app.ui.transcript import lines
from app.ui.visitor import Place, Shown, sent, who
from memory_tiers import InvalidInput, NotFound

LOOK_EVERY = 0.015  # seconds between two looks at a running turn
SHOW_EVERY = 0.06  # seconds between two updates of the page
LOOKS = 8  # looks of one person that are followed at one time; an older one is let go
FIRST_WORDS = 0.08  # seconds the answer to a send may wait for words to take along


class ChatColumn:
    """Components and their answers to what a person does. Create it inside `gr.Blocks`.

    Args:
        jobs: What runs the turns.
        beside: Shows for a user what stands beside the conversation and changes with it.
    """

    def __init__(self, jobs: Jobs, beside: Callable[[str], Shown]) -> None:
        self._jobs = jobs
        self._beside = beside
        self._looks: dict[str, list[object]] = {}
        self.log = gr.HTML(
            {},
            html_template='<div class="log" role="log" aria-label="Conversation" tabindex="0">'
            "</div>",
            js_on_load="tiers.conversation(element, trigger, props, watch, "
            "['say', 'retry', 'answer'])",
            apply_default_css=False,
            elem_id="conversation",
        )
        self.told = gr.HTML(
            "",
            html_template='<p role="status">${value}</p>',
            apply_default_css=False,
            elem_id="told",
        )
        with gr.Row(elem_id="composer"):
            self.box = gr.Textbox(
                label="Message",
                show_label=False,
                container=False,
                placeholder="Message",
                max_lines=8,
                autofocus=True,
                elem_id="message",
                scale=1,
            )
            self.stop = gr.Button("Stop", elem_id="stop", min_width=64)
            self.send = gr.Button("Send", variant="primary", elem_id="send", min_width=64)
        self.accepted = gr.HTML(
            {}, html_template="", js_on_load="tiers.accepted(props, watch)", visible="hidden"
        )
        self.place = gr.Textbox(visible=False)  # its value is always asked of the page's script

    @property
    def parts(self) -> list[Any]:
        """What the answers of this column may change, apart from what stands beside it."""
        return [self.log, self.told, self.accepted]

    def enter(self, session_id: str, request: gr.Request) -> Shown:
        """Show the session which the address names, or the newest one."""
        user = who(request)
        known = self._jobs.application.sessions(user)
        told = ""
        if session_id not in ("", "new") and not self._owned(user, session_id):
            told, session_id = "That conversation is not here; this is the newest one.", ""
        if not session_id and known:
            session_id = known[0].id
        here = Place.now("" if session_id == "new" else session_id)
        return {self.log: self._still(user, here), self.told: told} | self._beside(user)

    def open(self, request: gr.Request, event: gr.EventData) -> Shown:
        """Show an earlier session."""
        return self._switch(who(request), sent(event, "id"))

    def new(self, request: gr.Request) -> Shown:
        """Show an empty page; the session comes to be when something is said in it."""
        return self._switch(who(request), "")

    def say(self, text: str, place: str, request: gr.Request) -> Shown:
        """Send what is written in the box."""
        here = Place.now(Place.read(place).session_id)
        return self._say(text, here, who(request), typed=True)

    def say_this(self, place: str, request: gr.Request, event: gr.EventData) -> Shown:
        """Send a text that was offered on the page."""
        here = Place.now(Place.read(place).session_id)
        return self._say(sent(event, "text"), here, who(request), typed=False)

    def retry(self, place: str, request: gr.Request) -> Shown:
        """Send the newest message of the person once more."""
        user, here = who(request), Place.now(Place.read(place).session_id)
        if not self._owned(user, here.session_id):
            return {self.told: "There is nothing to send again."}
        said = [
            event.text
            for event in self._jobs.history(user, here.session_id)
            if isinstance(event, UserText)
        ]
        return self._say(said[-1] if said else "", here, user, typed=False)

    def answer(self, place: str, request: gr.Request, event: gr.EventData) -> Shown:
        """Answer a card; whether it still could be answered, the turn tells."""
        user, here = who(request), Place.now(Place.read(place).session_id)
        card = sent(event, "card")
        if not self._asked(user, here.session_id, card):
            return {self.told: "That question is not here any more. Nothing was changed."}
        self._jobs.start_answer(
            user,
            here.session_id,
            card,
            sent(event, "answer") == "yes",
            sent(event, "reason"),
        )
        return {self.log: self._running(user, here), self.told: ""}

    def end_turn(self, place: str, request: gr.Request) -> Shown:
        """Stop the reply that is being written."""
        user, here = who(request), Place.read(place)
        if self._owned(user, here.session_id):
            self._jobs.stop(user, here.session_id)
        return {self.told: ""}

    async def follow(self, place: str, request: gr.Request) -> AsyncIterator[Shown]:
        """Show what runs in this session until it is quiet, then what was stored."""
        user, here = who(request), Place.read(place)
        if not await asyncio.to_thread(self._owned, user, here.session_id):
            yield {self.told: gr.skip()}
            return
        told = {self.told: ""} if self._jobs.running(user, here.session_id) else {}
        looks = self._looks.setdefault(user, [])
        looks.append(mine := object())
        try:
            async for shown in self._followed(user, here, lambda: mine in looks[-LOOKS:]):
                yield shown
        finally:
            looks.remove(mine)
            if not looks:
                self._looks.pop(user, None)
        yield await asyncio.to_thread(self._settled, user, here) | told

    async def _followed(
        self, user: str, here: Place, wanted: Callable[[], bool]
    ) -> AsyncIterator[Shown]:
        """Show what runs until it is quiet, the program ends, or nobody wants to see it."""
        seen, edits, shown_at = -1, 0, 0.0
        while self._jobs.running(user, here.session_id) and wanted():
            if self._jobs.closing.is_set():
                return
            turns = self._jobs.turns(user, here.session_id)
            version = sum(turn.version for turn in turns)
            now = time.monotonic()
            # Many turns at once share the machine: each is then shown in larger steps.
            if version != seen and now - shown_at >= SHOW_EVERY * max(1.0, self._jobs.load / 4):
                seen, shown_at = version, now
                shown: Shown = {self.log: self._running(user, here)}
                if _edits(turns) != edits:
                    edits = _edits(turns)
                    shown |= await asyncio.to_thread(self._beside, user)
                yield shown
            await asyncio.sleep(LOOK_EVERY)

    def _settled(self, user: str, here: Place) -> Shown:
        return {self.log: self._still(user, here)} | self._beside(user)

    def _switch(self, user: str, session_id: str) -> Shown:
        if session_id and not self._owned(user, session_id):
            return {self.told: "That conversation is not here any more."}
        return {self.log: self._still(user, Place.now(session_id)), self.told: ""}

    def _say(self, text: str, here: Place, user: str, *, typed: bool) -> Shown:
        if not text.strip():
            return {self.told: gr.skip()}
        session_id = here.session_id if self._owned(user, here.session_id) else ""
        if refusal := self._jobs.application.chat(user, session_id).refusal(text):
            return {self.told: refusal.text}
        turn = self._jobs.start_turn(user, session_id, text)
        _first_words(turn)
        here = Place(here.look, turn.session_id)
        shown: Shown = {self.log: self._running(user, here), self.told: ""}
        if typed:
            shown[self.accepted] = {"at": time.time_ns() // 1000}
        return shown

    def _owned(self, user: str, session_id: str) -> bool:
        """Tell whether the session is the user's; one that begins is known by its turn."""
        if self._jobs.turns(user, session_id):
            return True
        try:
            return bool(self._jobs.application.memory.for_user(user).sessions.get(session_id))
        except (NotFound, InvalidInput):
            return False

    def _asked(self, user: str, session_id: str, card: str) -> bool:
        """Tell whether a card, answered or not, is of this user and session."""
        confirmations = self._jobs.application.memory.for_user(user).confirmations
        try:
            return confirmations.get(card).session_id == session_id
        except (NotFound, InvalidInput):
            return False

    def _running(self, user: str, here: Place) -> dict[str, Any]:
        """Show the session as it was when the running turns began, and all they brought."""
        turns = self._jobs.turns(user, here.session_id)
        events = list(turns[0].before)
        for turn in turns:
            if turn.text is not None:
                events.append(UserText(turn.text))
            events += turn.events
        busy = any(not turn.done for turn in turns)
        return _value(here, events, busy=busy)

    def _still(self, user: str, here: Place) -> dict[str, Any]:
        """Show the session as it is stored, and what its last turn told beyond that."""
        if not here.session_id:
            return _value(here, [])
        if self._jobs.running(user, here.session_id):
            return self._running(user, here)
        events = self._jobs.history(user, here.session_id)
        for turn in self._jobs.turns(user, here.session_id):
            events += [e for e in turn.events if isinstance(e, Notice) and e not in events]
        cards = self._jobs.application.chat(user, here.session_id).pending()
        return _value(here, events, cards)


def _first_words(turn: Turn) -> None:
    """Wait a moment for a quick model: its words then need no second request to be seen."""
    until = time.monotonic() + FIRST_WORDS
    while not turn.version and time.monotonic() < until:
        time.sleep(0.005)


def _edits(turns: tuple[Turn, ...]) -> int:
    """Count what may have changed beside the conversation: a message saved, a step finished."""
    begun = any(turn.events for turn in turns)
    return begun + sum(isinstance(e, ToolFinished) for turn in turns for e in turn.events)


def _value(
    here: Place,
    events: list[Event],
    cards: list[ConfirmationRequested] | None = None,
    *,
    busy: bool = False,
) -> dict[str, Any]:
    shown = lines(events, cards or (), running=busy)[-SHOWN * 2 :]
    return {
        "look": here.look,
        "session": here.session_id,
        "lines": [list(line) for line in shown],
        "busy": busy,
    }
