"""Reports a sync that ran outside Dagster: its materializations and checks appear in the UI like any other."""

from collections.abc import Iterator
from contextlib import chdir
from typing import Any

import dagster as dg

from assets.automation import sync_partitions
from assets.checks import evaluations, gate_words
from assets.corpus import materialization_metadata
from assets.names import Names
from rag_platform.pipeline.sync import SyncReport
from rag_platform.workspace import Workspace

_ASSETS = {"fetch": "raw", "extract": "documents", "chunk": "chunks", "embed": "embeddings"}
"""The asset of each stage of a source."""
Event = dg.AssetMaterialization | dg.AssetCheckEvaluation


def report_sync(workspace: Workspace, report: SyncReport) -> None:
    """Report what a sync did to the instance that the workspace's dagster.yaml describes."""
    home = str(workspace.settings.home)
    with chdir(home), dg.DagsterInstance.from_config(home) as instance:  # its paths may be relative
        sync_partitions(instance, Names.of(workspace.settings), list(report.sources))
        for event in events_of(workspace, report):
            instance.report_runless_asset_event(event)


def events_of(workspace: Workspace, report: SyncReport) -> Iterator[Event]:
    """Return the events that the assets would have reported."""
    names = Names.of(workspace.settings)
    for source, result in report.sources.items():
        for stage in result.stages:
            metadata = materialization_metadata(stage) | {"run": report.run_id}
            yield dg.AssetMaterialization(names.key(_ASSETS[stage.stage]), partition=source, metadata=metadata)
    yield from evaluations(workspace, "documents", list(report.sources), run=report.run_id)
    if report.candidate:
        yield from _release_events(workspace, report)
        everything = [source.id for source in workspace.settings.sources]
        for asset in ("evaluation", "live_index"):
            yield from evaluations(workspace, asset, everything, run=report.run_id)


def _release_events(workspace: Workspace, report: SyncReport) -> Iterator[Event]:
    candidate, names = report.candidate, Names.of(workspace.settings)
    assert candidate is not None
    common = {"version": candidate.version, "run": report.run_id}
    counts = candidate.manifest["counts"]
    yield dg.AssetMaterialization(
        names.key("index"),
        metadata=common
        | {
            "dagster/row_count": counts["chunks"],
            "documents": counts["documents"],
            "new": candidate.new,
            "segments": len(candidate.manifest["segments"]),
            "seconds": report.seconds["index"],
        },
    )
    yield _check(names.key("index"), "sound", not candidate.problems, problems=list(candidate.problems))
    if report.gate is None:
        return
    passed = bool(report.gate["passed"])
    yield dg.AssetMaterialization(
        names.key("evaluation"), metadata=common | {"passed": passed, "seconds": report.seconds["evaluate"]}
    )
    reasons = list(report.gate["reasons"])
    yield _check(names.key("evaluation"), "gate", passed, gate_words(workspace, reasons), reasons=reasons)
    if report.published:
        yield dg.AssetMaterialization(names.key("live_index"), metadata=common | {"published": report.moved})


def _check(asset: dg.AssetKey, name: str, passed: bool, said: str = "", **metadata: Any) -> dg.AssetCheckEvaluation:
    return dg.AssetCheckEvaluation(
        asset_key=asset,
        check_name=name,
        passed=passed,
        blocking=True,
        description=said or None,
        metadata=metadata,
    )
