"""The metrics of a server, in the text format of Prometheus."""

from functools import cache

from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    GCCollector,
    PlatformCollector,
    ProcessCollector,
    disable_created_metrics,
    generate_latest,
)

from rag_platform.monitoring.tracing import observe
from rag_platform.operations.observability.span_metrics import SpanMetrics
from rag_platform.operations.observability.workspace_metrics import WorkspaceMetrics
from rag_platform.workspace import Workspace

MEDIA_TYPE = CONTENT_TYPE_LATEST


@cache
def _process() -> CollectorRegistry:
    """Return what this process has done since this was first called."""
    disable_created_metrics()  # type: ignore[no-untyped-call]  # a second line for each, which nobody asks for
    registry = CollectorRegistry()
    for collector in (ProcessCollector, PlatformCollector, GCCollector):
        collector(registry=registry)
    observe(SpanMetrics(registry))
    return registry


class Metrics:
    """What this process has done, and the state of a workspace."""

    def __init__(self, workspace: Workspace) -> None:
        """Begin to count."""
        self._state = CollectorRegistry()
        self._state.register(WorkspaceMetrics(workspace))
        self._process = _process()

    def text(self) -> bytes:
        """Return all metrics."""
        return generate_latest(self._process) + generate_latest(self._state)
