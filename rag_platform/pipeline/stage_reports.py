"""Runs a stage and reports it in the terms that `rag sync` and Dagster share: rows, counts, failures and seconds."""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rag_platform.core.ports import Progress, silent
from rag_platform.pipeline.stages import Pipeline


@dataclass(frozen=True, slots=True)
class StageReport:
    """What one stage did with one source."""

    stage: str
    """"fetch", "extract", "chunk" or "embed"."""
    rows: int
    """Of the stage's table."""
    counts: Mapping[str, Any]
    """What JSON can hold, by name."""
    failed: tuple[tuple[str, str], ...] = ()
    """(uri, reason) of what could not be fetched or read, while the others went on."""
    seconds: float = 0.0

    def failures(self) -> list[dict[str, str]]:
        """Return what failed as JSON has it."""
        return [{"uri": uri, "reason": reason} for uri, reason in self.failed]


@dataclass(frozen=True, slots=True)
class FetchOptions:
    """What one may choose per run."""

    allow_mass_delete: bool = False
    """Let the run remove more of a source than the settings allow."""
    full: bool = False
    """Read everything anew, also what seems unchanged."""
    allow_mass_change: bool = False
    """Let what the run brings be published, whatever the brake on change and its questions say."""


def fetch(
    pipeline: Pipeline, source: str, options: FetchOptions = FetchOptions(), progress: Progress = silent
) -> StageReport:
    """Bring the source's raw bytes up to date."""
    start = time.perf_counter()
    scraped = pipeline.fetch(source, allow_mass_delete=options.allow_mass_delete, full=options.full, progress=progress)
    counts = scraped.tally.to_dict()
    counts.pop("failed")
    return StageReport("fetch", scraped.table.height, counts, scraped.tally.failed, _since(start))


def extract(
    pipeline: Pipeline, source: str, options: FetchOptions = FetchOptions(), progress: Progress = silent
) -> StageReport:
    """Turn the source's raw bytes into documents."""
    start = time.perf_counter()
    read = pipeline.extract(source, allow_mass_change=options.allow_mass_change, progress=progress)
    statuses = dict(read.table.group_by("status").len().sort("status").iter_rows())
    counts = {"extracted": read.extracted, "reused": read.reused, "statuses": statuses, "losses": read.lost}
    return StageReport("extract", read.table.height, counts, read.failed, _since(start))


def chunk(pipeline: Pipeline, source: str, progress: Progress = silent) -> StageReport:
    """Cut the source's documents into chunks."""
    start = time.perf_counter()
    cut = pipeline.chunk(source, progress=progress)
    counts = {"new": cut.new, "removed": cut.removed, "tokens": int(cut.table["tokens"].sum())}
    return StageReport("chunk", cut.table.height, counts, seconds=_since(start))


def embed(pipeline: Pipeline, source: str, progress: Progress = silent) -> StageReport:
    """Give each of the source's chunks its vector.

    ``missing`` counts the chunks that have none though a model reads them, ``words_only`` those that none here reads.
    """
    start = time.perf_counter()
    made = pipeline.embed(source, progress=progress)
    counts = {
        "embedded": made.embedded,
        "reused": made.reused,
        "tokens_embedded": made.tokens,
        "missing": made.missing,
        "words_only": made.words_only,
        "models": list(made.models),
    }
    return StageReport("embed", made.rows, counts, seconds=_since(start))


def _since(start: float) -> float:
    return round(time.perf_counter() - start, 3)
