"""`rag mcp`: the workspace for agents, by the Model Context Protocol over stdin and stdout."""

from typing import Annotated

import typer

from rag_platform.cli.ask.answers import Collection, Principal
from rag_platform.cli.console import workspace


def mcp(
    principal: Principal = None,
    collection: Collection = None,
    feedback: Annotated[
        bool, typer.Option("--feedback", help="Let agents judge answers too: all else only reads.")
    ] = False,
) -> None:
    """Serve agents by the Model Context Protocol, over stdin and stdout."""
    from importlib.util import find_spec

    from rag_platform.core.errors import MissingExtra
    from rag_platform.core.principals import within

    if find_spec("mcp") is None:
        raise MissingExtra("mcp", "mcp", "serving agents")
    from rag_platform.api.mcp.stdio import serve_stdio

    opened = workspace()
    opened.interface = "mcp"
    opened.follow()
    reader = (*(principal or ()), *within(collection or ()))
    serve_stdio(opened, reader, feedback=feedback or opened.settings.mcp.feedback)
