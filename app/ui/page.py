"""The page: three columns, and which action of a person calls what."""

from typing import Any

import gradio as gr

from app.jobs import Jobs
from app.settings import Settings
from app.ui.chat import ChatColumn
from app.ui.memory import MemoryPanel
from app.ui.render import literal
from app.ui.sessions import SessionList
from app.ui.visitor import calm, calm_follow

NAME = "Tiered Memory"
OFFLINE_HELP = (
    "There is no language model behind this page right now: a built-in set of rules answers, "
    "without key and without network. It understands plain sentences such as “I live in Lisbon” "
    "or “remember this: …”. To talk with a real model, put GOOGLE_API_KEY=… into the file .env "
    "beside config.yaml and start again."
)
MODEL_HELP = "This model answers. Its name is model.name in config.yaml."
HERE = "() => new URLSearchParams(location.search).get('session') || ''"


def build_page(jobs: Jobs, settings: Settings) -> gr.Blocks:
    """Lay the page out over running jobs; `launch` serves it."""
    with gr.Blocks(title=NAME, fill_height=True, fill_width=True, analytics_enabled=False) as page:
        gr.HTML(_header(jobs), apply_default_css=False, elem_id="top")
        with gr.Row(elem_id="columns"):
            with gr.Column(elem_id="left", min_width=0):
                _panel_head("left", "Conversations")
                sessions = SessionList(jobs, settings)
            # The memory panel is made first, since the chat shows in it, and placed last by style.
            with gr.Column(elem_id="right", min_width=0):
                _panel_head("right", "Memory")
                memory = MemoryPanel(jobs, settings)
            with gr.Column(elem_id="middle", min_width=0):
                chat = ChatColumn(jobs, settings, sessions, memory)
        _wire_chat(page, chat, sessions)
        _wire_memory(page, memory)
    return page


def _wire_chat(page: gr.Blocks, chat: ChatColumn, sessions: SessionList) -> None:
    safe, outputs = calm(chat.told), chat.outputs
    at_once: dict[str, Any] = {
        "outputs": outputs,
        "queue": False,
        "show_progress": "hidden",
        "api_visibility": "private",
    }
    begun = [
        page.load(safe(chat.enter), [chat.place], js=HERE, **at_once),
        gr.on(
            [chat.box.submit, chat.send.click],
            safe(chat.say),
            [chat.box, chat.place],
            js="(text, place) => tiers.submitted(text, place)",
            **at_once,
        ),
        chat.log.say(safe(chat.say_this), [chat.place], **at_once),
        chat.log.retry(safe(chat.retry), [chat.place], **at_once),
        chat.log.answer(safe(chat.answer), [chat.place], trigger_mode="multiple", **at_once),
        sessions.new.click(safe(chat.new), None, **at_once),
        sessions.list.open(safe(chat.open), None, **at_once),
    ]
    for event in begun:
        event.then(
            calm_follow(chat.told)(chat.follow),
            [chat.place],
            outputs,
            show_progress="hidden",
            api_visibility="private",
            concurrency_limit=None,
            trigger_mode="multiple",
        )
    chat.stop.click(
        chat.end_turn,
        [chat.place],
        None,
        queue=False,
        show_progress="hidden",
        api_visibility="private",
    )


def _wire_memory(page: gr.Blocks, memory: MemoryPanel) -> None:
    at_once: dict[str, Any] = {
        "queue": False,
        "show_progress": "hidden",
        "api_visibility": "private",
    }
    memory.blocks.save(
        calm(memory.told)(memory.save), None, [memory.blocks, memory.told], **at_once
    )
    recalled = [memory.recall_found, memory.recall_more, memory.recall_shown]
    safe = calm(memory.recall_found)
    gr.on(
        [
            page.load,
            memory.recall_tab.select,
            memory.recall_query.input,
            memory.recall_query.submit,
        ],
        safe(memory.find_messages),
        [memory.recall_query],
        recalled,
        trigger_mode="always_last",
        **at_once,
    )
    memory.recall_more.click(
        safe(memory.more_messages), [memory.recall_query, memory.recall_shown], recalled, **at_once
    )
    noted = [memory.notes_found, memory.notes_more, memory.notes_shown]
    safe = calm(memory.notes_found)
    gr.on(
        [
            page.load,
            memory.archival_tab.select,
            memory.notes_query.input,
            memory.notes_query.submit,
        ],
        safe(memory.find_notes),
        [memory.notes_query],
        noted,
        trigger_mode="always_last",
        **at_once,
    )
    memory.notes_more.click(
        safe(memory.more_notes), [memory.notes_query, memory.notes_shown], noted, **at_once
    )


def _header(jobs: Jobs) -> str:
    application = jobs.application
    help_text = OFFLINE_HELP if application.offline else MODEL_HELP
    return (
        '<header><button type="button" class="toggle" data-panel="left" aria-controls="left">'
        f"Conversations</button><h1>{NAME}</h1>"
        f'<details class="model"><summary>{literal(application.model_label)}'
        f'<span class="what">What is this?</span></summary><p>{literal(help_text)}</p></details>'
        '<button type="button" class="toggle" data-panel="right" aria-controls="right">Memory'
        "</button></header>"
    )


def _panel_head(side: str, title: str) -> None:
    gr.HTML(
        f'<div class="panel-head"><h2>{title}</h2><button type="button" data-close="{side}" '
        f'aria-label="Close {title.lower()}">Close</button></div>',
        apply_default_css=False,
    )
