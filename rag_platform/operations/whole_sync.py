"""What belongs to a sync beside the stages: the gate that judges it, and who is told of it."""

from importlib.util import find_spec

from rag_platform.core.errors import message_of
from rag_platform.core.ports import Gate
from rag_platform.operations.alerts.alerting import alert
from rag_platform.operations.watching.looking import look
from rag_platform.pipeline.sync import SyncReport
from rag_platform.workspace import Workspace
from rag_platform.workspace.applications import load_application


def load_gate(workspace: Workspace) -> Gate:
    """Load the evaluation, an application above this library.

    Raises:
        MissingExtra: the extra `eval` is not installed.
    """
    module = load_application(
        "evals.evaluation_gate", extra="eval", purpose="a sync judges each version before it is published, which"
    )
    gate: Gate = module.EvaluationGate(workspace)
    return gate


def tell_of_sync(workspace: Workspace, report: SyncReport) -> list[str]:
    """Report a sync to Dagster's UI, send the alerts that it gives rise to, and ask what people watch again.

    Returns what went wrong with any of them.
    """
    alerts = [f"alerts: {problem}" for problem in alert(workspace)]
    return [*_report_to_dagster(workspace, report), *alerts, *(f"watches: {problem}" for problem in look(workspace))]


def _report_to_dagster(workspace: Workspace, report: SyncReport) -> list[str]:
    """Report it, if this workspace was opened in Dagster."""
    if not (workspace.settings.data / "dagster").is_dir() or find_spec("dagster") is None:
        return []
    try:
        load_application("assets.reporting", extra="dagster", purpose="Dagster's UI").report_sync(workspace, report)
    except Exception as error:  # noqa: BLE001  any failure of Dagster's storage
        return [f"The sync is done, but could not be reported to Dagster: {message_of(error)}"]
    return []
