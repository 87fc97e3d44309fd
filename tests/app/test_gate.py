"""The gate names the person, keeps out what the page does not need, and keeps people apart."""

import pytest

from app.gate import PERSON, Gate
from app.identity import COOKIE
from app.settings import Settings
from tests.app.gate_asking import HOME, JOIN, KINDS, SENT, VISITORS, Behind, ask


def given_cookie(headers):
    """Return the value of the visitor's cookie that an answer sets, None when it sets none."""
    found = [value for name, value in headers if name == "set-cookie"]
    return found[0].split(";")[0].partition("=")[2] if found else None


async def test_first_look_makes_a_visitor():
    """Who comes without a cookie gets one that scripts cannot read, and is already that person."""
    status, headers, behind = await ask()

    cookie = dict(headers)["set-cookie"]
    assert status == 200
    assert behind.scope[PERSON].user_id == VISITORS.user(given_cookie(headers))
    assert "HttpOnly" in cookie and "SameSite=Lax" in cookie and "Max-Age=2592000" in cookie


async def test_cookie_on_a_space_works_within_a_frame():
    """On a Space the cookie is sent from a frame of another site, to that frame's page alone."""
    _, headers, _ = await ask(space=True)

    assert dict(headers)["set-cookie"].endswith("SameSite=None; Secure; Partitioned")


async def test_visitor_who_comes_back_stays_the_same():
    """A cookie of ours is kept, and lasts as long again."""
    value = VISITORS.new()
    _, headers, behind = await ask(headers=[("cookie", f"other=1; {COOKIE}={value}")])

    assert given_cookie(headers) == value
    assert behind.scope[PERSON].user_id == VISITORS.user(value)


@pytest.mark.parametrize("value", ["x", "local", "visitor-1.00", f"{VISITORS.new()}0"])
async def test_forged_cookie_is_somebody_new(value):
    """A cookie that was not signed here is replaced, and its name is nobody's."""
    _, headers, behind = await ask(headers=[("cookie", f"{COOKIE}={value}")])

    assert given_cookie(headers) not in (None, value)
    assert behind.scope[PERSON].user_id == VISITORS.user(given_cookie(headers))


async def test_without_cookie_only_the_page_makes_a_visitor():
    """Whatever else is fetched at the same time does not make several people of one."""
    _, headers, behind = await ask(JOIN, "POST", body=SENT)

    assert given_cookie(headers) is None
    assert behind.scope[PERSON] is None


async def test_person_in_the_scope_is_always_ours():
    """A name that stood there before is replaced."""
    _, _, behind = await ask(mode="single", **{PERSON: "mallory"})

    assert behind.scope[PERSON].user_id == "local"


async def test_signed_in_person_is_known_beside_the_visitor():
    """Signing in changes whose memory it is; who the browser was before stays known."""
    value = VISITORS.new()
    info = {"userinfo": {"sub": "7", "preferred_username": "dana"}, "expires_at": 9e9}
    _, _, behind = await ask(
        headers=[("cookie", f"{COOKIE}={value}")], session={"oauth_info": info}
    )

    person = behind.scope[PERSON]
    assert (person.user_id, person.name) == ("hf-7", "dana")
    assert person.visitor_id == VISITORS.user(value)


@pytest.mark.parametrize(
    ("client", "status"), [(("127.0.0.1", 5), 200), (("10.0.0.1", 5), 401), (None, 401)]
)
async def test_header_mode_needs_a_known_proxy(client, status):
    """From a proxy that is listed the name counts; from anywhere else nothing is answered."""
    got, _, behind = await ask(mode="header", headers=[("x-forwarded-user", "dana")], client=client)

    assert got == status
    assert status == 401 or behind.scope[PERSON].user_id == "dana"


async def test_header_mode_without_a_name_answers_nothing():
    """A proxy that forgot the header does not open the page to nobody in particular."""
    status, _, behind = await ask(mode="header")

    assert (status, behind.scope) == (401, None)


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/gradio_api/file=data/memory.db"),
        ("GET", "/file=data/memory.db"),
        ("GET", "/gradio_api/file/data/memory.db"),
        ("GET", "/gradio_api/openapi.json"),
        ("GET", "/docs"),
        ("GET", "/agents.md"),
        ("GET", "/monitoring"),
        ("GET", "/gradio_api/runs"),
        ("GET", "/gradio_api/run-history/records"),
        ("GET", "/gradio_api/deep_link"),
        ("GET", "/gradio_api/call/say/1"),
        ("GET", "/gradio_api/stream/a/1/2/playlist.m3u8"),
        ("GET", "/gradio_api/proxy=http://localhost/"),
        ("GET", "/gradio_api/heartbeat/a/b"),
        ("GET", "/assets"),
        ("GET", "/\n"),
        ("POST", "/gradio_api/upload"),
        ("POST", "/gradio_api/call/say"),
        ("POST", "/gradio_api/run/say"),
        ("POST", "/gradio_api/api/predict"),
        ("POST", "/gradio_api/cancel"),
        ("POST", "/gradio_api/reset"),
        ("POST", "/gradio_api/component_server"),
        ("POST", "/gradio_api/process_recording"),
        ("POST", "/gradio_api/vibe-code"),
        ("POST", "/login"),
        ("POST", "/"),
        ("PUT", "/"),
        ("OPTIONS", JOIN),
    ],
)
async def test_what_the_page_does_not_need_is_not_there(method, path):
    """Files, uploads, descriptions for programs, run history and the like are all closed."""
    status, _, behind = await ask(path, method)

    assert (status, behind.scope) == (404, None)


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ([], 200),
        ([("origin", "http://me.test"), ("host", "me.test")], 200),
        ([("origin", "https://me.test:8443"), ("host", "me.test:8443")], 200),
        ([("origin", "https://evil.test"), ("host", "me.test")], 403),
        ([("origin", "null"), ("host", "me.test")], 403),
        (
            [
                ("origin", "https://evil.test"),
                ("host", "me.test"),
                ("x-forwarded-host", "evil.test"),
            ],
            403,
        ),
        ([("sec-fetch-site", "same-origin"), ("origin", "https://me.test"), ("host", "in")], 200),
        ([("sec-fetch-site", "cross-site"), ("origin", "http://a.test"), ("host", "a.test")], 403),
        ([("sec-fetch-site", "same-site"), ("host", "me.test")], 403),
    ],
)
async def test_pages_of_other_sites_can_send_nothing(headers, status):
    """A form or script elsewhere cannot act for somebody who is known here."""
    got, _, behind = await ask(JOIN, "POST", headers, body=SENT)

    assert got == status
    assert (behind.scope is None) == (status == 403)


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("127.0.0.1:7860", 200),
        ("localhost", 200),
        ("[::1]:7860", 200),
        ("192.168.1.5:7860", 200),
        ("box", 200),
        ("box.local:7860", 200),
        ("memory.example.org", 200),
        ("evil.example:7860", 421),
        ("localhost.evil.example", 421),
        ("127.0.0.1.evil.example", 421),
        ("", 421),
    ],
)
async def test_at_home_only_names_nobody_else_owns_lead_here(host, status):
    """A name that its owner may let lead to this machine reads nothing of the one memory."""
    got, _, _ = await ask(headers=[("host", host)], mode="single", names="memory.example.org")

    assert got == status


async def test_what_breaks_behind_is_told_calmly(caplog):
    """An error behind the gate is one sentence to the browser and its kind in the log."""
    sent = []

    async def broken(scope, receive, send):
        raise RuntimeError("secret words")

    async def send(message):
        sent.append(message)

    for path in ("/", "/login/huggingface"):
        scope = {"type": "http", "method": "GET", "path": path, "query_string": b"code=1"}
        await Gate(broken, Settings(), None, KINDS)({**scope, "headers": HOME}, None, send)

    assert [message["status"] for message in sent if "status" in message] == [500, 303]
    assert "RuntimeError" in caplog.text and "secret words" not in caplog.text


async def test_who_declines_to_sign_in_is_led_back():
    """Without a code the provider sent somebody back who is not signed in."""
    query = "error=access_denied&error_description=words&state=x"
    status, headers, behind = await ask("/login/callback", query=query)

    assert (status, dict(headers)["location"], behind.scope) == (303, "/", None)


async def test_sockets_are_closed():
    """The page uses none."""
    sent = []

    async def send(message):
        sent.append(message)

    await Gate(Behind(), Settings(), None, KINDS)({"type": "websocket"}, None, send)

    assert sent == [{"type": "websocket.close"}]


async def test_answers_tell_browsers_to_be_careful():
    """Nothing is guessed from content, no address goes elsewhere, no other site frames the page."""
    _, headers, _ = await ask(mode="single")
    _, framed, _ = await ask(space=True)

    told = dict(headers)
    assert told["x-content-type-options"] == "nosniff"
    assert told["referrer-policy"] == "no-referrer"
    assert "frame-ancestors 'self'" in told["content-security-policy"]
    assert "frame-ancestors" not in dict(framed)["content-security-policy"]


async def test_start_and_end_of_the_server_pass():
    """The server's own messages are handed on."""
    seen = []

    async def behind(scope, receive, send):
        seen.append(scope["type"])

    await Gate(behind, Settings(), None, KINDS)({"type": "lifespan"}, None, None)

    assert seen == ["lifespan"]
