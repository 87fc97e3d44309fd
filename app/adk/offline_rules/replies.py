"""What the agent says. Plain sentences that quote memory."""

from collections.abc import Sequence
from datetime import datetime

from app.adk.offline_rules.found import Candidate

LONGEST = 1200
"""The most characters of one reply."""

ABLE = (
    "I am the built-in offline model: no language model, but I keep what you tell me and find it "
    "again. Tell me facts about yourself, say “Remember that …” for a note, ask about any of it, "
    "or correct me. For free conversation set GOOGLE_API_KEY and start again."
)
UNABLE = (
    "That is beyond me: I am the built-in offline model, which keeps and finds memories by rules. "
    "For everything else set GOOGLE_API_KEY and start again."
)
NOTHING_SAVED = (
    "I have not put that into memory. If it should stay, begin with “Remember that …”; "
    "either way I can find this message again."
)
NO_ALARM = "I cannot speak up by myself when it is time, but you can ask me about it."


def cut(text: str, limit: int = LONGEST) -> str:
    """Shorten a text to a limit of characters, at a word."""
    if len(text) <= limit:
        return text
    return text[: limit - 1].rsplit(" ", 1)[0] + "…"


def quoted(text: str, limit: int = 600) -> str:
    """Put a text into quotation marks, on one row."""
    return f"“{cut(' '.join(text.split()), limit)}”"


def unknown(question: str) -> str:
    """Say that memory holds no answer."""
    return (
        f"I don't know that yet. You asked {quoted(question, 200)}; tell me and I will remember it."
    )


def day(at: str) -> str:
    """Write "2026-03-02 14:05" as "2 March 2026"; blank when it is no date."""
    try:
        found = datetime.fromisoformat(at)
    except ValueError:
        return ""
    return f"{found.day} {found:%B %Y}"


def answer(found: Sequence[Candidate], several: bool, core_day: str = "") -> str:
    """Quote the answer, or all answers when several are asked for.

    `core_day` is when core memory was last changed, like 2026-03-02; blank when not known.
    """
    chosen = list(found[:5]) if several else list(found[:1])
    return cut("\n".join(_quote(candidate, day(core_day)) for candidate in chosen))


def _quote(candidate: Candidate, core_day: str) -> str:
    if candidate.origin == "core":
        since = f", as of {core_day}" if core_day else ""
        return f"I have this about you{since}: {quoted(candidate.quote)}"
    when = day(candidate.at)
    source = "You noted" if candidate.origin == "archival" else "You told me"
    return (
        f"{source} on {when}: {quoted(candidate.quote)}"
        if when
        else f"{source}: {quoted(candidate.quote)}"
    )


def overview(lines: Sequence[str]) -> str:
    """List what core memory holds about the user."""
    if not lines:
        return "Nothing yet. Tell me about yourself and I will remember it."
    return cut("This is what I know about you:\n" + "\n".join(f"- {line}" for line in lines))


def learned(added: Sequence[str], held: Sequence[str]) -> str:
    """Acknowledge new lines and lines that were known."""
    parts = []
    names = [line.removeprefix("Name: ").rstrip(".") for line in added if line.startswith("Name: ")]
    if names:
        parts.append(f"Nice to meet you, {names[0]}.")
    if added:
        parts.append("I will remember: " + " ".join(quoted(line) for line in added))
    if held:
        parts.append("I already have: " + " ".join(quoted(line) for line in held))
    return cut(" ".join(parts))


def noted(text: str, full: bool, known: bool = False) -> str:
    """Acknowledge a note."""
    if known:
        return f"I already have that note: {quoted(text, 160)}"
    where = (
        "Core memory is full, so I put this into the archive"
        if full
        else "I put that into the archive"
    )
    return f"{where}: {quoted(text, 160)}"


def changed(new: str) -> str:
    """Acknowledge an approved edit."""
    if not new:
        return (
            "Removed from core memory. What was said in earlier messages stays there until you "
            "delete it on the page."
        )
    return f"Done. I now have: {quoted(new)}"


def kept(old: str) -> str:
    """Acknowledge a declined edit: the old value stands."""
    return f"All right, nothing is changed. I keep: {quoted(old)}"


def failed(reason: object) -> str:
    """Pass on why a tool refused."""
    return f"That did not work: {cut(str(reason), 300)}"


def forgetting(what: str) -> str:
    """Say how to forget what is not one line of core memory."""
    return (
        f"I find no single line in core memory about {quoted(what, 120)}. Notes and messages "
        "can be deleted on the page."
    )


def unknown_in_general(question: str) -> str:
    """Say that memory holds no answer to a question that is not about the user."""
    return (
        f"I don't know that: {quoted(question, 200)} is nothing you have told me about. The "
        "built-in offline model answers from memory only; for general questions set GOOGLE_API_KEY."
    )
