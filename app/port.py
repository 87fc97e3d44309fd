"""Whether the page can be served where it is wanted; asked before anything heavy is loaded."""

import errno
import os
import socket


class PortUnavailable(Exception):
    """The page cannot listen there; the message is one sentence."""

    code = "port_unavailable"


def check_port(host: str, port: int) -> None:
    """Listen on `host` and `port` for a moment.

    Raises:
        PortUnavailable: something else listens there, or nothing can.
    """
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        with socket.socket(family, kind, protocol) as listener:
            if os.name == "posix":  # a connection that lingers from an earlier run is no obstacle
                listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind(address)
            listener.listen()
    except OSError as error:
        raise PortUnavailable(_sentence(error, host, port)) from error


def _sentence(error: OSError, host: str, port: int) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"Port {port} on {host} is in use; stop what uses it, or choose another with PORT."
    if error.errno == errno.EACCES:
        return f"Port {port} may not be used by this user; choose one above 1023 with PORT."
    return (
        f"The page cannot be served on {host}, port {port}: {error.strerror}; change HOST or PORT."
    )
