"""A check for each source and each thing that is measured of it; none of them blocks.

A check of Dagster's has one history, whatever the partition, so each source has checks of its own. They are evaluated
when an asset was materialized, by the sensor where time alone can change them, and whenever somebody starts one.
"""

import inspect
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import dagster as dg

from assets.names import Names
from rag_platform.config.settings import Settings
from rag_platform.core.errors import VersionError
from rag_platform.operations.status.health import CHECKS, Check, check, check_freshness
from rag_platform.operations.status.release_status import release_status
from rag_platform.pipeline.screening import screen
from rag_platform.validation.change_report import Example
from rag_platform.workspace import Workspace

_HEALTH = {name: look for name, look in CHECKS.items() if name != "freshness"}
_SHOWN = 200
"""Characters of a document in an example."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What a measure says of a source."""

    measure: str
    passed: bool
    said: str
    """In sentences."""
    numbers: dict[str, float] = field(default_factory=dict)
    report: str = ""
    """Markdown."""
    stops: bool = False
    """Whether a failure keeps the source's newest state out of the index; else it is only worth a look."""

    def fields(self, asset: dg.AssetKey, source: str, **metadata: Any) -> dict[str, Any]:
        """Return what Dagster keeps of it."""
        report = {"report": dg.MetadataValue.md(self.report)} if self.report else {}
        return {
            "asset_key": asset,
            "check_name": check_name(self.measure, source),
            "passed": self.passed,
            "severity": dg.AssetCheckSeverity.ERROR if self.stops else dg.AssetCheckSeverity.WARN,
            "description": self.said,
            "metadata": {**self.numbers, **report, **metadata},
        }


def check_name(measure: str, source: str) -> str:
    """Return the name of a source's check."""
    return f"{measure}_{source.replace('-', '_')}"


def specs(names: Names, source: str) -> list[dg.AssetCheckSpec]:
    """Return the checks of a source."""
    return [
        dg.AssetCheckSpec(check_name(measure, source), asset=names.key(asset), description=f"{source}: {about}")
        for asset, measures in _MEASURES.items()
        for measure, about in measures.items()
    ]


def source_checks(settings: Settings) -> list[dg.AssetChecksDefinition]:
    """Return the checks of all sources."""
    return [_checks_of(Names.of(settings), source.id) for source in settings.sources]


def _checks_of(names: Names, source: str) -> dg.AssetChecksDefinition:
    @dg.multi_asset_check(name=check_name("checks", source), specs=specs(names, source), can_subset=True)
    def look(
        context: dg.AssetCheckExecutionContext, workspace: dg.ResourceParam[Workspace]
    ) -> Iterator[dg.AssetCheckResult]:
        """Look at a source as it is now."""
        chosen = context.selected_asset_check_keys
        for asset in {key.asset_key for key in chosen}:
            for found in _LOOKS[asset.path[-1]](workspace, source):
                if dg.AssetCheckKey(asset, check_name(found.measure, source)) in chosen:
                    yield dg.AssetCheckResult(**found.fields(asset, source))

    return look


def evaluations(
    workspace: Workspace, asset: str, sources: Sequence[str], **metadata: Any
) -> Iterator[dg.AssetCheckEvaluation]:
    """Evaluate an asset's checks of these sources."""
    key = Names.of(workspace.settings).key(asset)
    for source in sources:
        for found in _LOOKS[asset](workspace, source):
            yield dg.AssetCheckEvaluation(**found.fields(key, source, **metadata))


def record(context: dg.AssetExecutionContext, workspace: Workspace, asset: str, sources: Sequence[str]) -> None:
    """Record an asset's checks of these sources in its run; a check that cannot be made stops nothing."""
    try:
        for evaluation in evaluations(workspace, asset, sources):
            event = dg.DagsterEvent(
                event_type_value=dg.DagsterEventType.ASSET_CHECK_EVALUATION.value,
                job_name=context.run.job_name,
                step_key=asset,
                event_specific_data=evaluation,
            )
            context.instance.report_dagster_event(event, run_id=context.run.run_id)
    except Exception:
        context.log.warning("the checks of each source could not be made", exc_info=True)


def gate_words(workspace: Workspace, reasons: Sequence[str]) -> str:
    """Return what the release status says of a refused version, with what can be done; else the verdict's reasons."""
    refused = [notice.text for notice in release_status(workspace).notices if notice.kind == "refused"]
    return "\n".join(refused or reasons)


def timed_evaluations(workspace: Workspace, now: datetime) -> dict[str, dg.AssetCheckEvaluation]:
    """Evaluate what time, or somebody's word, can change without a run, by the name of the check."""
    names = Names.of(workspace.settings)
    found = [
        dg.AssetCheckEvaluation(**finding.fields(names.key(asset), source.id))
        for source in workspace.settings.sources
        for asset, finding in (
            ("raw", _fresh(check_freshness(workspace, source.id, now))),
            ("live_index", _released(workspace, source.id)),
        )
    ]
    return {one.check_name: one for one in found}


def _of_raw(workspace: Workspace, source: str) -> Iterator[Finding]:
    yield _fresh(check_freshness(workspace, source))


def _fresh(found: Check) -> Finding:
    return Finding("fresh", found.passed, found.said, found.numbers)


def _of_documents(workspace: Workspace, source: str) -> Iterator[Finding]:
    for found in check(workspace, source):
        if found.name in _HEALTH:
            yield Finding(found.name, found.passed, found.said, found.numbers)
    changes = screen(workspace, source)
    counts = f"{changes.documents} documents: {changes.changed} changed, {changes.new} new, {changes.gone} gone"
    said = "; ".join([counts, *(one.said for one in changes.anomalies), *changes.remarks])
    examples = [example for anomaly in changes.anomalies for example in anomaly.examples]
    numbers = {name: getattr(changes, name) for name in ("documents", "changed", "new", "gone")}
    numbers |= {f"{name} (share)": share for name, share in changes.statistics.get("shares", {}).items()}
    yield Finding("change", changes.passed, said, numbers, side_by_side(examples), stops=True)


def _of_evaluation(workspace: Workspace, source: str) -> Iterator[Finding]:
    hold = workspace.holds.active().get(source)
    laid = hold if hold and hold.cause == "evaluation" else None
    judged = _judged(workspace, laid.version if laid else None, source)
    reasons = judged.get("reasons") or ([laid.why] if laid else [])
    numbers = {"questions": judged.get("questions", 0), "lost": len(judged.get("lost", ()))}
    for name, (live, now) in judged.get("measures", {}).items():
        numbers |= {f"{name}{where}": value for where, value in ((" live", live), ("", now)) if value is not None}
    none_lost = f"{numbers['questions']} questions rest on it, and none was lost because of it"
    passed = laid is None and judged.get("passed", True)
    report = "\n".join(f"- {one}" for one in reasons)
    yield Finding("questions", passed, "; ".join(reasons) or none_lost, numbers, report, stops=True)


def _judged(workspace: Workspace, refused: str | None, source: str) -> dict[str, Any]:
    """Return the judgement of a source: in the version for which it is held, else in the newest one."""
    version = refused or workspace.versions.candidate_id() or workspace.versions.live_id()
    try:
        verdict = workspace.versions.manifest(version).get("verdict") if version else None
    except VersionError:  # it is gone, or damaged, which `rag doctor` reports
        return {}
    found: dict[str, Any] = ((verdict or {}).get("sources") or {}).get(source) or {}
    return found


def _of_live_index(workspace: Workspace, source: str) -> Iterator[Finding]:
    yield _released(workspace, source)


def _released(workspace: Workspace, source: str) -> Finding:
    held = [notice for notice in release_status(workspace).of(source) if notice.kind == "held"]
    if not held:
        return Finding("released", passed=True, said="it is not held", stops=True)
    (notice,) = held
    report = f"{notice.text}\n\n{side_by_side(notice.examples)}".strip()
    return Finding("released", passed=False, said=notice.said, report=report, stops=True)


def side_by_side(examples: Sequence[Example]) -> str:
    """Return at most three documents as they were beside what they became, as a table in Markdown."""
    rows = [[one.uri, one.before, one.after] for one in examples[:3]]
    lines = [f"| {' | '.join(map(_cell, row))} |" for row in rows]
    return "\n".join(["| document | live | now |", "| --- | --- | --- |", *lines]) if rows else ""


def _cell(text: str) -> str:
    """Return a text that no document can turn into markup or a link."""
    short = " ".join(text.split())[:_SHOWN]
    return "".join(f"&#{ord(one)};" if one in _MARKUP else one for one in short)


_MARKUP = "\\`*_{}[]<>()#!|~&:@"
_MEASURES: dict[str, dict[str, str]] = {
    "raw": {"fresh": "it was read in time."},
    "documents": {
        **{name: inspect.getdoc(look) or "" for name, look in _HEALTH.items()},
        "change": "What became of its documents looks like its own doing; else the source is held.",
    },
    "evaluation": {"questions": "Questions that rest on it keep their answers; else the source is held."},
    "live_index": {"released": "It answers as it is, and is not held."},
}
_LOOKS: dict[str, Callable[[Workspace, str], Iterator[Finding]]] = {
    "raw": _of_raw,
    "documents": _of_documents,
    "evaluation": _of_evaluation,
    "live_index": _of_live_index,
}
