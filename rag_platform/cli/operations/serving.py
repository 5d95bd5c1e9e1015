"""`rag serve`: the HTTP API."""

import logging
from typing import Annotated

import typer

from rag_platform.cli.console import err, workspace
from rag_platform.operations.services import shown_address
from rag_platform.people.admin_links import AdminLinks
from rag_platform.people.tokens import Tokens


def serve(
    host: Annotated[str, typer.Option("--host", metavar="HOST", help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", metavar="PORT", min=1, max=65_535, help="The port.")] = 8600,
) -> None:
    """Serve collections, search and answers over HTTP until Ctrl-C."""
    from rag_platform.api.application import application
    from rag_platform.cli.ask.served_searches import listen
    from rag_platform.operations.serving.server import serve as run
    from rag_platform.operations.serving.server import trusts_local

    opened = workspace()
    address = shown_address(host, port)
    trusted = trusts_local(opened.settings, host)
    if trusted and not Tokens(opened.journal).any():
        err.print("Whoever is at this machine may do everything: [access] local is true.", soft_wrap=True)
    else:
        err.print(f"To manage it, open {AdminLinks(opened.journal).create(address)}", soft_wrap=True)
        err.print("The link works once, for an hour; `rag link` prints another, `rag token create` makes a token.")
    err.print(f"Listening on {address}; the API: {address}/v1/openapi.json", soft_wrap=True)
    logging.getLogger("python_multipart").setLevel(logging.ERROR)
    opened.follow()
    listen(opened)
    run(application(opened, trusts_local=trusted), opened.settings, host, port)
