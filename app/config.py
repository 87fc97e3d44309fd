"""Where settings come from: files, the environment, the caller; and every fault as a sentence.

Sources, each overriding the one before: the defaults of `app.settings`, `config.yaml`, the
environment (`TIERED_MEMORY__SECTION__KEY`, also from a file `.env` beside `config.yaml`), overrides
of the caller. This is the only module that reads the environment.
"""

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from ipaddress import ip_address
from pathlib import Path
from typing import Any

from dotenv import dotenv_values
from pydantic import SecretStr, ValidationError

from app.settings import KNOBS, SECTIONS, Settings
from app.yaml_file import read_yaml

__all__ = ["VARIABLES", "ConfigError", "Settings", "bypass_proxy", "load_settings"]

PREFIX = "TIERED_MEMORY"
KEY_VARIABLES = ("GOOGLE_API_KEY", "GEMINI_API_KEY")
# A later one goes before an earlier one.
PLAIN_VARIABLES = {
    "GRADIO_SERVER_NAME": "server.host",
    "GRADIO_SERVER_PORT": "server.port",
    "HOST": "server.host",
    "PORT": "server.port",
    "MEMGPT_MAX_OUTPUT_TOKENS": "limits.output_tokens",
}
SIGN_IN_VARIABLES = ("SPACE_ID", "OAUTH_CLIENT_ID", "OAUTH_CLIENT_SECRET", "OPENID_PROVIDER_URL")
SECRET_NAME = re.compile(r"key|token|secret|passw|credential", re.IGNORECASE)
SECRET_VALUE = re.compile(r"AIza|^AQ\.|^(sk|hf|gsk|ghp)[-_]|://[^/]*@|[A-Za-z0-9_-]{32,}")


class ConfigError(Exception):
    """Settings that cannot be used; the message is one sentence a fault, a line each."""

    code = "invalid_settings"


def variable(key: str) -> str:
    """Name the environment variable that sets `key`, e.g. `limits.steps`."""
    return "__".join([PREFIX, *key.upper().split(".")])


VARIABLES = {variable(key): key for key in KNOBS}


@dataclass(frozen=True, slots=True)
class _Given:
    """A value somebody set, and where: `source` is a file's or a variable's name."""

    value: object
    source: str


def load_settings(
    path: str | Path | None = "config.yaml",
    overrides: Mapping[str, Any] | None = None,
    environ: Mapping[str, str] | None = None,
) -> Settings:
    """Read, merge and check the settings.

    `path` None reads no file; a missing file leaves the defaults and a notice. `overrides` may
    be nested or have dotted keys. `environ` None is the process's environment.

    Raises:
        ConfigError: something cannot be used; every fault found is named, secrets never.
    """
    file = None if path is None else Path(path)
    real = os.environ if environ is None else environ
    private = {} if file is None else _dotenv(file.with_name(".env"))
    variables = {**private, **real}
    faults: list[str] = []
    notices = [*_misspelt(private)]
    given: dict[str, _Given] = {}
    if file is not None:
        given |= _flat(_from_file(file, faults, notices), file.name, faults)
    given |= _from_environment(variables, faults)
    given |= _flat(overrides or {}, "override", faults)
    settings = _checked(given, faults).model_copy(
        update={
            "api_key": _key(variables),
            "on_space": variables.get("SYSTEM") == "spaces",
            "space_host": variables.get("SPACE_HOST", "").split(",")[0],
            "sign_in": all(variables.get(name) for name in SIGN_IN_VARIABLES),
        }
    )
    faults += _conflicts(settings)
    settings = settings.model_copy(update={"notices": (*notices, *_warnings(settings))})
    if faults:
        raise ConfigError("\n".join(faults))
    return settings


def bypass_proxy(host: str) -> None:
    """Keep a proxy of the machine out of what this process asks of `host`, which is itself."""
    there = os.environ.get("no_proxy") or os.environ.get("NO_PROXY") or ""
    local = {host, "localhost", "127.0.0.1"} - set(there.split(","))
    os.environ["no_proxy"] = ",".join(filter(None, (there, *sorted(local))))


def _dotenv(file: Path) -> dict[str, str]:
    try:
        found = dotenv_values(file, interpolate=False, encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError("The file .env cannot be read as UTF-8 text.") from error
    return {name: value for name, value in found.items() if value is not None}


def _misspelt(private: Mapping[str, str]) -> Iterator[str]:
    known = [*KEY_VARIABLES, *PLAIN_VARIABLES]
    for name in private.keys() - {*known}:
        if near := get_close_matches(name.upper(), known, 1, 0.8):
            yield f"The file .env sets {name}, which is not read; did you mean {near[0]}?"


def _from_file(file: Path, faults: list[str], notices: list[str]) -> Mapping[Any, Any]:
    if not file.exists():
        notices.append(f"There is no {file.name} here, so the defaults apply.")
        return {}
    try:
        content, repeated = read_yaml(file)
    except ValueError as error:
        faults.append(str(error))
        return {}
    faults += repeated
    return content


def _flat(content: Mapping[Any, Any], source: str, faults: list[str]) -> dict[str, _Given]:
    given = {}
    for path, value in _pairs(content):
        if path in KNOBS:
            given[path] = _Given(value, source)
        elif path not in SECTIONS:
            faults.append(_unknown(path, source))
        elif value is not None:
            faults.append(
                f"The section `{path}` ({source}) is {_shown(value)}; it must hold keys such as "
                f"`{next(iter(SECTIONS[path].model_fields))}: …`, indented below it."
            )
    return given


def _pairs(content: Mapping[Any, Any]) -> Iterator[tuple[str, object]]:
    """Bring nested and dotted keys to one level; an empty section has the value None."""
    for name, inner in content.items():
        if isinstance(inner, Mapping) and inner:
            yield from ((f"{name}.{key}", value) for key, value in inner.items())
        else:
            yield str(name), None if isinstance(inner, Mapping) else inner


def _unknown(path: str, source: str) -> str:
    section, _, key = path.partition(".")
    near = _nearest(section, key)
    if SECRET_NAME.search(path) and not near:
        return (
            f"`{path}` ({source}) is not a setting; secrets belong into the environment or the "
            f"file .env, there as {KEY_VARIABLES[0]}."
        )
    if section in SECTIONS:
        what, names = f"key named `{path}` ({source})", ", ".join(SECTIONS[section].model_fields)
    else:
        at = f", needed for `{path}`" if key else ""
        what, names = f"section named `{section}` ({source}){at}", ", ".join(SECTIONS)
    return f"There is no {what}; " + (f"did you mean `{near}`?" if near else f"known: {names}.")


def _nearest(section: str, key: str) -> str:
    """Find the setting that was meant, first in the section, then anywhere by the key's name."""
    home = section if section in SECTIONS else "".join(get_close_matches(section, SECTIONS, 1))
    if home and not key:
        return home
    if home and (near := get_close_matches(key, SECTIONS[home].model_fields, 1)):
        return f"{home}.{near[0]}"
    keys = {full.split(".")[1]: full for full in KNOBS}
    return "".join(keys[name] for name in get_close_matches(key or section, keys, 1, 0.75))


def _from_environment(variables: Mapping[str, str], faults: list[str]) -> dict[str, _Given]:
    given = {
        key: _Given(_typed(key, variables[name]), name)
        for name, key in PLAIN_VARIABLES.items()
        if variables.get(name, "").strip()
    }
    for name in sorted(variables):
        if key := VARIABLES.get(name.upper()):
            given[key] = _Given(_typed(key, variables[name]), name)
        elif name.upper().startswith(PREFIX):
            faults.append(_unknown_variable(name))
    return given


def _unknown_variable(name: str) -> str:
    endings = {full.removeprefix(PREFIX).replace("_", ""): full for full in VARIABLES}
    ending = name.upper().removeprefix(PREFIX).replace("_", "")
    near = [endings[match] for match in get_close_matches(ending, endings, 1, 0.75)]
    if not near and SECRET_NAME.search(name):
        near = [KEY_VARIABLES[0]]
    hint = f"did you mean {near[0]}?" if near else f"a known one is {next(iter(VARIABLES))}."
    return f"The environment variable {name} is not a setting; {hint}"


def _typed(key: str, text: str) -> str | int:
    whole = "minimum" in _whole(KNOBS[key]) and re.fullmatch(r"\s*[+-]?\d{1,18}\s*", text)
    return int(text) if whole else text


def _checked(given: Mapping[str, _Given], faults: list[str]) -> Settings:
    """Let the model check the values; a value with a fault is told and left at its default."""
    nested: dict[str, dict[str, object]] = {}
    for path, one in given.items():
        section, key = path.split(".")
        nested.setdefault(section, {})[key] = one.value
    try:
        return Settings.model_validate(nested)
    except ValidationError as error:
        for fault in error.errors(include_url=False):
            path = ".".join(map(str, fault["loc"][:2]))
            wanted = str(fault["ctx"]["error"]) if fault["type"] == "value_error" else _form(path)
            one = given[path]
            told = f"`{path}` ({one.source}) is {_shown(one.value)}; it must be {wanted}."
            if told not in faults:  # a setting that accepts two forms has a fault for each
                faults.append(told)
    return Settings()


def _whole(knob: dict[str, Any]) -> dict[str, Any]:
    """Return the part of a knob that describes whole numbers; some accept a word as well."""
    first: dict[str, Any] = knob.get("anyOf", [knob])[0]
    return first


def _form(path: str) -> str:
    """Say what the setting accepts."""
    knob = KNOBS[path]
    whole = _whole(knob)
    if "minimum" in whole:
        numbers = f"a whole number from {whole['minimum']:,} to {whole['maximum']:,}"
        return numbers if whole is knob else f"auto or {numbers} (0 is no limit)"
    if choices := knob.get("enum") or ([knob["const"]] if "const" in knob else None):
        return " or ".join(filter(None, (", ".join(choices[:-1]), choices[-1])))
    return "the path of a folder" if knob.get("format") == "path" else "text (put it in quotes)"


def _shown(value: object) -> str:
    if isinstance(value, str):
        if SECRET_VALUE.search(value):
            return "something that is not shown here"
        return repr(value if len(value) <= 60 else f"{value[:60]}…")
    if isinstance(value, bool) or value is None:
        return {True: "true", False: "false", None: "empty"}[value]
    if isinstance(value, int | float):
        return f"{value:.12g}"
    return "a list" if isinstance(value, list) else f"a {type(value).__name__}"


def _key(variables: Mapping[str, str]) -> SecretStr | None:
    found = [variables.get(name, "").strip() for name in KEY_VARIABLES]
    return next((SecretStr(key) for key in found if key), None)


def _conflicts(settings: Settings) -> Iterator[str]:
    """Find what is right key by key and wrong together."""
    core = settings.core
    if len(core.persona) > core.persona_limit:
        yield (
            f"`core.persona` has {len(core.persona):,} characters, more than "
            f"`core.persona_limit` ({core.persona_limit:,}) allows; shorten it or raise the limit."
        )
    packaged = type(settings.embedding)().model
    if settings.embedding.backend == "onnx" and settings.embedding.model != packaged:
        yield (
            f"`embedding.model` is {_shown(settings.embedding.model)}, but `embedding.backend` "
            f"onnx serves {packaged} alone; choose sentence-transformers for another model."
        )
    if settings.provider == "gemini" and not settings.api_key:
        yield (
            f"`model.provider` is gemini, but there is no key: set {KEY_VARIABLES[0]} (or "
            f"{KEY_VARIABLES[1]}) in the environment or in a file .env beside config.yaml, "
            "or choose offline."
        )
    if settings.on_space and settings.user_mode == "single":
        yield (
            "`users.mode` is single, so every visitor of this Space would read the same memory; "
            "choose visitors, or auto."
        )
    if (folder := settings.snapshot_folder) and _overlap(folder, settings.storage.data_dir):
        yield (
            "`snapshot.folder` and `storage.data_dir` lie in one another; databases belong on the "
            "local disk and their snapshots elsewhere."
        )


def _overlap(one: Path, other: Path) -> bool:
    one, other = one.absolute(), other.absolute()
    return one.is_relative_to(other) or other.is_relative_to(one)


def _warnings(settings: Settings) -> Iterator[str]:
    """Find what may be meant and should be known."""
    if settings.user_mode == "single" and not _loopback(settings.host):
        yield (
            f"The page is open to the network ({settings.host}) and `users.mode` is single: "
            "whoever reaches it reads and writes the same memory. For more people choose visitors."
        )


def _loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
