"""The list of earlier conversations, and the way to a new one."""

from datetime import UTC, datetime

import gradio as gr

from app.jobs import Jobs
from app.settings import Settings
from app.ui.render import session_list
from app.ui.visitor import Shown

LISTED = 200  # conversations; older ones are found through recall


class SessionList:
    """Components of the left side. Create it inside `gr.Blocks`."""

    def __init__(self, jobs: Jobs, settings: Settings) -> None:
        self._jobs = jobs
        self._zone = settings.zone
        self.new = gr.Button("New session", variant="primary", elem_id="new")
        self.list = gr.HTML(
            "",
            js_on_load="tiers.sessions(element, trigger, watch, ['open'])",
            apply_default_css=False,
            elem_id="sessions",
        )

    def show(self, user: str) -> Shown:
        """List the user's sessions, the newest first."""
        now = datetime.now(UTC).astimezone(self._zone)
        mine = self._jobs.application.memory.for_user(user)
        return {self.list: session_list(mine.sessions.list(limit=LISTED), now)}
