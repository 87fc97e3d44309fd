"""Opening a memory and reaching its tiers. Puts the parts together; holds no rule."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from os import PathLike
from pathlib import Path
from types import TracebackType
from typing import Self

from memory_tiers.archival import ArchivalMemory, embed_missing
from memory_tiers.confirmations import Confirmations
from memory_tiers.core import CoreMemory
from memory_tiers.dates import Calendar, zone
from memory_tiers.embedding import Embedder, load
from memory_tiers.errors import InvalidInput
from memory_tiers.inputs import identifier
from memory_tiers.people import People
from memory_tiers.policies import Policy
from memory_tiers.recall import RecallMemory
from memory_tiers.sessions import Sessions
from memory_tiers.sqlite.store import SqliteStore
from memory_tiers.store import Owner, Store


@dataclass(frozen=True, slots=True)
class UserMemory:
    """The tiers of one user and agent; nothing reached from here is anyone else's."""

    user_id: str
    agent: str
    core: CoreMemory
    recall: RecallMemory
    archival: ArchivalMemory
    sessions: Sessions
    confirmations: Confirmations


class Memory:
    """A memory on disk, safe to use from several threads and processes. A context manager."""

    def __init__(
        self, store: Store, embedder: Embedder, policy: Policy, calendar: Calendar
    ) -> None:
        self._store = store
        self._embedder = embedder
        self._policy = policy
        self._calendar = calendar
        self._people = People(store, embedder, policy.blocks, calendar)

    @classmethod
    def open(
        cls,
        data_dir: str | PathLike[str],
        embedder: Embedder | str | None = None,
        policy: Policy | None = None,
        clock: Callable[[], datetime] | None = None,
    ) -> Self:
        """Open the memory in a folder, made when it is missing.

        Args:
            data_dir: The folder; its files belong to this library.
            embedder: What turns texts into vectors, or the name of a backend; None: the default.
            policy: The core blocks, the user's time zone, and how many notes are allowed.
            clock: Returns the present instant as an aware datetime; None: the machine's clock.

        Raises:
            StoreUnavailable: The folder or its database cannot be used.
            SchemaTooNew: A newer version wrote it; nothing was changed.
            InvalidInput: The time zone or the backend does not exist, or `data_dir` is no path.
        """
        rules = policy or Policy()
        calendar = Calendar(clock or (lambda: datetime.now(UTC)), zone(rules.timezone))
        if embedder is None or isinstance(embedder, str):
            embedder = load(embedder or "onnx")
        return cls(SqliteStore(_folder(data_dir)), embedder, rules, calendar)

    def for_user(self, user_id: str, agent: str = "default") -> UserMemory:
        """Return the tiers of one user; ids are compared as they are, to the letter.

        Raises:
            InvalidInput: `user_id` or `agent` is blank or no text.
        """
        owner = Owner(identifier(user_id, "user_id"), identifier(agent, "agent"))
        store, calendar = self._store, self._calendar
        return UserMemory(
            user_id=user_id,
            agent=agent,
            core=CoreMemory(owner, store.blocks, self._policy.blocks, calendar),
            recall=RecallMemory(owner, store.messages, calendar),
            archival=ArchivalMemory(
                owner, store.passages, self._embedder, calendar, self._policy.notes
            ),
            sessions=Sessions(owner, store.sessions, calendar),
            confirmations=Confirmations(owner, store.confirmations, calendar),
        )

    def settle(self, timeout: float | None = None) -> bool:
        """Embed every passage that has no vector of the current model.

        Safe in a thread and to break off: each passage is stored as it is done. Returns whether
        nothing is left; False when `timeout` seconds ran out.

        Raises:
            EmbedderUnavailable: The model cannot be loaded or run.
        """
        return embed_missing(self._store.passages, self._embedder, timeout)

    def erase(self, *user_ids: str) -> None:
        """Erase everything of these users, of all agents: every row, word, vector and byte.

        The rows go in one transaction. Harmless when repeated, and that finishes what a crash or
        an error left to do; without `user_ids` that alone is done.

        Raises:
            InvalidInput: An id is blank or no text.
            StoreUnavailable: The disk failed or is full. The rows are all there or all gone.
        """
        self._people.erase(*user_ids)

    def adopt(self, visitor_id: str, user_id: str) -> None:
        """Give a user everything of a visitor, of all agents, in one transaction.

        Afterwards nothing is the visitor's. A block the user never changed takes over the
        visitor's versions. To any other, the lines it does not hold yet are added as one version;
        those beyond its limit, or in a read-only block, become a note with the tag "before signing
        in". A note the user has already stays as it is. Sessions, messages, notes and
        confirmations whose ids both have get new ones. Nothing happens when it is repeated.

        Raises:
            InvalidInput: An id is blank or no text.
            StoreUnavailable: The disk failed or is full; nothing was changed.
        """
        self._people.adopt(visitor_id, user_id)

    def new_session_ids(self, visitor_id: str, user_id: str) -> dict[str, str]:
        """Return the new ids that `adopt` would give to the sessions whose ids both have.

        Raises:
            InvalidInput: An id is blank or no text.
        """
        return self._people.new_session_ids(visitor_id, user_id)

    def idle(self, prefix: str, before: datetime) -> list[str]:
        """Return the ids that begin with `prefix` and of which nothing is as new as `before`.

        Raises:
            InvalidInput: `prefix` is blank or no text.
        """
        return self._people.idle(prefix, before)

    def holds(self, user_id: str) -> bool:
        """Tell whether there is what a person would miss: a message, a note, a changed block.

        Raises:
            InvalidInput: `user_id` is blank or no text.
        """
        return self._people.holds(user_id)

    def backup(self, file: Path) -> None:
        """Write a copy of everything, as of one instant, into a new file.

        It may take place while others read and write, and nobody waits for it. What was deleted
        and purged does not travel. When this returns, the copy is checked and on the disk; opened
        under the name the data folder has for it, it is a memory like this one. A failed copy
        leaves no file.

        Raises:
            InvalidInput: A file of that name exists.
            StoreUnavailable: The memory cannot be read, or the copy cannot be written.
        """
        self._store.backup(file)

    def close(self) -> None:
        """Save what is cached and close; calls after this raise `StoreUnavailable`."""
        self._store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def _folder(data_dir: str | PathLike[str]) -> Path:
    try:
        folder = Path(data_dir).expanduser()
    except (TypeError, RuntimeError) as error:
        raise InvalidInput(
            "data_dir must be the path of a folder, below a home that this machine knows."
        ) from error
    if "\0" in str(folder):
        raise InvalidInput("data_dir holds a NUL; leave it out.")
    return folder
