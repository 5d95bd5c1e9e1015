"""A workspace of two sources, one of them for few, in which a source is held or a version refused."""

from datetime import UTC, datetime
from pathlib import Path

from rag_platform.embeddings.onnx_embedder import OnnxEmbedder
from rag_platform.index.releases.holds import Hold
from rag_platform.pipeline.sync import sync
from rag_platform.workspace import Workspace, open_workspace
from tests.pipeline.fixed_gate import FixedGate

SETTINGS = """
[[sources]]
id = "desk"
kind = "folder"
path = "desk"
min_words = 1

[[sources]]
id = "salaries"
kind = "folder"
path = "salaries"
min_words = 1
principals = ["group:board"]
"""
MONDAY = datetime(2026, 11, 2, 9, 30, tzinfo=UTC)


def publish(home: Path, embedder: OnnxEmbedder) -> Path:
    """Make a workspace with a live version of both sources."""
    (home / "rag.toml").write_text(SETTINGS)
    for name in ("desk", "salaries"):
        (home / name).mkdir()
        (home / name / "a.md").write_text(f"# Of {name}\n\nThe ferry of {name} runs at six.\n")
    assert sync(opened(home, embedder), gate=FixedGate(opened(home, embedder))).moved
    return home


def opened(home: Path, embedder: OnnxEmbedder) -> Workspace:
    """Open a workspace with this model."""
    workspace = open_workspace(home)
    workspace.embedder = embedder
    return workspace


def hold(workspace: Workspace, source: str, **fields: object) -> None:
    """Hold a source, by default by the brake on change."""
    uri = next(iter(workspace.store.read("documents", source)["uri"]))
    example = {"uri": uri, "before": "The ferry runs at six.", "after": "Service unavailable"}
    anomalies = [{"said": "1 of 1 documents is an error page", "examples": [example]}]
    given = {"cause": "change", "why": f"1 of 1 documents of `{source}` is an error page", "state": "s"} | fields
    workspace.holds.hold(Hold(source, since=MONDAY, about={"anomalies": anomalies}, **given))


def refuse(workspace: Workspace, **verdict: object) -> str:
    """Have a version refused; return it."""
    (workspace.settings.home / "desk" / "b.md").write_text("# Boat\n\nThe boathouse closes at nine.\n")
    version = sync(workspace, ["desk"], gate=FixedGate(workspace, passes=False)).version
    assert version
    if verdict:
        workspace.versions.record_evaluation(version, {}, {"passed": False, "live": None} | verdict)
    return version
