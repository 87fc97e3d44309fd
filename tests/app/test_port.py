"""Asking whether the page can be served somewhere."""

import socket

import pytest

from app.port import PortUnavailable, check_port


@pytest.fixture
def listener():
    """Something that listens on a port of this machine."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        yield listener


def test_free_port_is_left_free(listener):
    """The look leaves the port free: it can be asked for twice."""
    port = listener.getsockname()[1]
    listener.close()

    check_port("127.0.0.1", port)
    check_port("127.0.0.1", port)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "0.0.0.0"])
def test_busy_port_is_one_sentence(listener, host):
    """A port somebody listens on is refused with its number and what to do."""
    port = listener.getsockname()[1]

    with pytest.raises(PortUnavailable, match=rf"^Port {port} on {host} is in use; .*PORT\.$"):
        check_port(host, port)


@pytest.mark.parametrize("host", ["203.0.113.1", "no-such-host.invalid"])
def test_host_that_is_not_this_machine_is_one_sentence(host):
    """An address of another machine, or none at all, is refused with its name."""
    with pytest.raises(PortUnavailable, match=rf"cannot be served on {host}, port 7999: .+PORT\.$"):
        check_port(host, 7999)
