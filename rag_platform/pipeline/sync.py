"""Sync: bring sources up to date, then build, judge and publish a version of the workspace.

The command line, the page, the API and Dagster's assets go through the functions of this package; what decides on
publication is a `Gate`, which the caller brings.
"""

import time
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from rag_platform.core.display.notebook_html import cell, table
from rag_platform.core.errors import VersionError, message_of
from rag_platform.core.ports import Gate, Judgement, Reporter, quiet
from rag_platform.index.releases.holds import Hold
from rag_platform.monitoring.cost_ledger import total
from rag_platform.pipeline import stage_reports
from rag_platform.pipeline.release import Candidate, build_candidate, releasing
from rag_platform.pipeline.release import publish as publish_judged
from rag_platform.pipeline.settling import settle
from rag_platform.pipeline.stage_reports import FetchOptions, StageReport
from rag_platform.pipeline.stages import Pipeline
from rag_platform.workspace import Workspace

STAGES = ("fetch", "extract", "chunk", "embed", "index", "evaluate", "publish")
_COUNTS = ("seen", "new", "changed", "unchanged", "gone")


@dataclass(frozen=True, slots=True)
class SourceReport:
    """What a sync did with one source."""

    stages: tuple[StageReport, ...]
    """Those that were finished, in their order."""
    error: str | None = None
    """What stopped it: the source keeps its last good state."""

    def to_dict(self) -> dict[str, Any]:
        """Return the source's row of the ledger; ``forgotten`` only where there is something."""
        counts = self.stages[0].counts if self.stages else {}
        rare = {"forgotten": counts["forgotten"]} if counts.get("forgotten") else {}
        failed = [failure for stage in self.stages[:2] for failure in stage.failures()]
        return {name: counts.get(name, 0) for name in _COUNTS} | rare | {"failed": failed}


@dataclass(frozen=True, slots=True)
class SyncReport:
    """What a sync did; `to_dict` is the contract of `rag sync --json`."""

    run_id: str
    sources: Mapping[str, SourceReport]
    candidate: Candidate | None
    """None: nothing was built."""
    gate: Mapping[str, Any] | None
    """The verdict that is stored with the version; None: it was not judged."""
    published: bool
    """Whether the version is live, since this sync or before."""
    moved: bool
    """Whether this sync made it live."""
    held: Mapping[str, Any] | None
    """The rollback since which nothing is published by itself."""
    seconds: Mapping[str, float]
    """By stage, over all sources."""
    bytes_written: Mapping[str, float]
    """By stage."""
    errors: tuple[str, ...] = ()
    """What stopped a source or the release."""
    held_sources: Mapping[str, Hold] = field(default_factory=dict)
    """The sources that answer as they are live, though their newest state is another."""
    refused: Judgement | None = None
    """Of the version of all that is new; None: it passed, or was not judged."""

    @property
    def version(self) -> str | None:
        """The version that was built; None: nothing was."""
        return self.candidate.version if self.candidate else None

    @property
    def chunks(self) -> dict[str, int]:
        """How many chunks there are, and where their vectors come from.

        A vector is computed once for each text: a chunk reuses that of an earlier run, or of a chunk of equal text.
        ``total`` = ``embedded`` + ``reused`` + ``words_only``, which is there where chunks have no vector.
        """
        rows = {name: {stage.stage: stage for stage in one.stages} for name, one in self.sources.items()}
        embedded = sum(stages["embed"].counts["embedded"] for stages in rows.values() if "embed" in stages)
        cut = sum(stages["chunk"].rows for stages in rows.values() if "chunk" in stages)
        counts = self.candidate.manifest["counts"] if self.candidate else {"chunks": cut}
        rare = {name: counts[name] for name in ("words_only",) if name in counts}
        reused = counts["chunks"] - embedded - sum(rare.values())
        return {"total": counts["chunks"], "embedded": embedded, "reused": reused, **rare}

    @property
    def exit_code(self) -> int:
        """0 done, 1 something failed, 3 built but refused by the gate, or a source of this sync is held."""
        if self.errors:
            return 1
        refused = self.gate and not self.gate["passed"] and not self.published
        return 3 if refused or self.sources.keys() & self.held_sources.keys() else 0

    def to_dict(self) -> dict[str, Any]:
        """Return the document that `rag sync --json` prints."""
        return {
            "version": self.version,
            "published": self.published,
            "gate": self.gate,
            "sources": self._rows(),
            "chunks": self.chunks,
            "seconds": dict(self.seconds),
            "run_id": self.run_id,
            "bytes_written": dict(self.bytes_written),
            "held": self.held,
            "held_sources": {source: hold.to_dict() for source, hold in self.held_sources.items()},
            "refused": self.refused and {"version": self.refused.version, "reasons": list(self.refused.reasons)},
            "moved": self.moved,
            "errors": list(self.errors),
        }

    def _repr_html_(self) -> str:
        """Return what a notebook shows: a row for each source, and what became of the version."""
        rows = [(name, *(row[count] for count in _COUNTS), len(row["failed"])) for name, row in self._rows().items()]
        state = "published" if self.published else "not published"
        reasons = [*((self.gate or {}).get("reasons") or ()), *self.errors]
        told = "".join(f"<li>{cell(reason)}</li>" for reason in reasons)
        made = cell(f"version {self.version}: {state}" if self.version else "nothing was built")
        return f"{table(('source', *_COUNTS, 'failed'), rows)}<p>{made}</p>" + (f"<ul>{told}</ul>" if told else "")

    def _rows(self) -> dict[str, dict[str, Any]]:
        return {name: self._row(name) for name in self.sources}

    def _row(self, name: str) -> dict[str, Any]:
        row, error = self.sources[name].to_dict(), self.sources[name].error
        return row | {"failed": [*row["failed"], *([{"uri": name, "reason": error}] if error else [])]}


def sync(
    workspace: Workspace,
    sources: Sequence[str] | None = None,
    *,
    gate: Gate,
    full: bool = False,
    allow_mass_delete: bool = False,
    allow_mass_change: bool = False,
    fetch: bool = True,
    publish: bool = True,
    progress: Reporter = quiet,
) -> SyncReport:
    """Bring sources up to date, then build, judge and publish a version.

    A source that fails keeps its last good state and does not stop the others; the report names it.

    Args:
        workspace: which.
        sources: ids; None or none: all that are not paused.
        gate: decides whether the version is published.
        full: read everything anew, also what seems unchanged; what is published stays.
        allow_mass_delete: let a source lose more documents than the settings allow.
        allow_mass_change: let what is read be published, whatever the brake on change and the questions say of it.
        fetch: False: read no source; build, judge and publish what is there.
        publish: False: build and judge, and leave the live version.
        progress: gives, for the name of a stage, where its progress goes.

    Raises:
        SettingsError: there is no such source.
    """
    options = FetchOptions(allow_mass_delete, full, allow_mass_change)
    chosen = chosen_sources(workspace, sources) if fetch else []
    return _Sync(workspace, gate, progress).run(chosen, options, publish=publish)


def chosen_sources(workspace: Workspace, sources: Sequence[str] | None) -> list[str]:
    """Return the ids of the sources that are synced: those named, else all that are not paused.

    Raises:
        SettingsError: there is no such source.
    """
    if sources:
        return [workspace.settings.source(source).id for source in sources]
    return [source.id for source in workspace.settings.sources if not source.paused]


@dataclass
class _Sync:
    """One run."""

    workspace: Workspace
    gate: Gate
    progress: Reporter
    run_id: str = field(default_factory=lambda: str(uuid.uuid4()))
    seconds: dict[str, float] = field(default_factory=lambda: dict.fromkeys(STAGES, 0.0))
    errors: list[str] = field(default_factory=list)
    refused: Judgement | None = None

    def run(self, sources: Sequence[str], options: FetchOptions, *, publish: bool) -> SyncReport:
        began, workspace = datetime.now(UTC).isoformat(), self.workspace
        workspace.embedders.try_again()
        with workspace.activity.running("sync", of=sources):
            reports = {source: self._source(source, options) for source in sources}
            candidate, moved = self._release(publish=publish)
        version = candidate.version if candidate else None
        return SyncReport(
            run_id=self.run_id,
            sources=reports,
            candidate=candidate,
            gate=workspace.versions.manifest(version).get("verdict") if version else None,
            published=version is not None and workspace.versions.live_id() == version,
            moved=moved,
            held=workspace.versions.held() if version else None,
            seconds=self.seconds,
            bytes_written=total(workspace.costs.entries(began))["bytes_written"],
            errors=tuple(self.errors),
            held_sources=workspace.holds.active(),
            refused=self.refused,
        )

    def _source(self, source: str, options: FetchOptions) -> SourceReport:
        finished: list[StageReport] = []
        try:
            for report in self._stages(source, options):
                finished.append(report)
                self._add_seconds(report.stage, report.seconds)
        except Exception as error:  # noqa: BLE001  a source that fails does not stop the others
            self.errors.append(f"{source}: {message_of(error)}")
            return SourceReport(tuple(finished), message_of(error))
        return SourceReport(tuple(finished))

    def _stages(self, source: str, options: FetchOptions) -> Iterator[StageReport]:
        pipeline, progress = Pipeline(self.workspace, run_id=self.run_id), self.progress
        yield stage_reports.fetch(pipeline, source, options, progress(f"fetch {source}"))
        yield stage_reports.extract(pipeline, source, options, progress(f"extract {source}"))
        yield stage_reports.chunk(pipeline, source, progress(f"chunk {source}"))
        yield stage_reports.embed(pipeline, source, progress(f"embed {source}"))

    def _release(self, *, publish: bool) -> tuple[Candidate | None, bool]:
        """Return the version that was built, and whether it was made live."""
        candidate, moved = None, False
        try:
            with releasing(self.workspace):
                with self._timing("index"):
                    candidate = build_candidate(self.workspace, run_id=self.run_id, progress=self.progress("index"))
                    self._refuse_unsound(candidate)
                with self._timing("evaluate"):
                    candidate = self._settled(candidate)
                moved = publish and self._publish(candidate.version)
        except Exception as error:  # noqa: BLE001  what the sources brought is kept, and the report says what failed
            self.errors.append(message_of(error))
        return candidate, moved

    def _refuse_unsound(self, candidate: Candidate) -> None:
        if candidate.problems:
            raise VersionError(
                f"{candidate.version} is not sound and is not published: {'; '.join(candidate.problems)}"
            )

    def _settled(self, candidate: Candidate) -> Candidate:
        progress = self.progress("evaluate")
        settled = settle(self.workspace, self.gate, candidate, run_id=self.run_id, progress=progress)
        self.refused = settled.refused
        return settled.candidate

    def _publish(self, version: str) -> bool:
        progress = self.progress("evaluate")
        with self._timing("publish"):
            return publish_judged(self.workspace, self.gate, version, run_id=self.run_id, progress=progress).moved

    @contextmanager
    def _timing(self, stage: str) -> Iterator[None]:
        start = time.perf_counter()
        try:
            yield
        finally:
            self._add_seconds(stage, time.perf_counter() - start)

    def _add_seconds(self, stage: str, seconds: float) -> None:
        self.seconds[stage] = round(self.seconds[stage] + seconds, 3)
