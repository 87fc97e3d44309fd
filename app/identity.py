"""Who is behind a request, decided from what a browser cannot invent. Pure, apart from the key.

A browser may send any field, id or session hash it likes; none of them has a say. What counts is
the place (one person at home), a cookie this server signed, a sign-in with Hugging Face that the
framework checked, or a header of a proxy that is known.
"""

import hashlib
import hmac
import os
import secrets
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from ipaddress import IPv4Network, IPv6Network, ip_address
from pathlib import Path
from typing import Any

from memory_tiers import InvalidInput, StoreUnavailable
from memory_tiers.inputs import identifier

LOCAL_USER = "local"  # the one person of mode single, in the terminal too
VISITOR = "visitor-"  # how the ids of visitors begin; their memory does not last for ever
SIGNED_IN = "hf-"
COOKIE = "tiered_memory_visitor"
KEY_FILE = "visitors.key"


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody whose memory may be read and changed.

    Attributes:
        user_id: Whose memory it is.
        visitor_id: The person this browser was before signing in, or blank.
        name: What a person who signed in is called, or blank.
    """

    user_id: str
    visitor_id: str = ""
    name: str = ""


class VisitorCookie:
    """Makes and reads the cookie of a visitor: an id and its signature (HMAC with SHA-256).

    Args:
        key: The secret of this server, at least 32 bytes.
    """

    def __init__(self, key: bytes) -> None:
        self._key = key

    def new(self) -> str:
        """Make the value of a cookie for somebody who was never here."""
        return self._signed(secrets.token_urlsafe(16))

    def user(self, value: str) -> str:
        """Return whom a value stands for, blank when this server did not sign it."""
        name = value.partition(".")[0]
        genuine = hmac.compare_digest(value.encode(), self._signed(name).encode())
        return VISITOR + name if name and genuine else ""

    def _signed(self, name: str) -> str:
        return f"{name}.{hmac.new(self._key, name.encode(), hashlib.sha256).hexdigest()}"


def visitor_key(folder: Path) -> bytes:
    """Return the secret that signs visitors' cookies, made on the first call.

    It lies beside the memories and goes into their snapshots: with another key nobody would find
    theirs again.

    Raises:
        StoreUnavailable: The file cannot be read or made, or is cut.
    """
    file = folder / KEY_FILE
    if not file.exists():
        _make_key(file)
    try:
        key = bytes.fromhex(file.read_text("ascii"))
    except (OSError, ValueError) as error:
        raise StoreUnavailable(f"{KEY_FILE} in the data folder cannot be read.") from error
    if len(key) < 32:
        raise StoreUnavailable(
            f"{KEY_FILE} in the data folder is cut: restore it from a snapshot, or delete it so "
            "that every visitor begins anew."
        )
    return key


def _make_key(file: Path) -> None:
    """Put a new key in place whole, unless another process was quicker."""
    draft = file.with_name(f"{KEY_FILE}.{secrets.token_hex(4)}")
    try:
        with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as opened:
            opened.write(secrets.token_hex(32))
            opened.flush()
            os.fsync(opened.fileno())
        with suppress(FileExistsError):
            os.link(draft, file)
    except OSError as error:
        raise StoreUnavailable(f"{KEY_FILE} cannot be made in the data folder.") from error
    finally:
        draft.unlink(missing_ok=True)


def cookies(header: str) -> dict[str, str]:
    """Read a Cookie header (RFC 6265); what is no cookie is left out."""
    found: dict[str, str] = {}
    for part in header.split(";"):
        try:
            found |= {name: morsel.value for name, morsel in SimpleCookie(part.strip()).items()}
        except CookieError:
            continue
    return found


def signed_in(session: Mapping[str, Any], now: float) -> Person | None:
    """Read the sign-in that the framework verified and keeps in its own signed cookie."""
    info = session.get("oauth_info")
    if not isinstance(info, Mapping) or float(info.get("expires_at") or 0) <= now:
        return None
    known = info.get("userinfo")
    if not isinstance(known, Mapping) or not known.get("sub"):
        return None
    return Person(
        SIGNED_IN + str(known["sub"]), name=str(known.get("preferred_username") or known["sub"])
    )


def named_by_proxy(
    values: Sequence[bytes], peer: str, proxies: Sequence[IPv4Network | IPv6Network]
) -> Person | None:
    """Believe a header when it stands once and comes from a known proxy."""
    try:
        known = any(ip_address(peer) in network for network in proxies)
        # Two names must never become one, so what is not quite text is nobody's.
        return Person(identifier(_exact(values), "user")) if known else None
    except (ValueError, InvalidInput):
        return None


def _exact(values: Sequence[bytes]) -> str:
    (value,) = values
    name = value.decode("utf-8")
    if "\ufffd" in name:
        raise ValueError("a name that was garbled on its way")
    return name
