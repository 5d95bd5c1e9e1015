"""What another system has indexed, as a source: its passages become documents, which are cut and embedded anew.

Vectors are not taken over: they are of another model, or cut by other rules. Each reading names all there is, so what
went there goes here, and what did not change costs nothing after the reading.
"""

import os
from collections.abc import Iterator
from dataclasses import replace

from rag_platform.config.source_kinds import Context
from rag_platform.config.variables import Variables
from rag_platform.core.ports import Fetched, Item, Listing, Validators
from rag_platform.sources.bridges.foreign_rows import ForeignRows
from rag_platform.sources.stores.chroma import chroma_rows
from rag_platform.sources.stores.joined_passages import documents_of
from rag_platform.sources.stores.lance_tables import lancedb_rows
from rag_platform.sources.stores.persisted_files import (
    faiss_rows,
    jsonl_rows,
    langchain_rows,
    llamaindex_rows,
    parquet_rows,
)
from rag_platform.sources.stores.pgvector import pgvector_rows
from rag_platform.sources.stores.pickles import unfolded_size
from rag_platform.sources.stores.qdrant import qdrant_rows
from rag_platform.sources.stores.settings import Format, StoreSource
from rag_platform.sources.stores.stored_records import ID, TEXT, Opening, Read, Row, Taken

READERS: dict[Format, Read] = {
    "chroma": chroma_rows,
    "qdrant": qdrant_rows,
    "pgvector": pgvector_rows,
    "lancedb": lancedb_rows,
    "llamaindex": llamaindex_rows,
    "langchain": langchain_rows,
    "faiss": faiss_rows,
    "beir": jsonl_rows,
    "jsonl": jsonl_rows,
    "parquet": parquet_rows,
}
MARKDOWN, PLAIN = "text/markdown; charset=utf-8", "text/plain; charset=utf-8"


class VectorStore:
    """Lists the documents of a store."""

    def __init__(self, settings: StoreSource, context: Context) -> None:
        variables = Variables(context.environ or os.environ, context.secrets)
        self._settings = settings
        self._opening = Opening(settings, context.home, variables)
        self._rows = ForeignRows(settings, kinds=True)

    def list(self) -> Listing:
        """Read the store; documents without text are among `failed`."""
        opening = replace(self._opening)  # which has taken nothing yet
        documents = documents_of(self._limited(opening), self._settings.group)
        items = [self._rows.item(_shown(row), key) for key, row in documents.items() if row[TEXT]]
        failed = [(self._rows.uri(row, key), "it has no text") for key, row in documents.items() if not row[TEXT]]
        self._rows.refuse_unknown_columns()
        return Listing(items, complete=self._settings.whole is not False, failed=failed)

    def fetch(self, item: Item, validators: Validators) -> Fetched:  # noqa: ARG002  the listing's mark has decided
        """Return a document's text."""
        return Fetched(item.content or b"", PLAIN if self._settings.format == "beir" else MARKDOWN)

    def _read(self, opening: Opening) -> Iterator[Row]:
        try:
            yield from READERS[self._settings.format](opening)
        except (LookupError, TypeError, ValueError, AttributeError, OSError, RecursionError) as error:
            what = f"{type(error).__name__}: {error}"
            raise opening.failed(f"it is not what {self._settings.format} writes ({what})") from error

    def _limited(self, opening: Opening) -> Iterator[Row]:
        rows = Taken(opening)
        for number, row in enumerate(self._read(opening), start=1):
            if number > self._settings.max_rows:
                raise opening.failed(f"it has more than max_rows = {self._settings.max_rows}")
            rows.add(unfolded_size(row))
            yield row


def _shown(row: Row) -> Row:
    return {name: value for name, value in row.items() if name != ID}
