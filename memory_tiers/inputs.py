"""The checks every tier makes of its arguments, and the sentences they fail with."""

from collections.abc import Collection

from memory_tiers.errors import InvalidInput
from memory_tiers.text import blank, clean


def identifier(value: object, name: str) -> str:
    """Return an id as it is.

    Raises:
        InvalidInput: It is blank, no text, or holds characters that cannot be stored.
    """
    if not isinstance(value, str) or not value.strip():
        raise InvalidInput(f"{name} must be a text that is not blank; got {_shown(value)}.")
    if clean(value) != value:
        raise InvalidInput(f"{name} holds a NUL or a broken character; leave it out.")
    return value


def string(value: object, name: str) -> str:
    """Return a text as it may be stored.

    Raises:
        InvalidInput: It is no text.
    """
    if not isinstance(value, str):
        raise InvalidInput(f"{name} must be a text; got {_shown(value)}.")
    return clean(value)


def filled(value: object, name: str) -> str:
    """Return a text as it may be stored.

    Raises:
        InvalidInput: It is no text or blank.
    """
    text = string(value, name)
    if blank(text):
        raise InvalidInput(f"{name} is blank; give it at least one word.")
    return text


def several(value: object, name: str) -> tuple[object, ...]:
    """Return one text, or the members of a collection, as a tuple; None is empty.

    Raises:
        InvalidInput: It is neither.
    """
    if value is None or isinstance(value, str):
        return () if value is None else (value,)
    if not isinstance(value, Collection) or isinstance(value, bytes):
        raise InvalidInput(f"{name} must be a text or several; got {_shown(value)}.")
    return tuple(value)


def stretch(limit: object, offset: object) -> tuple[int, int]:
    """Return a page's bounds.

    Raises:
        InvalidInput: `limit` is below 1, `offset` below 0, or one is no whole number.
    """
    return _whole(limit, "limit", 1), _whole(offset, "offset", 0)


def _whole(value: object, name: str, least: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value < 2**63:
        raise InvalidInput(f"{name} must be a whole number of at least {least}; got {value!r:.40}.")
    return value


def _shown(value: object) -> str:
    return "a blank one" if isinstance(value, str) else type(value).__name__
