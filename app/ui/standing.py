"""The line above the conversation: who you are here, how long memory lasts, how to sign in.

At home, where one person's memory lies on one disk, there is nothing to say and the line is gone.
"""

import gradio as gr

from app.identity import Person
from app.jobs import Busy, Jobs
from app.settings import Settings
from app.ui.render import literal
from app.ui.visitor import Shown, person

SIGN_IN = '<a href="login/huggingface" data-sign-in>Sign in with Hugging Face</a>'
SIGN_OUT = '<a href="logout">Sign out</a>'
KEEP = (
    '<span class="offer">Before you signed in, things were said in this browser. '
    '<button type="button" data-keep>Keep them</button></span>'
)

NOT_LASTING = "This Space's disk does not last: a restart takes everything that is remembered here."


class Standing:
    """The line and its answers. Create it inside `gr.Blocks`."""

    def __init__(self, jobs: Jobs, settings: Settings) -> None:
        self._jobs = jobs
        self._settings = settings
        self.line = gr.HTML(
            "",
            js_on_load="tiers.standing(element, trigger, watch, 'keep')",
            apply_default_css=False,
            elem_id="standing",
        )
        if settings.on_space and settings.sign_in:
            # Its presence opens the addresses of signing in; the links above are what is seen.
            gr.LoginButton(visible=False)

    @property
    def changes(self) -> bool:
        """Whether the line may say something else later: only snapshots can begin to fail."""
        return self._settings.snapshot_folder is not None

    def show(self, request: gr.Request) -> Shown:
        """Say who looks and how long what is said will last."""
        return {self.line: self._text(person(request))}

    def keep(self, request: gr.Request) -> Shown:
        """Take along what was said in this browser before signing in."""
        someone = person(request)
        application = self._jobs.application
        if self._offered(someone):
            if application.busy(someone.visitor_id, someone.user_id):
                raise Busy("A reply is still being written. Please wait for its end, then keep.")
            self._jobs.call(application.adopt(someone.visitor_id, someone.user_id))
        return {self.line: self._text(someone)}

    def _offered(self, someone: Person) -> bool:
        memory = self._jobs.application.memory
        before = someone.visitor_id
        return before not in ("", someone.user_id) and memory.holds(before)

    def _text(self, someone: Person) -> str:
        parts = [*self._whose(someone)]
        if told := self._lasting():
            parts.append(f'<span class="warning">{literal(told)}</span>')
        if self._offered(someone):
            parts.append(KEEP)
        return f"<p>{' '.join(parts)}</p>" if parts else ""

    def _whose(self, someone: Person) -> list[str]:
        match self._settings.user_mode:
            case "single":
                return []
            case "header":
                return [f"You are <b>{literal(someone.user_id)}</b>."]
        if someone.name:
            return [f"Signed in as <b>{literal(someone.name)}</b>; your memory is kept.", SIGN_OUT]
        days = self._settings.users.visitor_days
        said = (
            "Your memory belongs to this browser; no other visitor sees it. "
            f"After {days} days without a message it is deleted."
        )
        return [said, f"{SIGN_IN} to keep it."] if self._settings.sign_in else [said]

    def _lasting(self) -> str:
        """Say what a restart would take, if it would take anything."""
        status = self._jobs.application.snapshots.status
        if status.state == "none" and self._settings.on_space:
            return f"{status.lost} {NOT_LASTING}".strip()
        if status.state != "failed":
            return status.lost
        since = ""
        if status.unsaved_since:
            since = f"{status.unsaved_since.astimezone(self._settings.zone):%Y-%m-%d %H:%M} "
        failed = (
            f"The last snapshot failed: {status.error} What was said since {since}would be lost"
        )
        return f"{status.lost} {failed} by a restart.".strip()
