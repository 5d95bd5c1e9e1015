"""`rag serve`: the HTTP API."""

import logging
from typing import Annotated

import typer

from rag_platform.cli.console import err, workspace
from rag_platform.people.tokens import Tokens


def serve(
    host: Annotated[str, typer.Option("--host", metavar="HOST", help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", metavar="PORT", min=1, max=65_535, help="The port.")] = 8600,
) -> None:
    """Serve collections, search and answers over HTTP until Ctrl-C."""
    import uvicorn

    from rag_platform.api.application import application

    opened = workspace()
    if not Tokens(opened.journal).any():
        err.print("There is no token, so only this machine is served; `rag token create` creates one.", soft_wrap=True)
    shown = f"[{host}]" if ":" in host else host
    err.print(f"Listening on http://{shown}:{port}; the API: http://{shown}:{port}/v1/openapi.json", soft_wrap=True)
    for logger, level in (("uvicorn.error", logging.WARNING), ("python_multipart", logging.ERROR)):
        logging.getLogger(logger).setLevel(level)
    # The client's address decides what is allowed, so no header may change it.
    uvicorn.run(application(opened), host=host, port=port, log_config=None, access_log=False, proxy_headers=False)
