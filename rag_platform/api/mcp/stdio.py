"""The server of the protocol over stdin and stdout, for a client that starts it on its own machine."""

from collections.abc import Sequence

import anyio
from mcp.server.stdio import stdio_server

from rag_platform.api.access import Caller
from rag_platform.api.mcp.server import WorkspaceServer
from rag_platform.index.releases.release_log import acting_user
from rag_platform.workspace import Workspace


def serve_stdio(workspace: Workspace, principals: Sequence[str], *, feedback: bool) -> None:
    """Serve whoever started this process, reading as these principals, until stdin ends."""
    caller = Caller(acting_user(), acting_user(), tuple(principals), frozenset({"read", "ask"}))
    server = WorkspaceServer(workspace, lambda _: caller, feedback=feedback).server()

    async def serve() -> None:
        async with stdio_server() as (received, sent):
            await server.run(received, sent, server.create_initialization_options())

    anyio.run(serve)
