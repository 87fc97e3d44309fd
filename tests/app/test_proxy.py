"""Behind a proxy that names people, each is known by the name it gives, over real HTTP."""

import os
import subprocess
import sys
from contextlib import contextmanager
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from app.evaluation.visitor import Visitor
from tests.servers import ROOT, free_port


@contextmanager
def proxied(folder, proxies):
    """Serve the page in mode header; yield its address."""
    port = free_port()
    settings = {
        "PORT": str(port),
        "TIERED_MEMORY__USERS__MODE": "header",
        "TIERED_MEMORY__USERS__HEADER": "X-Who",
        "TIERED_MEMORY__USERS__PROXIES": proxies,
        "TIERED_MEMORY__MODEL__PROVIDER": "offline",
        "TIERED_MEMORY__STORAGE__DATA_DIR": str(folder),
    }
    process = subprocess.Popen(
        [sys.executable, "-m", "app"],
        cwd=ROOT,
        env=os.environ | settings,
        text=True,
        stdout=subprocess.PIPE,
    )
    try:
        assert "Tiered Memory is at" in process.stdout.readline()
        yield f"http://127.0.0.1:{port}/"
    finally:
        process.terminate()
        process.communicate(timeout=30)


def refused(address):
    """Return status and sentence of a refusal."""
    with pytest.raises(HTTPError) as caught:
        urlopen(address)
    with caught.value as answer:
        return answer.code, answer.read().decode()


def test_people_are_who_the_proxy_says(tmp_path):
    """Two names are two memories, also when the proxy tells where the browsers are."""
    with proxied(tmp_path, "127.0.0.1") as url:
        dana = Visitor(url, {"X-Who": "dana", "X-Forwarded-For": "192.0.2.1"})
        erik = Visitor(url, {"X-Who": "erik", "X-Forwarded-For": "192.0.2.1"})
        dana.say("My locker is number 12.")
        unnamed = refused(url)
        found = str(dana.call("find_messages", "locker"))
        others = str(erik.call("enter", ""))
        line = str(dana.call("show")[0])

    assert unnamed[0] == 401 and "proxy that says who you are" in unnamed[1]
    assert "number 12" in found
    assert "number 12" not in others
    assert "You are <b>dana</b>" in line


def test_name_from_anywhere_else_is_not_believed(tmp_path):
    """A browser that reaches the page itself cannot name itself, nor pretend to be the proxy."""
    with proxied(tmp_path, "192.0.2.7") as url:
        for headers in ({"X-Who": "dana"}, {"X-Who": "dana", "X-Forwarded-For": "192.0.2.7"}):
            with pytest.raises(ValueError):  # no configuration is answered
                Visitor(url, headers)
