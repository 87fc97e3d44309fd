"""Every error this library raises, drawn once.

MemoryTiersError
├── InvalidInput          blank owner, blank text, unknown role, page out of range
│   └── InvalidDate       a date that cannot be read, or a reversed range
├── NotFound              no such message, passage, session or confirmation of this owner
├── EditRefused           a core edit that cannot apply; the block is untouched
│   ├── UnknownBlock
│   ├── BlockReadOnly
│   ├── BlockFull
│   ├── TextNotFound
│   ├── TextFoundTwice
│   └── NothingChanged
├── Conflict              somebody else was first (a stale write, a card answered before)
├── EmbedderUnavailable   the embedding model cannot be loaded or run
└── StoreUnavailable      the data folder cannot be opened or written
    └── SchemaTooNew      the database was written by a newer version; nothing was changed

Messages name the thing, the value, the limit and what to do next; they never hold a path or a key.
"""


class MemoryTiersError(Exception):
    """Root of the tree; `code` is stable and safe to show or to log."""

    code = "memory_error"


class InvalidInput(MemoryTiersError):
    """An argument no call could accept."""

    code = "invalid_input"


class InvalidDate(InvalidInput):
    """A date that cannot be read, or a range whose start lies after its end."""

    code = "invalid_date"


class NotFound(MemoryTiersError):
    """The owner has no item with this id."""

    code = "not_found"


class EditRefused(MemoryTiersError):
    """A core edit that cannot apply; the block is byte-identical to before."""

    code = "edit_refused"


class UnknownBlock(EditRefused):
    """No block has this label."""

    code = "unknown_block"


class BlockReadOnly(EditRefused):
    """The block is declared read-only."""

    code = "block_read_only"


class BlockFull(EditRefused):
    """The edit would exceed the block's character limit."""

    code = "block_full"


class TextNotFound(EditRefused):
    """The text to replace does not occur in the block."""

    code = "text_not_found"


class TextFoundTwice(EditRefused):
    """The text to replace occurs more than once."""

    code = "text_found_twice"


class NothingChanged(EditRefused):
    """Old and new text are the same."""

    code = "nothing_changed"


class Conflict(MemoryTiersError):
    """Somebody else was first: a stale write, or a confirmation answered before."""

    code = "conflict"


class NotesFull(MemoryTiersError):
    """Archival memory holds as many passages as its policy allows; nothing was stored."""

    code = "notes_full"


class EmbedderUnavailable(MemoryTiersError):
    """The embedding model cannot be loaded or run."""

    code = "embedder_unavailable"


class StoreUnavailable(MemoryTiersError):
    """The data folder cannot be opened or written."""

    code = "store_unavailable"


class SchemaTooNew(StoreUnavailable):
    """The database was written by a newer version of this program."""

    code = "schema_too_new"
