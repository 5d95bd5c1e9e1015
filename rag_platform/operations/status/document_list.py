"""The documents of the live version that somebody may read, by what they are called."""

from dataclasses import dataclass
from datetime import datetime

from rag_platform.core.hits import Filters
from rag_platform.index.catalog.catalog import Address
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

    @property
    def address(self) -> Address:
        """By which documents are ordered."""
        return self.source, self.uri, self.doc_id


def listed_documents(
    workspace: Workspace, filters: Filters, most: int, after: Address | None = None
) -> list[ListedDocument]:
    """Return at most so many of the documents that pass the filters, by source and address; see `Catalog.page`."""
    rows = workspace.versions.live().catalog.page(filters, after, most, *ListedDocument.__slots__)
    return [ListedDocument(**row) for row in rows]
