"""Is what a source changed into plausible? The brake on change, asked before a version is built."""

import polars as pl

from rag_platform.core.errors import VersionError
from rag_platform.validation.change_report import ChangeReport
from rag_platform.validation.changes import compare
from rag_platform.workspace import Workspace


def screen(workspace: Workspace, source: str) -> ChangeReport:
    """Compare a source's documents with those of the live version."""
    return compare(source, live_documents(workspace, source), workspace.store.read("documents", source))


def live_documents(workspace: Workspace, source: str) -> pl.DataFrame:
    """Return the live version's documents of a source; none when nothing is live, or it cannot be read."""
    nothing = pl.DataFrame(schema={"doc_id": pl.String, "revision": pl.String})
    live = workspace.versions.live_id()
    if live is None:
        return nothing
    try:
        documents = workspace.versions.catalog(live).documents()
    except VersionError:  # `rag doctor` reports a damaged version
        return nothing
    return documents.filter(pl.col("source") == source)
