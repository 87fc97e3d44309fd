"""The stand-in for signing in does what the real one does, so far as a Space can tell."""

import json
from collections.abc import Iterator
from urllib.error import HTTPError
from urllib.parse import parse_qs, urlencode, urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

import pytest
from joserfc import jwt
from joserfc.jwk import KeySet

from tests.space.login import CLIENT, SECRET, LoginServer

BACK = "https://127.0.0.1:7860/login/callback?_target_url=%2F"
ASKED = {"client_id": CLIENT, "redirect_uri": BACK, "state": "s", "nonce": "n", "as": "dana"}


class Staying(HTTPRedirectHandler):
    """Follows no redirect, so that it can be looked at."""

    def redirect_request(self, *_):
        """Follow nothing."""


@pytest.fixture
def login() -> Iterator[LoginServer]:
    """A running provider."""
    with LoginServer() as running:
        yield running


def get(address):
    """Return status, headers and text of an answer, of a refusal too."""
    try:
        with build_opener(Staying).open(address) as answer:
            return answer.status, answer.headers, answer.read().decode()
    except HTTPError as refused:
        with refused:
            return refused.code, refused.headers, refused.read().decode()


def code(login, **changed):
    """Say who one is; return the code that comes back."""
    asked = urlencode(ASKED | changed)
    _, headers, _ = get(f"{login.address}/oauth/authorize?{asked}")
    return parse_qs(urlsplit(headers["Location"]).query)["code"][0]


def exchange(login, **changed):
    """Bring a code; return status and answer."""
    form = {"redirect_uri": BACK, "client_id": CLIENT, "client_secret": SECRET} | changed
    status, _, text = get(Request(f"{login.address}/oauth/token", urlencode(form).encode()))
    return status, json.loads(text)


def test_page_has_a_link_for_each_person(login):
    """Without a word on who it is, one is asked."""
    asked = urlencode({name: value for name, value in ASKED.items() if name != "as"})

    status, _, text = get(f"{login.address}/oauth/authorize?{asked}")

    assert status == 200
    assert ">dana</a>" in text and ">erik</a>" in text


def test_person_is_sent_back_over_http_with_code_and_state(login):
    """The way back keeps its own query, and leads to this machine without the proxy of a Space."""
    status, headers, _ = get(f"{login.address}/oauth/authorize?{urlencode(ASKED)}")

    assert status == 302
    assert headers["Location"].startswith("http://127.0.0.1:7860/login/callback?_target_url=%2F&")
    assert parse_qs(urlsplit(headers["Location"]).query)["state"] == ["s"]


def test_code_becomes_a_signed_token(login):
    """The token names the person, the client and the nonce, and is signed with the public key."""
    login.lifetime = 7

    status, answer = exchange(login, code=code(login))
    _, _, keys = get(f"{login.address}/keys")
    claims = jwt.decode(answer["id_token"], KeySet.import_key_set(json.loads(keys))).claims

    assert status == 200
    assert answer["expires_in"] == 7
    assert (claims["sub"], claims["aud"], claims["nonce"]) == ("id-dana", CLIENT, "n")
    assert claims["preferred_username"] == "dana"


def test_code_works_once(login):
    """A code that was seen by somebody is of no use to them."""
    used = code(login)

    assert exchange(login, code=used)[0] == 200
    assert exchange(login, code=used)[0] == 400


@pytest.mark.parametrize(
    "wrong",
    [{"client_secret": "other"}, {"client_id": "other"}, {"redirect_uri": "https://elsewhere"}],
)
def test_code_of_another_is_refused(login, wrong):
    """A code is exchanged by the client that asked, which keeps its secret and its address."""
    assert exchange(login, code=code(login), **wrong)[0] == 400


@pytest.mark.parametrize("wrong", [{"as": "nobody"}, {"client_id": "other"}])
def test_unknown_person_or_client_gets_no_code(login, wrong):
    """Only people and clients that exist are let through."""
    assert get(f"{login.address}/oauth/authorize?{urlencode(ASKED | wrong)}")[0] == 404
