"""The memory panel: core blocks to read and edit, recall and archival memory to search."""

import time
from typing import Any

import gradio as gr

from app.jobs import Jobs
from app.settings import Settings
from app.ui.render import literal, message_card, note_card, nothing
from app.ui.visitor import Shown, sent, who
from memory_tiers import Conflict, MemoryTiersError, Page, UserMemory

PAGE = 10  # results at first, and with every More
MOST = 1000  # results on one page, however often More was asked for


class MemoryPanel:
    """Components of the right side and their answers. Create it inside `gr.Blocks`."""

    def __init__(self, jobs: Jobs, settings: Settings) -> None:
        self._jobs = jobs
        self._zone = settings.zone
        with gr.Tabs(elem_id="tiers"):
            with gr.Tab("Core", elem_id="core-tab"):
                gr.HTML(
                    "<p>Always in front of the agent. You can edit it.</p>",
                    elem_classes="about",
                    apply_default_css=False,
                )
                self.blocks = gr.HTML(
                    {},
                    html_template='<div class="core-blocks"></div>',
                    js_on_load="tiers.blocks(element, trigger, props, watch, ['save'])",
                    apply_default_css=False,
                    elem_id="blocks",
                )
                self.told = gr.HTML(
                    "",
                    html_template='<p role="status">${value}</p>',
                    elem_classes="told",
                    apply_default_css=False,
                )
            with gr.Tab("Recall", elem_id="recall-tab") as self.recall_tab:
                self.recall_query, self.recall_found, self.recall_more = _search_box(
                    "recall", "Search what was said"
                )
            with gr.Tab("Archival", elem_id="archival-tab") as self.archival_tab:
                self.notes_query, self.notes_found, self.notes_more = _search_box(
                    "archival", "Search notes"
                )
        # Held by the browser: a State would keep a connection open for every page.
        self.recall_shown = gr.Number(PAGE, precision=0, visible=False)
        self.notes_shown = gr.Number(PAGE, precision=0, visible=False)
        self.recalled = [self.recall_found, self.recall_more, self.recall_shown]
        self.notes = [self.notes_found, self.notes_more, self.notes_shown]

    def show(self, user: str, answer: dict[str, str] | None = None) -> Shown:
        """Hand the blocks to the page, with an answer to the one that was saved."""
        blocks = [
            {
                "label": block.label,
                "about": block.description,
                "text": block.text,
                "limit": block.limit,
                "version": block.version,
                "fixed": block.read_only,
            }
            for block in self._mine(user).core.blocks()
        ]
        return {self.blocks: {"blocks": blocks, "answer": answer or {}}}

    def save(self, request: gr.Request, event: gr.EventData) -> Shown:
        """Keep what the person wrote into a block, unless the block changed meanwhile."""
        user, label = who(request), sent(event, "label")
        version = sent(event, "version")
        answer = {"label": label, "at": f"{time.time_ns()}", "kind": "saved", "text": "Saved."}
        try:
            self._mine(user).core.rewrite(
                label, sent(event, "text"), version=int(version) if version.isdecimal() else -1
            )
        except Conflict:
            answer |= {"kind": "conflict", "text": ""}
        except MemoryTiersError as refused:
            answer |= {"kind": "refused", "text": str(refused)}
        return self.show(user, answer) | {self.told: ""}

    def find_messages(self, query: str, request: gr.Request) -> Shown:
        """Show the first page of what was said."""
        return self._messages(query, PAGE, who(request))

    def more_messages(self, query: str, shown: int, request: gr.Request) -> Shown:
        """Show one page more of what was said."""
        return self._messages(query, shown + PAGE, who(request))

    def find_notes(self, query: str, request: gr.Request) -> Shown:
        """Show the first page of notes, the newest where nothing is searched for."""
        return self._notes(query, PAGE, who(request))

    def same_notes(self, query: str, shown: int, request: gr.Request) -> Shown:
        """Show as many notes as before, after the agent may have added some."""
        return self._notes(query, shown, who(request))

    def more_notes(self, query: str, shown: int, request: gr.Request) -> Shown:
        """Show one page more of the notes."""
        return self._notes(query, shown + PAGE, who(request))

    def _messages(self, query: str, count: int, user: str) -> Shown:
        count = min(max(count, PAGE), MOST)
        if not query.strip():
            found = nothing(
                "Everything that was said",
                "Both sides of every conversation are kept word for word. "
                "Type a word or two above to find a message again.",
            )
            return self._recalled(found, PAGE, more=False)
        recall = self._mine(user).recall
        page = recall.search(query, limit=count)
        cards = [message_card(hit, self._zone) for hit in page.hits]
        return self._recalled(
            _listed(cards, page, "message", query), count, more=page.total > len(cards)
        )

    def _recalled(self, found: str, count: int, *, more: bool) -> Shown:
        return {
            self.recall_found: found,
            self.recall_more: gr.update(visible=more),
            self.recall_shown: count,
        }

    def _notes(self, query: str, count: int, user: str) -> Shown:
        count = min(max(count, PAGE), MOST)
        archival = self._mine(user).archival
        page: Page[Any] = (
            archival.search(query, limit=count) if query.strip() else archival.list(limit=count)
        )
        cards = [note_card(note, self._zone) for note in page.hits]
        found = _listed(cards, page, "note", query)
        if not cards and not query.strip():
            found = nothing(
                "No notes yet",
                "Longer things the agent keeps for good will be here: a plan, a debrief, "
                "whatever you ask it to remember.",
            )
        return {
            self.notes_found: found,
            self.notes_more: gr.update(visible=page.total > len(cards)),
            self.notes_shown: count,
        }

    def _mine(self, user: str) -> UserMemory:
        return self._jobs.application.memory.for_user(user)


def _search_box(name: str, label: str) -> tuple[gr.Textbox, gr.HTML, gr.Button]:
    query = gr.Textbox(
        "",
        label=label,
        placeholder=label,
        show_label=False,
        container=False,
        elem_id=f"{name}-query",
    )
    found = gr.HTML("", apply_default_css=False, elem_id=f"{name}-found", elem_classes="results")
    return query, found, gr.Button("More", visible=False, elem_id=f"{name}-more", size="sm")


def _listed(cards: list[str], page: Page[Any], one: str, query: str) -> str:
    notice = f'<p class="meta">{literal(page.notice)}</p>' if page.notice else ""
    if not cards:
        return notice + nothing(
            f"No {one} found for “{query.strip()[:80]}”", "Try another word, or fewer of them."
        )
    count = f"{page.total:,} {one if page.total == 1 else one + 's'}"
    return f'{notice}<p class="meta">{count}</p><ul>{"".join(cards)}</ul>'
