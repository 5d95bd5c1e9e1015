"""A sync that was no run of Dagster stands in Dagster's records all the same."""

from pathlib import Path

import dagster as dg
import pytest

from assets.reporting import report_sync
from rag_platform.embeddings.onnx_embedder import OnnxEmbedder
from rag_platform.pipeline.sync import sync
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
