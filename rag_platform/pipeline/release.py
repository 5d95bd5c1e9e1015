"""Vectors to a published version: build, judge, publish. One release of a workspace goes on at a time.

Publication is a compare-and-swap: the pointer moves only from the version that the candidate was judged against.
"""

import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any

from rag_platform.core.errors import VersionError, WorkspaceBusy
from rag_platform.core.ports import Gate, Judgement, Progress, silent
from rag_platform.index.releases.holds import Hold
from rag_platform.pipeline.brake import brake
from rag_platform.pipeline.review import hold_for_review
from rag_platform.pipeline.stages import Pipeline
from rag_platform.workspace import Workspace

PATIENCE = 3600.0
"""Seconds that a release waits for another one: its questions may be many."""
_POLL = 0.2
_JUDGEMENTS = 3
"""How often a version is judged again because another one went live meanwhile."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A version that was built, or found to be there already."""

    version: str
    new: bool
    """False when a version of equal content was there already."""
    manifest: dict[str, Any]
    problems: tuple[str, ...]
    """What is wrong with it; empty: it is sound."""
    held: Mapping[str, Hold] = field(default_factory=dict)
    """The sources that are in it as they are live."""


@dataclass(frozen=True, slots=True)
class Publication:
    """What became of a version that was to be published."""

    live: str | None
    """The version that answers now."""
    before: str | None
    """The version that answered before."""
    moved: bool
    """Whether this publication moved the pointer."""
    held: dict[str, Any] | None
    """The rollback since which nothing is published by itself."""


@contextmanager
def releasing(workspace: Workspace, *, patience: float = PATIENCE) -> Iterator[None]:
    """Keep other releases of the workspace out, in this process and in others.

    Raises:
        WorkspaceBusy: another release did not end within `patience` seconds.
    """
    with _waiting_for(workspace, "release", patience):
        yield


def build_candidate(
    workspace: Workspace,
    *,
    run_id: str = "",
    held: Mapping[str, Hold] | None = None,
    progress: Progress = silent,
) -> Candidate:
    """Build a version of what the stages made and verify it, also one that was there already.

    What somebody has to see first is held before anybody can read it. Sources that are `held` are in it as they are
    live; None: the brake on change says which are, and old versions are removed.
    """
    decided = brake(workspace, run_id=run_id) if held is None else held
    pipeline = Pipeline(workspace, run_id=run_id)
    built = pipeline.build(decided, progress=progress)
    problems = workspace.versions.open(built.version).verify(read="new" if built.new else "all")
    if problems and not built.new:  # its disk gives other bytes than were written: it is built anew
        workspace.versions.distrust(built.version)
        built = pipeline.build(decided)
        problems = workspace.versions.open(built.version).verify()
    hold_for_review(workspace, built.version)
    if built.new and held is None:
        workspace.versions.gc(workspace.settings.index.keep)
    manifest = workspace.versions.manifest(built.version)
    return Candidate(built.version, built.new, manifest, tuple(problems), decided)


def built_candidate(workspace: Workspace) -> Candidate:
    """Return the version that was built last, with the sources that the brake and people hold in it.

    Raises:
        VersionError: there is none.
    """
    manifest = workspace.versions.manifest(workspace.versions.resolve("candidate"))
    active = workspace.holds.active()
    held = {source: active[source] for source in manifest["sources"] if source in active}
    held = {source: hold for source, hold in held.items() if hold.cause != "evaluation"}
    return Candidate(manifest["id"], new=False, manifest=manifest, problems=(), held=held)


def judge(
    workspace: Workspace,
    gate: Gate,
    version: str,
    *,
    run_id: str = "",
    progress: Progress = silent,
    patience: float = PATIENCE,
) -> Judgement:
    """Let the gate judge a version, while no other evaluation runs, and enter what it cost in the cost ledger."""
    start = time.perf_counter()
    with (
        _waiting_for(workspace, "evaluate", patience),
        workspace.activity.running("evaluate", progress=progress) as report,
    ):
        judgement = gate.judge(version, progress=report)
    workspace.costs.record(
        run_id=run_id,
        source=None,
        stage="evaluate",
        seconds=round(time.perf_counter() - start, 3),
        bytes_written=0,
        counts={"questions": judgement.questions},
    )
    return judgement


def publish(
    workspace: Workspace, gate: Gate, version: str, *, run_id: str = "", progress: Progress = silent
) -> Publication:
    """Make a version live that passed the gate, unless a rollback holds publication or a newer one was built.

    A version that was judged against another version than the one that is live now is judged again first.
    """
    versions, before = workspace.versions, workspace.versions.live_id()
    for _ in range(_JUDGEMENTS):
        live, held = versions.live_id(), versions.held()
        verdict = versions.manifest(version).get("verdict") or {}
        superseded = version != versions.candidate_id()
        if version == live or held or superseded or not verdict.get("passed"):
            return Publication(live, before, moved=False, held=held)
        if _judged_against(workspace, verdict) == live:
            versions.promote(version, why="the gate passed", judged_against=live, run_id=run_id)
            return Publication(version, live, moved=True, held=None)
        judge(workspace, gate, version, run_id=run_id, progress=progress)
    raise VersionError(
        f"{version} was judged {_JUDGEMENTS} times, and each time another version went live meanwhile; it stays the "
        "candidate: sync again when nobody moves the live version"
    )


def _judged_against(workspace: Workspace, verdict: dict[str, Any]) -> str | None:
    live = verdict.get("live")
    return workspace.versions.form(live) if live else None


@contextmanager
def _waiting_for(workspace: Workspace, lock: str, patience: float) -> Iterator[None]:
    """Hold a lock of the workspace once whoever has it lets go."""
    deadline = time.monotonic() + patience
    while True:
        with ExitStack() as held:
            try:
                held.enter_context(workspace.store.lock(lock))
            except WorkspaceBusy:
                if time.monotonic() >= deadline:
                    raise
            else:
                yield
                return
        time.sleep(_POLL)
