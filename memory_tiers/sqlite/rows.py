"""What all tables share: the owner's columns and token, times, and the words of a search."""

import hashlib
import json
from collections.abc import Iterable, Sequence
from datetime import datetime

from memory_tiers.dates import stamp
from memory_tiers.store import Filter, Owner
from memory_tiers.text import STOP_WORDS

OWNED = "user_id = :user_id AND agent_id = :agent_id"
SHORTEST_PREFIX = 3


def owned(owner: Owner) -> dict[str, str]:
    """Return the parameters `OWNED` names."""
    return {"user_id": owner.user_id, "agent_id": owner.agent_id}


def token(owner: Owner) -> str:
    """Return the one word that stands for an owner in the word indexes and in file names."""
    name = json.dumps([owner.user_id, owner.agent_id]).encode()
    # The letter in front and the digit behind keep the tokenizer's stemmer from changing it.
    return f"o{hashlib.sha256(name).hexdigest()[:32]}0"


def match_expression(owner: Owner, terms: Sequence[str], *, prefix: bool = False) -> str:
    """Return a full-text query for rows of `owner` that hold any of `terms`.

    `prefix` asks for words that merely begin like a term.
    """
    words = " OR ".join(
        f'"{term}"*' if prefix and _can_begin(term) else f'"{term}"' for term in terms
    )
    return f'owner : "{token(owner)}" AND searchable : ({words})'


def _can_begin(term: str) -> bool:
    return len(term) >= SHORTEST_PREFIX and term not in STOP_WORDS


def listed(values: Iterable[str] | Iterable[int]) -> str:
    """Return values as the one parameter that `json_each` reads."""
    return json.dumps(list(values))


def time_bounds(where: Filter, table: str) -> tuple[str, dict[str, str]]:
    """Return the condition on time, empty without bounds, and its parameters."""
    condition = ""
    parameters = {}
    for name, sign, bound in (("since", ">=", where.since), ("until", "<", where.until)):
        if bound is not None:
            condition += f" AND {table}.at {sign} :{name}"
            parameters[name] = stamp(bound)
    return condition, parameters


def moment(text: str) -> datetime:
    """Return a stored time as an aware UTC datetime."""
    return datetime.fromisoformat(text)
