"""Who is behind a request follows from what a browser cannot invent."""

import stat

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.identity import (
    KEY_FILE,
    Person,
    VisitorCookie,
    cookies,
    named_by_proxy,
    signed_in,
    visitor_key,
)
from app.settings import networks
from memory_tiers import StoreUnavailable

COOKIE = VisitorCookie(b"k" * 32)
PROXIES = networks("10.0.0.0/8, ::1")


def test_cookie_brings_its_visitor_back():
    """What was made here is read as the same visitor again; two of them are two people."""
    one, other = COOKIE.new(), COOKIE.new()

    assert COOKIE.user(one) == COOKIE.user(one)
    assert COOKIE.user(one).startswith("visitor-")
    assert COOKIE.user(one) != COOKIE.user(other)


@given(st.text())
def test_invented_cookie_is_nobody(value):
    """No text that was not signed here stands for anybody."""
    assert COOKIE.user(value) == ""


@pytest.mark.parametrize("change", ["name", "signature", "case", "cut", "key", "padded"])
def test_changed_cookie_is_nobody(change):
    """A cookie that was changed anywhere, or signed with another key, stands for nobody."""
    name, _, signature = COOKIE.new().partition(".")
    values = {
        "name": f"x{name}.{signature}",
        "signature": f"{name}.{'0' * 64}",
        "case": f"{name}.{signature.upper()}",
        "cut": f"{name}.{signature[:-1]}",
        "key": VisitorCookie(b"x" * 32).new(),
        "padded": f"{name}.{signature}\u00e9",
    }

    assert COOKIE.user(values[change]) == ""


def test_key_is_made_once_and_private(tmp_path):
    """The same key comes back at every start, and only its owner may read the file."""
    first = visitor_key(tmp_path)

    assert visitor_key(tmp_path) == first
    assert len(first) == 32
    assert stat.S_IMODE((tmp_path / KEY_FILE).stat().st_mode) == 0o600
    assert [file.name for file in tmp_path.iterdir()] == [KEY_FILE]


@pytest.mark.parametrize("content", [b"", b"abcd", b"no key at all", b"\xff\xfe"])
def test_harmed_key_is_refused(tmp_path, content):
    """A cut or broken key is a sentence, not a weak key or a new one."""
    (tmp_path / KEY_FILE).write_bytes(content)

    with pytest.raises(StoreUnavailable, match=KEY_FILE):
        visitor_key(tmp_path)
    assert (tmp_path / KEY_FILE).read_bytes() == content


@pytest.mark.parametrize(
    ("header", "found"),
    [
        ("", {}),
        ("a=1; b=2", {"a": "1", "b": "2"}),
        ("a=1;b", {"a": "1"}),
        ("[x]=3; a=1", {"a": "1"}),
        ('a="1"; ;;', {"a": "1"}),
        ("a=1; a=2", {"a": "2"}),
    ],
)
def test_cookies_are_read_with_care(header, found):
    """One broken cookie of somebody else does not hide ours."""
    assert cookies(header) == found


@given(st.text())
def test_any_cookie_header_is_read(header):
    """Nothing a browser sends as cookies is an error."""
    assert isinstance(cookies(header), dict)


def test_sign_in_holds_until_it_expires():
    """The person is known by the provider's lasting id, shown by name, and only for a time."""
    info = {"userinfo": {"sub": "42", "preferred_username": "dana"}, "expires_at": 100}

    assert signed_in({"oauth_info": info}, now=99) == Person("hf-42", name="dana")
    assert signed_in({"oauth_info": info}, now=100) is None


@pytest.mark.parametrize(
    "session",
    [
        {},
        {"oauth_info": None},
        {"oauth_info": {"userinfo": {"sub": "42"}}},
        {"oauth_info": {"expires_at": 100}},
        {"oauth_info": {"expires_at": 100, "userinfo": {"sub": ""}}},
        {"oauth_info": "42"},
    ],
)
def test_half_a_sign_in_is_none(session):
    """Without id or term nobody is signed in."""
    assert signed_in(session, now=1) is None


@pytest.mark.parametrize(
    ("values", "peer", "user"),
    [
        ([b"dana"], "10.1.2.3", "dana"),
        ([b"dana"], "::1", "dana"),
        ([b"Andr\xc3\xa9"], "::1", "Andr\u00e9"),
        ([b"Andr\xe9"], "::1", None),
        ([b"Andr\xef\xbf\xbd"], "::1", None),
        ([b"dana"], "11.1.2.3", None),
        ([b"dana"], "", None),
        ([b"dana"], "unix", None),
        ([b"dana", b"omar"], "10.1.2.3", None),
        ([], "10.1.2.3", None),
        ([b" "], "10.1.2.3", None),
        ([b"a\0b"], "10.1.2.3", None),
    ],
)
def test_header_is_believed_from_known_proxies_alone(values, peer, user):
    """A name counts when it stands once and comes from an address that was listed."""
    found = named_by_proxy(values, peer, PROXIES)

    assert (found.user_id if found else None) == user
