"""Reading one YAML mapping, with faults as sentences. Knows nothing of the settings in it."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml


def read_yaml(file: Path) -> tuple[dict[Any, Any], list[str]]:
    """Return the mapping in `file`, empty for an empty file, and a sentence a repeated key.

    Raises:
        ValueError: the file cannot be read as one mapping; the message is one sentence.
    """
    node, content = _parsed(_text(file), file.name)
    if content is None:
        return {}, []
    if not isinstance(content, dict):
        raise ValueError(f"{file.name} must hold sections such as `limits:`, keys below them.")
    return content, [f"{fault} of {file.name}; keep one." for fault in _twice(node)]


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(f"{file.name} is not UTF-8 text; save it as UTF-8.") from error
    except OSError as error:
        raise ValueError(f"{file.name} cannot be read: {error.strerror}.") from error


def _parsed(text: str, name: str) -> tuple[Any, Any]:
    try:
        loader = yaml.SafeLoader(text)
        node = loader.get_single_node()
        return node, None if node is None else loader.construct_document(node)
    except yaml.YAMLError as error:
        raise ValueError(f"{name} is not valid YAML{_place(error)}.") from error
    except (ValueError, RecursionError) as error:
        raise ValueError(
            f"{name} has an impossible number or date, or nests too deeply."
        ) from error


def _place(error: yaml.YAMLError) -> str:
    """Say where and what, without the names of anchors and tags: they may be a secret."""
    if not isinstance(error, yaml.MarkedYAMLError) or error.problem_mark is None:
        return ": it has a character that YAML does not allow"
    mark = error.problem_mark
    problem = re.sub(r"(alias|anchor|tag|handle) '.*", r"\1", error.problem or "it cannot be read")
    return f" at line {mark.line + 1}, column {mark.column + 1}: {problem}"


def _twice(root: yaml.Node) -> Iterator[str]:
    """Name the keys that stand twice; YAML's own reader keeps the last in silence."""
    lines: dict[str, int] = {}
    waiting, visited = [("", root)], set()
    while waiting:
        path, node = waiting.pop()
        if not isinstance(node, yaml.MappingNode) or id(node) in visited:
            continue
        visited.add(id(node))
        for key, value in node.value:
            name, line = f"{path}{key.value}", key.start_mark.line + 1
            if name in lines and key.value != "<<":
                first, second = sorted((lines[name], line))
                yield f"The key `{name}` stands twice, in lines {first} and {second}"
            lines[name] = line
            waiting.append((f"{name}.", value))
