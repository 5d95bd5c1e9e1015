"""A held source and a refused version, as every command tells of them: in the same words."""

import json
from types import ModuleType

import pytest
import typer
from typer.testing import CliRunner, Result

from rag_platform.cli.corpus import sources, syncing
from rag_platform.cli.operations import health
from rag_platform.cli.release import indexes
from rag_platform.embeddings.onnx_embedder import OnnxEmbedder
from rag_platform.operations.status.release_status import release_status
from rag_platform.workspace import Workspace
from tests.held_source import hold, opened, publish, refuse
from tests.pipeline.fixed_gate import FixedGate

REFUSED = "3 of your 9 questions lost their answer."
HELD = "Source `desk` is held at its live state since 2026-11-02 09:30"


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory, tiny_embedder: OnnxEmbedder) -> Workspace:
    """A workspace with a refused version and a held source."""
    made = opened(publish(tmp_path_factory.mktemp("told"), tiny_embedder), tiny_embedder)
    refuse(made, reasons=[REFUSED])
    hold(made, "desk")
    return made


@pytest.fixture(autouse=True)
def _opened(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (sources, syncing, health, indexes):
        monkeypatch.setattr(module, "workspace", lambda: workspace)


def _rag(command: typer.Typer | ModuleType, *arguments: str) -> Result:
    return CliRunner().invoke(command, arguments)


def _app(command: object) -> typer.Typer:
    app = typer.Typer()
    app.command()(command)
    return app


@pytest.mark.parametrize("command", [("list",), ("show",), ("show", "candidate"), ("status",)])
def test_the_index_says_what_is_not_live_and_what_to_do(command: tuple[str, ...]) -> None:
    told = _rag(indexes.app, *command)
    assert told.exit_code == 0, told.output
    assert f"Not published: {REFUSED}" in told.stdout and HELD in told.stdout
    assert "rag source release desk" in told.stdout and "asset check" not in told.stdout


def test_the_status_shows_documents_side_by_side() -> None:
    told = _rag(indexes.app, "status").stdout
    assert "was The ferry runs at six." in told and "is  Service unavailable" in told


def test_programs_get_the_same_as_json(workspace: Workspace) -> None:
    assert json.loads(_rag(indexes.app, "status", "--json").stdout) == json.loads(
        json.dumps(release_status(workspace).to_dict())
    )


def test_the_log_tells_of_holds_between_the_moves() -> None:
    told = json.loads(_rag(indexes.app, "log", "--json").stdout)
    assert [(one["kind"], one.get("source")) for one in told] == [("promote", None), ("held", "desk")]
    assert "held" in _rag(indexes.app, "log").stdout


def test_health_fails_where_a_source_is_held_or_a_version_refused() -> None:
    found = json.loads(_rag(_app(health.health), "--json").stdout)
    failed = {(name, one["name"]) for name, checks in found.items() for one in checks if not one["passed"]}
    assert failed == {("(workspace)", "release"), ("desk", "held")}


def test_the_list_of_sources_marks_what_is_held() -> None:
    assert {one["id"]: one["held"] for one in json.loads(_rag(sources.app, "list", "--json").stdout)} == {
        "desk": True,
        "salaries": False,
    }


def test_a_sync_ends_with_what_is_held(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    hold(workspace, "desk", cause="person", why="it is being moved")
    monkeypatch.setattr(syncing, "load_gate", FixedGate)
    told = _rag(_app(syncing.sync), "--no-fetch")
    assert HELD in told.stdout and "rag source release desk" in told.stdout
