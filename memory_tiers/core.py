"""Core memory: a few labelled blocks that are always in the prompt, and every version they had.

Holds the rules of an edit. Knows no SQL and no model; who may edit is the caller's affair.
"""

from collections.abc import Callable, Sequence

from memory_tiers.dates import Calendar
from memory_tiers.edits import appended, check_limit, replaced
from memory_tiers.errors import BlockReadOnly, Conflict, NothingChanged, UnknownBlock
from memory_tiers.inputs import filled, identifier, string
from memory_tiers.policies import BlockPolicy
from memory_tiers.records import Block, BlockVersion
from memory_tiers.store import BlockRows, Owner


class CoreMemory:
    """The blocks of one owner. Labels match regardless of case and surrounding blanks."""

    def __init__(
        self, owner: Owner, rows: BlockRows, policies: Sequence[BlockPolicy], calendar: Calendar
    ) -> None:
        self._owner = owner
        self._rows = rows
        self._policies = {policy.label.strip().casefold(): policy for policy in policies}
        self._calendar = calendar

    def blocks(self) -> list[Block]:
        """Return every block, in the order they are declared."""
        latest = self._rows.latest(self._owner)
        return [
            _block(policy, latest.get(policy.label) or self._initial(policy))
            for policy in self._policies.values()
        ]

    def block(self, label: str) -> Block:
        """Return one block.

        Raises:
            UnknownBlock: There is no such block; the message lists those there are.
        """
        policy = self._policy(label)
        return _block(policy, self._versions(policy)[-1])

    def append(
        self, label: str, text: str, *, cause: str = "tool", key: str | None = None
    ) -> Block:
        """Add `text` to a block, on a line of its own.

        A `key` used before for this owner changes nothing and returns the block as it is.

        Raises:
            InvalidInput: `text` is blank.
            EditRefused: Unknown or read-only block, or the limit would be exceeded.
        """
        addition = filled(text, "text")
        return self._change(label, lambda _, now: appended(now, addition), cause, key)

    def replace(
        self, label: str, old: str, new: str, *, cause: str = "tool", key: str | None = None
    ) -> Block:
        """Replace the one occurrence of `old` in a block by `new`; an empty `new` deletes it.

        A `key` used before for this owner changes nothing and returns the block as it is.

        Raises:
            InvalidInput: `old` or `new` is no text.
            EditRefused: Unknown or read-only block, `old` absent, empty or found more than once,
                nothing would change, or the limit would be exceeded.
        """
        return self._change(label, _replacing(old, new), cause, key)

    def check_replace(self, label: str, old: str, new: str) -> None:
        """Raise what `replace` would raise, and change nothing."""
        policy = self._policy(label)
        self._ruled(policy, _replacing(old, new))(self._versions(policy))

    def rewrite(
        self, label: str, text: str, *, version: int | None = None, cause: str = "user"
    ) -> Block:
        """Give a block a whole new text; `version` is the one the writer had before them.

        Raises:
            Conflict: The block has changed since `version`.
            EditRefused: As for `replace`.
        """
        whole = string(text, "text")

        def rule(policy: BlockPolicy, versions: list[BlockVersion]) -> str:
            if version is not None and versions[-1].version != version:
                raise Conflict(
                    f"Block {policy.label!r} has changed meanwhile: it is at version "
                    f"{versions[-1].version}, you edited version {version}. Read it again first."
                )
            return whole

        return self._change_from(label, rule, cause, None)

    def history(self, label: str) -> list[BlockVersion]:
        """Return every version of a block, oldest first, from version 0 on."""
        return self._versions(self._policy(label))

    def undo(self, label: str) -> Block:
        """Take back the last edit that is not taken back yet; kept as a version of its own.

        Raises:
            NothingChanged: There is no edit left to take back.
            EditRefused: The block is unknown or read-only, or the earlier text exceeds the limit.
        """
        return self._change_from(label, _before, "undo", None)

    def _change(
        self, label: str, rule: Callable[[str, str], str], cause: str, key: str | None
    ) -> Block:
        return self._change_from(label, lambda p, all: rule(p.label, all[-1].text), cause, key)

    def _change_from(
        self,
        label: str,
        rule: Callable[[BlockPolicy, list[BlockVersion]], str],
        cause: str,
        key: str | None,
    ) -> Block:
        policy = self._policy(label)
        newest = self._rows.change(
            self._owner,
            self._initial(policy),
            self._checked(policy, rule),
            cause=cause,
            key=None if key is None else identifier(key, "key"),
            at=self._calendar.now(),
        )
        return _block(policy, newest)

    def _ruled(
        self, policy: BlockPolicy, rule: Callable[[str, str], str]
    ) -> Callable[[list[BlockVersion]], str]:
        return self._checked(policy, lambda p, all: rule(p.label, all[-1].text))

    def _checked(
        self, policy: BlockPolicy, rule: Callable[[BlockPolicy, list[BlockVersion]], str]
    ) -> Callable[[list[BlockVersion]], str]:
        def checked(versions: list[BlockVersion]) -> str:
            if policy.read_only:
                raise BlockReadOnly(f"Block {policy.label!r} is read-only; it cannot be changed.")
            before = versions[-1].text
            after = rule(policy, versions)
            if after == before:
                raise NothingChanged(
                    f"Block {policy.label!r} already reads like this; nothing was changed."
                )
            check_limit(policy.label, before, after, policy.limit)
            return after

        return checked

    def _policy(self, label: str) -> BlockPolicy:
        policy = self._policies.get(string(label, "block").strip().casefold())
        if policy is None:
            there = ", ".join(policy.label for policy in self._policies.values()) or "none"
            raise UnknownBlock(f"There is no block {label!r:.60}; the blocks are: {there}.")
        return policy

    def _versions(self, policy: BlockPolicy) -> list[BlockVersion]:
        return self._rows.versions(self._owner, policy.label) or [self._initial(policy)]

    def _initial(self, policy: BlockPolicy) -> BlockVersion:
        return BlockVersion(policy.label, 0, policy.initial, "initial", self._calendar.now())


def _replacing(old: str, new: str) -> Callable[[str, str], str]:
    before, after = string(old, "old"), string(new, "new")
    return lambda label, text: replaced(label, text, before, after)


def _before(policy: BlockPolicy, versions: list[BlockVersion]) -> str:
    texts: list[str] = []
    for version in versions:
        if version.cause == "undo":
            texts.pop()
        else:
            texts.append(version.text)
    if len(texts) < 2:
        raise NothingChanged(f"Block {policy.label!r} has no edit to take back.")
    return texts[-2]


def _block(policy: BlockPolicy, version: BlockVersion) -> Block:
    return Block(
        label=policy.label,
        text=version.text,
        limit=policy.limit,
        read_only=policy.read_only,
        description=policy.description,
        version=version.version,
        at=version.at if version.version else None,
    )
