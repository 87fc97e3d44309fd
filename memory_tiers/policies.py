"""The rules an application gives the tiers when it opens them."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class BlockPolicy:
    """How one core block is declared. `limit` counts characters; `initial` is its first text."""

    label: str
    description: str
    limit: int = 2000
    read_only: bool = False
    initial: str = ""


PERSONA = BlockPolicy(
    "persona",
    "Who the agent is and how it speaks.",
    initial="I am a warm, attentive assistant with a long memory. I say what I know and "
    "from when, and I say so when I do not know.",
)
HUMAN = BlockPolicy("human", "What the agent knows about the person it talks to.")


@dataclass(frozen=True, slots=True)
class Policy:
    """Settings of one store.

    Attributes:
        blocks: The core blocks, in the order they are shown.
        timezone: IANA name of the user's zone for dates without one; blank: the machine's.
        notes: Most passages of one user and agent; None is no limit.
    """

    blocks: tuple[BlockPolicy, ...] = (PERSONA, HUMAN)
    timezone: str = ""
    notes: int | None = None
