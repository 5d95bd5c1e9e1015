"""`rag serve`: the HTTP API."""

import logging
import socket
import sys
from typing import Annotated

import typer

from rag_platform.cli.console import err, workspace
from rag_platform.operations.services import shown_address
from rag_platform.people.admin_links import AdminLinks
from rag_platform.people.tokens import Tokens
from rag_platform.workspace import Workspace


def serve(
    host: Annotated[str, typer.Option("--host", metavar="HOST", help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", metavar="PORT", min=1, max=65_535, help="The port.")] = 8600,
    fd: Annotated[
        int | None,
        typer.Option("--fd", metavar="N", min=3, help="A listening socket to take over, such as systemd's 3."),
    ] = None,
    replaces: Annotated[
        int | None, typer.Option("--replaces", metavar="PID", help="The server to stop once this one serves.")
    ] = None,
) -> None:
    """Serve collections, search and answers over HTTP until Ctrl-C."""
    from rag_platform.api.application import application
    from rag_platform.cli.ask.served_searches import listen
    from rag_platform.operations.alerts.alerting import keep_alerting
    from rag_platform.operations.grids.filling import keep_filling
    from rag_platform.operations.observability.json_logs import log_json
    from rag_platform.operations.serving.server import serve as run
    from rag_platform.operations.serving.server import trusts_local
    from rag_platform.operations.watching.looking import keep_looking

    opened = workspace()
    if opened.settings.telemetry.logs == "json":
        log_json()
    address = shown_address(host, port)
    trusted = trusts_local(opened.settings, host)
    if replaces is not None:
        err.print(f"Taking over from process {replaces}.")
    elif trusted and not Tokens(opened.journal).any():
        err.print("Whoever is at this machine may do everything: [access] local is true.", soft_wrap=True)
    else:
        err.print(f"To manage it, open {AdminLinks(opened.journal).create(address)}", soft_wrap=True)
        err.print("The link works once, for an hour; `rag link` prints another, `rag token create` makes a token.")
    err.print(f"Listening on {address}; the API: {address}/v1/openapi.json", soft_wrap=True)
    logging.getLogger("python_multipart").setLevel(logging.ERROR)
    opened.follow()
    keep_alerting(opened)
    keep_looking(opened)
    keep_filling(opened)
    listen(opened)
    app = application(opened, trusts_local=trusted)
    if replaces is not None:
        app.state.readiness.wait()  # until then the one before goes on alone
    run(
        app,
        opened.settings,
        host,
        port,
        listening=socket.socket(fileno=fd) if fd is not None else None,
        command=_same_again(opened, host, port),
        predecessor=replaces,
    )


def _same_again(opened: Workspace, host: str, port: int) -> list[str]:
    command = [sys.executable, "-m", "rag_platform", "--home", str(opened.settings.home), "serve"]
    return [*command, "--host", host, "--port", str(port)]
