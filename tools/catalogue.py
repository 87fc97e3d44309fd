"""The six tools, ready for an agent."""

import asyncio
import inspect
from collections.abc import Callable
from typing import Any
from zoneinfo import ZoneInfo

from google.adk.tools.function_tool import FunctionTool
from google.adk.tools.tool_context import ToolContext
from pydantic import BaseModel, ConfigDict, ValidationError, create_model

from memory_tiers import Memory, MemoryTiersError
from tools.archival import ArchivalTools
from tools.core_memory import CoreMemoryTools
from tools.messages import MessageTools
from tools.recall import RecallTools

WRITES = frozenset({"core_memory_append", "core_memory_replace", "archival_insert"})


def build_tools(memory: Memory, zone: ZoneInfo | None = None) -> list["MemoryTool"]:
    """Build the tools over one store; `zone` is the user's, for dates in results."""
    core, archival = CoreMemoryTools(memory), ArchivalTools(memory, zone)
    return [
        MemoryTool(MessageTools(memory).send_message),
        MemoryTool(core.core_memory_append),
        MemoryTool(core.core_memory_replace, confirm=core.needs_confirmation),
        MemoryTool(RecallTools(memory, zone).recall_search),
        MemoryTool(archival.archival_insert, threaded=True),
        MemoryTool(archival.archival_search, threaded=True),
    ]


class MemoryTool(FunctionTool):
    """A function tool whose failures the model can read and act on.

    Arguments are checked against the signature before anything runs; an error of the tiers comes
    back as `{"error": …}`. A `threaded` tool embeds text and is kept off the event loop.
    """

    def __init__(
        self,
        func: Callable[..., Any],
        *,
        confirm: Callable[..., bool] | None = None,
        threaded: bool = False,
    ) -> None:
        super().__init__(func, require_confirmation=confirm or False)
        self._threaded = threaded
        self._arguments = _arguments_model(func)

    async def run_async(self, *, args: dict[str, Any], tool_context: ToolContext) -> Any:
        """Check the arguments and call the function; see the class."""
        try:
            checked = self._check(args)
        except ValidationError as invalid:
            return {"error": _explain(self.name, invalid)}
        call = {**checked, "tool_context": tool_context}
        try:
            if self._threaded:
                return await asyncio.to_thread(self.func, **call)
            outcome = self.func(**call)
            return await outcome if inspect.isawaitable(outcome) else outcome
        except MemoryTiersError as refused:
            return {"error": str(refused)}

    async def check_require_confirmation(
        self, args: dict[str, Any], tool_context: ToolContext
    ) -> bool:
        """Ask the user only about a call whose arguments are complete."""
        try:
            checked = self._check(args)
        except ValidationError:
            return False
        return await super().check_require_confirmation(checked, tool_context)

    def fitted(self, args: dict[str, Any]) -> dict[str, Any]:
        """Return the arguments as they will be used; as they are when they do not fit."""
        try:
            return self._check(args)
        except ValidationError:
            return args

    def _check(self, args: dict[str, Any]) -> dict[str, Any]:
        """Return the arguments converted to their types; null means not given."""
        given = {name: value for name, value in args.items() if value is not None}
        return self._arguments.model_validate(given).model_dump(exclude_unset=True)


def _arguments_model(func: Callable[..., Any]) -> type[BaseModel]:
    """Describe the arguments a model may pass: the signature without the context."""
    fields: dict[str, Any] = {
        name: (
            parameter.annotation,
            ... if parameter.default is parameter.empty else parameter.default,
        )
        for name, parameter in inspect.signature(func).parameters.items()
        if name != "tool_context"
    }
    config = ConfigDict(extra="ignore", coerce_numbers_to_str=True)
    return create_model(func.__name__, __config__=config, **fields)


def _explain(name: str, invalid: ValidationError) -> str:
    """Say which arguments do not fit and what is wanted, without repeating their values."""
    faults = "; ".join(
        f"{'.'.join(map(str, fault['loc']))}: {fault['msg'].lower()}" for fault in invalid.errors()
    )
    return f"{name} was not run. {faults}. Call it again with fitting arguments."
