"""Archival memory: notes of any length, found by their words and by their meaning.

Holds the rules of storing and searching passages. Knows no SQL and no index; the embedder is asked
before a transaction, never inside one.
"""

import secrets
import time
from collections.abc import Collection, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Literal

import numpy as np

from memory_tiers.chunking import chunks
from memory_tiers.dates import Calendar, Moment
from memory_tiers.embedding import Embedder
from memory_tiers.errors import EmbedderUnavailable, InvalidInput, NotesFull, NotFound
from memory_tiers.inputs import filled, identifier, several, stretch, string
from memory_tiers.ranking import fuse
from memory_tiers.recall import NO_WORD, past_the_end
from memory_tiers.records import Hit, Page, Passage
from memory_tiers.store import Embedded, Filter, Owner, PassageRows
from memory_tiers.text import terms

EMBEDDED_AT_ONCE = 32
QUERY_CHARACTERS = 4000  # of a query; the model reads 256 word pieces and would split all the rest
WORDS_ONLY = "Searched by words only, since the embedding model is not available."

Match = Literal["any", "all"]


def embed_missing(rows: PassageRows, embedder: Embedder, timeout: float | None) -> bool:
    """Embed every passage that has no vector of this model; return whether nothing is left.

    Each passage is stored as it is done. False when `timeout` seconds ran out.

    Raises:
        EmbedderUnavailable: The model cannot be loaded or run.
    """
    deadline = None if timeout is None else time.monotonic() + timeout
    while waiting := rows.unembedded(embedder.name, embedder.width, EMBEDDED_AT_ONCE):
        for owner, id, text in waiting:
            if deadline is not None and time.monotonic() >= deadline:
                return False
            rows.embed(owner, id, text, _embedded(embedder, chunks(text)))
    return True


def embed_passage(rows: PassageRows, embedder: Embedder, owner: Owner, passage: Passage) -> None:
    """Embed a passage that was stored without vectors; left as it is while there is no model."""
    with suppress(EmbedderUnavailable):
        embedded = _embedded(embedder, chunks(passage.text))
        rows.embed(owner, passage.id, passage.text, embedded)


class ArchivalMemory:
    """The passages of one owner."""

    def __init__(
        self,
        owner: Owner,
        rows: PassageRows,
        embedder: Embedder,
        calendar: Calendar,
        most: int | None = None,
    ) -> None:
        self._owner = owner
        self._rows = rows
        self._embedder = embedder
        self._calendar = calendar
        self._most = most

    def insert(
        self, text: str, tags: str | Collection[str] = (), at: datetime | str | None = None
    ) -> Passage:
        """Store a passage; `at` without an offset is local time, None is now.

        The same text again writes nothing and returns the passage there is, with `known` set.
        Without an embedding model the passage is found by its words until `Memory.settle`.

        Raises:
            InvalidInput: `text` or a tag is blank.
            NotesFull: There are as many passages as `Policy.notes` allows.
        """
        passage = Passage(
            id=secrets.token_hex(8),
            text=filled(text, "text"),
            tags=_tags(tags),
            at=self._calendar.instant(at),
        )
        known = self._rows.same(self._owner, passage.text)
        if known is not None:
            return known
        if self._most is not None and self.count() >= self._most:
            raise NotesFull(
                f"There are {self._most:,} notes, as many as are allowed (limits.notes). Nothing "
                "was stored: delete a note that is no longer needed."
            )
        return self._rows.add(self._owner, passage, self._meaning(chunks(passage.text)))

    def get(self, id: str) -> Passage:
        """Return one passage.

        Raises:
            NotFound: This owner has no such passage.
        """
        return _there(self._rows.get(self._owner, identifier(id, "id")), id)

    def list(self, limit: int = 50, offset: int = 0) -> Page[Passage]:
        """Return a stretch of the passages, newest first."""
        limit, offset = stretch(limit, offset)
        passages, total = self._rows.list(self._owner, limit, offset)
        return Page(tuple(passages), total, offset, past_the_end(total, offset))

    def search(
        self,
        query: str,
        limit: int = 10,
        offset: int = 0,
        tags: str | Collection[str] = (),
        match: Match = "any",
        since: Moment = None,
        until: Moment = None,
    ) -> Page[Hit]:
        """Find passages by words and by meaning, best first, the newest among equals.

        Tags (`match` "any" of them or "all") and dates narrow the search before it ranks. Days are
        local and both ends are included. What shares neither word nor meaning is not returned.

        Raises:
            InvalidInput: A limit, offset, tag or match that is out of range.
            InvalidDate: A date that cannot be read, or `since` after `until`.
        """
        limit, offset = stretch(limit, offset)
        if match not in ("any", "all"):
            raise InvalidInput(f"match must be any or all; got {match!r:.40}.")
        start, stop = self._calendar.bounds(since, until)
        folded = tuple(tag.casefold() for tag in _tags(tags))
        where = Filter(since=start, until=stop, tags=folded, all_tags=match == "all")
        wanted = terms(string(query, "query"))
        if not wanted:
            return Page((), 0, offset, NO_WORD)
        meaning = self._meaning([query[:QUERY_CHARACTERS]])
        ranked = fuse(self._rows.candidates(self._owner, wanted, meaning, where))
        shown = ranked[offset : offset + limit]
        passages = self._rows.many(self._owner, [candidate.id for candidate, _ in shown])
        hits = tuple(
            _hit(passages[candidate.id], score)
            for candidate, score in shown
            if candidate.id in passages
        )
        notice = past_the_end(len(ranked), offset) or ("" if meaning else WORDS_ONLY)
        return Page(hits, len(ranked), offset, notice)

    def update(self, id: str, text: str) -> Passage:
        """Replace a passage's text; its id, tags and time stay.

        Raises:
            InvalidInput: `text` is blank.
            NotFound: This owner has no such passage.
        """
        new = filled(text, "text")
        if self.get(id).text == new:
            return self.get(id)
        return _there(self._rows.update(self._owner, id, new, self._meaning(chunks(new))), id)

    def delete(self, id: str) -> None:
        """Take a passage out of every view.

        Raises:
            NotFound: This owner has no such passage.
        """
        if not self._rows.delete(self._owner, identifier(id, "id"), self._calendar.now()):
            raise NotFound(_unknown(id))

    def count(self) -> int:
        """Count the passages."""
        return self._rows.list(self._owner, 1, 0)[1]

    def _meaning(self, texts: Sequence[str]) -> Embedded | None:
        """Return the vectors of `texts`; None while the model is unavailable."""
        try:
            return _embedded(self._embedder, texts)
        except EmbedderUnavailable:
            return None


def _embedded(embedder: Embedder, texts: Sequence[str]) -> Embedded:
    vectors = np.asarray(embedder.embed(texts), np.float32)
    if vectors.shape != (len(texts), embedder.width):
        raise EmbedderUnavailable(
            f"The embedder {embedder.name!r} gave an array of shape {vectors.shape} for "
            f"{len(texts)} texts; it must be ({len(texts)}, {embedder.width})."
        )
    return Embedded(embedder.name, vectors)


def _tags(tags: str | Collection[str]) -> tuple[str, ...]:
    """Return tags without surrounding blanks, each once regardless of case, in their order."""
    kept: dict[str, str] = {}
    for tag in several(tags, "tags"):
        shown = filled(tag, "tag").strip()
        kept.setdefault(shown.casefold(), shown)
    return tuple(kept.values())


def _there(passage: Passage | None, id: str) -> Passage:
    if passage is None:
        raise NotFound(_unknown(id))
    return passage


def _unknown(id: str) -> str:
    return f"There is no passage {id!r:.60}; it may have been deleted."


def _hit(passage: Passage, score: float) -> Hit:
    return Hit(
        id=passage.id,
        text=passage.text,
        at=passage.at,
        score=score,
        origin="archival",
        tags=passage.tags,
    )
