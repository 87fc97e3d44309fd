"""A tiny stand-in for the six tools: one block, a list of notes, a list of messages."""

import re
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from app.adk.offline_rules import Answered, Call, Seen, decide

LIMIT = 2000


@dataclass(frozen=True)
class Asked:
    """A question, the right value (alternatives after |), and values that are wrong by now."""

    question: str
    right: str
    wrong: str = ""

    def is_right(self, reply: str) -> bool:
        """Tell whether a reply holds the right value and no wrong one."""
        lowered = reply.lower()
        wrong = any(value.lower() in lowered for value in self.wrong.split("|") if value)
        return not wrong and any(value.lower() in lowered for value in self.right.split("|"))


@dataclass(frozen=True)
class Story:
    """What was told session by session, what is asked later, and what was never told."""

    told: tuple[tuple[str, ...], ...]
    asked: tuple[Asked, ...]
    never_told: tuple[str, ...]


def words(text: str) -> set[str]:
    """List the lower-case words of a text, without plural endings."""
    return {word.removesuffix("s") for word in re.findall(r"\w+", text.lower()) if len(word) > 2}


@dataclass
class World:
    """Plays turns: carries out the calls of the rules until they say something."""

    human: str = ""
    notes: list[dict[str, Any]] = field(default_factory=list)
    messages: list[dict[str, Any]] = field(default_factory=list)
    now: datetime = datetime(2026, 3, 2, 14, 5, tzinfo=UTC)
    approve: bool = True
    limit: int = LIMIT
    previous: str = ""
    calls: list[Call] = field(default_factory=list)

    def say(self, text: str) -> str:
        """Play one turn and return the reply."""
        self.now += timedelta(minutes=1)
        self.messages.append({"text": text, "at": f"{self.now:%Y-%m-%d %H:%M}", "role": "user"})
        self.calls = []
        answered: list[Answered] = []
        for _ in range(8):
            blocks = {"persona": "I am kind.", "human": self.human}
            made = decide(Seen(text, blocks, tuple(answered), self.now, self.previous))
            self.calls += made
            for call in made:
                if call.name == "send_message":
                    return self._heard(call.arguments["message"])
                answered.append(Answered(call.name, call.arguments, self._run(call)))
        raise AssertionError(f"no reply to {text!r}: {self.calls}")

    def ask(self, question: str) -> str:
        """Play one turn after which the agent's reply is as if it had not been said."""
        reply = self.say(question)
        self.previous = ""
        return reply

    def next_session(self) -> None:
        """Let a day go by and forget what the agent said last."""
        self.now += timedelta(days=1)
        self.previous = ""

    def _heard(self, message: str) -> str:
        self.previous = message
        self.messages.append(
            {"text": message, "at": f"{self.now:%Y-%m-%d %H:%M}", "role": "assistant"}
        )
        return message

    def _run(self, call: Call) -> dict[str, Any]:
        return getattr(self, "_" + call.name)(**call.arguments)

    def _core_memory_append(self, block: str, text: str) -> dict[str, Any]:
        joined = f"{self.human}\n{text}" if self.human else text
        if len(joined) > self.limit:
            return {"error": f"{block} holds {len(self.human)} of {self.limit} characters."}
        self.human = joined
        return {"ok": True, "block": block, "text": self.human}

    def _core_memory_replace(self, block: str, old: str, new: str) -> dict[str, Any]:
        assert self.human.count(old) == 1, (old, self.human)
        if not self.approve:
            return {"declined": True, "reason": "", "keep": old, "message": "The user declined."}
        self.human = "\n".join(
            line for line in self.human.replace(old, new).splitlines() if line.strip()
        )
        return {"ok": True, "block": block, "text": self.human}

    def _archival_insert(self, text: str, tags: list[str] | None = None) -> dict[str, Any]:
        self.notes.append(
            {
                "id": str(len(self.notes)),
                "text": text,
                "at": f"{self.now:%Y-%m-%d %H:%M}",
                "tags": tags or [],
            }
        )
        return {"ok": True, "id": str(len(self.notes)), "known": False}

    def _archival_search(self, query: str) -> dict[str, Any]:
        return self._search(self.notes, query)

    def _recall_search(self, query: str) -> dict[str, Any]:
        return self._search(self.messages, query)

    def _search(self, rows: list[dict[str, Any]], query: str) -> dict[str, Any]:
        asked = words(query)
        rated = [(len(asked & words(row["text"])), place, row) for place, row in enumerate(rows)]
        hits = [row for rate, _, row in sorted(rated, key=lambda r: r[:2], reverse=True) if rate]
        return {"results": hits[:10], "total": len(hits), "page": 1}
