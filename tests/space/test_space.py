"""From a clone to a page on a Space: packages, start, a turn, what is written, the end."""

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from urllib.request import urlopen

import pytest
from gradio import http_server
from playwright.sync_api import expect

from app.ui.space import prepare
from tests.play import PATIENCE, say
from tests.servers import ROOT
from tests.space.environment import Space, front_matter

RELOAD_PORT = 7887  # where Gradio would take new code for a running Space
NOTES = "Please remember: my bicycle is kept in the shed behind the bakery."


@pytest.fixture
def visit(chromium):
    """Open the page of a Space as somebody new."""
    contexts = []

    def visit(space):
        contexts.append(chromium.new_context(viewport={"width": 1280, "height": 800}))
        page = contexts[-1].new_page()
        page.goto(space.address)
        expect(page.locator(".welcome h2")).to_be_visible(timeout=PATIENCE)
        return page

    yield visit
    for context in contexts:
        context.close()


@pytest.fixture
def built(interpreter):
    """The interpreter, where it was built as a Space builds it; else the reason is told."""
    if interpreter.missing:
        pytest.skip(interpreter.missing)
    return interpreter


@pytest.fixture
def gpu_service() -> Iterator[tuple[str, list[str]]]:
    """The part of ZeroGPU a program reports to: its address, and what was reported."""
    reported: list[str] = []

    class Service(BaseHTTPRequestHandler):
        def do_POST(self):
            reported.append(self.path)
            self.send_response(200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Service) as server:
        thread = Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}", reported
        server.shutdown()
        thread.join()


def test_packages_of_a_space_go_together(built):
    """The build commands end well: the Python and Gradio of README.md, and nothing in conflict."""
    asked = (
        "import json, sys; from importlib.metadata import version, distributions as all; "
        "print(json.dumps([sys.version_info[:2], version('gradio'), "
        "sorted(one.name.lower() for one in all())]))"
    )

    python, gradio, names = json.loads(subprocess.check_output([built.python, "-c", asked]))
    check = subprocess.run(
        [built.python, "-m", "pip", "check"], capture_output=True, text=True, check=False
    )

    assert ".".join(map(str, python)) == front_matter()["python_version"]
    assert gradio == front_matter()["sdk_version"]
    assert not {"torch", "sentence-transformers"} & {*names}
    assert check.returncode == 0, check.stdout


def test_page_answers_and_the_log_is_clean(space):
    """The page is served with a cookie that works inside the frame a Space is shown in."""
    with urlopen(space.address) as answer:
        page, cookie = answer.read().decode(), answer.headers["Set-Cookie"]

    assert "Tiered Memory" in page
    assert cookie.endswith("HttpOnly; SameSite=None; Secure; Partitioned")
    assert "Traceback" not in space.log


@pytest.mark.browser
def test_turn_works_in_a_browser(space, visit):
    """A visitor says something and is answered, and finds it again after a reload."""
    page = visit(space)

    assert "shed" in say(page, NOTES)
    page.reload()
    expect(page.locator("#conversation")).to_contain_text("bakery", timeout=PATIENCE)


@pytest.mark.browser
def test_two_browsers_are_two_people(space, visit):
    """What one visitor said is not on the page of another."""
    one, other = visit(space), visit(space)
    say(one, NOTES)

    assert "bakery" not in say(other, "Where is my bicycle kept?")
    assert "bakery" not in other.locator("body").inner_text()


def test_nothing_but_the_page_is_served(space):
    """The port on which Gradio hands out files and takes new code on a Space is closed."""
    # Placed after the turns above, since Gradio opens it some seconds after the page.
    with socket.socket() as probe:
        refused = probe.connect_ex(("127.0.0.1", RELOAD_PORT))

    assert space.pid
    assert refused


def test_hot_reload_is_not_begun(monkeypatch):
    """What Gradio calls on a Space to take new code does nothing once the page was prepared."""
    monkeypatch.setattr(http_server, "watchfn_spaces", http_server.watchfn_spaces)  # put back after
    prepare()

    assert http_server.watchfn_spaces(object()) is None


@pytest.mark.browser
def test_nothing_is_asked_of_another_host(space, chromium):
    """On a Space Gradio's page would ask others for fonts and for news of the Space."""
    with chromium.new_context() as context:
        page, asked = context.new_page(), []

        def note(request):
            asked.append(request)

        page.on("request", note)
        page.goto(space.address)
        expect(page.locator(".welcome h2")).to_be_visible(timeout=PATIENCE)
        page.reload()
        expect(page.locator(".welcome h2")).to_be_visible(timeout=PATIENCE)
        foreign = [one for one in asked if not one.url.startswith((space.address, "data:"))]

        assert not [one.url for one in foreign if one.failure != "csp"]


@pytest.mark.browser
def test_only_the_data_folder_is_written(interpreter, tmp_path, visit):
    """From start to end, with a turn between, no file outside the data folder comes or changes."""
    space = Space(interpreter, tmp_path)
    before = space.files()
    with space:
        say(visit(space), NOTES)

    assert (space.data / "memory.db").exists()
    assert space.files() == before


def test_asked_to_end_it_ends_well(interpreter, tmp_path):
    """SIGTERM, which a Space sends before it stops a program, ends it with code 0."""
    space = Space(interpreter, tmp_path)
    space.start()

    assert space.end() == 0
    assert "Traceback" not in space.log


def test_gpu_hardware_accepts_the_program(built, tmp_path, gpu_service):
    """On ZeroGPU the program reports a function of its own, starts, and asks for no GPU."""
    address, reported = gpu_service
    told = {"SPACES_ZERO_GPU": "true", "SPACES_ZERO_DEVICE_API_URL": address}
    with Space(built, tmp_path, told) as space, urlopen(space.address) as answer:
        assert answer.status == 200

    assert reported == ["/startup-report"]
    assert "Traceback" not in space.log


def test_gpu_hardware_lets_more_than_one_wait(tmp_path):
    """On ZeroGPU Gradio lets one request wait unless told otherwise; here many may."""
    code = (
        "from app.config import load_settings\n"
        "from app.gradio_app import build\n"
        "from app.jobs import Jobs\n"
        f"settings = load_settings(None, {{'storage.data_dir': {str(tmp_path)!r}}}, {{}})\n"
        "with Jobs(settings) as jobs:\n"
        "    print(build(jobs, settings)._queue.max_size)"
    )
    environ = {"PATH": os.defpath, "HOME": str(tmp_path), "SPACES_ZERO_GPU": "true"}

    printed = subprocess.check_output([sys.executable, "-c", code], cwd=ROOT, env=environ)

    assert int(printed) >= 100
