"""What an agent is told over the Model Context Protocol, by the client of the protocol's own SDK."""

import asyncio
from collections.abc import Sequence

from mcp import Client

from rag_platform.api.access import Caller
from rag_platform.api.mcp.server import WorkspaceServer
from rag_platform.workspace import Workspace


def agent_replies(
    workspace: Workspace, principals: tuple[str, ...], questions: Sequence[str], hidden: str
) -> list[tuple[str, str]]:
    """Return all that somebody's agent is told when it asks these questions, and for a document: (way, reply)."""
    caller = Caller("bob", "bob", principals, frozenset({"read", "ask"}))
    server = WorkspaceServer(workspace, lambda _: caller, feedback=True).server()
    calls: list[tuple[str, dict[str, str | bool]]] = [("list_collections", {})]
    for question in questions:
        calls += [("search", {"query": question}), ("ask", {"question": question})]
        calls += [("why", {"question": question, "document": hidden})]
    calls += [("fetch", {"id": hidden}), ("read_document", {"document": hidden})]
    calls += [("feedback", {"receipt_id": hidden, "good": True})]

    async def told() -> list[tuple[str, str]]:
        async with Client(server) as client:
            said = [(f"agent: {name} {given}", await client.call_tool(name, given)) for name, given in calls]
            listed = await client.list_resources()
        return [(way, result.model_dump_json()) for way, result in said] + [("agent: resources", str(listed))]

    return asyncio.run(told())
