"""The state of a workspace as Prometheus metrics, looked up when somebody asks: whichever process made it."""

import shutil
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from typing import Any

import polars as pl
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from rag_platform.core.errors import RagError
from rag_platform.journal.usage import answer_totals
from rag_platform.monitoring.progress import running_stages
from rag_platform.operations.alerts.alerting import outbox_of
from rag_platform.operations.observability.ledger_totals import LedgerTotals
from rag_platform.operations.status.health import late
from rag_platform.operations.status.source_status import last_read
from rag_platform.workspace import Workspace

Family = GaugeMetricFamily | CounterMetricFamily


class WorkspaceMetrics(Collector):
    """Collects what is known of a workspace; a part that cannot be read is left out, and counted."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._ledger = LedgerTotals(workspace.settings.data / "ledger.jsonl")

    def describe(self) -> list[Metric]:
        """Name nothing beforehand, so that registering looks nothing up."""
        return []

    def collect(self) -> Iterator[Metric]:
        """Yield all metrics."""
        parts: list[Callable[[], Iterator[Family]]] = [
            self._index, self._gate, self._sources, self._queue, self._answers, self._costs, self._disk,
        ]  # fmt: skip
        unreadable = 0
        for part in parts:
            try:
                yield from list(part())
            except (RagError, OSError):
                unreadable += 1
        yield _gauge("rag_metrics_unreadable", "Parts of these metrics that could not be read.", unreadable)

    def _index(self) -> Iterator[Family]:
        versions = self._workspace.versions
        live = versions.live_id()
        yield _gauge("rag_index_damaged", "1: the live version is damaged.", versions.live_is_known_damaged())
        yield _gauge("rag_index_published", "1: a version is live.", live is not None)
        if live is None:
            return
        manifest = versions.manifest(live)
        yield _family("rag_index_info", "The live version.", ["version", "model"], {
            (live, str(manifest["model"].get("name", ""))): 1
        })  # fmt: skip
        yield _gauge("rag_index_built_timestamp_seconds", "When it was built.", _seconds(manifest["created_at"]))
        if moves := versions.moves():
            yield _gauge("rag_index_published_timestamp_seconds", "When it went live.", _seconds(moves[-1]["at"]))
        for name, count in manifest["counts"].items():
            yield _gauge(f"rag_index_{name}", f"Number of {name} of the live version.", count)

    def _gate(self) -> Iterator[Family]:
        versions = self._workspace.versions
        named = {"live": versions.live_id(), "candidate": versions.candidate_id()}
        verdicts = {role: versions.manifest(version).get("verdict") for role, version in named.items() if version}
        told = {(role,): float(verdict["passed"]) for role, verdict in verdicts.items() if verdict}
        yield _family("rag_gate_passed", "1: the gate passed the version; 0: it refused it.", ["role"], told)
        held = versions.held() is not None
        yield _gauge("rag_publication_held", "1: nothing is published by itself since a rollback.", held)

    def _sources(self) -> Iterator[Family]:
        workspace, ids = self._workspace, [source.id for source in self._workspace.settings.sources]
        manifest = workspace.versions.manifest(live) if (live := workspace.versions.live_id()) else {"sources": {}}
        read = {(one,): moment.timestamp() for one in ids if (moment := last_read(workspace, one))}
        behind, held = late(workspace), workspace.holds.active()
        stored = {(one,): float(manifest["sources"].get(one, {}).get("documents", 0)) for one in ids}
        label = ["source"]
        yield _family("rag_source_read_timestamp_seconds", "When a source was listed last.", label, read)
        yield _family("rag_source_late", "1: it is late.", label, {(one,): float(one in behind) for one in ids})
        yield _family("rag_source_held", "1: it is held.", label, {(one,): float(one in held) for one in ids})
        yield _family("rag_source_documents", "Its documents of the live version.", label, stored)
        failed = {(one,): self._failed(one) for one in ids}
        yield _family("rag_source_failures", "What could not be fetched or read of it.", label, failed)

    def _failed(self, source: str) -> float:
        store, failed = self._workspace.store, pl.col("status") == "failed"
        tables = (store.select(stage, source, ("uri",), failed)["uri"] for stage in ("raw", "documents"))
        return float(len({uri for table in tables for uri in table}))

    def _queue(self) -> Iterator[Family]:
        settings = self._workspace.settings
        running = running_stages(settings.data / "progress")
        counts = {(one.stage,): 0.0 for one in running}
        for one in running:
            counts[one.stage,] += 1
        yield _family("rag_running_stages", "Stages that run now, in all processes.", ["stage"], counts)
        undelivered = sum(one["due"] is not None for one in outbox_of(self._workspace).messages())
        yield _gauge("rag_alerts_waiting", "Alerts that are still to be delivered.", undelivered)

    def _answers(self) -> Iterator[Family]:
        """Count by the journal, so that the page's and the terminal's are in it."""
        settings = self._workspace.settings
        if not (settings.scale.database or (settings.data / "app.sqlite").exists()):
            return
        totals = answer_totals(self._workspace.journal)
        by_outcome = {("answered",): totals.answered, ("abstained",): totals.abstained}
        yield _family("rag_answers_recorded", "Receipts of answers, by outcome.", ["outcome"], by_outcome)
        judged = {("good",): totals.good, ("bad",): totals.bad}
        yield _family("rag_feedback_recorded", "What people think of answers.", ["judgement"], judged)

    def _costs(self) -> Iterator[Family]:
        seconds, written, items = self._ledger.now()
        yield _family("rag_sync_seconds", "Seconds of each stage of all runs.", ["stage"], seconds, CounterMetricFamily)
        yield _family("rag_sync_written_bytes", "Bytes written.", ["stage"], written, CounterMetricFamily)
        yield _family("rag_sync_items", "What stages counted.", ["stage", "what"], items, CounterMetricFamily)

    def _disk(self) -> Iterator[Family]:
        free = shutil.disk_usage(self._workspace.settings.home).free
        yield _gauge("rag_disk_free_bytes", "Free bytes of the disk of the workspace.", free)


def _gauge(name: str, help_text: str, value: float) -> GaugeMetricFamily:
    return GaugeMetricFamily(name, help_text, value=float(value))


def _family(
    name: str,
    help_text: str,
    labels: list[str],
    values: Mapping[Any, float],
    kind: type[Family] = GaugeMetricFamily,
) -> Family:
    made = kind(name, help_text, labels=labels)
    for key, value in values.items():
        made.add_metric([*key], value)
    return made


def _seconds(moment: Any) -> float:
    return datetime.fromisoformat(moment).timestamp()
