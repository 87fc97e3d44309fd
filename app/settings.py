"""What a person may set, declared once: key, default, limits and meaning.

Knows neither files nor the environment; `app.config` fills it from there.
"""

import re
from dataclasses import replace
from difflib import get_close_matches
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
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


def _header(name: str) -> str:
    if not re.fullmatch(r"[A-Za-z0-9-]+", name):
        raise ValueError("the name of a header such as X-Forwarded-User")
    return name


def _networks(text: str) -> str:
    try:
        networks(text)
    except ValueError as error:
        raise ValueError("addresses or networks such as 10.0.0.0/8, with commas between") from error
    return text


def networks(text: str) -> list[IPv4Network | IPv6Network]:
    """Read `users.proxies`: addresses and networks with commas between."""
    return [ip_network(one.strip()) for one in text.split(",") if one.strip()]


Text = Annotated[str, AfterValidator(_plain)]
Word = Annotated[str, AfterValidator(_word)]
Cap = Annotated[int, Field(ge=0, le=10_000_000)] | Literal["auto"]

SPACE_BUCKET = Path("/data")  # where a Space mounts the bucket it is given
SPACE_CAPS = {
    "session_turns": 200,
    "notes": 500,
    "calls_per_minute": 20,
    "calls_per_day": 5_000,
    "turns_at_once": 40,
}


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

    mode: Literal["auto", "single", "visitors", "header"] = Field(
        default="auto",
        description="who is who: single is one person in every browser, visitors is one person a "
        "browser, header lets a proxy name the person; auto is visitors on a Space, else single",
    )
    visitor_days: int = Field(
        default=30,
        ge=1,
        le=3650,
        description="days without a message after which a visitor's memory is deleted",
    )
    header: Annotated[str, AfterValidator(_header)] = Field(
        default="X-Forwarded-User", description="the header in which the proxy names the person"
    )
    proxies: Annotated[str, AfterValidator(_networks)] = Field(
        default="127.0.0.1, ::1",
        description="addresses or networks of the proxies whose header is believed",
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
    """How much may be asked of the model and of the disk; see `Settings.cap` for `auto`."""

    steps: int = Field(default=12, ge=1, le=50, description="most model calls in one turn")
    message_chars: int = Field(
        default=200_000, ge=1, le=1_000_000, description="most characters of one message"
    )
    output_tokens: int = Field(
        default=4096, ge=1, le=65_536, description="most tokens the model may write in one call"
    )
    session_turns: Cap = Field(default="auto", description="most turns of one session")
    notes: Cap = Field(default="auto", description="most notes of one person")
    calls_per_minute: Cap = Field(
        default="auto", description="most model calls a minute for one person"
    )
    calls_per_day: Cap = Field(default="auto", description="most model calls a day for everybody")
    turns_at_once: Cap = Field(default="auto", description="most turns that run at one time")


class Snapshot(Section):
    """Copies of the data folder, for a disk that does not last."""

    folder: Annotated[str, AfterValidator(_plain)] = Field(
        default="",
        description="where snapshots are kept and restored from; blank is /data on a Space that "
        "has it, else none are made",
    )
    seconds: int = Field(
        default=60,
        ge=1,
        le=86_400,
        description="seconds between two snapshots, if anything changed",
    )
    keep: int = Field(default=5, ge=1, le=1000, description="snapshots that are kept")


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
    names: Text = Field(
        default="",
        description="in mode single: public host names by which the page may be asked for, such "
        "as a proxy's; localhost, addresses and names of a home network always may",
    )


class Settings(BaseModel):
    """Everything that is set, checked. `notices` are sentences the person should see once.

    `on_space`, `space_host` and `sign_in` tell of the Hugging Face Space this runs on: whether it
    does, under which host name it is reached, and whether people can sign in there.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    storage: Storage = Storage()
    model: Model = Model()
    users: Users = Users()
    embedding: Embedding = Embedding()
    core: Core = Core()
    limits: Limits = Limits()
    snapshot: Snapshot = Snapshot()
    locale: Locale = Locale()
    server: Server = Server()
    api_key: SecretStr | None = Field(default=None, exclude=True, repr=False)
    on_space: bool = False
    space_host: str = ""
    sign_in: bool = False
    notices: tuple[str, ...] = ()

    @property
    def provider(self) -> Literal["gemini", "offline"]:
        """The provider that answers, `auto` resolved."""
        if self.model.provider == "auto":
            return "gemini" if self.api_key else "offline"
        return self.model.provider

    @property
    def user_mode(self) -> Literal["single", "visitors", "header"]:
        """Who is who, `auto` resolved."""
        if self.users.mode == "auto":
            return "visitors" if self.on_space else "single"
        return self.users.mode

    @property
    def host(self) -> str:
        """The address to listen on: on a Space every one, for its proxy comes from outside."""
        return "0.0.0.0" if self.on_space else self.server.host

    @property
    def snapshot_folder(self) -> Path | None:
        """Where snapshots go; None where none are made."""
        if self.snapshot.folder:
            return Path(self.snapshot.folder).expanduser()
        return SPACE_BUCKET if self.on_space and SPACE_BUCKET.is_dir() else None

    def cap(self, name: str) -> int | None:
        """Return a limit that may be `auto`; None is no limit, which `auto` means at home."""
        value = getattr(self.limits, name)
        if value == "auto":
            return SPACE_CAPS[name] if self.on_space else None
        return value or None

    @property
    def zone(self) -> ZoneInfo | None:
        """The user's zone; None is the machine's."""
        return ZoneInfo(self.locale.timezone) if self.locale.timezone else None

    def policy(self) -> Policy:
        """What the memory tiers are opened with."""
        persona = replace(PERSONA, initial=self.core.persona, limit=self.core.persona_limit)
        human = replace(HUMAN, limit=self.core.human_limit)
        return Policy(
            blocks=(persona, human), timezone=self.locale.timezone, notes=self.cap("notes")
        )


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
