"""Settles what a session left open, before anything new is said in it.

A card may still be open (the user typed on), or answered without its result having reached the
transcript (a crash between the two databases). Either way the transcript gets the pair of
responses ADK waits for, so that a late answer can do nothing and the model knows what happened.
A call that was broken off gets a response that says so.
"""

from collections.abc import Mapping
from typing import Any

from google.adk.agents.invocation_context import InvocationContext
from google.adk.events import Event
from google.genai import types

from app.adk.translate import CONFIRMATION
from memory_tiers import Confirmation, Conflict, EditRefused, InvalidInput, NotFound, UserMemory

BROKEN_OFF = {
    "error": "This was interrupted before its result was kept. It may have been carried out: "
    "look before you do it again."
}


async def settle(mine: UserMemory, context: InvocationContext) -> None:
    """Decline open cards of the session and complete answered ones and calls; repeatable."""
    agent = context.agent.name if context.agent else "agent"
    for event, call in _unsettled(context.session.events):
        original = (call.args or {})["originalFunctionCall"]
        outcome = _outcome(mine, context.session.id, event, call.id or "", original)
        await _respond(context, "user", event, call, {"confirmed": False})
        await _respond(context, agent, event, types.FunctionCall(**original), outcome)
    for event, call in _broken_off(context.session.events):
        await _respond(context, agent, event, call, BROKEN_OFF)
    for card in mine.confirmations.pending(context.session.id):  # never got into the transcript
        mine.confirmations.answer(card.id, "declined")


async def _respond(
    context: InvocationContext,
    author: str,
    event: Event,
    call: types.FunctionCall,
    body: Mapping[str, Any],
) -> None:
    response = types.FunctionResponse(id=call.id, name=call.name, response=dict(body))
    await context.session_service.append_event(
        session=context.session,
        event=Event(
            author=author,
            invocation_id=event.invocation_id,
            content=types.Content(role="user", parts=[types.Part(function_response=response)]),
        ),
    )


def _broken_off(events: list[Event]) -> list[tuple[Event, types.FunctionCall]]:
    """Return the calls that were never answered at all."""
    answered = {r.id for event in events for r in event.get_function_responses()}
    return [
        (event, call)
        for event in events
        for call in event.get_function_calls()
        if call.name != CONFIRMATION and call.id not in answered
    ]


def _unsettled(events: list[Event]) -> list[tuple[Event, types.FunctionCall]]:
    """Return the confirmation requests whose own call has no final response yet."""
    final = {
        response.id
        for event in events
        for response in event.get_function_responses()
        if response.id not in event.actions.requested_tool_confirmations
    }
    return [
        (event, call)
        for event in events
        for call in event.get_function_calls()
        if call.name == CONFIRMATION
        and (call.args or {})["originalFunctionCall"]["id"] not in final
    ]


def _outcome(
    mine: UserMemory, session_id: str, event: Event, card_id: str, original: dict[str, Any]
) -> dict[str, Any]:
    """Say how a card ended, carrying out an approved edit that a crash held up."""
    try:
        card = mine.confirmations.get(card_id)
    except NotFound:
        return {"declined": True, "message": "The question was lost; nothing was changed."}
    if card.state == "open":
        try:
            mine.confirmations.answer(card.id, "declined")
        except Conflict:
            card = mine.confirmations.get(card.id)
        else:
            return {
                "declined": True,
                "keep": str(card.arguments.get("old", "")),
                "message": "The user wrote on instead of answering; nothing was changed.",
            }
    if card.outcome is not None:
        return card.outcome
    outcome = _carry_out(mine, session_id, event, card, original)
    mine.confirmations.settle(card.id, outcome)
    return outcome


def _carry_out(
    mine: UserMemory, session_id: str, event: Event, card: Confirmation, original: dict[str, Any]
) -> dict[str, Any]:
    if card.state != "approved":
        return {"declined": True, "reason": card.reason, "message": "Nothing was changed."}
    key = f"{session_id}/{event.invocation_id}/{original['id']}"
    label, old, new = (card.arguments.get(name, "") for name in ("block", "old", "new"))
    try:
        block = mine.core.replace(label, old, new, key=key)
    except (EditRefused, InvalidInput) as refused:
        return {"error": str(refused)}
    return {"ok": True, "block": block.label, "text": block.text}
