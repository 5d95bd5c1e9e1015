"""Checks that warn: the measures of `operations.status.health`. None of them blocks.

Those of a source's documents run when the documents are materialized; freshness is a check of its own per source,
which can fail by the passing of time alone.
"""

import inspect
from collections.abc import Iterator
from datetime import datetime
from typing import Any

import dagster as dg

from rag_platform.config.settings import Settings
from rag_platform.operations.status.health import CHECKS, Check, check, check_freshness
from rag_platform.workspace import Workspace

_CHECKS = {name: look for name, look in CHECKS.items() if name != "freshness"}
SPECS = [dg.AssetCheckSpec(name, asset="documents", description=inspect.getdoc(look)) for name, look in _CHECKS.items()]


def results(workspace: Workspace, source: str) -> list[dg.AssetCheckResult]:
    """Check a source whose documents were just materialized."""
    return [
        dg.AssetCheckResult(
            check_name=found.name,
            passed=found.passed,
            severity=dg.AssetCheckSeverity.WARN,
            description=found.said,
            metadata=found.numbers,
        )
        for found in check(workspace, source)
        if found.name in _CHECKS
    ]


def freshness_check_name(source: str) -> str:
    """Return the name of a source's freshness check."""
    return f"fresh_{source.replace('-', '_')}"


def freshness_checks(settings: Settings) -> list[dg.AssetChecksDefinition]:
    """Return the check of each source's freshness: Dagster's own policy is one for all partitions of an asset."""
    specs = [
        dg.AssetCheckSpec(freshness_check_name(source.id), asset="raw", description=f"{source.id} was synced in time.")
        for source in settings.sources
    ]
    if not specs:
        return []

    @dg.multi_asset_check(name="freshness", specs=specs)
    def freshness(workspace: dg.ResourceParam[Workspace]) -> Iterator[dg.AssetCheckResult]:
        """Compare the age of each source's last sync with its schedule."""
        for source in settings.sources:
            found = check_freshness(workspace, source.id)
            yield dg.AssetCheckResult(**_fields(source.id, found))

    return [freshness]


def freshness_evaluations(workspace: Workspace, now: datetime) -> dict[str, dg.AssetCheckEvaluation]:
    """Evaluate the freshness of each source, by its id."""
    return {
        source.id: dg.AssetCheckEvaluation(**_fields(source.id, check_freshness(workspace, source.id, now)))
        for source in workspace.settings.sources
    }


def _fields(source: str, found: Check) -> dict[str, Any]:
    return {
        "asset_key": dg.AssetKey("raw"),
        "check_name": freshness_check_name(source),
        "passed": found.passed,
        "severity": dg.AssetCheckSeverity.WARN,
        "description": found.said,
        "metadata": found.numbers,
    }
