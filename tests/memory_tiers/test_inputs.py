"""What the tiers check of every argument: another type or nothing to see is one sentence."""

import pytest

from memory_tiers import InvalidInput, UserMemory


@pytest.mark.parametrize("wanted", [{"roles": 5}, {"roles": b"user"}, {"exclude": [1]}])
def test_what_narrows_a_search_is_checked(mine: UserMemory, wanted: dict[str, object]):
    """Roles and excluded ids of another type are refused."""
    with pytest.raises(InvalidInput):
        mine.recall.search("tea", **wanted)


@pytest.mark.parametrize("tags", [5, [1], b"work"])
def test_tags_are_checked(mine: UserMemory, tags: object):
    """Tags of another type are refused, and nothing is stored."""
    with pytest.raises(InvalidInput):
        mine.archival.insert("A note.", tags=tags)
    assert mine.archival.count() == 0


@pytest.mark.parametrize("text", ["\u200b", " \u2060\t\ufeff", "\x1b\x07"])
def test_invisible_text_is_blank(mine: UserMemory, text: str):
    """Nothing but invisible characters is refused like an empty text."""
    with pytest.raises(InvalidInput):
        mine.recall.append("s1", "user", text)
