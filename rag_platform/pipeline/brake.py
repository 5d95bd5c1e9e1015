"""The brake on change: a source that changed into something implausible is held before anything is built of it."""

from datetime import UTC, datetime

from rag_platform.index.releases.holds import Hold
from rag_platform.pipeline.composition import synced_sources
from rag_platform.pipeline.screening import screen
from rag_platform.workspace import Workspace


def brake(workspace: Workspace, *, run_id: str = "") -> dict[str, Hold]:
    """Judge every source's change anew, begin and end holds accordingly, and return those of the brake and of people.

    What the questions hold is judged anew with the next version, so it is not among them.
    """
    holds = workspace.holds
    configured = {source.id for source in workspace.settings.sources}
    for source in holds.active().keys() - configured:
        holds.end(source, why="it is no source of rag.toml any more", run_id=run_id)
    for source in synced_sources(workspace):
        _judge(workspace, source, run_id)
    return {source: hold for source, hold in holds.active().items() if hold.cause != "evaluation"}


def _judge(workspace: Workspace, source: str, run_id: str) -> None:
    holds, report = workspace.holds, screen(workspace, source)
    hold = holds.active().get(source)
    if hold and hold.cause == "person":
        return
    if not report.passed and not holds.permitted(source, report.state):
        why = " ".join(anomaly.said for anomaly in report.anomalies)
        about = report.to_dict()
        holds.hold(Hold(source, "change", why, datetime.now(UTC), report.state, run_id=run_id, about=about))
    elif hold and hold.cause == "change":
        holds.end(source, why="its newest state is plausible", run_id=run_id)
