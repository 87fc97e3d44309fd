"""ADK's events → what a person sees: the one place that knows both languages.

Pure. The same rules read a turn as it runs and a session as it is stored, so a reloaded page
shows what the running one did.
"""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Any

from google.adk.events import Event
from google.genai import types

from app import events as seen
from memory_tiers.text import blank

CONFIRMATION = "adk_request_confirmation"
# ADK marks a reply without words, and a stopped turn, like this; the chat says what to show.
SILENT = frozenset({"MODEL_RETURNED_NO_CONTENT", "INVOCATION_ABORTED"})


def plain_text(content: types.Content | None) -> str:
    """Join the words of a content as they were typed, without thoughts; empty if none is seen."""
    parts = content.parts if content and content.parts else []
    text = "".join(part.text for part in parts if part.text and not part.thought)
    return "" if blank(text) else text


class Translation:
    """Reads the events of one session in order and tells what each of them shows.

    `earlier` are events already shown, whose calls are answered only now.
    """

    def __init__(self, earlier: Iterable[Event] = ()) -> None:
        self._calls = {
            call.id or "": call for event in earlier for call in event.get_function_calls()
        }

    def feed(self, event: Event) -> Iterator[seen.Event]:
        """Yield what one event shows; nothing for most of ADK's bookkeeping."""
        if event.author == "user":
            return
        if event.partial:
            yield from _deltas(event)
            return
        yield from self._said(event)
        yield from self._called(event)
        yield from self._answered(event)
        if event.error_code and event.error_code not in SILENT:
            yield seen.Notice(*_worded(event))

    def _said(self, event: Event) -> Iterator[seen.Event]:
        if (text := plain_text(event.content)) and not event.get_function_responses():
            yield seen.Text(text)

    def _called(self, event: Event) -> Iterator[seen.Event]:
        for call in event.get_function_calls():
            if call.name == CONFIRMATION:
                original = (call.args or {})["originalFunctionCall"]
                yield seen.ConfirmationRequested(
                    call.id or "", original["name"], original.get("args") or {}
                )
                continue
            self._calls[call.id or ""] = call
            if call.name != "send_message":
                yield seen.ToolStarted(call.id or "", call.name or "", call.args or {})

    def _answered(self, event: Event) -> Iterator[seen.Event]:
        waiting = event.actions.requested_tool_confirmations
        for response in event.get_function_responses():
            call = self._calls.get(response.id or "")
            if response.name == CONFIRMATION or response.id in waiting or call is None:
                continue
            result: dict[str, Any] = response.response or {}
            if response.name == "send_message":
                if message := _message(call, response):
                    yield seen.Text(message)
                continue
            error = result.get("error")
            yield seen.ToolFinished(
                response.id or "",
                response.name or "",
                call.args or {},
                result,
                str(error) if error is not None else None,
            )


def history(events: Iterable[Event]) -> list[seen.Event]:
    """Tell what a stored session shows, the user's words included, cards left out."""
    translation, shown = Translation(), list[seen.Event]()
    for event in events:
        if event.author == "user":
            if text := plain_text(event.content):
                at = datetime.fromtimestamp(event.timestamp, UTC)
                shown.append(seen.UserText(text, at))
            continue
        shown += (
            item
            for item in translation.feed(event)
            if not isinstance(item, seen.ConfirmationRequested | seen.TextDelta)
        )
    return shown


def spoken_in(events: Iterable[Event]) -> list[str]:
    """Return the messages that were sent with the reply tool, in order."""
    calls: dict[str, types.FunctionCall] = {}
    spoken = []
    for event in events:
        calls |= {call.id or "": call for call in event.get_function_calls()}
        for response in event.get_function_responses():
            if message := _message(calls.get(response.id or ""), response):
                spoken.append(message)
    return spoken


def _message(call: types.FunctionCall | None, response: types.FunctionResponse) -> str:
    """Return what a call of the reply tool said, blank if it said nothing."""
    result = response.response or {}
    if call is None or call.name != "send_message":
        return ""
    if not result.get("sent") or result.get("repeated"):
        return ""
    return str((call.args or {}).get("message", ""))


def unanswered(shown: list[seen.Event]) -> bool:
    """Tell whether the newest words of the user were left without any reply or notice."""
    for item in reversed(shown):
        if isinstance(item, seen.UserText):
            return True
        if isinstance(item, seen.Text | seen.Notice):
            return False
    return False


def _deltas(event: Event) -> Iterator[seen.TextDelta]:
    """Yield streamed words: plain text, or the message of a `send_message` still being written."""
    parts = event.content.parts if event.content and event.content.parts else []
    for part in parts:
        if part.text and not part.thought:
            yield seen.TextDelta(part.text)
        call = part.function_call
        for piece in (call.partial_args or ()) if call else ():
            if piece.json_path == "$.message" and piece.string_value:
                yield seen.TextDelta(piece.string_value)


def _worded(event: Event) -> tuple[str, str]:
    """Give an error event of a model a stable code and a sentence for the user."""
    code = event.error_code or ""
    if code == "SAFETY" or "SAFETY" in code or code == "PROHIBITED_CONTENT":
        return "model_blocked", "The model service blocked its reply. Please put it differently."
    if code == "MAX_TOKENS":
        return "reply_cut", "The reply was cut at its length limit (limits.output_tokens)."
    if not code.islower():  # a code of the provider or of ADK, not one of ours
        return "model_faulty", "The model gave a faulty reply. Your message is kept: retry."
    return code, event.error_message or "Something went wrong. Your message is kept: retry."
