"""The chunks of a version as a query reads them: keys and documents as arrays, rows by their place."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from rag_platform.index.catalog.stored_rows import Rows, write_rows
from rag_platform.index.segments import CATALOG, Listed, LivingRows
from rag_platform.storage.array_files import mapped

_MOMENTS = ("published_at", "updated_at", "fetched_at")


def write_passages(catalog: Path, documents: pl.DataFrame, chunks: pl.DataFrame) -> None:
    """Write them beside the catalog; `chunks` is ascending by its column `key`."""
    np.save(catalog.with_suffix(".keys.npy"), chunks["key"].to_numpy())
    np.save(catalog.with_suffix(".documents.npy"), document_places(documents, chunks).to_numpy())
    write_rows(catalog.with_suffix(".chunks"), chunks)
    write_rows(catalog.with_suffix(".documents"), documents)


def document_places(documents: pl.DataFrame, chunks: pl.DataFrame) -> pl.Series:
    """Return the place of each chunk's document among the documents: uint32."""
    places = documents.select("doc_id", document=pl.int_range(pl.len(), dtype=pl.UInt32))
    return chunks.join(places, on="doc_id", how="left", maintain_order="left")["document"]


class Passages:
    """The opened files of a version's segments; safe to read from many threads."""

    def __init__(self, segments: Sequence[Listed]) -> None:
        catalogs = [segment.folder / CATALOG for segment in segments]
        keys = [mapped(catalog.with_suffix(".keys.npy")) for catalog in catalogs]
        self._places = [mapped(catalog.with_suffix(".documents.npy")) for catalog in catalogs]
        self._chunks = [Rows(catalog.with_suffix(".chunks")) for catalog in catalogs]
        self._documents = [Rows(catalog.with_suffix(".documents"), _MOMENTS) for catalog in catalogs]
        for catalog, own, places, rows in zip(catalogs, keys, self._places, self._chunks, strict=True):
            if not len(own) == len(places) == len(rows):
                raise ValueError(f"the files of {catalog} do not belong together")
        living = [_living(segment, len(own)) for segment, own in zip(segments, self._documents, strict=True)]
        self.living = LivingRows(keys, self._places, living)
        """Which of the chunks live."""

    @property
    def keys(self) -> np.ndarray:
        """Those of all that live: uint64, ascending."""
        return self.living.keys

    @property
    def documents(self) -> np.ndarray:
        """Of each of these the document, by its number: uint32."""
        return self.living.documents

    def row(self, row: int) -> dict[str, Any]:
        """Return the columns of the chunk in a row, and of its document once one of those is asked for."""
        segment, place = self.living.place(row)
        return _Passage(self._chunks[segment][place], self._documents[segment], int(self._places[segment][place]))

    def by_key(self, keys: np.ndarray) -> Mapping[int, dict[str, Any]]:
        """Return what `row` does of these chunks by key; each is read when it is first asked for."""
        rows = self.living.rows(keys)
        return _Lazily(self, dict(zip(keys.tolist(), rows.tolist(), strict=True)))


class _Lazily(Mapping[int, dict[str, Any]]):
    """Rows by key, each read when it is first asked for."""

    def __init__(self, passages: Passages, rows: dict[int, int]) -> None:
        self._passages = passages
        self._rows = rows
        self._read: dict[int, dict[str, Any]] = {}

    def __getitem__(self, key: int) -> dict[str, Any]:
        if key not in self._read:
            self._read[key] = self._passages.row(self._rows[key])
        return self._read[key]

    def __iter__(self) -> Iterator[int]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)


def _living(segment: Listed, documents: int) -> np.ndarray:
    living = np.ones(documents, bool)
    living[segment.gone] = False
    return living


class _Passage(dict[str, Any]):
    """A chunk's row, which reads that of its document when a column is missing: to compare texts none is."""

    __slots__ = ("_document", "_documents")

    def __init__(self, chunk: dict[str, Any], documents: Rows, document: int) -> None:
        super().__init__(chunk)
        self._documents, self._document = documents, document

    def __missing__(self, name: str) -> Any:
        document = self._documents[self._document]
        self.update(document | self)
        return document[name]
