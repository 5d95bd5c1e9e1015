"""What somebody may know of a sync: of the sources that they may read, and of these no count of what they may not."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from rag_platform.config.sections.sources import SourceSettings
from rag_platform.core.principals import PUBLIC, limits
from rag_platform.monitoring.progress import Running
from rag_platform.operations.status.source_status import failures_of, may_read
from rag_platform.workspace import Workspace

_RELEASE_FAILED = "the release failed; whoever runs the workspace can see why"
_SAID_TO_ALL = ("version", "published", "moved", "run_id", "ended_at")


def visible_stages(workspace: Workspace, stages: Sequence[Running], readers: Sequence[str]) -> list[Running]:
    """Return the stages of the sources that these principals may read, and of the whole workspace without counts."""
    known = {one.id: one for one in workspace.settings.sources if may_read(one, readers)}
    whole = _reads_all(workspace, readers)
    return [
        one if whole or (one.source and reads_whole(known[one.source], readers)) else _uncounted(one)
        for one in stages
        if one.source is None or one.source in known
    ]


def visible_report(
    workspace: Workspace, last: Mapping[str, Any] | None, readers: Sequence[str]
) -> dict[str, Any] | None:
    """Return the report of a sync, as in `background_jobs.sync_state`, as far as these principals may know of it."""
    if last is None:
        return None
    found = dict(last)
    found["sources"] = {
        one.id: _row(workspace, one, last["sources"][one.id], readers)
        for one in workspace.settings.sources
        if one.id in last.get("sources", {}) and may_read(one, readers)
    }
    if _reads_all(workspace, readers):
        return found
    gate = last.get("gate")
    return {name: last[name] for name in _SAID_TO_ALL if name in last} | {
        "sources": found["sources"],
        "gate": gate and {"passed": gate["passed"]},
        "errors": _errors(workspace, last.get("errors", ()), readers),
    }


def reads_whole(source: SourceSettings, readers: Sequence[str]) -> bool:
    """Return whether these principals may read all that a source gives, as far as its settings say."""
    lists = [source.principals, *(rule.principals for rule in getattr(source, "rules", ()) if rule.principals)]
    return not limits(readers) and all(not {PUBLIC, *readers}.isdisjoint(names) for names in lists)


def _reads_all(workspace: Workspace, readers: Sequence[str]) -> bool:
    return all(reads_whole(one, readers) for one in workspace.settings.sources)


def _row(
    workspace: Workspace, source: SourceSettings, row: Mapping[str, Any], readers: Sequence[str]
) -> dict[str, Any]:
    whole = reads_whole(source, readers)
    known = {uri for uri, _ in failures_of(workspace, source.id, readers)} | ({source.id} if whole else set())
    failed = [one for one in row.get("failed", ()) if one["uri"] in known]
    return {**row, "failed": failed} if whole else {"failed": failed}


def _errors(workspace: Workspace, errors: Sequence[str], readers: Sequence[str]) -> list[str]:
    """Return the errors of the sources that are read whole; one of the release as a whole may name anything."""
    own = tuple(f"{one.id}: " for one in workspace.settings.sources if reads_whole(one, readers))
    every = tuple(f"{one.id}: " for one in workspace.settings.sources)
    found = [error for error in errors if error.startswith(own)]
    return found + [_RELEASE_FAILED] * any(not error.startswith(every) for error in errors)


def _uncounted(one: Running) -> Running:
    return replace(one, done=0, total=None, rate=None, remaining=None)
