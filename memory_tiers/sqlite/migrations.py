"""The schema of `memory.db`, as the steps that built it. Append only; a step is never edited.

Every table names its owner. What is searched is stored beside the text as it was typed, in words
that a stock tokenizer understands, so that any SQLite command line can read and match all of it.
"""

import sqlite3
from collections.abc import Iterator

from memory_tiers.errors import SchemaTooNew

MIGRATIONS: tuple[tuple[str, str], ...] = (
    (
        "001 core blocks",
        """
        CREATE TABLE block_versions(
          user_id TEXT NOT NULL, agent_id TEXT NOT NULL, label TEXT NOT NULL,
          version INTEGER NOT NULL, text TEXT NOT NULL, cause TEXT NOT NULL,
          key TEXT, at TEXT NOT NULL,
          PRIMARY KEY(user_id, agent_id, label, version)
        );
        CREATE UNIQUE INDEX block_versions_by_key ON block_versions(user_id, agent_id, key)
          WHERE key IS NOT NULL;
        """,
    ),
    (
        "002 sessions",
        """
        CREATE TABLE sessions(
          user_id TEXT NOT NULL, agent_id TEXT NOT NULL, id TEXT NOT NULL,
          title TEXT NOT NULL DEFAULT '', at TEXT NOT NULL,
          PRIMARY KEY(user_id, agent_id, id)
        );
        CREATE INDEX sessions_by_time ON sessions(user_id, agent_id, at);
        """,
    ),
    (
        "003 messages",
        """
        CREATE TABLE messages(
          seq INTEGER PRIMARY KEY AUTOINCREMENT,
          user_id TEXT NOT NULL, agent_id TEXT NOT NULL, owner TEXT NOT NULL,
          id TEXT NOT NULL, session_id TEXT NOT NULL, role TEXT NOT NULL,
          text TEXT NOT NULL, searchable TEXT NOT NULL, at TEXT NOT NULL, deleted_at TEXT,
          UNIQUE(user_id, agent_id, id)
        );
        CREATE INDEX messages_by_session ON messages(user_id, agent_id, session_id, at, deleted_at)
          WHERE deleted_at IS NULL;
        CREATE VIEW messages_live AS
          SELECT seq, owner, searchable FROM messages WHERE deleted_at IS NULL;
        CREATE VIRTUAL TABLE messages_words USING fts5(
          owner, searchable, content='messages_live', content_rowid='seq',
          tokenize='porter unicode61'
        );
        CREATE TRIGGER messages_added AFTER INSERT ON messages WHEN new.deleted_at IS NULL BEGIN
          INSERT INTO messages_words(rowid, owner, searchable)
            VALUES(new.seq, new.owner, new.searchable);
        END;
        CREATE TRIGGER messages_removed AFTER DELETE ON messages WHEN old.deleted_at IS NULL BEGIN
          INSERT INTO messages_words(messages_words, rowid, owner, searchable)
            VALUES('delete', old.seq, old.owner, old.searchable);
        END;
        CREATE TRIGGER messages_changed AFTER UPDATE ON messages BEGIN
          INSERT INTO messages_words(messages_words, rowid, owner, searchable)
            SELECT 'delete', old.seq, old.owner, old.searchable WHERE old.deleted_at IS NULL;
          INSERT INTO messages_words(rowid, owner, searchable)
            SELECT new.seq, new.owner, new.searchable WHERE new.deleted_at IS NULL;
        END;
        """,
    ),
    (
        "004 confirmations",
        """
        CREATE TABLE confirmations(
          seq INTEGER PRIMARY KEY AUTOINCREMENT,
          user_id TEXT NOT NULL, agent_id TEXT NOT NULL, id TEXT NOT NULL,
          session_id TEXT NOT NULL, call_id TEXT NOT NULL, tool TEXT NOT NULL,
          arguments TEXT NOT NULL, state TEXT NOT NULL, reason TEXT NOT NULL,
          outcome TEXT, at TEXT NOT NULL, answered_at TEXT,
          UNIQUE(user_id, agent_id, id)
        );
        CREATE INDEX confirmations_by_call
          ON confirmations(user_id, agent_id, session_id, call_id);
        """,
    ),
    (
        "005 passages",
        """
        CREATE TABLE passages(
          seq INTEGER PRIMARY KEY AUTOINCREMENT,
          user_id TEXT NOT NULL, agent_id TEXT NOT NULL, owner TEXT NOT NULL,
          id TEXT NOT NULL, text TEXT NOT NULL, searchable TEXT NOT NULL,
          fingerprint TEXT NOT NULL, at TEXT NOT NULL, deleted_at TEXT,
          UNIQUE(user_id, agent_id, id)
        );
        CREATE INDEX passages_by_time ON passages(user_id, agent_id, at, deleted_at)
          WHERE deleted_at IS NULL;
        CREATE INDEX passages_by_text ON passages(user_id, agent_id, fingerprint)
          WHERE deleted_at IS NULL;
        CREATE TABLE passage_tags(
          user_id TEXT NOT NULL, agent_id TEXT NOT NULL,
          passage_seq INTEGER NOT NULL REFERENCES passages(seq) ON DELETE CASCADE,
          position INTEGER NOT NULL, tag TEXT NOT NULL, folded TEXT NOT NULL,
          PRIMARY KEY(passage_seq, folded)
        );
        CREATE INDEX passage_tags_by_tag ON passage_tags(user_id, agent_id, folded);
        CREATE TABLE chunks(
          seq INTEGER PRIMARY KEY AUTOINCREMENT,
          user_id TEXT NOT NULL, agent_id TEXT NOT NULL,
          passage_seq INTEGER NOT NULL REFERENCES passages(seq) ON DELETE CASCADE,
          model TEXT NOT NULL, width INTEGER NOT NULL, digest INTEGER NOT NULL,
          vector BLOB NOT NULL
        );
        CREATE INDEX chunks_by_passage ON chunks(passage_seq, model, width);
        CREATE INDEX chunks_by_owner ON chunks(user_id, agent_id, model, width, seq, digest);
        CREATE TABLE chunk_changes(
          user_id TEXT NOT NULL, agent_id TEXT NOT NULL, number INTEGER NOT NULL,
          PRIMARY KEY(user_id, agent_id)
        );
        CREATE TRIGGER chunks_added AFTER INSERT ON chunks BEGIN
          INSERT INTO chunk_changes VALUES(new.user_id, new.agent_id, abs(random() % 1000000007))
            ON CONFLICT(user_id, agent_id) DO UPDATE SET number = number + 1;
        END;
        CREATE TRIGGER chunks_removed AFTER DELETE ON chunks BEGIN
          UPDATE chunk_changes SET number = number + 1
            WHERE user_id = old.user_id AND agent_id = old.agent_id;
        END;
        CREATE VIEW passages_live AS
          SELECT seq, owner, searchable FROM passages WHERE deleted_at IS NULL;
        CREATE VIRTUAL TABLE passages_words USING fts5(
          owner, searchable, content='passages_live', content_rowid='seq',
          tokenize='porter unicode61'
        );
        CREATE TRIGGER passages_added AFTER INSERT ON passages WHEN new.deleted_at IS NULL BEGIN
          INSERT INTO passages_words(rowid, owner, searchable)
            VALUES(new.seq, new.owner, new.searchable);
        END;
        CREATE TRIGGER passages_removed AFTER DELETE ON passages WHEN old.deleted_at IS NULL BEGIN
          INSERT INTO passages_words(passages_words, rowid, owner, searchable)
            VALUES('delete', old.seq, old.owner, old.searchable);
        END;
        CREATE TRIGGER passages_changed AFTER UPDATE ON passages BEGIN
          INSERT INTO passages_words(passages_words, rowid, owner, searchable)
            SELECT 'delete', old.seq, old.owner, old.searchable WHERE old.deleted_at IS NULL;
          INSERT INTO passages_words(rowid, owner, searchable)
            SELECT new.seq, new.owner, new.searchable WHERE new.deleted_at IS NULL;
        END;
        """,
    ),
)

_TABLE = "CREATE TABLE IF NOT EXISTS migrations(name TEXT PRIMARY KEY, at TEXT NOT NULL)"


def check(connection: sqlite3.Connection) -> None:
    """Refuse a database that knows a step this program does not; reads only.

    Raises:
        SchemaTooNew: With the first unknown step's name.
    """
    unknown = sorted(_applied(connection) - {name for name, _ in MIGRATIONS})
    if unknown:
        raise SchemaTooNew(
            f"The memory was written by a newer version of this program (step {unknown[0]!r} is "
            "unknown here). Update the program; nothing was changed."
        )


def apply(connection: sqlite3.Connection) -> None:
    """Bring the schema up to date; each step and its record are one transaction.

    `connection` is in autocommit mode. Several processes may do this at one moment.
    """
    for name, script in MIGRATIONS:
        if name in _applied(connection):
            continue
        connection.execute("BEGIN IMMEDIATE")
        try:
            if name not in _applied(connection):
                connection.execute(_TABLE)
                for statement in _statements(script):
                    connection.execute(statement)
                connection.execute(
                    "INSERT INTO migrations VALUES(?, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))",
                    (name,),
                )
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise


def _applied(connection: sqlite3.Connection) -> set[str]:
    there = connection.execute(
        "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'migrations'"
    ).fetchone()
    if not there:
        return set()
    return {name for (name,) in connection.execute("SELECT name FROM migrations")}


def _statements(script: str) -> Iterator[str]:
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
