"""Short words for what tests do with a chat."""

from collections.abc import AsyncIterator
from typing import TypeVar

from app import events as seen

T = TypeVar("T")


async def collect(events: AsyncIterator[seen.Event]) -> list[seen.Event]:
    """Follow a turn to its end."""
    return [event async for event in events]


def kinds(events: list[seen.Event], kind: type[T]) -> list[T]:
    """Return the events of one kind."""
    return [event for event in events if isinstance(event, kind)]


def texts(events: list[seen.Event]) -> list[str]:
    """Return the replies shown."""
    return [event.text for event in kinds(events, seen.Text)]


def notices(events: list[seen.Event]) -> list[str]:
    """Return the codes of the notices shown."""
    return [event.code for event in kinds(events, seen.Notice)]
