"""Cutting a long text into pieces an embedding model can take in. Pure."""

import re
from collections.abc import Iterator

MOST_WORDS = 200
MOST_CHARACTERS = 1000
SHARED_WORDS = 30

# A word with the blanks behind it; text without blanks is cut where a chunk ends.
_WORD = re.compile(rf"\S{{1,{MOST_CHARACTERS // 4}}}\s*")


def chunks(text: str) -> list[str]:
    """Return pieces of at most 200 words and 1,000 characters that overlap by up to 30 words.

    Every word is in at least one piece; a short text is its own only piece.
    """
    return [piece.strip() for piece in _pieces(_WORD.findall(text))]


def _pieces(words: list[str]) -> Iterator[str]:
    start = 0
    while start < len(words):
        stop = start
        length = 0
        while stop < min(len(words), start + MOST_WORDS):
            length += len(words[stop].rstrip()) + 1
            if length > MOST_CHARACTERS and stop > start:
                break
            stop += 1
        yield "".join(
            word.rstrip() + (" " if word[-1:].isspace() else "") for word in words[start:stop]
        )
        if stop == len(words):
            return
        # Half a chunk at most is shared, so that long words cannot keep it from going on.
        start = stop - min(SHARED_WORDS, (stop - start) // 2)
