"""The main job, played by a person's browser from the first word to the last."""

import pytest

from tests.demo import transcript
from tests.pages import DOCS
from tests.play import play
from tests.servers import page_server

pytestmark = pytest.mark.browser

SERVERS = {
    "offline": ("-m", "app", "--data-dir", "{folder}"),
    "scripted": ("-m", "tests.scripted_site", "{port}", "{folder}"),
}


@pytest.mark.parametrize("model", sorted(SERVERS))
def test_four_scenes(chromium, tmp_path, model):
    """Facts are kept, a no is strict, a yes applies, a note comes back in a new session."""
    with page_server(tmp_path, SERVERS[model]) as address:
        page = chromium.new_page()
        page.goto(address)
        seen = play(page)
        page.close()

    told, declined, approved, noted, recalled = seen.replies
    after_facts, after_no, after_yes = seen.human
    assert "Dana" in told and "Lisbon" in after_facts
    assert "Lisbon" in declined and "Porto" not in declined
    assert after_no == after_facts
    assert "Porto" in approved and "Porto" in after_yes and "Lisbon" not in after_yes
    assert noted
    assert "triage" in recalled


def test_demo_page_tells_what_happens_now(chromium, tmp_path):
    """docs/demo_transcript.md is what the four scenes give today; `make demo` writes it anew."""
    with page_server(tmp_path) as address:
        page = chromium.new_page()
        page.goto(address)
        play(page)
        page.close()

    assert transcript(tmp_path) == (DOCS / "demo_transcript.md").read_text(encoding="utf-8")
