"""The page: three columns, and which action of a person calls what."""

from typing import Any

import gradio as gr

from app.jobs import Jobs
from app.settings import Settings
from app.ui.chat import ChatColumn
from app.ui.memory import MemoryPanel
from app.ui.render import literal
from app.ui.sessions import SessionList
from app.ui.standing import Standing
from app.ui.visitor import calm, calm_follow

NAME = "Tiered Memory"
ICON = (
    '<svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true" fill="none" '
    'stroke="currentColor" stroke-width="1.5"><rect x="2.5" y="3.5" width="15" height="13" '
    'rx="2.5"/><path d="M{x} 3.5v13"/></svg>'
)
ICON_LEFT, ICON_RIGHT = ICON.replace("{x}", "7.5"), ICON.replace("{x}", "12.5")
OFFLINE_HELP = (
    "There is no language model behind this page right now: a built-in set of rules answers, "
    "without key and without network. It understands plain sentences such as “I live in Lisbon” "
    "or “remember this: …”. To talk with a real model, put GOOGLE_API_KEY=… into the file .env "
    "beside config.yaml and start again."
)
MODEL_HELP = "This model answers. Its name is model.name in config.yaml."
# Nothing here is for other programs, and what is shown makes its own progress visible.
QUIET: dict[str, Any] = {"show_progress": "hidden", "api_visibility": "private"}
AT_ONCE: dict[str, Any] = {"queue": False, **QUIET}
ADDRESS = "() => new URLSearchParams(location.search).get('session') || ''"
PLACE = "() => tiers.place()"


def build_page(jobs: Jobs, settings: Settings) -> gr.Blocks:
    """Lay the page out over running jobs; `launch` serves it."""
    page: gr.Blocks = gr.Blocks(
        title=NAME, fill_height=True, fill_width=True, analytics_enabled=False
    )
    with page:
        gr.HTML(_header(jobs), apply_default_css=False, elem_id="top")
        with gr.Row(elem_id="columns"):
            with gr.Column(elem_id="left", min_width=0):
                _panel_head("left", "Conversations")
                sessions = SessionList(jobs, settings)
            with gr.Column(elem_id="middle", min_width=0):
                standing = Standing(jobs, settings)
                chat = ChatColumn(jobs, lambda user: sessions.show(user) | memory.show(user))
            with gr.Column(elem_id="right", min_width=0):
                _panel_head("right", "Memory")
                memory = MemoryPanel(jobs, settings)
        followed = _wire_chat(page, chat, sessions, memory)
        _wire_standing(page, standing, chat, followed)
        _wire_memory(page, memory)
    return page


def _wire_chat(
    page: gr.Blocks, chat: ChatColumn, sessions: SessionList, memory: MemoryPanel
) -> list[Any]:
    """Return the events with which a turn ends."""
    safe = calm(chat.told)
    outputs = [*chat.parts, sessions.list, memory.blocks]
    at_once = AT_ONCE | {"outputs": outputs}
    begun = [
        page.load(safe(chat.enter), [chat.place], js=ADDRESS, **at_once),
        gr.on(
            [chat.box.submit, chat.send.click],
            safe(chat.say),
            [chat.box, chat.place],
            js="(text) => tiers.submitted(text)",
            **at_once,
        ),
        chat.log.say(safe(chat.say_this), [chat.place], js=PLACE, **at_once),
        chat.log.retry(safe(chat.retry), [chat.place], js=PLACE, **at_once),
        chat.log.answer(
            safe(chat.answer), [chat.place], js=PLACE, trigger_mode="multiple", **at_once
        ),
        sessions.new.click(safe(chat.new), None, **at_once),
        sessions.list.open(safe(chat.open), None, **at_once),
    ]
    followed = []
    for event in begun:
        ended = event.then(
            calm_follow(chat.told)(chat.follow),
            [chat.place],
            outputs,
            js="() => tiers.drawn()",
            concurrency_limit=None,
            trigger_mode="multiple",
            **QUIET,
        )
        ended.then(
            calm(memory.notes_found)(memory.same_notes),
            [memory.notes_query, memory.notes_shown],
            memory.notes,
            **AT_ONCE,
        )
        followed.append(ended)
    chat.stop.click(safe(chat.end_turn), [chat.place], [chat.told], js=PLACE, **AT_ONCE)
    return followed


def _wire_standing(
    page: gr.Blocks, standing: Standing, chat: ChatColumn, followed: list[Any]
) -> None:
    safe = calm(chat.told)
    outputs = [standing.line, chat.told]
    page.load(safe(standing.show), None, outputs, **AT_ONCE)
    if standing.changes:
        for event in followed:
            event.then(safe(standing.show), None, outputs, **AT_ONCE)
    kept = standing.line.keep(safe(standing.keep), None, outputs, **AT_ONCE)
    kept.success(None, js="() => location.reload()")


def _wire_memory(page: gr.Blocks, memory: MemoryPanel) -> None:
    memory.blocks.save(
        calm(memory.told)(memory.save), None, [memory.blocks, memory.told], **AT_ONCE
    )
    safe = calm(memory.recall_found)
    find, query = safe(memory.find_messages), memory.recall_query
    page.load(find, [query], memory.recalled, **AT_ONCE)
    for typed in (query.change, query.submit):
        typed(find, [query], memory.recalled, trigger_mode="always_last", **AT_ONCE)
    memory.recall_more.click(
        safe(memory.more_messages), [query, memory.recall_shown], memory.recalled, **AT_ONCE
    )
    safe = calm(memory.notes_found)
    find, query = safe(memory.find_notes), memory.notes_query
    for typed in (query.change, query.submit):
        typed(find, [query], memory.notes, trigger_mode="always_last", **AT_ONCE)
    for handler, event in (
        (memory.more_notes, memory.notes_more.click),
        (memory.same_notes, memory.archival_tab.select),
    ):
        event(safe(handler), [query, memory.notes_shown], memory.notes, **AT_ONCE)


def _header(jobs: Jobs) -> str:
    application = jobs.application
    help_text = OFFLINE_HELP if application.offline else MODEL_HELP
    return (
        '<header><button type="button" class="toggle" data-panel="left" aria-controls="left" '
        f'aria-label="Conversations" title="Conversations">{ICON_LEFT}</button><h1>{NAME}</h1>'
        f'<details class="model"><summary><span class="name">{literal(application.model_label)}'
        f'</span><span class="what">What is this?</span></summary><p>{literal(help_text)}</p>'
        '</details><button type="button" class="toggle" data-panel="right" aria-controls="right">'
        f"{ICON_RIGHT}Memory</button></header>"
    )


def _panel_head(side: str, title: str) -> None:
    gr.HTML(
        f'<div class="panel-head"><h2>{title}</h2><button type="button" data-close="{side}" '
        f'aria-label="Close {title.lower()}">Close</button></div>',
        apply_default_css=False,
    )
