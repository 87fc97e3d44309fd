"""What every request passes before the page sees it: who it is from, and whether it may come in.

A pure ASGI middleware. It names the person in the request's scope, where no browser can write;
lets in only the addresses the page needs, from pages of this server; bounds what is sent; and
gives each person event queues of their own, since a page invents the name of its queue.
"""

import hashlib
import json
import re
import time
from collections.abc import Awaitable, Callable, MutableMapping
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

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]
Headers = list[tuple[bytes, bytes]]

PERSON = "tiered_memory.person"  # key of the scope
MOST_BYTES = 16_000_000  # of a request's body; a message has its own, smaller limit
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
TOO_LARGE = f"More than {MOST_BYTES // 1_000_000} MB were sent; nothing was kept."
UNNAMED = "This page is reached through a proxy that says who you are; it did not say it."


class Gate:
    """The middleware; it says one sentence to what it keeps out.

    Args:
        app: What answers behind it.
        settings: Checked settings.
        cookie: Makes and reads visitors' cookies; needed in mode `visitors` alone.
    """

    def __init__(self, app: App, settings: Settings, cookie: VisitorCookie | None) -> None:
        self._app = app
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
            return
        if scope["type"] != "http" or not _open(scope):
            await _say(send, 404, CLOSED)
            return
        headers = scope["headers"]
        if scope["method"] == "POST" and not _of_this_server(headers):
            await _say(send, 403, FOREIGN)
            return
        person, fresh = self._person(scope)
        if person is None and self._mode == "header" and scope["path"] != STARTED:
            await _say(send, 401, UNNAMED)
            return
        scope = {**scope, PERSON: person}
        name = person.user_id if person else ""
        if scope["method"] == "POST":
            body = await _body(receive)
            if body is None:
                await _say(send, 413, TOO_LARGE)
                return
            body = _own_queue(body, name)
            scope["headers"] = _with_length(headers, len(body))
            receive = _replayed(body, receive)
        else:
            scope |= _own_address(scope, name)
        await self._app(scope, receive, self._adding(send, fresh))

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
            return named_by_proxy(_values(headers, self._header), peer, self._proxies), ""
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


async def _body(receive: Receive) -> bytes | None:
    """Read a body to its end; None when it is too large."""
    parts, size, more = [], 0, True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            break
        parts.append(message.get("body", b""))
        size += len(parts[-1])
        if size > MOST_BYTES:
            return None
        more = message.get("more_body", False)
    return b"".join(parts)


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


def _own_queue(body: bytes, name: str) -> bytes:
    try:
        content = json.loads(body)
    except ValueError:
        return body  # the page's framework refuses it
    if not isinstance(content, dict) or content.get("session_hash") is None:
        return body
    content["session_hash"] = _queue(name, content["session_hash"])
    return json.dumps(content).encode()


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


async def _say(send: Send, status: int, sentence: str) -> None:
    await send(
        {
            "type": "http.response.start",
            "status": status,
            "headers": [(b"content-type", b"text/plain; charset=utf-8")],
        }
    )
    await send({"type": "http.response.body", "body": sentence.encode()})
