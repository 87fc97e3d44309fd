"""Three tiers of memory for an agent: core, recall and archival, in one folder on disk.

Synchronous; never calls a model. Open a `Memory`, then reach a user's tiers with `for_user`.
"""

from memory_tiers.archival import ArchivalMemory
from memory_tiers.confirmations import Confirmations
from memory_tiers.core import CoreMemory
from memory_tiers.embedding import Embedder, HashEmbedder
from memory_tiers.errors import (
    BlockFull,
    BlockReadOnly,
    Conflict,
    EditRefused,
    EmbedderUnavailable,
    InvalidDate,
    InvalidInput,
    MemoryTiersError,
    NotesFull,
    NotFound,
    NothingChanged,
    SchemaTooNew,
    StoreUnavailable,
    TextFoundTwice,
    TextNotFound,
    UnknownBlock,
)
from memory_tiers.memory import Memory, UserMemory
from memory_tiers.policies import HUMAN, PERSONA, BlockPolicy, Policy
from memory_tiers.recall import RecallMemory
from memory_tiers.records import (
    Block,
    BlockVersion,
    Confirmation,
    Hit,
    Message,
    Page,
    Passage,
    Session,
)
from memory_tiers.sessions import Sessions

__all__ = [
    "HUMAN",
    "PERSONA",
    "ArchivalMemory",
    "Block",
    "BlockFull",
    "BlockPolicy",
    "BlockReadOnly",
    "BlockVersion",
    "Confirmation",
    "Confirmations",
    "Conflict",
    "CoreMemory",
    "EditRefused",
    "Embedder",
    "EmbedderUnavailable",
    "HashEmbedder",
    "Hit",
    "InvalidDate",
    "InvalidInput",
    "Memory",
    "MemoryTiersError",
    "Message",
    "NotFound",
    "NotesFull",
    "NothingChanged",
    "Page",
    "Passage",
    "Policy",
    "RecallMemory",
    "SchemaTooNew",
    "Session",
    "Sessions",
    "StoreUnavailable",
    "TextFoundTwice",
    "TextNotFound",
    "UnknownBlock",
    "UserMemory",
]
