"""The release's assets against each other: what is published was judged against what is live now."""

import threading
import time
from datetime import UTC, datetime
from pathlib import Path

import dagster as dg
import pytest

from assets.checks import evaluations
from assets.names import Names
from assets.release import evaluation_asset, index_asset, live_index_asset
from rag_platform.config.sections.operations import DagsterSettings
from rag_platform.embeddings.onnx_embedder import OnnxEmbedder
from rag_platform.index.releases.holds import Hold
from rag_platform.pipeline.stages import Pipeline
from rag_platform.workspace import Workspace, open_workspace
from tests.pipeline.fixed_gate import FixedGate

index, evaluation, live_index = (
    make(Names(DagsterSettings())) for make in (index_asset, evaluation_asset, live_index_asset)
)


@pytest.fixture
def workspace(tmp_path: Path, tiny_embedder: OnnxEmbedder) -> Workspace:
    (tmp_path / "rag.toml").write_text('[[sources]]\nid = "notes"\nkind = "folder"\npath = "notes"\nmin_words = 1\n')
    (tmp_path / "notes").mkdir()
    opened = open_workspace(tmp_path)
    opened.embedder = tiny_embedder
    return opened


def build(workspace: Workspace, text: str) -> str:
    (workspace.settings.home / "notes" / "a.md").write_text(text)
    pipeline = Pipeline(workspace)
    pipeline.sync_source("notes")
    return pipeline.build().version


def materialize(workspace: Workspace, asset: dg.AssetsDefinition, gate: FixedGate) -> dg.ExecuteInProcessResult:
    return dg.materialize([asset], resources={"workspace": workspace, "gate": gate}, raise_on_error=False)


def live_version_metadata(result: dg.ExecuteInProcessResult) -> dict:
    (event,) = result.get_asset_materialization_events()
    return {name: value.value for name, value in event.materialization.metadata.items()}


def test_a_verdict_against_another_live_version_does_not_publish(workspace: Workspace) -> None:
    gate, versions = FixedGate(workspace), workspace.versions
    first = build(workspace, "One thing.")
    versions.promote(first, why="test")
    second = build(workspace, "Another thing altogether.")
    versions.promote(second, why="test")
    candidate = build(workspace, "A third thing that is quite new.")
    gate.judge(candidate)
    versions.promote(first, why="somebody thought so meanwhile")
    gate.passes = False  # against that one, it is worse
    metadata = live_version_metadata(materialize(workspace, live_index, gate))
    assert versions.live_id() == first and metadata["published"] is False
    assert versions.manifest(candidate)["verdict"]["live"] == first
    gate.passes = True
    gate.judge(candidate)
    assert live_version_metadata(materialize(workspace, live_index, gate))["published"] is True
    assert versions.live_id() == candidate


def test_a_damaged_version_is_not_reused_but_built_anew(workspace: Workspace) -> None:
    version = build(workspace, "One thing.")
    assert materialize(workspace, index, FixedGate(workspace)).success
    damaged = next(workspace.versions.path(version).rglob("vectors*"))
    damaged.write_bytes(damaged.read_bytes() + b"x")
    result = materialize(workspace, index, FixedGate(workspace))
    (sound,) = result.get_asset_check_evaluations()
    assert sound.passed and workspace.versions.candidate_id() not in (None, version)


def test_an_evaluation_waits_for_the_one_of_rag_eval(workspace: Workspace) -> None:
    build(workspace, "One thing.")
    gate = FixedGate(workspace)
    waiting = threading.Thread(target=materialize, args=(workspace, evaluation, gate))
    with open_workspace(workspace.settings.home).store.lock("evaluate"):
        waiting.start()
        time.sleep(3)
        assert gate.judged == []
    waiting.join(timeout=60)
    assert len(gate.judged) == 1


def test_a_refused_version_fails_in_the_words_of_the_release_status(workspace: Workspace) -> None:
    version = build(workspace, "One thing.")
    result = materialize(workspace, evaluation, FixedGate(workspace, passes=False))
    (gate,) = result.get_asset_check_evaluations()
    assert not gate.passed and gate.blocking and gate.description.startswith("Not published: ")
    (failure,) = [event for event in result.all_events if event.event_type_value == "STEP_FAILURE"]
    said = failure.event_specific_data.user_failure_data.description
    assert said == gate.description and "asset check" not in said
    assert f"rag index promote {version} --force" in said and not result.success


def test_what_is_held_for_its_questions_fails_by_the_version_that_was_refused(workspace: Workspace) -> None:
    version = build(workspace, "One thing.")
    lost = {"passed": False, "reasons": ["2 of 9 questions lost their answer"], "questions": 9, "lost": ["a", "b"]}
    verdict = {"passed": False, "reasons": [], "sources": {"notes": lost | {"measures": {"nDCG@10": (0.8, 0.5)}}}}
    workspace.versions.record_evaluation(version, {}, verdict)
    workspace.holds.hold(Hold("notes", "evaluation", "it lost them", datetime.now(UTC), "a", version))
    (found,) = evaluations(workspace, "evaluation", ["notes"])
    assert (found.check_name, found.passed, found.severity) == ("questions_notes", False, dg.AssetCheckSeverity.ERROR)
    assert found.description == "2 of 9 questions lost their answer"
    assert (found.metadata["lost"].value, found.metadata["nDCG@10 live"].value) == (2, 0.8)
    workspace.holds.hold(Hold("notes", "evaluation", "it lost them", datetime.now(UTC), "a", "v999999-00000000"))
    (gone,) = evaluations(workspace, "evaluation", ["notes"])
    assert not gone.passed and gone.description == "it lost them"
