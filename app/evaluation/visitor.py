"""A person on the page without a browser: speaks the page's protocol by plain HTTP.

Nothing here is trusted by the server more than what a browser sends, so tests forge with it too.
"""

import json
import secrets
from collections.abc import Iterator, Sequence
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Any
from urllib.error import HTTPError
from urllib.request import HTTPCookieProcessor, ProxyHandler, Request, build_opener

from app.identity import COOKIE

PATIENCE = 60.0  # seconds


class Visitor:
    """One browser: its cookies, its queue, and what the page offers by name.

    Args:
        url: The page's address, with a slash at its end.
        headers: Sent with every request.
    """

    def __init__(self, url: str, headers: dict[str, str] | None = None) -> None:
        self.url = url
        self.headers = headers or {}
        # A Space's cookies are for https; browsers send them to this machine all the same.
        self.jar = CookieJar(DefaultCookiePolicy(secure_protocols=("https", "http")))
        self.session_hash = secrets.token_hex(6)
        self._opener = build_opener(HTTPCookieProcessor(self.jar), ProxyHandler({}))
        self.ask("")
        config = json.loads(self.ask("config")[1])
        self.actions = {action["api_name"]: action["id"] for action in config["dependencies"]}

    @property
    def cookie(self) -> str:
        """The value of the visitor's cookie, blank when there is none."""
        return next((cookie.value or "" for cookie in self.jar if cookie.name == COOKIE), "")

    def ask(self, path: str, content: Any = None) -> tuple[int, bytes]:
        """Fetch a path, or post `content` as JSON; return status and body."""
        body = None if content is None else json.dumps(content).encode()
        request = Request(self.url + path, body, {"Content-Type": "application/json"})
        for name, value in self.headers.items():
            request.add_header(name, value)
        try:
            with self._opener.open(request, timeout=PATIENCE) as answer:
                return answer.status, answer.read()
        except HTTPError as refused:
            with refused:
                return refused.code, refused.read()

    def call(self, action: str, *data: Any, event: Any = None) -> list[Any]:
        """Do something on the page; return the new values, blank where the page refused."""
        status, body = self.ask("gradio_api/run/predict", self.request(action, data, event))
        return list(json.loads(body)["data"]) if status == 200 else []

    def follow(self, action: str, *data: Any) -> Iterator[dict[str, Any]]:
        """Do something that shows more and more; yield the messages of its queue to the end."""
        self.ask("gradio_api/queue/join", self.request(action, data))
        yield from self.listen(self.session_hash)

    def listen(self, session_hash: str) -> Iterator[dict[str, Any]]:
        """Yield the messages of a queue until it has no more."""
        request = Request(f"{self.url}gradio_api/queue/data?session_hash={session_hash}")
        for name, value in self.headers.items():
            request.add_header(name, value)
        with self._opener.open(request, timeout=PATIENCE) as stream:
            for line in stream:
                if line.startswith(b"data:"):
                    message = json.loads(line[5:])
                    yield message
                    if message["msg"] in ("process_completed", "close_stream"):
                        return

    def request(self, action: str, data: Sequence[Any], event: Any = None) -> dict[str, Any]:
        """Build what the page would send for an action."""
        return {
            "data": list(data),
            "event_data": event,
            "fn_index": self.actions[action],
            "trigger_id": None,
            "session_hash": self.session_hash,
        }

    def say(self, text: str, place: str = "0/") -> dict[str, Any]:
        """Send a message in a new session or the one of `place`; return what the page shows."""
        shown: dict[str, Any] = self.call("say", text, place)[0]
        return shown
