"""What a person may set, declared once: key, default, limits and meaning.

Knows neither files nor the environment; `app.config` fills it from there.
"""

import re
from dataclasses import replace
from difflib import get_close_matches
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, available_timezones

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, SecretStr

from memory_tiers.policies import HUMAN, PERSONA, Policy


def _plain(text: str) -> str:
    if "\0" in text or any("\ud800" <= character <= "\udfff" for character in text):
        raise ValueError("text without NUL and lone surrogates")
    return text


def _folder(value: object) -> object:
    if isinstance(value, str):
        if not _plain(value).strip():
            raise ValueError("the path of a folder")
        try:
            return Path(value).expanduser()
        except RuntimeError as error:
            raise ValueError("the path of a folder of a user this machine knows") from error
    return value


def _word(text: str) -> str:
    if not re.fullmatch(r"[^\s\0]+", _plain(text)):
        raise ValueError("a name without spaces")
    return text


def _named(text: str) -> str:
    if not _plain(text).strip():
        raise ValueError("the name of a model or the path of its folder")
    return text


def _address(text: str) -> str:
    if not text:
        return text
    try:
        parts = urlsplit(_word(text))
        usable = parts.scheme in ("http", "https") and parts.hostname and not parts.username
        _ = parts.port
    except ValueError:
        usable = False
    if not usable:
        raise ValueError("an http:// or https:// address without user and password, or blank")
    return text


def _host(text: str) -> str:
    wanted = "a host name or an address such as 127.0.0.1"
    if not re.fullmatch(r"[A-Za-z0-9._:%-]+", text):
        raise ValueError(f"{wanted}, without http:// and without a port")
    if ":" in text:
        try:
            ip_address(text)
        except ValueError as error:
            raise ValueError(f"{wanted}, without http:// and without a port") from error
    return text


def _zone(name: str) -> str:
    if not name:
        return name
    try:
        ZoneInfo(name)
    except (KeyError, ValueError, OSError) as error:
        near = get_close_matches(name, available_timezones(), 1)
        hint = f" (did you mean {near[0]}?)" if near else ""
        raise ValueError(
            f"an IANA name such as Europe/Berlin, or blank for the machine's zone{hint}"
        ) from error
    return name


Text = Annotated[str, AfterValidator(_plain)]
Word = Annotated[str, AfterValidator(_word)]


class Section(BaseModel):
    """A part of `config.yaml`; unknown keys and values of another type are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Storage(Section):
    """Where memory lives."""

    data_dir: Annotated[Path, BeforeValidator(_folder)] = Field(
        default=Path("./data"), description="folder of the databases; ~ is your home"
    )


class Model(Section):
    """Which model answers."""

    provider: Literal["auto", "gemini", "offline"] = Field(
        default="auto", description="auto is gemini when a key is set, else offline"
    )
    name: Word = Field(default="gemini-2.5-flash", description="the Gemini model to ask")
    base_url: Annotated[str, AfterValidator(_address)] = Field(
        default="", description="another address that speaks Gemini's API; blank is Google's"
    )


class Users(Section):
    """Who is talking."""

    mode: Literal["single"] = Field(
        default="single", description="every browser is the same person"
    )


class Embedding(Section):
    """What turns text into vectors."""

    backend: Literal["onnx", "sentence-transformers"] = Field(
        default="onnx", description="onnx starts fast; sentence-transformers serves other models"
    )
    model: Annotated[str, AfterValidator(_named)] = Field(
        default="all-MiniLM-L6-v2", description="name of the embedding model, or its folder"
    )


class Core(Section):
    """The blocks that are always before the model."""

    persona: Text = Field(default=PERSONA.initial, description="how a new user's agent begins")
    persona_limit: int = Field(
        default=PERSONA.limit, ge=1, le=100_000, description="most characters of the persona block"
    )
    human_limit: int = Field(
        default=HUMAN.limit, ge=1, le=100_000, description="most characters of the human block"
    )


class Limits(Section):
    """How much one turn may take."""

    steps: int = Field(default=12, ge=1, le=50, description="most model calls in one turn")
    message_chars: int = Field(
        default=200_000, ge=1, le=1_000_000, description="most characters of one message"
    )
    output_tokens: int = Field(
        default=4096, ge=1, le=65_536, description="most tokens the model may write in one call"
    )


class Locale(Section):
    """How dates are shown."""

    timezone: Annotated[str, AfterValidator(_zone)] = Field(
        default="", description="IANA name such as Europe/Berlin; blank is the machine's zone"
    )


class Server(Section):
    """Where the page is served."""

    host: Annotated[str, AfterValidator(_host)] = Field(
        default="127.0.0.1", description="address to listen on; 0.0.0.0 opens it to the network"
    )
    port: int = Field(default=7860, ge=1, le=65_535, description="port to listen on")


class Settings(BaseModel):
    """Everything that is set, checked. `notices` are sentences the person should see once."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    storage: Storage = Storage()
    model: Model = Model()
    users: Users = Users()
    embedding: Embedding = Embedding()
    core: Core = Core()
    limits: Limits = Limits()
    locale: Locale = Locale()
    server: Server = Server()
    api_key: SecretStr | None = Field(default=None, exclude=True, repr=False)
    on_space: bool = False
    notices: tuple[str, ...] = ()

    @property
    def provider(self) -> Literal["gemini", "offline"]:
        """The provider that answers, `auto` resolved."""
        if self.model.provider == "auto":
            return "gemini" if self.api_key else "offline"
        return self.model.provider

    @property
    def zone(self) -> ZoneInfo | None:
        """The user's zone; None is the machine's."""
        return ZoneInfo(self.locale.timezone) if self.locale.timezone else None

    def policy(self) -> Policy:
        """What the memory tiers are opened with."""
        persona = replace(PERSONA, initial=self.core.persona, limit=self.core.persona_limit)
        human = replace(HUMAN, limit=self.core.human_limit)
        return Policy(blocks=(persona, human), timezone=self.locale.timezone)


SECTIONS = {
    name: field.annotation
    for name, field in Settings.model_fields.items()
    if isinstance(field.annotation, type) and issubclass(field.annotation, Section)
}
KNOBS: dict[str, dict[str, Any]] = {
    f"{name}.{key}": knob
    for name, section in SECTIONS.items()
    for key, knob in section.model_json_schema()["properties"].items()
}
