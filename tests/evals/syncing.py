"""A sync that the workspace's own questions judge, as `rag sync` is."""

from collections.abc import Sequence

from evals.evaluation_gate import EvaluationGate
from rag_platform.pipeline import sync as library
from rag_platform.workspace import Workspace


def sync(workspace: Workspace, sources: Sequence[str] | None = None, **options: bool) -> library.SyncReport:
    """Sync with the evaluation as the gate."""
    return library.sync(workspace, sources, gate=EvaluationGate(workspace), **options)
