"""The documents of the live version that somebody may read, by what they are called."""

from dataclasses import dataclass
from datetime import datetime

import polars as pl

from rag_platform.core.hits import Filters
from rag_platform.workspace import Workspace


@dataclass(frozen=True, slots=True)
class ListedDocument:
    """A document without its text."""

    doc_id: str
    uri: str
    title: str
    source: str
    collection: str
    language: str
    type: str
    published_at: datetime | None
    updated_at: datetime | None
    revision: str


def listed_documents(workspace: Workspace, filters: Filters) -> list[ListedDocument]:
    """Return the documents that pass the filters, by source and address."""
    catalog = workspace.versions.live().catalog
    ids = catalog.attributes.named(catalog.attributes.passing(filters))
    rows = catalog.documents(*ListedDocument.__slots__).filter(pl.col("doc_id").is_in(ids))
    return [ListedDocument(**row) for row in rows.iter_rows(named=True)]
