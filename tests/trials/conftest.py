"""A workspace with a live version, and a better and a worse one beside it."""

from collections.abc import Callable
from pathlib import Path

import pytest

from rag_platform.embeddings.onnx_embedder import OnnxEmbedder
from rag_platform.pipeline.stages import Pipeline
from rag_platform.workspace import Workspace, open_workspace
from tests.copies import copy_of

TOWNS = ("Alder Lock", "Corvin", "Hartwell", "Penrose", "Sallow End")
SETTINGS = """
[[sources]]
id = "river"
kind = "folder"
path = "river"
min_words = 1
[[sources]]
id = "pay"
kind = "folder"
path = "pay"
min_words = 1
principals = ["user:ilse"]
[retrieval]
mode = "lexical"
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory, tiny_embedder: OnnxEmbedder) -> Path:
    """The folder of the workspace: v1 is live, v2 lacks the ferry at Corvin."""
    home = tmp_path_factory.mktemp("trials")
    for folder in ("river", "pay"):
        (home / folder).mkdir()
    (home / "rag.toml").write_text(SETTINGS)
    for town in TOWNS:
        text = f"# {town}\n\nThe ferry at {town} costs two crowns on weekdays.\n"
        (home / "river" / f"{town}.md").write_text(text)
    (home / "pay" / "wages.md").write_text("# Wages\n\nThe warden Zebedee earns nine crowns.\n")
    workspace = open_workspace(home)
    workspace.embedder = tiny_embedder
    pipeline = Pipeline(workspace)
    for source in ("river", "pay"):
        pipeline.sync_source(source)
    workspace.versions.promote(pipeline.build().version, why="test")
    (home / "river" / "Corvin.md").write_text("# Closed\n\nNothing crosses here any more.\n")
    pipeline.sync_source("river")
    second = pipeline.build().version
    workspace.versions.record_evaluation(second, {}, {"passed": True, "reasons": ["test"], "live": "v1"})
    return home


@pytest.fixture
def opened(built: Path, tmp_path: Path, tiny_embedder: OnnxEmbedder) -> Callable[..., Workspace]:
    """Open a copy of the workspace, with more settings in rag.toml."""

    def make(settings: str = "", to: Path = tmp_path) -> Workspace:
        home = to if (to / "rag.toml").exists() else copy_of(built, to)
        with (home / "rag.toml").open("a") as file:
            file.write(settings)
        workspace = open_workspace(home)
        workspace.embedder = tiny_embedder
        workspace.live_traffic.rest = 0.0
        return workspace

    return make
