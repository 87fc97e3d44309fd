"""How search results read to the model."""

from typing import Any
from zoneinfo import ZoneInfo

from memory_tiers import Hit, Page

PAGE_SIZE = 5
HIT_CHARACTERS = 2000


def results(page: Page[Hit], zone: ZoneInfo | None) -> dict[str, Any]:
    """Render a page of hits: local times, origin by role or tags, and how to page on."""
    found: dict[str, Any] = {
        "results": [_result(hit, zone) for hit in page.hits],
        "total": page.total,
        "page": page.offset // PAGE_SIZE + 1,
    }
    if page.notice:
        found["notice"] = page.notice
    if page.offset and not page.hits:
        found["notice"] = f"No more results: there are {page.total} in all."
    return found


def _result(hit: Hit, zone: ZoneInfo | None) -> dict[str, Any]:
    text = hit.text
    if len(text) > HIT_CHARACTERS:
        text = f"{text[:HIT_CHARACTERS]} … ({len(hit.text):,} characters in all)"
    row: dict[str, Any] = {
        "id": hit.id,
        "text": text,
        "at": f"{hit.at.astimezone(zone):%Y-%m-%d %H:%M}",
    }
    if hit.role:
        row["role"] = hit.role
    if hit.tags:
        row["tags"] = list(hit.tags)
    return row
