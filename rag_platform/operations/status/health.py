"""Is a source as it should be? What the last sync read of it, compared with what users have, and with its schedule.

Nothing here stops a publication: the gate does that. These are the things that a person had better look at.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from statistics import median

import polars as pl
from cronsim import CronSim, CronSimError

from rag_platform.config.sections.sources import SourceSettings
from rag_platform.config.settings import HealthSettings
from rag_platform.core.errors import VersionError
from rag_platform.documents.document_rows import lost_of
from rag_platform.operations.damage.finding import REPAIR
from rag_platform.operations.damage.inspecting import inspect
from rag_platform.text.boilerplate import boilerplate_share
from rag_platform.text.instructions.injection import INSTRUCTS
from rag_platform.text.language import UNDETERMINED
from rag_platform.workspace import Workspace

_MOSTLY = 0.5
"""Share of a text that other pages repeat, from which it is called boilerplate."""
_NO_CONTENT = "no main content found"
_FEW = 10
"""With fewer documents, a share or a median says nothing: one more or less would be a sudden change."""


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at."""

    name: str
    passed: bool
    said: str
    """In a sentence."""
    numbers: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class State:
    """A source as it is, and as it was."""

    source: SourceSettings
    raw: pl.DataFrame
    """Columns `RAW`."""
    documents: pl.DataFrame
    """Columns `DOCUMENTS`."""
    live: pl.DataFrame
    """`language` and `characters` of the live version's documents of the source."""
    limits: HealthSettings
    now: datetime

    @property
    def indexed(self) -> pl.DataFrame:
        """The documents that the next version holds."""
        return self.documents.filter(pl.col("status") == "ok")

    @property
    def read(self) -> pl.DataFrame:
        """The documents that have a text."""
        return self.documents.filter(pl.col("status") != "failed")

    def flagged(self, marked: Callable[[Sequence[str]], bool]) -> int:
        """Count the documents whose flags say so."""
        return sum(map(marked, self.read["flags"]))


def check(workspace: Workspace, source_id: str, now: datetime | None = None) -> list[Check]:
    """Look at a source; `SettingsError` when there is none of that name."""
    state = State(
        workspace.settings.source(source_id),
        workspace.store.read("raw", source_id),
        workspace.store.read("documents", source_id),
        _live(workspace, source_id),
        workspace.settings.health,
        now or datetime.now(UTC),
    )
    return [look(state) for look in CHECKS.values()]


def check_workspace(workspace: Workspace) -> list[Check]:
    """Look at what all sources share: whether the live version answers itself, and whether a file is damaged."""
    notice, damages = workspace.versions.live_notice(), inspect(workspace)
    told = "; ".join(damage.said for damage in damages)
    return [
        Check("answers", notice is None, notice or "nothing answers in place of the live version"),
        Check("files", not damages, f"{told}; run `{REPAIR}`" if damages else "none is known to be damaged"),
    ]


def check_freshness(workspace: Workspace, source_id: str, now: datetime | None = None) -> Check:
    """Look only how fresh a source is, which is cheap; `SettingsError` when there is none of that name."""
    return _freshness(workspace.settings.source(source_id), _synced_at(workspace, source_id), now or datetime.now(UTC))


def _live(workspace: Workspace, source_id: str) -> pl.DataFrame:
    version = workspace.versions.live_id()
    nothing = pl.DataFrame(schema={"language": pl.String, "characters": pl.Int64})
    if version is None:
        return nothing
    try:
        catalog = workspace.versions.catalog(version)
        documents = catalog.documents("source", "language", "length(text) as characters")
    except VersionError:
        return nothing  # doctor reports a damaged version
    return documents.filter(pl.col("source") == source_id).drop("source")


def late(workspace: Workspace, now: datetime | None = None) -> dict[str, datetime]:
    """Return the sources that are late against their schedule, with the moment when each was read last.

    One that was never read has nothing to be late with.
    """
    now = now or datetime.now(UTC)
    read = {source.id: _synced_at(workspace, source.id) for source in workspace.settings.sources}
    return {
        source.id: synced
        for source in workspace.settings.sources
        if (synced := read[source.id]) is not None and _late(source, synced, now)
    }


def failures(state: State) -> Check:
    """Share of what the source has that could not be fetched or read."""
    unfetched = state.raw.filter(pl.col("status") == "failed")["uri"]
    unread = state.documents.filter(pl.col("status") == "failed")["uri"]
    failed = len({*unfetched, *unread})
    there = len({*state.raw.filter(pl.col("status") != "gone")["uri"], *state.documents["uri"]})
    share = failed / there if there else 0.0
    said = f"{failed} of {there} items could not be fetched or read"
    return Check("failures", share <= state.limits.failed, said, {"failed": failed, "items": there, "share": share})


def boilerplate(state: State) -> Check:
    """Share of texts that are mostly what other pages of the source say too, or in which no content was found."""

    def marked(flags: Sequence[str]) -> bool:
        return boilerplate_share(flags) >= _MOSTLY or any(flag.startswith(_NO_CONTENT) for flag in flags)

    found, texts = state.flagged(marked), state.read.height
    share = found / texts if texts else 0.0
    said = f"{found} of {texts} texts are boilerplate, or have no main content"
    return Check(
        "boilerplate", share <= state.limits.boilerplate, said, {"marked": found, "texts": texts, "share": share}
    )


def count(state: State) -> Check:
    """Sudden change of the number of documents."""
    now, then = state.indexed.height, state.live.height
    change = (now - then) / then if then else 0.0
    passed = abs(change) <= state.limits.change or max(now, then) < _FEW
    said = f"{now} documents; the live version has {then}" if then else f"{now} documents, and none in a live version"
    return Check("count", passed, said, {"documents": now, "live": then, "change": change})


def length(state: State) -> Check:
    """Sudden change of the median length of a document."""
    now, then = _median(state.indexed["text"].str.len_chars()), _median(state.live["characters"])
    change = (now - then) / then if now and then else 0.0
    passed = abs(change) <= state.limits.change or min(state.indexed.height, state.live.height) < _FEW
    said = f"half of the documents have {now:.0f} characters or more"
    said += f"; in the live version {then:.0f}" if then else ""
    return Check("length", passed, said, {"median": now, "live": then, "change": change})


def languages(state: State) -> Check:
    """Languages whose share has moved, and the share of texts whose language is not known."""
    now, then = _shares(state.indexed["language"]), _shares(state.live["language"])
    moved = {name: now.get(name, 0.0) - then.get(name, 0.0) for name in sorted({*now, *then})} if now and then else {}
    most = max(moved, key=lambda name: abs(moved[name]), default=None)
    shift, unknown = abs(moved[most]) if most else 0.0, now.get(UNDETERMINED, 0.0)
    many = min(state.indexed.height, state.live.height or state.indexed.height) >= _FEW
    passed = not many or (shift <= state.limits.languages and unknown <= state.limits.undetermined)
    said = ", ".join(f"{name} {share:.0%}" for name, share in now.items()) or "no documents"
    said += f"; {most} was {then.get(most, 0.0):.0%}" if most and shift > state.limits.languages else ""
    return Check("languages", passed, said, {"largest_shift": shift, "undetermined": unknown, **now})


def freshness(state: State) -> Check:
    """Age of the last successful sync against the source's schedule."""
    return _freshness(state.source, _last_seen(state.raw["last_seen"]), state.now)


def instructions(state: State) -> Check:
    """Documents that try to instruct a language model."""
    found = state.flagged(lambda flags: any(flag.startswith(INSTRUCTS) for flag in flags))
    texts = state.read.height
    said = f"{found} of {texts} documents try to instruct their reader"
    return Check("instructions", found <= state.limits.instructing * texts, said, {"documents": found, "texts": texts})


def losses(state: State) -> Check:
    """What the files have and the texts do not: told, and never too much."""
    found = lost_of(state.read)
    kinds = ", ".join(f"{number} {what}" for what, number in found.items()) or "nothing"
    return Check("losses", passed=True, said=f"not kept of {state.read.height} files: {kinds}", numbers={**found})


_LOOKS = (failures, boilerplate, count, length, languages, freshness, instructions, losses)
CHECKS = {look.__name__: look for look in _LOOKS}


def _synced_at(workspace: Workspace, source_id: str) -> datetime | None:
    return _last_seen(workspace.store.select("raw", source_id, ("last_seen",), pl.lit(value=True))["last_seen"])


def _last_seen(moments: pl.Series) -> datetime | None:
    latest = moments.max()
    return latest if isinstance(latest, datetime) else None


def _freshness(source: SourceSettings, synced: datetime | None, now: datetime) -> Check:
    if source.paused:
        return Check("freshness", passed=True, said="it is paused: nothing is read of it until somebody resumes it")
    if synced is None and source.kind == "upload":  # it waits for people
        return Check("freshness", passed=True, said="nothing of it was read yet; a sync reads what is uploaded")
    if synced is None:
        return Check("freshness", passed=False, said="nothing was ever read of it; run `rag sync`")
    hours, late = (now - synced).total_seconds() / 3600, _late(source, synced, now)
    since = f"{round(hours, 1):g} hours" if hours >= 1 else f"{hours * 60:.0f} minutes"
    said = f"last read {since} ago" + (f"; {late}" if late else "")
    return Check("freshness", late is None, said, {"hours": hours})


def _late(source: SourceSettings, synced: datetime, now: datetime) -> str | None:
    """Say why a sync is overdue: one may be under way, so a schedule has to have been missed twice."""
    allowed = source.fresh_within_hours
    if allowed and now - synced > timedelta(hours=allowed):
        return f"fresh_within_hours allows {allowed:g}"
    try:
        due = CronSim(source.schedule, synced) if source.schedule else None
        next_but_one = [next(due) for _ in range(2)][-1] if due else None
    except (CronSimError, StopIteration):
        return None
    return f"its schedule is {source.schedule!r}" if next_but_one and now > next_but_one else None


def _median(values: pl.Series) -> float:
    return float(median(values)) if len(values) else 0.0


def _shares(languages: pl.Series) -> dict[str, float]:
    counted = languages.value_counts(sort=True).sort("count", "language", descending=[True, False])
    return {name: number / len(languages) for name, number in counted.iter_rows()}
