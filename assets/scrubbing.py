"""The daily search for damage among files that nobody opens, as a check that warns."""

from datetime import UTC, datetime

import dagster as dg

from assets.failures import failing_without_retries
from assets.names import Names
from rag_platform.operations.damage.finding import REPAIR
from rag_platform.operations.damage.scrub_record import read_record
from rag_platform.operations.damage.scrubbing import scrub
from rag_platform.workspace import Workspace


def undamaged_check(names: Names) -> dg.AssetChecksDefinition:
    """Return the check of a workspace's files."""

    @dg.asset_check(asset=names.key("raw"), name="undamaged", description="No file that was read today is damaged.")
    def undamaged(workspace: dg.ResourceParam[Workspace]) -> dg.AssetCheckResult:
        """Read a day's part of all files of the workspace."""
        with failing_without_retries():
            found = scrub(workspace)
        said = "; ".join(damage.said for damage in found)
        return dg.AssetCheckResult(
            passed=not found,
            severity=dg.AssetCheckSeverity.WARN,
            description=f"{said}. Run `{REPAIR}`" if found else "no file that was read is damaged",
            metadata={"damaged": len(found)},
        )

    return undamaged


@dg.schedule(
    name="scrub",
    job_name="scrub",
    cron_schedule="17 * * * *",
    execution_timezone="UTC",
    default_status=dg.DefaultScheduleStatus.RUNNING,
    description="Once a day, at the first hour at which this runs: machines are off at night.",
)
def daily_scrub(workspace: dg.ResourceParam[Workspace]) -> dg.RunRequest | dg.SkipReason:
    """Start the scrub unless one ended less than a day ago."""
    if not workspace.settings.health.scrub_mb:
        return dg.SkipReason("health.scrub_mb is 0")
    if not read_record(workspace.settings.data).due(datetime.now(UTC)):
        return dg.SkipReason("a part was read less than a day ago")
    return dg.RunRequest(tags={"trigger": "schedule"})
