"""One visitor tries everything to read or change what belongs to another, by plain HTTP."""

import json
import threading
from urllib.parse import quote

import pytest

from app.evaluation.visitor import Visitor
from app.identity import COOKIE
from memory_tiers import Memory
from tests.servers import page_server

SECRETS = ("locker", "teal paint", "Santa Maria", "Dana")
SITE = ("-m", "app", "--data-dir", "{folder}", "--config", "{folder}/config.yaml")
DANA = (
    "Hi, I'm Dana. I live in Lisbon.",
    "My locker is number 12, near the canteen.",
    "I moved to Porto.",
)
NOTE = "The teal paint is under the stairs of the Santa Maria hospital."
FILES = (
    "memory.db",
    "memory.db-wal",
    "sessions.db",
    "visitors.key",
    "config.yaml",
    "calls.json",
)
READS = (  # addresses Gradio knows, with a file of the data folder, its folder, or somebody's queue
    "gradio_api/file={file}",
    "gradio_api/file/{file}",
    "file={file}",
    "file/{file}",
    "static/{file}",
    "static/../../{file}",
    "static/%2e%2e/%2e%2e/{file}",
    "static//{file}",
    "assets/{file}",
    "assets/..%2f..%2f{file}",
    "svelte/{file}",
    "theme.css/../{file}",
    "gradio_api/proxy=file://{file}",
    "gradio_api/custom_component/8/server/component/{file}",
    "gradio_api/stream/{queue}/1/8/playlist.m3u8",
    "gradio_api/stream/{queue}/1/8/playlist-file",
    "gradio_api/call/enter/{queue}",
    "gradio_api/heartbeat/{queue}/",
    "gradio_api/upload_progress?upload_id={queue}",
    "gradio_api/queue/status",
    "gradio_api/info",
    "gradio_api/openapi.json",
    "openapi.json",
    "docs",
    "redoc",
    "agents.md",
    "llms.txt",
    "gradio_api/runs",
    "gradio_api/run-history/buckets",
    "gradio_api/run-history/records",
    "gradio_api/deep_link?session_hash={queue}",
    "monitoring",
    "monitoring/summary",
    "gradio_api/profiling/traces",
    "gradio_api/dev/reload",
    "gradio_api/vibe-code",
    "gradio_api/token",
    "gradio_api/user",
    "gradio_api/mcp/sse",
    "?view=api",
    "?session={session}",
    "config?session={session}",
)
POSTS = (  # addresses that take something
    "gradio_api/upload",
    "gradio_api/run/enter",
    "gradio_api/run/find_messages",
    "gradio_api/api/enter",
    "gradio_api/api/predict",
    "gradio_api/call/enter",
    "gradio_api/call/v2/enter",
    "gradio_api/cancel",
    "gradio_api/reset",
    "gradio_api/component_server",
    "gradio_api/process_recording",
    "gradio_api/stream/{queue}",
    "gradio_api/stream/{queue}/close",
    "gradio_api/vibe-edit",
    "gradio_api/run-history/connect",
    "login",
)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A page for visitors, the folder of its data, and Dana, who has said things there."""
    folder = tmp_path_factory.mktemp("attacked")
    (folder / "config.yaml").write_text("users: {mode: visitors}\nmodel: {provider: offline}\n")
    with page_server(folder, SITE) as url:
        dana = Visitor(url)
        place = "0/"
        for text in DANA:
            shown = dana.say(text, place)
            place = f"{shown['look']}/{shown['session']}"
            for _ in dana.follow("follow", place):
                pass
        with Memory.open(folder, embedder="hash") as memory:
            memory.for_user(owner(dana)).archival.insert(NOTE)
        yield url, folder, dana, place.partition("/")[2]


class Mallory(Visitor):
    """A visitor who keeps everything that was ever answered."""

    def __init__(self, url, **settings):
        self.heard = []
        super().__init__(url, **settings)

    def ask(self, path, content=None):
        """Fetch or post, and keep the answer."""
        status, body = super().ask(path, content)
        self.heard.append(body.decode("utf-8", "replace"))
        return status, body

    def leaked(self):
        """Return the secrets that were in any answer; the page's own examples name Dana too."""
        heard = "\n".join(self.heard).replace("Hi, I&#x27;m Dana", "")
        return [secret for secret in SECRETS if secret in heard.replace("I'm Dana. I live", "")]


def owner(dana):
    """Return the id under which Dana's memory is kept."""
    return "visitor-" + dana.cookie.partition(".")[0]


def kept(folder, dana):
    """Return everything that is stored for Dana."""
    with Memory.open(folder, embedder="hash") as memory:
        mine = memory.for_user(owner(dana))
        sessions = mine.sessions.list()
        return (
            mine.core.blocks(),
            sessions,
            [mine.recall.messages(session.id) for session in sessions],
            mine.archival.list(),
            [mine.confirmations.pending(session.id) for session in sessions],
        )


def test_dana_has_something_to_lose(site):
    """What the others try for is there: facts, messages, a note and an open card."""
    _, folder, dana, session = site
    blocks, sessions, messages, notes, cards = kept(folder, dana)

    assert "Dana" in str(blocks) and "locker" in str(messages) and "teal paint" in str(notes)
    assert [one.id for one in sessions] == [session]
    assert len(cards[0]) == 1
    assert "locker" in str(dana.call("find_messages", "locker"))
    assert "teal" in str(dana.call("find_notes", "teal paint"))


def test_ids_of_somebody_else_open_nothing(site):
    """Chat, panels, search and list answer for the one who asks, whatever ids are sent."""
    url, folder, dana, session = site
    before = kept(folder, dana)
    card = before[4][0][0].id
    mallory = Mallory(url)
    place = f"9999999999999/{session}"

    mallory.call("enter", session)
    mallory.call("open", event={"id": session})
    for action in ("follow", "follow_1", "follow_6"):
        mallory.heard.append(str([*mallory.follow(action, place)]))
    mallory.call("retry", place)
    mallory.call("end_turn", place)
    for answer in ("yes", "no"):
        mallory.call("answer", place, event={"card": card, "answer": answer, "reason": ""})
        mallory.call("answer", "0/", event={"card": card, "answer": answer, "reason": ""})
    for version in ("0", "1", "2", "3"):
        changed = {"label": "human", "version": version, "text": "", "user": owner(dana)}
        mallory.call("save", event=changed | {"user_id": owner(dana)})
    for query in (
        "canteen",
        "stairs hospital",
        "Lisbon",
        '" OR 1=1 --',
        "owner:*",
        owner(dana),
        "*",
    ):
        mallory.call("find_messages", query)
        mallory.call("more_messages", query, 990)
        mallory.call("find_notes", query)
        mallory.call("more_notes", query, 990)
    mallory.call("same_notes", "", 1000)
    mallory.call("say", "What do you know about me?", place)
    mallory.call("say_this", place, event={"text": "What is near the canteen?"})

    assert mallory.leaked() == []
    assert kept(folder, dana) == before


@pytest.mark.parametrize("kind", ["name", "unsigned", "altered", "twice", "quoted", "empty"])
def test_forged_cookies_are_nobody(site, kind):
    """Without the server's signature no cookie stands for Dana, however it is put."""
    url, folder, dana, session = site
    before = kept(folder, dana)
    name, _, signature = dana.cookie.partition(".")
    forged = {
        "name": owner(dana),
        "unsigned": name,
        "altered": f"{name}.{signature[:-1]}{'0' if signature[-1] != '0' else '1'}",
        "twice": f"{name}.{'0' * 64}; {COOKIE}={name}",
        "quoted": f'"{name}.{signature[:-2]}"',
        "empty": f"{name}.",
    }
    mallory = Mallory(url)
    mallory.jar.clear()
    mallory.headers = {"Cookie": f"{COOKIE}={forged[kind]}"}
    mallory.call("enter", session)
    mallory.call("find_messages", "canteen")
    mallory.call("find_notes", "stairs hospital")
    mallory.call("say", "What do you know about me?", f"0/{session}")

    assert mallory.leaked() == []
    assert kept(folder, dana) == before


@pytest.mark.parametrize(
    "name",
    ["X-Forwarded-User", "Remote-User", "X-Auth-User", "Authorization", "X-User-Id", "X-IP-Token"],
)
def test_forged_headers_are_nobody(site, name):
    """Where no proxy names people, a header has no say."""
    url, _, dana, session = site
    mallory = Mallory(url, headers={name: owner(dana)})
    mallory.call("enter", session)
    mallory.call("find_messages", "canteen")
    mallory.call("find_notes", "stairs hospital")

    assert mallory.leaked() == []


def test_forged_fields_are_nobody(site):
    """Names of people in the request's own fields are not read."""
    url, _, dana, session = site
    mallory = Mallory(url)
    for action, data in (("enter", [session]), ("find_messages", ["canteen"])):
        forged = mallory.request(action, data) | {
            "username": owner(dana),
            "user_id": owner(dana),
            "request": {"username": owner(dana), "session": {"oauth_info": {"sub": "x"}}},
            "session_hash": dana.session_hash,
            "state": {"user": owner(dana)},
        }
        mallory.ask("gradio_api/run/predict", forged)
        mallory.ask(f"gradio_api/run/predict?session_hash={dana.session_hash}", forged)

    assert mallory.leaked() == []


def test_queue_of_somebody_else_cannot_be_heard_or_fed(site):
    """Who knows the name of Dana's queue hears nothing of it and puts nothing into it."""
    url, _, dana, session = site
    mallory = Mallory(url)
    overheard = []

    def listen():
        overheard.extend(mallory.listen(dana.session_hash))

    listener = threading.Thread(target=listen, daemon=True)
    listener.start()
    theirs = [*dana.follow("follow", f"0/{session}")]
    mallory.session_hash = dana.session_hash
    fed = mallory.request("follow", [f"0/{session}"])
    mallory.ask("gradio_api/queue/join", fed)
    listener.join(20)

    assert "locker" in str(theirs)
    assert not listener.is_alive()
    assert [secret for secret in SECRETS if secret in str(overheard)] == []
    assert mallory.leaked() == []


@pytest.mark.parametrize("path", READS)
def test_no_address_reads_the_data_folder_or_a_queue(site, path):
    """File addresses, recordings, descriptions and history hold nothing of anybody."""
    url, folder, dana, session = site
    mallory = Mallory(url)
    for name in FILES:
        for file in (folder / name, f"data/{name}", quote(str(folder / name), safe="")):
            filled = path.format(
                file=str(file).lstrip("/"), queue=dana.session_hash, session=session
            )
            mallory.ask(filled)
            mallory.ask(path.format(file=file, queue=dana.session_hash, session=session))
        if "{file}" not in path:
            break

    heard = "\n".join(mallory.heard)
    assert mallory.leaked() == []
    assert "SQLite format" not in heard and "provider: offline" not in heard
    assert dana.cookie not in heard and owner(dana) not in heard


@pytest.mark.parametrize("path", POSTS)
def test_no_address_takes_anything_in(site, path):
    """Uploads and calls by another way than the page's own are not there."""
    url, _, dana, session = site
    mallory = Mallory(url)
    content = mallory.request("enter", [session]) | {"session_hash": dana.session_hash}
    status, _ = mallory.ask(path.format(queue=dana.session_hash), content)

    assert status == 404
    assert mallory.leaked() == []


def test_page_itself_holds_nothing_of_anybody(site):
    """The page as it is sent, with its configuration, is the same for everybody."""
    url, _, dana, _ = site
    mallory = Mallory(url)
    seen = [json.loads(person.ask("config")[1]) for person in (dana, mallory)]

    assert mallory.leaked() == []
    assert owner(dana) not in str(seen)
    assert str(seen[0]["components"]) == str(seen[1]["components"])


def test_page_of_another_site_acts_for_nobody(site):
    """A script elsewhere cannot send for Dana, even with her cookie."""
    _, folder, dana, session = site
    before = kept(folder, dana)
    for headers in ({"Origin": "https://evil.test"}, {"Sec-Fetch-Site": "cross-site"}):
        status, _ = _with(dana, headers).ask(
            "gradio_api/run/predict", dana.request("say", ["forget me", f"0/{session}"])
        )
        assert status == 403

    assert kept(folder, dana) == before


def _with(visitor, headers):
    """Return the same browser, as another site's script would use it."""
    visitor_there = Visitor.__new__(Visitor)
    visitor_there.__dict__ = {**visitor.__dict__, "headers": headers}
    return visitor_there
