"""An agent that no longer waits, one that asks too often, a machine without the protocol's SDK, and the inspector."""

import asyncio
import json
import shutil
import subprocess
import sys
from importlib import util

import anyio
import pytest
from fastapi.testclient import TestClient
from mcp import Client
from mcp.shared.exceptions import MCPError

from rag_platform.api.access import Caller
from rag_platform.api.application import application
from rag_platform.api.mcp.server import WorkspaceServer
from rag_platform.cli.ask.mcp import mcp
from rag_platform.config.settings import GeneratorSettings
from rag_platform.core.errors import MissingExtra
from rag_platform.people.tokens import Tokens
from rag_platform.workspace import Workspace, open_workspace
from tests.api.conftest import ROOT
from tests.chat_server import ROLE, chunk, serving

FERRY = "When does the ferry run?"


def client_of(workspace: Workspace) -> Client:
    """Return an agent's client, connected within the process."""
    caller = Caller("agent", "token:agent", (), frozenset({"read", "ask"}))
    return Client(WorkspaceServer(workspace, lambda _: caller, feedback=False).server())


@pytest.fixture
def opened(home, tiny_embedder):
    workspace = open_workspace(home)
    workspace.embedder = tiny_embedder
    return workspace


def test_an_answer_that_nobody_waits_for_is_not_written_on(opened):
    with serving() as model:
        model.script = [[ROLE, *[chunk("It runs "), 0.02] * 5000]]
        generator = GeneratorSettings(base_url=model.address, model="tiny")
        workspace = Workspace(opened.settings.model_copy(update={"generator": generator}))
        workspace.embedder = opened.embedder

        async def asked():
            writing = anyio.Event()

            async def report(_progress, _total, message):
                if message == "writing":
                    writing.set()

            async with client_of(workspace) as client, anyio.create_task_group() as group:
                group.start_soon(client.call_tool, "ask", {"question": FERRY}, None, report)
                await writing.wait()
                group.cancel_scope.cancel()

        asyncio.run(asked())
        assert model.hung_up.wait(60)


def test_an_agent_that_asks_too_often_is_told_to_wait(opened):
    access = opened.settings.access.model_copy(update={"searches_per_minute": 2})
    workspace = Workspace(opened.settings.model_copy(update={"access": access}))
    workspace.embedder = opened.embedder

    async def asked():
        async with client_of(workspace) as client:
            return [await client.call_tool("search", {"query": FERRY}) for _ in range(3)]

    told = asyncio.run(asked())
    assert [one.is_error for one in told] == [False, False, True]
    assert "Wait" in told[2].content[0].text


def test_without_the_sdk_both_ways_in_name_what_installs_it(opened, monkeypatch):
    find = util.find_spec
    monkeypatch.setattr(util, "find_spec", lambda name, package=None: None if name == "mcp" else find(name, package))
    monkeypatch.setattr("rag_platform.api.mcp.endpoint.find_spec", util.find_spec)
    with pytest.raises(MissingExtra, match=r"\[mcp\]"):
        mcp()
    token = Tokens(opened.journal).create("without")
    with TestClient(application(opened), headers={"authorization": f"Bearer {token}"}) as client:
        refused = client.post("/mcp", json={})
    assert refused.status_code == 501 and "[mcp]" in refused.text


@pytest.mark.skipif(not shutil.which("mcp-inspector"), reason="npm install -g @modelcontextprotocol/inspector")
def test_the_inspector_understands_it(home):
    server = ["env", f"PYTHONPATH={ROOT}", sys.executable, "-m", "rag_platform", "--home", str(home), "mcp"]
    asked = ["--method", "tools/call", "--tool-name", "search", "--tool-arg", "query=ferry"]
    command = ["mcp-inspector", "--cli", *server, *asked]
    told = json.loads(subprocess.run(command, capture_output=True, text=True, check=True, timeout=120).stdout)
    assert told["structuredContent"]["results"][0]["title"] == "Ferry"


def test_a_fault_of_ours_tells_nothing_of_the_machine(opened, monkeypatch, caplog):
    def fails(*_, **__):
        raise OSError("/srv/secret/place is gone")

    monkeypatch.setattr(opened.retriever, "search", fails)
    monkeypatch.setattr(opened.versions, "live", fails)

    async def asked():
        async with client_of(opened) as client:
            for use in (lambda: client.call_tool("search", {"query": FERRY}), client.list_resources):
                with pytest.raises(MCPError, match="the server failed"):
                    await use()

    asyncio.run(asked())
    assert caplog.text.count("/srv/secret/place") >= 2
