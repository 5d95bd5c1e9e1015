"""A published workspace with what all may read and what only the board may, served to agents."""

import os
import sys

import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from rag_platform.people.tokens import Tokens
from rag_platform.pipeline.sync import sync
from rag_platform.workspace import open_workspace
from tests.pipeline.fixed_gate import FixedGate

SETTINGS = """
[model]
name = "tiny"
folder = "{model}"
[retrieval]
mode = "lexical"
[mcp]
feedback = true
[[sources]]
id = "handbook"
kind = "folder"
path = "handbook"
collection = "handbook"
min_words = 1
[[sources]]
id = "board"
kind = "folder"
path = "board"
collection = "board"
principals = ["group:board"]
min_words = 1
"""
TEXTS = {
    "handbook/ferry.md": "# Ferry\n\nThe ferry runs from six until dusk. A ticket costs two crowns.\n",
    "handbook/optics.md": "# Optics\n\nRefraction is the bending of light where it enters another medium.\n",
    "board/merger.md": "# Merger\n\nThe ferry company is to be bought by the railway for nine million crowns.\n",
}
TOKENS = {
    "public": {},
    "board": {"principals": ["group:board"]},
    "searcher": {"scopes": ["read"]},
    "limited": {"principals": ["group:board"], "collections": ["handbook"]},
    "nobody": {"principals": ["group:board"], "scopes": ["edit"]},
}


@pytest.fixture(scope="package")
def home(tmp_path_factory, tiny_model_folder, tiny_embedder):
    folder = tmp_path_factory.mktemp("agents")
    (folder / "rag.toml").write_text(SETTINGS.format(model=tiny_model_folder))
    for name, text in TEXTS.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    workspace = open_workspace(folder)
    workspace.embedder = tiny_embedder
    assert sync(workspace, gate=FixedGate(workspace)).moved
    return folder


@pytest.fixture(scope="package")
def tokens(home):
    kept = Tokens(open_workspace(home).journal)
    return {name: kept.create(name, **given) for name, given in TOKENS.items()}


@pytest.fixture(scope="package")
def address(home, tokens, serve):
    with serve(home) as started:
        yield started


@pytest.fixture(scope="package")
def over_stdio(home):
    """How a client starts `rag mcp`, with these arguments."""

    def started(*arguments: str) -> Client:
        command = ["-m", "rag_platform", "--home", str(home), "mcp", *arguments]
        parameters = StdioServerParameters(command=sys.executable, args=command, env=dict(os.environ))
        return Client(stdio_client(parameters))

    return started
