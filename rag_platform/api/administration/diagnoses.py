"""How the workspace is: what is missing, the checks of its sources, alerts; and copies of it."""

from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter, Query
from pydantic import BaseModel, Field
from starlette.responses import Response

from rag_platform.api.access import CurrentAdmin, Served
from rag_platform.api.bodies import JsonRoute
from rag_platform.api.models.fields import Count, Question, RequestModel, Texts
from rag_platform.api.problems import reply
from rag_platform.operations.alerts.alerting import alert_log, try_targets
from rag_platform.operations.background_jobs import (
    backup_check_state,
    backup_state,
    start_backup,
    start_backup_check,
)
from rag_platform.operations.doctor import Diagnosis, diagnose
from rag_platform.operations.status.health import Check
from rag_platform.operations.status.release_status import health_checks

router = APIRouter(prefix="/v1", route_class=JsonRoute, tags=["operating"])


class DiagnosesDocument(BaseModel):
    """What was looked at."""

    sound: bool = Field(description="Nothing is wrong.")
    findings: list[Diagnosis]


class ChecksDocument(BaseModel):
    """The checks of each source, and of what all share under "(workspace)"."""

    passed: bool
    checks: dict[str, list[Check]]


class AlertsDocument(BaseModel):
    """What was told and is not over, and the messages, the newest first."""

    told: list[dict[str, Any]]
    messages: list[dict[str, Any]]


class AlertTrialDocument(BaseModel):
    """What came of a message to each address; null: it arrived."""

    outcomes: dict[str, str | None]


class NewBackup(RequestModel):
    """Where the workspace is to be copied to."""

    target: Question = Field(description="A folder, or an address such as s3://bucket/folder.")
    keep: Annotated[int, Field(ge=1)] | None = Field(None, description="Remove all but the newest so many.")
    option: Texts = Field([], description="NAME=VALUE for fsspec's file system; ${secret:NAME} works.")


class CheckedBackups(RequestModel):
    """Which copies are read back."""

    target: Question = Field(description="A folder, or an address such as s3://bucket/folder.")
    option: Texts = Field([], description="NAME=VALUE for fsspec's file system; ${secret:NAME} works.")


class BackupDocument(BaseModel):
    """Whether a backup that was started here goes on, and how the last one ended."""

    running: bool
    last: dict[str, Any] | None


@router.get("/doctor", response_model=DiagnosesDocument)
def show_diagnoses(workspace: Served, _: CurrentAdmin) -> Response:
    """Look at the machine and the workspace, and tell what is missing and what mends it."""
    findings = list(diagnose(workspace.settings.home))
    wrong = any(one.level == "wrong" for one in findings)
    return reply({"sound": not wrong, "findings": [asdict(one) for one in findings]})


@router.get("/health", response_model=ChecksDocument)
def show_health(
    workspace: Served,
    _: CurrentAdmin,
    source: Annotated[list[str], Query(description="Only these.")] = [],  # noqa: B006
) -> Response:
    """Compare each source with the live version and with its schedule."""
    found = health_checks(workspace, source)
    passed = all(one.passed for checks in found.values() for one in checks)
    return reply({"passed": passed, "checks": {name: [asdict(one) for one in some] for name, some in found.items()}})


@router.get("/alerts", response_model=AlertsDocument)
def list_alerts(workspace: Served, _: CurrentAdmin, limit: Count = 20) -> Response:
    """List what was told and is not over, and the messages: sent, waiting, given up."""
    return reply(alert_log(workspace, limit))


@router.post("/alerts/test", response_model=AlertTrialDocument)
def try_alerts(workspace: Served, _: CurrentAdmin) -> Response:
    """Send a test message to each address of [alerts]."""
    return reply({"outcomes": try_targets(workspace)})


@router.get("/backups", response_model=BackupDocument)
def show_backup(workspace: Served, _: CurrentAdmin) -> Response:
    """Tell how the backup that was started last goes on, or what came of it."""
    return reply(backup_state(workspace))


@router.post("/backups", status_code=202, response_model=BackupDocument)
def begin_backup(workspace: Served, _: CurrentAdmin, given: NewBackup) -> Response:
    """Start copying the workspace as it is now; answers at once."""
    start_backup(workspace, given.target, given.keep, given.option)
    return reply(backup_state(workspace), 202, {"location": "/v1/backups"})


@router.get("/backups/check", response_model=BackupDocument)
def show_backup_check(workspace: Served, _: CurrentAdmin) -> Response:
    """Tell how the check that was started last goes on, or what it found: `problems` by backup."""
    return reply(backup_check_state(workspace))


@router.post("/backups/check", status_code=202, response_model=BackupDocument)
def begin_backup_check(workspace: Served, _: CurrentAdmin, given: CheckedBackups) -> Response:
    """Start reading all backups of a target back and comparing them with their hashes; answers at once."""
    start_backup_check(workspace, given.target, given.option)
    return reply(backup_check_state(workspace), 202, {"location": "/v1/backups/check"})
