"""The workspace of three sources, published once."""

from pathlib import Path

import pytest

from rag_platform.embeddings.onnx_embedder import OnnxEmbedder
from rag_platform.workspace import Workspace
from tests.copies import copy_of
from tests.pipeline.three_sources import SENTENCES, SOURCES, open_three, stages, write


@pytest.fixture(scope="session")
def published(tmp_path_factory: pytest.TempPathFactory, tiny_embedder: OnnxEmbedder) -> Path:
    home = tmp_path_factory.mktemp("published")
    (home / "rag.toml").write_text("")
    workspace = open_three(home, tiny_embedder)
    for place, source in enumerate(SOURCES):
        write(workspace, source, {"a.md": f"# A\n\n{SENTENCES[place]}", "b.md": f"# B\n\n{SENTENCES[place + 1]}"})
    workspace.versions.promote(stages(workspace, *SOURCES).build().version, why="test")
    return home


@pytest.fixture
def three(tmp_path: Path, published: Path, tiny_embedder: OnnxEmbedder) -> Workspace:
    return open_three(copy_of(published, tmp_path), tiny_embedder)
