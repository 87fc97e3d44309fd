"""Measured values as a Markdown table."""

from collections.abc import Iterator, Sequence


def table(head: Sequence[str], *rows: Sequence[object]) -> Iterator[str]:
    """Yield the lines of a table: the first column is text, the others are figures."""
    yield f"| {' | '.join(head)} |"
    yield f"|---|{'---:|' * (len(head) - 1)}"
    for row in rows:
        yield f"| {' | '.join(map(str, row))} |"
