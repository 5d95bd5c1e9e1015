"""A sync as it goes on, as HTML: its stages, how far the present one is, and how the last one ended."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from html import escape
from itertools import accumulate
from typing import Any

from app.rendering import age
from app.texts import say
from rag_platform.monitoring.progress import Running
from rag_platform.monitoring.whole_progress import STAGES, TYPICAL
from rag_platform.operations.dagster_client import Run
from rag_platform.operations.runs import SyncStatus

ASSETS = dict(
    zip(("raw", "documents", "chunks", "embeddings", "index", "evaluation", "live_index"), STAGES, strict=True)
)
"""The stage of each of Dagster's steps, as people see it."""
_CURRENT = ' aria-current="step"'
_WAITS = {
    "NOT_STARTED": "collections-run-queued",
    "QUEUED": "collections-run-queued",
    "STARTING": "collections-run-starting",
    "CANCELING": "collections-run-canceling",
}


def running_html(now: SyncStatus, least: float = 0.0) -> str:
    """Render what is being done: all stages in a row, and how far it is, which was `least` before."""
    text, share = progress(now)
    share = max(share, least)
    found = stages(now.run if now.run and now.run.under_way else None, now.stages)
    reached = [] if any(found.values()) else _reached(share)  # between two stages nothing is known
    states = {stage: state or ("done" if stage in reached else "") for stage, state in found.items()}
    row = "".join(
        f'<li class="{state}"{_CURRENT if state == "now" else ""}>{escape(_stage(stage))}</li>'
        for stage, state in states.items()
    )
    percent = round(share * 100)
    bar = (
        f'<div class="track" role="progressbar" aria-valuemin="0" aria-valuemax="100" aria-valuenow="{percent}"'
        f' aria-label="{escape(text, quote=True)}"><i style="width: {percent}%"></i></div>'
    )
    return f'<div class="running"><div class="doing">{escape(text)}</div>{bar}<ol class="stages">{row}</ol></div>'


def _reached(share: float) -> list[str]:
    """Return the stages that are done where so much of a sync is."""
    ends = zip(STAGES, accumulate(TYPICAL[stage] for stage in STAGES), strict=True)
    return [stage for stage, end in ends if end <= share]


def stages(run: Run | None, doing: Sequence[Running]) -> dict[str, str]:
    """Return the state of each stage, "done", "now", "bad" or "", from Dagster's run or from what is being done."""
    if run:  # whatever else is being done is another's
        states = {ASSETS[step.name]: _STATES.get(step.status, "") for step in run.steps if step.name in ASSETS}
        return {stage: states.get(stage, "") for stage in STAGES}
    at = STAGES.index(doing[-1].stage) if doing and doing[-1].stage in STAGES else -1
    return {stage: "done" if place < at else "now" if place == at else "" for place, stage in enumerate(STAGES)}


_STATES = {"SUCCESS": "done", "IN_PROGRESS": "now", "FAILURE": "bad"}


def progress(now: SyncStatus) -> tuple[str, float]:
    """Return what is running, how fast, and how long all of it takes still; and the share that is done, in [0, 1]."""
    share, left = (now.whole.share, now.whole.remaining) if now.whole else (0.0, None)
    if now.run and now.run.under_way and now.run.status in _WAITS:
        return f"{say(_WAITS[now.run.status])} …", 0.0
    if now.waits:
        return f"{say('collections-waits')} …", 0.0
    if now.joined:
        return _told(f"{say('collections-joined')} …", left), share
    states = stages(now.run if now.run and now.run.under_way else None, now.stages)
    one = next(
        (one for one in reversed(now.stages) if states.get(one.stage) == "now"), None
    )  # others' steps are theirs
    if one is None:
        present = next((stage for stage, state in states.items() if state == "now"), None)
        done = sum(TYPICAL[stage] for stage, state in states.items() if state == "done")
        return f"{_stage(present) if present else say('collections-ready')} …", done
    return progress_text(one, left), share


def progress_text(one: Running, left: float | None) -> str:
    """Return how far a stage is, how fast, and the seconds that all of the sync still takes."""
    stage = _stage(one.stage)
    parts = [say("collections-stage-of", stage=stage, done=one.done, total=one.total) if one.total else f"{stage} …"]
    if one.rate and one.total and one.rate >= 0.1:
        parts.append(say("collections-rate", rate=round(one.rate, 1 if one.rate < 10 else 0)))
    return _told(" · ".join(parts), left)


def _told(text: str, left: float | None) -> str:
    return text if left is None or left < 2 else f"{text} · {say('collections-left', time=_seconds(left))}"


def ended_html(now: SyncStatus, *, waiting: bool, read_at: datetime | None = None) -> str:
    """Render how the last sync ended, or what the next is for."""
    moment = datetime.now(UTC)
    if now.run and now.run.lost:
        return _note(say("collections-lost"))
    if now.interrupted:
        return _note(say("collections-interrupted", age=age(now.interrupted, moment)))
    ended = now.run.ended if now.run else None
    if now.run and ended and (now.last is None or ended > datetime.fromisoformat(now.last["ended_at"])):
        outcome = _ended_in_dagster(now.run, age(ended, moment))
    else:
        outcome = _ended_here(now.last, moment)
    if outcome:
        return outcome
    if waiting:
        return _quiet(say("collections-waiting"))
    return _quiet(say("collections-synced", age=age(read_at, moment)) if read_at else "")


def down_html(now: SyncStatus) -> str:
    """Render that Dagster does not answer, and what to do."""
    return _note(say("collections-down", why=escape((now.unreachable or "").rstrip("."))))


def _ended_in_dagster(run: Run, when: str) -> str:
    if run.status == "CANCELED":
        return _note(escape(say("collections-canceled", age=when)))
    if run.status != "FAILURE":
        return ""
    return _note(escape(say("collections-failed", age=when, reason=" ".join(run.problems))))


def _ended_here(last: Mapping[str, Any] | None, moment: datetime) -> str:
    if last is None:
        return ""
    when = age(datetime.fromisoformat(last["ended_at"]), moment)
    if last.get("errors"):
        return _note(escape(say("collections-failed", age=when, reason=" ".join(last["errors"]))))
    gate = last.get("gate") or {}
    if not last.get("published") and not gate.get("passed", True):
        return _note(escape(say("collections-refused", age=when, reason=" ".join(gate.get("reasons", ())))))
    return ""


def _stage(stage: str) -> str:
    return say("collections-stage", stage=stage)


def _seconds(count: float) -> str:
    minutes = count >= 90
    return say(
        "collections-minutes" if minutes else "collections-seconds", count=round(count / 60 if minutes else count)
    )


def _note(html: str) -> str:
    return f'<div class="notes" role="status"><p>{html}</p></div>' if html else ""


def _quiet(text: str) -> str:
    return f'<div class="quiet">{escape(text)}</div>'
