"""Facts told in varied wording are found again when they are asked for in other words."""

from functools import cache
from importlib import import_module
from pkgutil import iter_modules

import pytest

from tests.app.adk.offline_rules import stories
from tests.app.adk.offline_rules.world import Story, World

STORIES: dict[str, Story] = {
    module.name: import_module(f"{stories.__name__}.{module.name}").STORY
    for module in iter_modules(stories.__path__)
}
UNKNOWN = "don't know"


@cache
def replies(name: str) -> dict[str, str]:
    """Tell a whole story, then ask every question of it."""
    world, story = World(), STORIES[name]
    for session in story.told:
        for text in session:
            world.say(text)
        world.next_session()
    questions = [asked.question for asked in story.asked] + list(story.never_told)
    return {question: world.ask(question) for question in questions}


@pytest.mark.parametrize("name", STORIES)
def test_nine_in_ten_answers_hold_the_right_value(name):
    """Questions in other words are answered with the value that holds now."""
    given, asked = replies(name), STORIES[name].asked

    right = [a for a in asked if a.is_right(given[a.question])]

    assert len(right) >= 0.9 * len(asked), [a.question for a in asked if a not in right]


@pytest.mark.parametrize("name", STORIES)
def test_what_is_not_answered_right_is_answered_with_not_knowing(name):
    """No answer holds a value that was corrected, nor one of another matter."""
    given, asked = replies(name), STORIES[name].asked

    wrong = [a for a in asked if not a.is_right(given[a.question])]

    assert [a.question for a in wrong if UNKNOWN not in given[a.question]] == []


@pytest.mark.parametrize("name", STORIES)
def test_what_was_never_told_is_not_known(name):
    """A question about something never mentioned is answered with not knowing it."""
    given = replies(name)

    assert [q for q in STORIES[name].never_told if UNKNOWN not in given[q]] == []
