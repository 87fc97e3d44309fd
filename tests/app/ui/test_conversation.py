"""The conversation on the page, as a person meets it."""

import pytest
from playwright.sync_api import expect

from tests.play import say, settled

pytestmark = pytest.mark.browser

PATIENCE = 20_000
HOSTILE = (
    '<img src="http://elsewhere.test/a.png" onerror="window.harmed=1"> '
    "![b](http://elsewhere.test/b.png) <script>window.harmed=2</script> <b>bold</b>"
)


def begin(page, text):
    """Send, and wait until the page shows the message but not for the reply."""
    before = page.locator("#conversation .said").count()
    press(page, text)
    expect(page.locator("#conversation .said")).to_have_count(before + 1)


def press(page, text):
    """Write into the box and press Enter."""
    page.locator("#message textarea").fill(text)
    page.locator("#message textarea").press("Enter")


def newest_reply(page):
    """Return the words of the reply shown last."""
    return page.locator("#conversation .answer").last


def test_reload_in_the_middle_of_a_reply_keeps_it(page):
    """The reply goes on while nobody looks, and the reloaded page follows it to its end."""
    begin(page, "slow 60")
    expect(newest_reply(page)).to_contain_text("w5")
    page.reload()

    expect(newest_reply(page)).to_contain_text("w59", timeout=PATIENCE)
    expect(page.locator("#conversation .said")).to_have_count(1)
    expect(page.locator("#conversation .answer")).to_have_count(1)


def test_closed_tab_loses_neither_reply_nor_note(page, site):
    """A tab closed after the first words: the reply is whole later, the note is there once."""
    tab = page.context.new_page()
    tab.goto(f"{site}?session=new")
    begin(tab, "diary 40")
    expect(newest_reply(tab)).to_contain_text("w3")
    tab.close()
    page.goto(site)

    expect(newest_reply(page)).to_contain_text("w39", timeout=PATIENCE)
    page.get_by_role("tab", name="Archival").click()
    page.locator("#archival-query textarea").fill("diary entry")
    expect(page.locator("#archival-found")).to_contain_text("1 note")


@pytest.mark.parametrize(
    "text",
    [
        "It cost $5 and then $7",
        "file_name_v2 and *not bold* and `code`",
        "مرحبا abc 123",
        "{{7*7}} ${x} {user} %s",
        "a line\n\n    and one with blanks before it",
        HOSTILE,
    ],
    ids=["money", "marks", "arabic", "braces", "blanks", "markup"],
)
def test_text_is_shown_as_typed(page, text):
    """What is typed is shown letter by letter, on both sides, and nothing of it acts."""
    say(page, text)

    assert page.locator(".said .bubble").text_content() == text
    assert newest_reply(page).text_content() == f"You said: {text}"
    assert page.locator("#conversation :is(img, script, b, code)").count() == 0
    assert page.evaluate("window.harmed") is None


def test_right_to_left_text_runs_right_to_left(page):
    """A message in Arabic is laid out from the right."""
    say(page, "مرحبا abc 123")

    assert page.locator(".said .bubble").evaluate("node => node.matches(':dir(rtl)')")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\x00b", "a\ufffdb"),
        ("a\ud800b", "a\ufffdb"),
        ("bell \x07 and escape \x1b", "bell \ufffd and escape \ufffd"),
        ("x" * 200_000, "x" * 200_000),
    ],
    ids=["nul", "surrogate", "controls", "huge"],
)
def test_odd_text_is_answered(page, text, shown):
    """Text no page can hold is shown with a replacement character; a huge one whole."""
    page.evaluate(
        """codes => {
            const field = document.querySelector('#message textarea');
            field.value = String.fromCharCode(...codes.slice(0, 100)) +
                codes.slice(100).map((code) => String.fromCharCode(code)).join('');
            field.dispatchEvent(new Event('input', {bubbles: true}));
        }""",
        [ord(character) for character in text],
    )
    page.locator("#message textarea").press("Enter")
    expect(page.locator("#conversation .said")).to_have_count(1, timeout=PATIENCE)
    settled(page)

    assert page.locator(".said .bubble").text_content() == shown
    assert newest_reply(page).text_content() == f"You said: {shown}"


def test_blank_message_is_not_sent(page):
    """Blanks alone start nothing."""
    press(page, " \n ")
    say(page, "hello")

    expect(page.locator("#conversation .said")).to_have_count(1)


def test_too_long_message_is_kept_in_the_box(page):
    """A message over the limit is refused with the numbers, and stays where it was typed."""
    press(page, "y" * 200_001)

    expect(page.locator("#told")).to_contain_text("200,001 characters; 200,000")
    assert len(page.locator("#message textarea").input_value()) == 200_001


def test_message_while_answering_is_refused_and_kept(page):
    """One turn at a time: a second message waits in the box, and the page says why."""
    begin(page, "slow 50")
    expect(newest_reply(page)).to_contain_text("w3")
    press(page, "second")

    expect(page.locator("#told")).to_contain_text("still being answered")
    assert page.locator("#message textarea").input_value() == "second"
    settled(page)
    expect(page.locator("#conversation .said")).to_have_count(1)


def test_what_is_typed_after_sending_stays(page):
    """Only what was sent is taken out of the box."""
    press(page, "hello")
    page.keyboard.type(" and more")

    expect(page.locator(".said .bubble")).to_have_text("hello")
    settled(page)
    expect(page.locator("#message textarea")).to_have_value(" and more")


def test_drafts_survive_a_reload(page):
    """What is written but not sent or saved is there again after a reload."""
    page.get_by_role("tab", name="Core").click()
    page.locator("#message textarea").fill("half a thought")
    page.locator(".core-block textarea").first.fill("a new persona")
    page.reload()

    expect(page.locator("#message textarea")).to_have_value("half a thought")
    expect(page.locator(".core-block textarea").first).to_have_value("a new persona")
    expect(page.locator(".core-block [data-do=save]").first).to_be_enabled()


def test_stop_ends_the_reply(page):
    """Stop ends a reply where it is, and the conversation can go on."""
    begin(page, "slow 200")
    expect(newest_reply(page)).to_contain_text("w3")
    page.get_by_role("button", name="Stop").click()
    settled(page)

    assert "w199" not in page.locator("#conversation").inner_text()
    assert say(page, "go on") == "You said: go on"


def test_failed_model_is_told_without_its_detail(page):
    """A failing service is one sentence and a way to retry; what it said stays inside."""
    told = say(page, "fail")
    page.get_by_role("button", name="Retry").click()
    expect(page.locator("#conversation .said")).to_have_count(2)
    settled(page)

    assert "The model call failed." in told
    assert "secret" not in page.content()


def test_steps_show_arguments_and_results_as_text(page):
    """A step opens by keyboard to what the tool was given and what came back, literally."""
    say(page, f"note {HOSTILE}")
    step = page.locator(".step")
    step.locator("summary").focus()
    page.keyboard.press("Enter")

    expect(step.locator("summary")).to_contain_text("Archival memory: note saved")
    expect(step.locator("dd").first).to_have_text(HOSTILE)
    expect(step).to_contain_text("<b>tag</b>")
    assert page.locator("#conversation :is(img, script, b)").count() == 0


def test_open_step_stays_open_while_the_reply_grows(page):
    """Updates of the page do not close what a person opened."""
    say(page, "note Something to keep.")
    page.locator(".step summary").click()
    begin(page, "slow 30")
    settled(page)

    expect(page.locator(".step").first).to_have_attribute("open", "")


def test_example_is_sent_by_a_click(page):
    """The empty page offers messages that can be clicked."""
    page.locator(".welcome [data-say]").last.click()

    expect(page.locator(".said .bubble")).to_have_text("What do you know about me?")
    expect(newest_reply(page)).to_contain_text("You said:", timeout=PATIENCE)


def test_sessions_are_listed_and_reopened(page):
    """A new session starts empty; an earlier one is listed by its first words and comes back."""
    say(page, "the first <i>conversation</i>")
    page.locator("#new").click()
    expect(page.locator(".welcome")).to_be_visible()
    say(page, "the second one")
    page.get_by_role("button", name="the first <i>conversation</i>").first.click()

    expect(page.locator(".said .bubble")).to_have_text("the first <i>conversation</i>")
    current = page.locator("#sessions [aria-current]")
    expect(current).to_contain_text("the first <i>conversation</i>")
    expect(current).to_contain_text("Today")


def test_reload_stays_in_the_session(page):
    """The address names the session, an empty new one too."""
    say(page, "older")
    page.locator("#new").click()
    expect(page.locator(".welcome")).to_be_visible()
    page.reload()

    expect(page.locator(".welcome")).to_be_visible()
    page.locator("#sessions [data-session]").first.click()
    expect(page.locator(".said .bubble")).to_have_text("older")
    page.reload()
    expect(page.locator(".said .bubble")).to_have_text("older")


@pytest.mark.parametrize("session", ["no-such-session", "%00", "a%2Fb", "x" * 3000])
def test_unknown_session_in_the_address(page, site, session):
    """A session that is not the user's shows the newest one, and says so."""
    say(page, "known")
    page.goto(f"{site}?session={session}")

    expect(page.locator("#told")).to_contain_text("That conversation is not here")
    expect(page.locator(".said .bubble")).to_have_text("known")


def test_leaving_a_running_session_does_not_mix_it_in(page):
    """What a left session still says never appears in the one that was opened."""
    begin(page, "slow 60")
    expect(newest_reply(page)).to_contain_text("w3")
    page.locator("#new").click()
    expect(page.locator(".welcome")).to_be_visible()
    page.wait_for_timeout(500)

    expect(page.locator(".welcome")).to_be_visible()
    expect(page.locator("#conversation .answer")).to_have_count(0)
    page.locator("#sessions [data-session]").first.click()
    expect(newest_reply(page)).to_contain_text("w59", timeout=PATIENCE)


def test_new_session_while_a_message_is_on_its_way(page):
    """A message whose answer comes after the page has moved on does not pull the page back."""
    press(page, "slow 20")
    page.locator("#new").click()
    page.locator(".welcome [data-say]").last.click()

    expect(page.locator(".said .bubble")).to_have_text("What do you know about me?")
    expect(newest_reply(page)).to_contain_text("You said:", timeout=PATIENCE)


def test_keys_of_the_box(page):
    """Enter sends, Shift and Enter breaks the line, an Enter in a composed word does neither."""
    field = page.locator("#message textarea")
    field.fill("one")
    field.press("Shift+Enter")
    page.keyboard.type("two")
    field.dispatch_event("keydown", {"key": "Enter", "isComposing": True, "bubbles": True})
    expect(field).to_have_value("one\ntwo")
    field.press("Enter")

    expect(page.locator(".said .bubble")).to_have_text("one\ntwo")
    expect(page.locator("#conversation .said")).to_have_count(1)
