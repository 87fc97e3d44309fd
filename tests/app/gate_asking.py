"""One request through a gate, and what reached the other side."""

from app.gate import Gate
from app.identity import VisitorCookie
from app.settings import Server, Settings, Users

HOME = [(b"host", b"localhost")]
VISITORS = VisitorCookie(b"k" * 32)
KINDS = {0: ("text", "number"), 1: ()}
SENT = b'{"fn_index": 1, "data": [], "session_hash": "abc"}'
JOIN = "/gradio_api/queue/join"
DATA = "/gradio_api/queue/data"


class Behind:
    """What stands behind the gate: it keeps what reached it, and answers with nothing."""

    def __init__(self):
        self.scope = None
        self.body = b""

    async def __call__(self, scope, receive, send):
        """Answer like the page would, with nothing."""
        self.scope = scope
        self.body = (await receive())["body"] if scope["method"] == "POST" else b""
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b""})


async def ask(
    path="/",
    method="GET",
    headers=(),
    *,
    mode="visitors",
    body=b"",
    query="",
    space=False,
    names="",
    **scope,
):
    """Send one request through a gate; return the status, the headers, and what is behind."""
    behind = Behind()
    settings = Settings(users=Users(mode=mode), server=Server(names=names), on_space=space)
    if not any(name == "host" for name, _ in headers):
        headers = [*headers, ("host", "localhost")]
    asked = {
        "type": "http",
        "method": method,
        "path": path,
        "query_string": query.encode(),
        "headers": [(k.encode(), v.encode()) for k, v in headers],
        "client": ("127.0.0.1", 5),
        **scope,
    }
    sent = []
    parts = [body[i : i + 1_000_000] for i in range(0, len(body) or 1, 1_000_000)]

    async def receive():
        part = parts.pop(0)
        return {"type": "http.request", "body": part, "more_body": bool(parts)}

    async def send(message):
        sent.append(message)

    await Gate(behind, settings, VISITORS, KINDS)(asked, receive, send)
    answered = [(k.decode(), v.decode()) for k, v in sent[0]["headers"]]
    return sent[0]["status"], answered, behind
