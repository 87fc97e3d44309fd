"""A server on loopback that speaks as much of Gemini's REST interface as the client asks for."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any


class GeminiStub:
    """Answers each request with the next of `replies`: a list of parts, or an HTTP status."""

    def __init__(self, replies: list[Any]) -> None:
        self.replies = list(replies)
        self.requests: list[dict[str, Any]] = []
        self.paths: list[str] = []
        self.keys: list[str | None] = []
        self.url = ""


@contextmanager
def gemini_stub(replies: list[Any]) -> Iterator[GeminiStub]:
    """Serve the stub on a free port."""
    stub = GeminiStub(replies)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            stub.requests.append(body)
            stub.paths.append(self.path)
            stub.keys.append(self.headers.get("x-goog-api-key"))
            reply = stub.replies.pop(0)
            if isinstance(reply, int):
                self._send(
                    reply, {"error": {"code": reply, "message": "refused", "status": "REFUSED"}}
                )
                return
            answer = {
                "candidates": [
                    {"content": {"role": "model", "parts": reply}, "finishReason": "STOP"}
                ],
                "usageMetadata": {"promptTokenCount": 21, "candidatesTokenCount": 7},
            }
            if "alt=sse" in self.path:
                self._reply(200, "text/event-stream", f"data: {json.dumps(answer)}\n\n".encode())
            else:
                self._send(200, answer)

        def _send(self, status: int, body: dict[str, Any]) -> None:
            self._reply(status, "application/json", json.dumps(body).encode())

        def _reply(self, status: int, kind: str, body: bytes) -> None:
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_args: Any) -> None:
            """Keep the test's output quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    stub.url = f"http://127.0.0.1:{server.server_port}"
    try:
        yield stub
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
