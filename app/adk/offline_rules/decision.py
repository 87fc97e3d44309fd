"""One reply of the offline model: which tools to call, or what to say."""

import re
from collections.abc import Sequence
from typing import Any

from app.adk.offline_rules import replies
from app.adk.offline_rules.concepts import words_for
from app.adk.offline_rules.edits import Plan, lines_of, plan_edits, swap_value
from app.adk.offline_rules.fact import Known
from app.adk.offline_rules.found import Candidate, answers, from_results
from app.adk.offline_rules.message import READ, Message, best_line, read_message, tags_for
from app.adk.offline_rules.names import learn_names
from app.adk.offline_rules.question import Question
from app.adk.offline_rules.seen import Answered, Call, Seen
from app.adk.offline_rules.statement import content, read_line
from app.adk.offline_rules.turning import read_swap

BLOCK = "human"
BLOCK_LIMIT = 2000


def decide(seen: Seen) -> list[Call]:
    """Choose the calls of one model reply.

    A reply that ends in `send_message` ends the turn; without it the same turn is decided again
    with the calls answered.
    """
    block = _before(seen)
    swap = swap_value(block, *read_swap(seen.text[:READ]))
    message = read_message(seen, swap, _known(block))
    writes = [call for call in _writes(message, seen, block) if not _asked(call, seen.answered)]
    replace = [call for call in writes if call.name == "core_memory_replace"]
    if replace:
        return replace[:1]
    writes += _rescued(seen.answered)
    searches = _searches(message, seen)
    if searches or _risky(writes, seen):
        return writes + searches
    return [*writes, Call("send_message", {"message": _say(message, seen, block, writes)})]


def _known(block: str) -> Known:
    lines = lines_of(block)
    names = learn_names([read_line(line) for line in lines])
    return Known(frozenset(names.of), frozenset[str]().union(*(content(line) for line in lines)))


def _before(seen: Seen) -> str:
    """The human block as it was when the turn began, so that every reply of it plans the same."""
    block = seen.blocks.get(BLOCK, "")
    for answered in reversed(seen.answered):
        if not answered.response.get("ok") or answered.arguments.get("block") != BLOCK:
            continue
        new = str(answered.arguments.get("new") or answered.arguments.get("text") or "")
        old = str(answered.arguments.get("old", ""))
        if new and block.count(new) == 1:
            block = block.replace(new, old)
        elif old and old not in block:
            block = f"{block}\n{old}"
    return "\n".join(lines_of(block))


def _risky(writes: Sequence[Call], seen: Seen) -> bool:
    """Tell whether a write may be refused, so that nothing is said before its result."""
    return (
        any(c.name == "core_memory_append" for c in writes)
        and BLOCK not in seen.limits
        and (len(seen.blocks.get(BLOCK, "")) > BLOCK_LIMIT // 2)
    )


def _asked(call: Call, answered: Sequence[Answered]) -> bool:
    return any(a.name == call.name and a.arguments == call.arguments for a in answered)


def _writes(message: Message, seen: Seen, block: str) -> list[Call]:
    if message.forget:
        line = best_line(message.forget, lines_of(block))
        return [_replace(line, "")] if line and block.count(line) == 1 else []
    if message.swap[0]:
        return [_replace(*message.swap)]
    calls = [_replace(old, new) for old, new in _plan(message, block).replaced]
    calls += _additions(
        [line for line in _plan(message, block).added if not _written(line, seen)], seen, block
    )
    if message.note and not _written(message.note, seen):
        calls.append(_insert(message.note))
    return calls


def _plan(message: Message, block: str) -> Plan:
    return plan_edits(list(message.facts), block)


def _written(line: str, seen: Seen) -> bool:
    """Tell whether a line has been written, or refused, in this turn."""
    return any(
        line in str(a.arguments.get("text", "")) or line == a.arguments.get("new")
        for a in seen.answered
    )


def _additions(lines: list[str], seen: Seen, block: str) -> list[Call]:
    limit = seen.limits.get(BLOCK, BLOCK_LIMIT)
    fitting: list[str] = []
    over: list[str] = []
    for line in lines:
        size = len("\n".join([block.rstrip("\n"), *fitting, line]))
        (fitting if size <= limit else over).append(line)
    calls = (
        [Call("core_memory_append", {"block": BLOCK, "text": "\n".join(fitting)})]
        if fitting
        else []
    )
    return calls + [_insert(line) for line in over]


def _replace(old: str, new: str) -> Call:
    return Call("core_memory_replace", {"block": BLOCK, "old": old, "new": new})


def _insert(text: str) -> Call:
    return Call("archival_insert", {"text": text, "tags": tags_for(text)})


def _rescued(answered: Sequence[Answered]) -> list[Call]:
    """Put into archival memory what core memory had no room for."""
    refused = [a for a in answered if a.name == "core_memory_append" and "error" in a.response]
    calls = [_insert(str(a.arguments.get("text", ""))) for a in refused if a.arguments.get("text")]
    return [call for call in calls if not _asked(call, answered)]


def _searches(message: Message, seen: Seen) -> list[Call]:
    question = message.question
    if question is None or any(a.name.endswith("_search") for a in seen.answered):
        return []
    if not question.about and answers(question, seen.blocks.get(BLOCK, "")):
        return []
    words = [re.sub(r"[^\w' -]", " ", term.stem) for term in (*question.owners, *question.terms)]
    words += [word for term in (*question.owners, *question.terms) for word in words_for(term)]
    query = " ".join(dict.fromkeys([question.text[:200], *words]))[:400]
    return [
        Call("archival_search", {"query": question.text[:300].strip() or query}),
        Call("recall_search", {"query": query}),
    ]


def _say(message: Message, seen: Seen, block: str, writes: Sequence[Call]) -> str:
    parts = [_outcome(answered) for answered in seen.answered]
    parts.append(_acknowledged(message, seen, block, writes))
    if message.overview:
        parts.append(replies.overview(lines_of(seen.blocks.get(BLOCK, ""))))
    if message.question:
        parts.append(_answer(message.question, seen))
    if message.forget and not seen.answered:
        parts.append(replies.forgetting(message.forget))
    if message.reply != replies.NOTHING_SAVED or not any(parts):
        parts.append(message.reply)
    said = replies.cut("\n".join(part for part in parts if part).strip())
    return said or replies.NOTHING_SAVED


def _acknowledged(message: Message, seen: Seen, block: str, writes: Sequence[Call]) -> str:
    added = [
        line
        for c in writes
        if c.name == "core_memory_append"
        for line in c.arguments["text"].splitlines()
    ]
    held = [line for line in _plan(message, block).held if not _written(line, seen)]
    kept = [c.arguments["text"] for c in writes if c.name == "archival_insert"]
    parts = [replies.learned(added, held) if added or held else ""]
    parts += [replies.noted(text, full=text != message.note) for text in kept]
    return "\n".join(part for part in parts if part)


def _outcome(answered: Answered) -> str:
    """Say what became of a call."""
    response, arguments = answered.response, answered.arguments
    if response.get("declined"):
        return replies.kept(str(response.get("keep") or arguments.get("old", "")))
    if "error" in response:
        rescued = answered.name == "core_memory_append"
        return "" if rescued else replies.failed(response["error"])
    text = str(arguments.get("text", ""))
    said = {
        "core_memory_replace": lambda: replies.changed(str(arguments.get("new", ""))),
        "core_memory_append": lambda: replies.learned(text.splitlines(), []),
        "archival_insert": lambda: replies.noted(
            text, full=False, known=bool(response.get("known"))
        ),
    }
    return said[answered.name]() if answered.name in said else ""


def _answer(question: Question, seen: Seen) -> str:
    candidates: list[Candidate] = []
    for answered in seen.answered:
        results: Any = answered.response.get("results")
        if answered.name.endswith("_search") and isinstance(results, list):
            origin = answered.name.removesuffix("_search")
            rows = [row for row in results if isinstance(row, dict)]
            candidates += from_results(rows, origin, seen.text)
    found = answers(question, seen.blocks.get(BLOCK, ""), candidates)
    if found:
        several = question.several or question.about
        return replies.answer(found, several, seen.changed.get(BLOCK, ""))
    if re.search(r"\b(?:i|my|me|we|our|us|mine)\b", question.text, re.I) or question.owners:
        return replies.unknown(question.asked)
    return replies.unknown_in_general(question.asked)
