"""What every request passes before the page sees it: who it is from, and whether it may come in.

A pure ASGI middleware. It names the person in the request's scope, where no browser can write;
lets in only the addresses the page needs, from pages of this server; bounds what is sent; and
gives each person event queues of their own, since a page invents the name of its queue.
"""

import asyncio
import hashlib
import json
import logging
import re
import time
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

from app.identity import (
    COOKIE,
    LOCAL_USER,
    Person,
    VisitorCookie,
    cookies,
    named_by_proxy,
    signed_in,
)
from app.settings import Settings, networks

log = logging.getLogger(__name__)

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]
Headers = list[tuple[bytes, bytes]]
Kinds = Mapping[int, tuple[str, ...]]  # what each action of the page takes: "number" or "text"

PERSON = "tiered_memory.person"  # key of the scope
MOST_BYTES = 4_000_000  # of a body, or what a message may take; a message has a limit of its own
BYTES_A_CHARACTER = 12  # at most, in JSON
MOST = 1e9  # of a number the page sends
NOBODYS_BYTES = 64_000  # of a body from somebody who is not known
HELD_BYTES = 64_000_000  # of all bodies that are on their way
BODY_SECONDS = 60.0
DAY = 86_400
# What the page asks for. All else the framework offers (files, uploads, recordings, run history,
# monitoring, descriptions for programs) is not here.
OPEN = {
    "GET": re.compile(
        r"/(?:config/?|theme\.css|favicon\.ico|robots\.txt|manifest\.json|(?:assets|static)/.*"
        r"|login/huggingface|login/callback|logout"
        r"|gradio_api/(?:app_id|startup-events|theme\.css|queue/data|heartbeat/[^/]+))?"
    ),
    "POST": re.compile(r"/gradio_api/(?:queue/join|run/predict)/?"),
}
OPEN["HEAD"] = OPEN["GET"]
STARTED = "/gradio_api/startup-events"  # the server asks itself at start; it tells nothing
# The page's own scripts are inline and compile templates; nothing is fetched from elsewhere.
POLICY = (
    "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval' blob:; "
    "style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; "
    "connect-src 'self'; object-src 'none'; base-uri 'self'; form-action 'self'"
)
CLOSED = "There is nothing here."
FOREIGN = "This was sent by a page of another site; nothing was done."
TOO_LARGE = "More was sent than any message may hold; nothing was kept."
TOO_SLOW = "What was sent did not arrive in time; nothing was kept."
CROWDED = "Too much is being sent right now; nothing was kept. Please try again."
ODD = "The page sends nothing of this kind; nothing was done."
FAILED = "That did not work: something broke inside."
WRONG_HOST = (
    "This page is reached as localhost or by its address, not by this name; "
    "server.names in config.yaml lists further names."
)
UNNAMED = "This page is reached through a proxy that says who you are; it did not say it."


# An address, a name without a dot, or one below a domain that has no owner in public.
PRIVATE_NAME = re.compile(
    r"[0-9.]+|[0-9a-f:.]*:[0-9a-f:.]*|[a-z0-9_-]+|[a-z0-9._-]+\.(?:localhost|local|lan|home|internal|home\.arpa)"
)


class _Refused(Exception):
    """A request that is kept out: with which status, and what it is told."""

    def __init__(self, status: int, sentence: str) -> None:
        self.status = status
        self.sentence = sentence


class Gate:
    """The middleware; it says one sentence to what it keeps out.

    Args:
        app: What answers behind it.
        settings: Checked settings.
        cookie: Makes and reads visitors' cookies; needed in mode `visitors` alone.
        kinds: What each action of the page takes.
    """

    def __init__(
        self, app: App, settings: Settings, cookie: VisitorCookie | None, kinds: Kinds
    ) -> None:
        self._app = app
        self._kinds = kinds
        self._names = set(settings.server.names.replace(",", " ").lower().split())
        self._most = max(MOST_BYTES, BYTES_A_CHARACTER * settings.limits.message_chars)
        self._held = 0
        self._mode = settings.user_mode
        self._cookie = cookie
        self._header = settings.users.header.lower().encode()
        self._proxies = networks(settings.users.proxies)
        self._seconds = settings.users.visitor_days * DAY
        self._framed = settings.on_space
        self._attributes = (
            "SameSite=None; Secure; Partitioned" if settings.on_space else "SameSite=Lax"
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or hand it on with its person named."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close"})
        else:
            try:
                scope, receive, send = await self._admitted(scope, receive, send)
            except _Refused as refused:
                await _say(send, refused.status, refused.sentence)
            else:
                await self._handed_on(scope, receive, send)

    async def _admitted(
        self, scope: Scope, receive: Receive, send: Send
    ) -> tuple[Scope, Receive, Send]:
        headers = scope["headers"]
        if not _open(scope):
            raise _Refused(404, CLOSED)
        if self._mode == "single" and not self._by_its_name(headers):
            raise _Refused(421, WRONG_HOST)
        if scope["method"] == "POST" and not _of_this_server(headers):
            raise _Refused(403, FOREIGN)
        person, fresh = self._person(scope)
        if person is None and self._mode == "header" and scope["path"] != STARTED:
            raise _Refused(401, UNNAMED)
        scope = {**scope, PERSON: person}
        name = person.user_id if person else ""
        if scope["method"] == "POST":
            body = await self._body(receive, self._most if person else NOBODYS_BYTES)
            body = own_request(body, name, self._kinds)
            scope["headers"] = _with_length(headers, len(body))
            receive = _replayed(body, receive)
        else:
            scope |= _own_address(scope, name)
        return scope, receive, self._adding(send, fresh)

    async def _handed_on(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand a request on; what breaks behind is logged by its kind alone, and told calmly."""
        signing_in = scope["path"].startswith("/login/")
        if scope["path"] == "/login/callback" and b"code=" not in scope.get("query_string", b""):
            await _go_home(send)  # the person said no, or the provider did
            return
        begun = False

        async def watched(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self._app(scope, receive, watched)
        except Exception as error:
            if isinstance(error, asyncio.CancelledError):
                raise
            log.error("request failed: %s", type(error).__name__)
            if not begun:
                await (_go_home(send) if signing_in else _say(send, 500, FAILED))

    def _by_its_name(self, headers: Headers) -> bool:
        """Tell whether the page was asked for by a name that cannot be made to lead here.

        Anybody may let a name of theirs lead to this machine and have a browser read the answer
        (DNS rebinding); names without a public owner, and addresses, they cannot.
        """
        host = (_values(headers, b"host") or [""])[0].lower()
        name = re.sub(r":\d*$", "", host).strip("[]").rstrip(".")
        return bool(PRIVATE_NAME.fullmatch(name)) or name in self._names

    async def _body(self, receive: Receive, most: int) -> bytes:
        """Read a body to its end, within its size, its time and what all may hold together."""
        parts: list[bytes] = []
        held = 0
        try:
            async with asyncio.timeout(BODY_SECONDS):
                more = True
                while more:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        break
                    part = message.get("body", b"")
                    parts.append(part)
                    held += len(part)
                    self._held += len(part)
                    if held > most:
                        raise _Refused(413, TOO_LARGE)
                    if self._held > HELD_BYTES:
                        raise _Refused(503, CROWDED)
                    more = message.get("more_body", False)
        except TimeoutError as error:
            raise _Refused(408, TOO_SLOW) from error
        finally:
            self._held -= held
        return b"".join(parts)

    def _person(self, scope: Scope) -> tuple[Person | None, str]:
        """Return who it is, None where that is not known, and a cookie to be kept by the browser.

        A visitor gets a cookie with the page alone, so that what else a browser fetches at the
        same time does not make several people of one.
        """
        headers = scope["headers"]
        if self._mode == "single":
            return Person(LOCAL_USER), ""
        if self._mode == "header":
            peer = (scope.get("client") or ("",))[0]
            return named_by_proxy(_raw(headers, self._header), peer, self._proxies), ""
        assert self._cookie is not None, "visitors are told apart by a cookie"
        sent = cookies(b"; ".join(_raw(headers, b"cookie")).decode("latin-1")).get(COOKIE, "")
        visitor = self._cookie.user(sent)
        known = signed_in(scope.get("session") or {}, time.time())
        fresh = ""
        if scope["path"] == "/":  # kept for as long as its memory is, counted from each visit
            fresh = sent if visitor else self._cookie.new()
            visitor = visitor or self._cookie.user(fresh)
        if known:
            return Person(known.user_id, visitor, known.name), fresh
        return (Person(visitor) if visitor else None), fresh

    def _adding(self, send: Send, fresh: str) -> Send:
        """Add a cookie and what a browser should know to an answer."""
        policy = POLICY if self._framed else f"{POLICY}; frame-ancestors 'self'"
        added: Headers = [
            (b"x-content-type-options", b"nosniff"),
            (b"referrer-policy", b"no-referrer"),
            (b"content-security-policy", policy.encode()),
        ]
        if fresh:
            value = f"{COOKIE}={fresh}; Path=/; Max-Age={self._seconds}; HttpOnly"
            added.append((b"set-cookie", f"{value}; {self._attributes}".encode()))

        async def adding(message: Message) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": [*message.get("headers", ()), *added]}
            await send(message)

        return adding


def _open(scope: Scope) -> bool:
    pattern = OPEN.get(scope["method"])
    return bool(pattern and pattern.fullmatch(scope["path"]))


def _raw(headers: Headers, name: bytes) -> list[bytes]:
    return [value for key, value in headers if key == name]


def _values(headers: Headers, name: bytes) -> list[str]:
    return [value.decode("utf-8", "replace") for value in _raw(headers, name)]


def _of_this_server(headers: Headers) -> bool:
    """Tell whether a request comes from a page of ours, or from no page at all.

    Browsers say it in Sec-Fetch-Site, which no page can set; to plain http they say it in Origin
    alone, which then has to name the host that was asked.
    """
    if sites := _values(headers, b"sec-fetch-site"):
        return sites[0] in ("same-origin", "none")
    origins, hosts = _values(headers, b"origin"), _values(headers, b"host")
    return not origins or urlsplit(origins[0]).netloc in hosts


def _replayed(body: bytes, receive: Receive) -> Receive:
    given = False

    async def replayed() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replayed


def _queue(name: str, session_hash: object) -> str:
    """Return this person's queue of that name: two people never have the same one."""
    return hashlib.sha256(json.dumps([name, str(session_hash)]).encode()).hexdigest()[:32]


def own_request(body: bytes, name: str, kinds: Kinds) -> bytes:
    """Return what an action of the page sends, for this person's queue and nothing besides.

    Raises:
        _Refused: It is nothing the page would send.
    """
    try:
        content = json.loads(body)
        action, data = content["fn_index"], content["data"]
        fits = (
            type(action) is int
            and isinstance(data, list)
            and len(data) == len(kinds[action])
            and all(map(_of_kind, data, kinds[action]))
        )
    except (ValueError, RecursionError, TypeError, KeyError) as error:
        raise _Refused(400, ODD) from error
    event, trigger = content.get("event_data"), content.get("trigger_id")
    if not (fits and _flat(event) and (trigger is None or type(trigger) is int)):
        raise _Refused(400, ODD)
    return json.dumps(
        {
            "fn_index": action,
            "data": data,
            "event_data": event,
            "trigger_id": trigger,
            "session_hash": _queue(name, content.get("session_hash")),
        }
    ).encode()


def _of_kind(value: object, kind: str) -> bool:
    if kind == "text":
        return isinstance(value, str)
    return type(value) in (int, float) and -MOST < value < MOST  # type: ignore[operator]


def _flat(event: object) -> bool:
    """Tell whether what an event brings is one plain value, or a few by name."""
    values = event.values() if isinstance(event, dict) else (event,)
    return all(isinstance(value, str | int | float | None) for value in values)


def _own_address(scope: Scope, name: str) -> Scope:
    """Do for an address what `_own_queue` does for a body."""
    path, query = scope["path"], scope.get("query_string", b"").decode("latin-1")
    if "/heartbeat/" in path:
        start, _, session_hash = path.rpartition("/")
        path = f"{start}/{_queue(name, session_hash)}"
        return {"path": path, "raw_path": path.encode()}
    if path.endswith("/queue/data"):
        pairs = parse_qsl(query, keep_blank_values=True)
        own = [(k, _queue(name, v) if k == "session_hash" else v) for k, v in pairs]
        return {"query_string": urlencode(own).encode()}
    return {}


def _with_length(headers: Headers, length: int) -> Headers:
    kept = [(k, v) for k, v in headers if k not in (b"content-length", b"transfer-encoding")]
    return [*kept, (b"content-length", str(length).encode())]


async def _go_home(send: Send) -> None:
    headers = [(b"location", b"/")]
    await send({"type": "http.response.start", "status": 303, "headers": headers})
    await send({"type": "http.response.body", "body": b""})


async def _say(send: Send, status: int, sentence: str) -> None:
    await send(
        {
            "type": "http.response.start",
            "status": status,
            "headers": [(b"content-type", b"text/plain; charset=utf-8")],
        }
    )
    await send({"type": "http.response.body", "body": sentence.encode()})
