"""Documentation that can fail."""

import re
from pathlib import Path

import pytest

from tests.pages import DOCS, PAGES

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize("name", sorted(PAGES))
def test_page_made_from_the_code_is_current(name):
    """The page holds what the code says now; `make docs` writes it anew."""
    assert (DOCS / name).read_text(encoding="utf-8") == PAGES[name]()


def test_file_map_equals_the_tree():
    """The README's file map names each module of the program, and nothing else."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    block = re.search(r"## File map\n.*?```\n(.*?)```", readme, re.DOTALL)
    assert block, "README.md has no file map"
    folder, named = "", set()
    for line in block[1].splitlines():
        if match := re.match(r"(\S+/)\s", line + " "):
            folder = match[1]
        elif match := re.match(r"\s+(\S+\.\w+)\s", line + " "):
            named.add(folder + match[1])
    tree = {
        path.relative_to(ROOT).as_posix()
        for package in ("app", "tools", "memory_tiers")
        for path in (ROOT / package).rglob("*.py")
        if path.name != "__init__.py"
    }

    assert {name for name in named if name.endswith(".py")} == tree


@pytest.mark.parametrize("page", sorted(path.name for path in DOCS.glob("*.md")))
def test_links_between_pages_lead_somewhere(page):
    """A relative link in a page names a file that exists."""
    text = (DOCS / page).read_text(encoding="utf-8")
    targets = [link for link in re.findall(r"\]\(([^)#]+)", text) if "://" not in link]

    assert not [target for target in targets if not (DOCS / target).exists()]
