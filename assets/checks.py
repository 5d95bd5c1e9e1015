"""What a person had better look at, of each partition: the measures of `operations.health`, none of which blocks."""

import inspect

import dagster as dg

from rag_platform.operations.health import CHECKS, check
from rag_platform.workspace import Workspace

SPECS = [dg.AssetCheckSpec(name, asset="documents", description=inspect.getdoc(look)) for name, look in CHECKS.items()]


def results(workspace: Workspace, source: str) -> list[dg.AssetCheckResult]:
    """Look at a source whose documents have just been made."""
    return [
        dg.AssetCheckResult(
            check_name=found.name,
            passed=found.passed,
            severity=dg.AssetCheckSeverity.WARN,
            description=found.said,
            metadata=found.numbers,
        )
        for found in check(workspace, source)
    ]
