"""A stand-in for signing in with Hugging Face: an OpenID provider on this machine.

It has the parts a Space uses: the description of itself, the page on which a person says who they
are (a link for each), and the exchange of a code for tokens. Codes work once; the client, its
secret and the address to return to are checked.

A Space is reached over https, by a proxy that is not here. So an address to return to on this
machine is followed over http.
"""

import base64
import html
import json
import secrets
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from joserfc import jwt
from joserfc.jwk import RSAKey

CLIENT, SECRET = "a-client", "a-secret-of-the-tests"
LOOPBACK = "https://127.0.0.1:"


@dataclass(frozen=True, slots=True)
class _Grant:
    """What a code stands for."""

    name: str
    client: str
    nonce: str
    back: str


class LoginServer:
    """The provider; running inside `with`.

    Args:
        names: The people there are. Their stable ids are `id-` and the name.

    Attributes:
        lifetime: Seconds the next sign-in holds; may be changed at any time.
        address: What OPENID_PROVIDER_URL is to be.
    """

    def __init__(self, names: Sequence[str] = ("dana", "erik"), lifetime: int = 3600) -> None:
        self.names = tuple(names)
        self.lifetime = lifetime
        self._key = RSAKey.generate_key(2048, {"kid": "tests", "use": "sig", "alg": "RS256"})
        self._grants: dict[str, _Grant] = {}
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Handler, self))
        self.address = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = Thread(target=self._server.serve_forever, args=(0.05,))

    @property
    def variables(self) -> dict[str, str]:
        """The variables of a Space whose people sign in here."""
        return {
            "OPENID_PROVIDER_URL": self.address,
            "OAUTH_CLIENT_ID": CLIENT,
            "OAUTH_CLIENT_SECRET": SECRET,
            "OAUTH_SCOPES": "openid profile",
        }

    def __enter__(self) -> "LoginServer":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def about(self) -> dict[str, Any]:
        """Describe the provider, as its well-known address does."""
        return {
            "issuer": self.address,
            "authorization_endpoint": f"{self.address}/oauth/authorize",
            "token_endpoint": f"{self.address}/oauth/token",
            "jwks_uri": f"{self.address}/keys",
            "response_types_supported": ["code"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["RS256"],
        }

    def keys(self) -> dict[str, Any]:
        """Return the public half of what tokens are signed with."""
        return {"keys": [self._key.as_dict(private=False)]}

    def choice(self, query: Mapping[str, str]) -> str:
        """Return the page on which one says who one is."""
        links = (
            f'<p><a href="/oauth/authorize?{html.escape(urlencode({**query, "as": name}))}">'
            f"{html.escape(name)}</a></p>"
            for name in self.names
        )
        return f"<!doctype html><title>Who are you?</title>{''.join(links)}"

    def granted(self, query: Mapping[str, str]) -> str | None:
        """Return where to go with a new code; None for somebody or a client unknown here."""
        if query["as"] not in self.names or query.get("client_id") != CLIENT:
            return None
        code, back = secrets.token_urlsafe(16), query["redirect_uri"]
        self._grants[code] = _Grant(query["as"], CLIENT, query.get("nonce", ""), back)
        there = back.replace("https:", "http:", 1) if back.startswith(LOOPBACK) else back
        joint = "&" if urlsplit(back).query else "?"
        return f"{there}{joint}{urlencode({'code': code, 'state': query.get('state', '')})}"

    def tokens(self, form: Mapping[str, str], authorization: str) -> dict[str, Any] | None:
        """Exchange a code; None when it is used, or not this client's."""
        grant = self._grants.pop(form.get("code", ""), None)
        sent = _basic(authorization) or (form.get("client_id"), form.get("client_secret"))
        if grant is None or sent != (CLIENT, SECRET) or form.get("redirect_uri") != grant.back:
            return None
        now = int(time.time())
        claims = {
            "iss": self.address,
            "aud": grant.client,
            "sub": f"id-{grant.name}",
            "iat": now,
            "exp": now + max(self.lifetime, 60),
            "nonce": grant.nonce,
            "name": grant.name.title(),
            "preferred_username": grant.name,
            "profile": f"{self.address}/{grant.name}",
            "picture": "",
        }
        return {
            "access_token": secrets.token_urlsafe(16),
            "token_type": "bearer",
            "expires_in": self.lifetime,
            "scope": "openid profile",
            "id_token": jwt.encode({"alg": "RS256", "kid": "tests"}, claims, self._key),
        }


def _basic(authorization: str) -> tuple[str, str] | None:
    if not authorization.startswith("Basic "):
        return None
    name, _, secret = base64.b64decode(authorization.removeprefix("Basic ")).decode().partition(":")
    return name, secret


class _Handler(BaseHTTPRequestHandler):
    """Brings requests to the provider and its answers back."""

    def __init__(self, login: LoginServer, *arguments: Any) -> None:
        self._login = login
        super().__init__(*arguments)

    def do_GET(self) -> None:
        """Answer what browsers and the Space ask."""
        address = urlsplit(self.path)
        query = {name: values[0] for name, values in parse_qs(address.query).items()}
        match address.path:
            case "/.well-known/openid-configuration":
                self._json(200, self._login.about())
            case "/keys":
                self._json(200, self._login.keys())
            case "/oauth/authorize" if "as" not in query:
                self._answer(200, "text/html", self._login.choice(query))
            case "/oauth/authorize" if there := self._login.granted(query):
                self._answer(302, "text/plain", "", {"Location": there})
            case _:
                self._answer(404, "text/plain", "There is nothing here.")

    def do_POST(self) -> None:
        """Answer the Space that brings a code."""
        length = int(self.headers.get("Content-Length", 0))
        sent = parse_qs(self.rfile.read(length).decode())
        form = {name: values[0] for name, values in sent.items()}
        tokens = self._login.tokens(form, self.headers.get("Authorization", ""))
        if tokens is None:
            self._json(400, {"error": "invalid_grant"})
        else:
            self._json(200, tokens)

    def log_message(self, *_: Any) -> None:
        """Say nothing: tokens do not belong on the screen."""

    def _json(self, status: int, content: Any) -> None:
        self._answer(status, "application/json", json.dumps(content))

    def _answer(
        self, status: int, kind: str, text: str, headers: Mapping[str, str] | None = None
    ) -> None:
        body = text.encode()
        self.send_response(status)
        for name, value in {"Content-Type": kind, **(headers or {})}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
