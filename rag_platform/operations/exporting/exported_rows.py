"""The documents and passages of a version that somebody may read, as plain rows, a few documents at a time."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rag_platform.core.hits import Filters
from rag_platform.index.releases.open_version import OpenVersion

Row = dict[str, Any]
TOGETHER = 200
"""Documents whose texts are in memory at a time."""
ABOUT = ("uri", "title", "author", "source", "collection", "language", "type", "published_at", "updated_at", "tags")
"""What is said of a document beside its id and its text."""
_PASSAGE = ("chunk_id", "doc_id", "ordinal", "start", "section", "page", "text", "key")


@dataclass(frozen=True, slots=True)
class Exported:
    """A document with its passages."""

    document: Row
    """`id`, `text` and the names of `ABOUT`."""
    passages: Sequence[Row]
    """In the order of the text: `id`, `document_id`, `start_index` (in characters), `section`, `page`, `text`, and
    what is said of the document; with vectors also `vector` and `model`, which are null where words alone find it."""


class Export:
    """What somebody may take with them of a version."""

    def __init__(self, version: OpenVersion, filters: Filters, *, vectors: bool) -> None:
        """Look which documents pass the filters and may be read by their principals; nothing is read yet."""
        self._version, self._vectors = version, vectors
        attributes = version.catalog.attributes
        passing = attributes.passing(filters)
        self.doc_ids: list[str] = sorted(attributes.named(passing & ~attributes.planted))
        """Of the documents; their order is the export's."""

    def __len__(self) -> int:
        return len(self.doc_ids)

    def __iter__(self) -> Iterator[Exported]:
        for start in range(0, len(self.doc_ids), TOGETHER):
            yield from self._read(self.doc_ids[start : start + TOGETHER])

    def _read(self, doc_ids: Sequence[str]) -> Iterator[Exported]:
        catalog = self._version.catalog
        chunks = catalog.rows_of("chunks", doc_ids, *_PASSAGE)
        found = list(chunks.iter_rows(named=True))
        vectors = self._vectors_of(chunks["key"].to_numpy()) if self._vectors else [{}] * len(found)
        of: dict[str, list[Row]] = {doc_id: [] for doc_id in doc_ids}
        for row, vector in zip(found, vectors, strict=True):
            of[row["doc_id"]].append(row | vector)
        for document in catalog.rows_of("documents", doc_ids, "doc_id", "text", *ABOUT).iter_rows(named=True):
            doc_id = document.pop("doc_id")
            known = {name: document[name] for name in ABOUT}
            passages = [_passage(row, known) for row in of[doc_id]]
            yield Exported({"id": doc_id, "text": document["text"], **known}, passages)

    def _vectors_of(self, keys: np.ndarray) -> Sequence[Row]:
        """Return the vector of each of these chunks, and by which model."""
        vectors: dict[int, Row] = {}
        for space in self._version.spaces:
            if not space.cross:
                held = keys[space.index.contains(keys)]
                rows = zip(held.tolist(), space.index.rows(held), strict=True)
                vectors |= {key: {"vector": row, "model": str(space.model["name"])} for key, row in rows}
        return [vectors.get(key, {"vector": None, "model": None}) for key in keys.tolist()]


def _passage(row: Row, known: Row) -> Row:
    """Return a chunk as it is exported."""
    own = {"id": row["chunk_id"], "document_id": row["doc_id"], "start_index": row["start"]}
    more = ("section", "page", "text", "vector", "model")
    return {**own, **known, **{name: row[name] for name in more if name in row}}
