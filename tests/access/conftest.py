"""A workspace with a board's notes and everybody's, synced once."""

from collections.abc import Callable
from pathlib import Path

import pytest

from rag_platform.core.hits import Filters
from rag_platform.embeddings.onnx_embedder import OnnxEmbedder
from rag_platform.pipeline.sync import sync
from rag_platform.workspace import Workspace, open_workspace
from tests.copies import copy_of
from tests.pipeline.fixed_gate import FixedGate

TOML = """
[[sources]]
id = "notes"
kind = "folder"
path = "notes"
principals = {readers}
min_words = 1

[[sources]]
id = "files"
kind = "upload"
"""


def write_toml(home: Path, readers: str = '["*"]') -> None:
    (home / "rag.toml").write_text(TOML.format(readers=readers))


@pytest.fixture(scope="module")
def synced(tmp_path_factory: pytest.TempPathFactory, tiny_embedder: OnnxEmbedder) -> Path:
    home = tmp_path_factory.mktemp("synced")
    write_toml(home)
    (home / "notes").mkdir()
    (home / "notes" / "ferry.md").write_text("# Ferry\n\nThe ferry leaves at six from the jetty.")
    (home / "notes" / "weir.md").write_text("# Weir\n\nThe weir is opened by two wardens in spring.")
    release(_open(home, tiny_embedder))
    return home


@pytest.fixture
def opened(tmp_path: Path, synced: Path, tiny_embedder: OnnxEmbedder) -> Callable[[], Workspace]:
    """Open the workspace as another process would."""
    copy_of(synced, tmp_path)
    return lambda: _open(tmp_path, tiny_embedder)


@pytest.fixture
def workspace(opened: Callable[[], Workspace]) -> Workspace:
    return opened()


def _open(home: Path, embedder: OnnxEmbedder) -> Workspace:
    workspace = open_workspace(home)
    workspace.embedder = embedder
    return workspace


def release(workspace: Workspace) -> str:
    """Sync and publish; returns the version."""
    report = sync(workspace, gate=FixedGate(workspace))
    assert report.published, report.errors
    return report.version


def found(workspace: Workspace, *principals: str, question: str = "ferry weir plan") -> set[str]:
    """Return the names of the files that a search finds."""
    hits = workspace.retriever.search(question, mode="lexical", filters=Filters(principals=principals)).hits
    return {hit.uri.rsplit("/", 1)[-1] for hit in hits}


def id_of(workspace: Workspace, name: str) -> str:
    (row,) = workspace.versions.live().catalog.named(name)
    return row["doc_id"]
