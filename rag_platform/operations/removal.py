"""What goes with a source or a collection, shown before it is deleted."""

from contextlib import suppress
from dataclasses import dataclass

import polars as pl

from rag_platform.core.errors import NothingPublished, VersionError
from rag_platform.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Removal:
    """What users will miss after the next release."""

    documents: int
    """Of the live version."""
    chunks: int
    answers: int
    """Past answers that cite one of the documents: they stay, and their marks lead to versions that are kept."""
    last: bool
    """Nothing else is in the live version: with nothing to build, it stays until another source has been read."""


def plan_source(workspace: Workspace, source_id: str) -> Removal:
    """Say what a source's deletion takes away."""
    return _plan(workspace, pl.col("source") == source_id)


def plan_collection(workspace: Workspace, source_id: str, collection: str) -> Removal:
    """Say what a collection's deletion takes away."""
    return _plan(workspace, (pl.col("source") == source_id) & (pl.col("collection") == collection))


def _plan(workspace: Workspace, going: pl.Expr) -> Removal:
    try:
        catalog = workspace.versions.live().catalog
    except NothingPublished:
        return Removal(0, 0, 0, last=False)
    documents = catalog.documents("doc_id", "source", "collection")
    gone = documents.filter(going)
    chunks = catalog.chunks("doc_id").join(gone, on="doc_id", how="semi").height
    answers = workspace.journal.count_citing(_ever(workspace, going))
    return Removal(gone.height, chunks, answers, last=gone.height == documents.height > 0)


def _ever(workspace: Workspace, going: pl.Expr) -> pl.Series:
    """Return the documents of all kept versions: after a rollback, answers cite what the live one does not have."""
    found = [pl.Series("doc_id", [], pl.String)]
    for version in workspace.versions.ids():
        with suppress(VersionError):  # a damaged one is reported elsewhere
            documents = workspace.versions.open(version).catalog.documents("doc_id", "source", "collection")
            found.append(documents.filter(going)["doc_id"])
    return pl.concat(found).unique()
