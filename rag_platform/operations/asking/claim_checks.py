"""Claims, whoever wrote them, judged as the sentences of answers are, by their sources or by the documents."""

from collections.abc import Sequence
from typing import Any

from rag_platform.answering.checks.own_curve import FOLDER, Curves, OwnCurves
from rag_platform.answering.claim_files.claim_judging import JudgedRow, Search, judge_rows
from rag_platform.answering.claim_files.claim_rows import ClaimRow
from rag_platform.core.hits import Filters
from rag_platform.workspace import Workspace


def check_claims(
    workspace: Workspace, rows: Sequence[ClaimRow], principals: Sequence[str], curves: Curves | None = None
) -> list[JudgedRow]:
    """Judge claims; those without a source by what these principals may read, `curves` None: the workspace's own."""
    own = own_curves(workspace) if curves is None else curves
    return judge_rows(rows, workspace.embedder, workspace.check, _search(workspace, principals), own)


def own_curves(workspace: Workspace) -> OwnCurves:
    """Return where the curves that were fitted to a workspace's own labels are kept."""
    return OwnCurves(workspace.settings.data / FOLDER)


def claim_document(judged: JudgedRow) -> dict[str, Any]:
    """Return what became of a claim, for JSON."""
    row = judged.row
    found = {name: getattr(judged, name) for name in ("state", "probability", "check", "quotes", "warnings")}
    return {"line": row.line, "claim": row.claim, "label": row.label, **found}


def _search(workspace: Workspace, principals: Sequence[str]) -> Search:
    """Return what searches the live version for a claim that has no source."""
    filters = Filters(principals=tuple(principals))

    def search(question: str) -> tuple[Any, Any]:
        result = workspace.retriever.search(question, k=workspace.settings.answer.sources, filters=filters)
        return result.hits, workspace.versions.open(result.version).view(filters.principals).word_weight

    return search
