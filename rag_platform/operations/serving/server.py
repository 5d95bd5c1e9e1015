"""The server of the API and of the page: any ASGI application, on one address, within limits."""

import logging
import socket
import tomllib
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rag_platform.config.settings import Settings
from rag_platform.core.errors import SettingsError
from rag_platform.operations.serving.handover import Handover, take_over
from rag_platform.people.locality import is_loopback

if TYPE_CHECKING:
    from uvicorn import Config

SECRETS = "secrets.toml"
"""The file of a workspace that says where people sign in to the page."""
LARGEST_HEAD = 65_536
"""Bytes of a request up to its body."""
_SPARE_FILES = 2
"""Times as many files as connections may be open in a process."""


def signs_in(home: Path) -> bool:
    """Return whether people sign in to a workspace's page: its secrets.toml names an identity provider."""
    try:
        return "auth" in tomllib.loads((home / SECRETS).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return False
    except (OSError, ValueError) as error:
        raise SettingsError(f"{home / SECRETS} cannot be read: {error}") from error


def trusts_local(settings: Settings, host: str) -> bool:
    """Return whether a server that listens on `host` takes this machine's own requests for its user's."""
    return settings.access.local and is_loopback(host) and not settings.http.proxies


def serve(
    app: Any,
    settings: Settings,
    host: str,
    port: int,
    *,
    listening: socket.socket | None = None,
    command: Sequence[str] = (),
    predecessor: int | None = None,
    **options: Any,
) -> None:
    """Serve an application until Ctrl-C or SIGTERM: then nothing new is accepted, and what was begun is finished.

    Args:
        app: any ASGI application.
        settings: of the workspace.
        host: the address to listen on.
        port: the port.
        listening: a socket that listens already, in place of one of `host` and `port`.
        command: what starts the same server again; with it, SIGHUP hands over to a new process. See `handover`.
        predecessor: the process that this one replaces.
        options: further ones of uvicorn.
    """
    from rag_platform.operations.serving.announcing import AnnouncingServer

    config = _config(app, settings, host, port, **options)
    bound = listening or config.bind_socket()
    server = AnnouncingServer(config, lambda: take_over(predecessor))
    if command:
        Handover(command, bound).on_request(server.stop)
    server.run([bound])


def _config(app: Any, settings: Settings, host: str, port: int, **options: Any) -> "Config":
    from uvicorn import Config

    from rag_platform.operations.serving.connection_limits import LimitedProtocol

    limits = settings.http.model_copy(update={"connections": min(settings.http.connections, _most_connections())})
    logging.getLogger("uvicorn.error").setLevel(logging.ERROR)  # what a client sends wrong is its own affair
    return Config(
        app,
        host=host,
        port=port,
        http=partial(LimitedProtocol, limits=limits),  # type: ignore[arg-type]  # called as a class would be
        timeout_keep_alive=limits.idle_seconds,  # type: ignore[arg-type]  # a number of seconds
        h11_max_incomplete_event_size=LARGEST_HEAD,
        # A client's address and scheme decide what is allowed: no header may change them but a known proxy's.
        proxy_headers=bool(limits.proxies),
        forwarded_allow_ips=list(limits.proxies),
        server_header=False,
        log_config=None,
        access_log=False,
        timeout_graceful_shutdown=limits.stop_seconds,
        **options,
    )


def _most_connections() -> int:
    """Return for how many connections this process may open files."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return 10**6
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return 10**6 if soft == resource.RLIM_INFINITY else max(10, soft // _SPARE_FILES)
