"""A sync that was no run of Dagster stands in Dagster's records all the same."""

from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

import dagster as dg
import pytest

from assets.checks import evaluations, side_by_side
from assets.reporting import report_sync
from rag_platform.embeddings.onnx_embedder import OnnxEmbedder
from rag_platform.index.releases.holds import Hold
from rag_platform.pipeline.sync import sync
from rag_platform.validation.change_report import Example
from rag_platform.workspace import Workspace, open_workspace
from rag_platform.workspace.template import write_workspace
from tests.pipeline.fixed_gate import FixedGate


@pytest.fixture
def workspace(tmp_path: Path, tiny_embedder: OnnxEmbedder) -> Workspace:
    write_workspace(tmp_path)
    opened = open_workspace(tmp_path)
    opened.embedder = tiny_embedder
    return opened


def test_a_sync_is_reported_as_events_without_a_run(workspace: Workspace) -> None:
    report = sync(workspace, gate=FixedGate(workspace))
    report_sync(workspace, report)
    with dg.DagsterInstance.from_config(str(workspace.settings.home)) as instance:
        assert instance.get_runs() == [] and "handbook" in instance.get_dynamic_partitions("source")
        latest = {
            name: instance.get_latest_materialization_event(dg.AssetKey(name)).asset_materialization
            for name in ("raw", "documents", "chunks", "embeddings", "index", "evaluation", "live_index")
        }
        assert latest["raw"].partition in report.sources
        assert latest["documents"].metadata["failures"].value == []
        assert latest["live_index"].metadata["version"].value == report.version
        assert all(one.metadata["run"].value == report.run_id for one in latest.values())


def test_a_refused_version_is_reported_without_a_publication(workspace: Workspace) -> None:
    report_sync(workspace, sync(workspace, gate=FixedGate(workspace, passes=False)))
    with dg.DagsterInstance.from_config(str(workspace.settings.home)) as instance:
        assert instance.get_latest_materialization_event(dg.AssetKey("evaluation"))
        assert instance.get_latest_materialization_event(dg.AssetKey("live_index")) is None
        assert latest_check(instance, "evaluation", "gate").description.startswith("Not published: ")


def test_each_source_has_its_checks_beside_what_was_synced(workspace: Workspace) -> None:
    report = sync(workspace, gate=FixedGate(workspace))
    report_sync(workspace, report)
    with dg.DagsterInstance.from_config(str(workspace.settings.home)) as instance:
        change = latest_check(instance, "documents", "change_handbook")
        assert change.passed and change.metadata["run"].value == report.run_id
        assert latest_check(instance, "evaluation", "questions_handbook").passed


def test_a_held_source_is_shown_side_by_side_and_no_document_becomes_markup(workspace: Workspace) -> None:
    example = Example("a.md", "Opening hours", "Log in | [here](https://evil.example) <img src=x>")
    table = side_by_side([example] * 4)
    assert len(table.splitlines()) == 5 and "Opening hours" in table
    assert not set("<>[]()") & set(table) and all(line.count("|") == 4 for line in table.splitlines())
    about = {"anomalies": [{"said": "it is a log-in page", "examples": [asdict(example)]}]}
    workspace.holds.hold(Hold("handbook", "change", "12 of 12 documents", datetime.now(UTC), "a", about=about))
    (found,) = evaluations(workspace, "live_index", ["handbook"])
    assert not found.passed and found.severity == dg.AssetCheckSeverity.ERROR and "12 of 12" in found.description
    assert "rag source release handbook" in found.metadata["report"].value
    assert "Opening hours" in found.metadata["report"].value


def latest_check(instance: dg.DagsterInstance, asset: str, name: str) -> dg.AssetCheckEvaluation:
    key = dg.AssetCheckKey(dg.AssetKey(asset), name)
    (record,) = instance.event_log_storage.get_asset_check_execution_history(key, limit=1)
    return record.evaluation
