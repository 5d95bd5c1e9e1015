"""A small published workspace, and a chat over it whose answers come from a server on loopback."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from rag_platform.embeddings.onnx_embedder import OnnxEmbedder
from rag_platform.pipeline.stages import Pipeline
from rag_platform.terminal.app import ChatApp
from rag_platform.terminal.session import Session
from rag_platform.workspace import open_workspace
from tests.chat_server import ChatServer, serving

LEAVE = """# Leave policy

## Paid leave

Employees get 25 days of paid leave per year. Unused days expire on 31 March of the following year.

## Sabbatical

After seven years of service an employee may take a sabbatical of three months.
"""
OFFICE = "# Office hours\n\nThe office opens at eight in the morning. Bring your badge on the first day.\n"
HOSTILE = """---
title: "[red]Rivers[/red] [@click=app.quit]go[/]"
---
# Rivers

The river Tarn rose by forty [b]centimetres[/b] in one night.

Wardens call [link=http://tracker.example]this[/link] a flood.
"""
SECRET = "---\ntitle: Salaries\n---\nThe wardens' salary is nine hundred crowns a month.\n"
RAG_TOML = """
[[sources]]
id = "handbook"
kind = "folder"
path = "handbook"
collection = "handbook"

[[sources]]
id = "river"
kind = "folder"
path = "river"
collection = "river"

[[sources]]
id = "pay"
kind = "folder"
path = "pay"
collection = "pay"
principals = ["asha"]
"""


@pytest.fixture(scope="session")
def chat_home(tmp_path_factory: pytest.TempPathFactory, model_folder: Path) -> Path:
    """The folder of a workspace with one live version; tests add chats to it, and nothing else."""
    home = tmp_path_factory.mktemp("chat")
    pages = {"handbook/leave.md": LEAVE, "handbook/office.md": OFFICE, "river/rivers.md": HOSTILE, "pay/pay.md": SECRET}
    for name, text in pages.items():
        (home / name).parent.mkdir(exist_ok=True)
        (home / name).write_text(text)
    (home / "rag.toml").write_text(RAG_TOML)
    workspace = open_workspace(home)
    pipeline = Pipeline(workspace)
    for source in ("handbook", "river", "pay"):
        pipeline.sync_source(source)
    workspace.versions.promote(pipeline.build().version, "test")
    return home


@pytest.fixture(scope="module")
def server() -> Iterator[ChatServer]:
    with serving() as running:
        yield running


@pytest.fixture
def chat(
    chat_home: Path, embedder: OnnxEmbedder, server: ChatServer, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., ChatApp]:
    """Make a chat; `scripted` is what the server says, without it answers are extracted."""

    def make(*scripted: object, **options: object) -> ChatApp:
        server.script = list(scripted)
        server.requests.clear()
        server.hung_up.clear()
        if scripted:
            monkeypatch.setenv("RAG_GENERATOR__BASE_URL", server.address)
        workspace = open_workspace(chat_home)
        workspace.embedder = embedder  # loaded once for all tests
        return ChatApp(Session(workspace, **options))

    return make
