"""`Store` over one folder: `memory.db` holds everything, `index/` is a cache of its vectors."""

from pathlib import Path

from memory_tiers.sqlite.blocks import SqliteBlocks
from memory_tiers.sqlite.confirmations import SqliteConfirmations
from memory_tiers.sqlite.connection import Database
from memory_tiers.sqlite.messages import SqliteMessages
from memory_tiers.sqlite.nearest import NearestChunks
from memory_tiers.sqlite.passages import SqlitePassages
from memory_tiers.sqlite.people import SqlitePeople
from memory_tiers.sqlite.sessions import SqliteSessions


class SqliteStore:
    """Opens the folder, which is made when it is missing.

    Raises:
        StoreUnavailable: The folder or its database cannot be used.
        SchemaTooNew: A newer version wrote it; nothing was changed.
    """

    def __init__(self, folder: Path) -> None:
        self._database = Database(folder)
        self._nearest = NearestChunks(folder / "index")
        self.blocks = SqliteBlocks(self._database)
        self.messages = SqliteMessages(self._database)
        self.passages = SqlitePassages(self._database, self._nearest)
        self.sessions = SqliteSessions(self._database)
        self.confirmations = SqliteConfirmations(self._database)
        self.people = SqlitePeople(self._database, self._nearest)

    def backup(self, file: Path) -> None:
        """Write a copy of everything the tiers keep into a new file."""
        self._database.backup(file)

    def close(self) -> None:
        """Save what is cached and close the database."""
        self._nearest.close()
        self._database.close()
