"""Serve the page: `python -m app.serve`. `rag up` starts it too.

`streamlit run app/main.py` serves the same views, without the limits on connections and without links for admins.
"""

import argparse
import inspect
import logging
import pkgutil
import sys
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

import streamlit as st
from starlette.middleware import Middleware
from streamlit import config
from streamlit.runtime.scriptrunner_utils import script_run_context

ROOT = Path(__file__).resolve().parent.parent
if str(ROOT) not in sys.path:  # Python puts app/ on the path, not the checkout
    sys.path.insert(0, str(ROOT))

from app import frame  # noqa: E402 - after the path
from app.assets import CompressedAssets  # noqa: E402
from app.entrance import Entrance  # noqa: E402
from app.first_paint import FirstPaint  # noqa: E402
from app.watching.feeds import feed_route  # noqa: E402
from rag_platform.operations.doctor import diagnose  # noqa: E402
from rag_platform.operations.observability.otlp_export import export_telemetry  # noqa: E402
from rag_platform.operations.services import shown_address  # noqa: E402
from rag_platform.operations.serving.readiness import Readiness  # noqa: E402
from rag_platform.operations.serving.server import SECRETS, serve, signs_in, trusts_local  # noqa: E402
from rag_platform.people.admin_links import AdminLinks  # noqa: E402
from rag_platform.people.locality import is_loopback  # noqa: E402
from rag_platform.storage.files.private import keep_new_files  # noqa: E402
from rag_platform.workspace import Workspace, open_workspace  # noqa: E402


def main() -> None:
    """Serve the page of the workspace in RAG_HOME until Ctrl-C."""
    given = _options()
    keep_new_files()
    workspace = open_workspace()
    export_telemetry(workspace.settings.telemetry)
    served = page(workspace, given.host)  # which makes Streamlit look for its configuration beside main.py
    _configure(workspace.settings.home, given)
    if given.link and not signs_in(workspace.settings.home) and not trusts_local(workspace.settings, given.host):
        link = AdminLinks(workspace.journal).create(shown_address(given.host, given.port))
        sys.stderr.write(f"To manage the page, open {link}\n")
    serve(served, workspace.settings, given.host, given.port, **_websockets())


def page(workspace: Workspace, host: str) -> st.App:
    """Return the page, as an ASGI application, for a server that listens on that address."""
    settings = workspace.settings
    open_to_all = not is_loopback(host) or settings.http.proxies
    entrance = Middleware(
        Entrance,
        links=lambda: None if signs_in(settings.home) else AdminLinks(workspace.journal),
        hosts=settings.http.hosts or (None if open_to_all else ()),
        hours=settings.access.session_hours,
    )
    middleware = [entrance, Middleware(CompressedAssets), Middleware(FirstPaint)]
    return st.App(
        ROOT / "app" / "main.py",
        routes=[feed_route(workspace)],
        middleware=middleware,
        lifespan=_preparing,
        on_script_error=frame.tell_unexpected,
    )


@asynccontextmanager
async def _preparing(_: st.App) -> AsyncIterator[None]:
    """Begin to prepare when Streamlit runs: what is opened for all visitors before would not go on for them."""
    logging.getLogger(script_run_context.__name__).setLevel(logging.ERROR)  # it would warn that this is no visitor
    threading.Thread(target=_prepare, name="prepare", daemon=True).start()
    yield


def _prepare() -> None:
    """Do beforehand what whoever comes first to a view would wait for: imports, Streamlit's own too, and loading."""
    import_module("pandas")  # with which Streamlit reads for how long a box waits for more letters
    Readiness(frame.workspace()).wait()
    for module in pkgutil.walk_packages([str(ROOT / "app")], "app."):
        if not module.name.startswith(("app.views.", "app.main", "app.serve")):  # which act when they are imported
            import_module(module.name)
    inspect.stack()  # Streamlit looks once who runs it, for which all that was imported is looked through
    list(diagnose(frame.workspace().settings.home))  # which Operate shows, and part of which stays as it is


def _configure(home: Path, given: argparse.Namespace) -> None:
    logging.getLogger("streamlit").setLevel(logging.WARNING)
    config.set_option("server.address", given.host)
    config.set_option("server.port", given.port)
    config.set_option("server.headless", True)
    config.set_option("server.fileWatcherType", "none")
    config.set_option("browser.gatherUsageStats", False)
    if (home / SECRETS).exists():
        config.set_option("secrets.files", [str(home / SECRETS)])


def _websockets() -> dict[str, Any]:
    """Return what Streamlit asks of uvicorn for its websockets."""
    return {
        "ws": "websockets-sansio",
        "ws_ping_interval": 30,
        "ws_ping_timeout": 30,
        "ws_max_size": int(config.get_option("server.maxMessageSize")) * 1_000_000,
        "ws_per_message_deflate": False,
    }


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--host", default="127.0.0.1", help="the address to listen on (default: %(default)s)")
    parser.add_argument("--port", type=int, default=8501, help="the port (default: %(default)s)")
    parser.add_argument("--no-link", dest="link", action="store_false", help="print no link: who starts this does")
    return parser.parse_args()


if __name__ == "__main__":
    main()
