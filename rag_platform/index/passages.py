"""The chunks of a version as a query reads them: keys and documents as arrays, rows by their place."""

from pathlib import Path
from typing import Self

import numpy as np
import polars as pl

from rag_platform.index.rows import Rows, write_rows

_MOMENTS = ("published_at", "updated_at", "fetched_at")


def write_passages(catalog: Path, documents: pl.DataFrame, chunks: pl.DataFrame) -> None:
    """Write them beside the catalog; `chunks` is ascending by its column `key`."""
    places = documents.select("doc_id", document=pl.int_range(pl.len(), dtype=pl.UInt32))
    of_chunks = chunks.join(places, on="doc_id", how="left", maintain_order="left")["document"]
    np.save(catalog.with_suffix(".keys.npy"), chunks["key"].to_numpy())
    np.save(catalog.with_suffix(".documents.npy"), of_chunks.to_numpy())
    write_rows(catalog.with_suffix(".chunks"), chunks)
    write_rows(catalog.with_suffix(".documents"), documents)


class Passages:
    """The opened files; safe to read from many threads."""

    def __init__(self, catalog: Path) -> None:
        self.keys = _mapped(catalog.with_suffix(".keys.npy"))
        """uint64, ascending."""
        self.documents = _mapped(catalog.with_suffix(".documents.npy"))
        """The place of each chunk's document among the documents: uint32."""
        self._chunks = Rows(catalog.with_suffix(".chunks"))
        self._documents = Rows(catalog.with_suffix(".documents"), _MOMENTS)
        if not len(self.keys) == len(self.documents) == len(self._chunks):
            raise ValueError(f"the files of {catalog} do not belong together")

    @classmethod
    def open(cls, catalog: Path) -> Self | None:
        """Open the files beside a catalog; None when an older release wrote none."""
        return cls(catalog) if catalog.with_suffix(".keys.npy").exists() else None

    def row(self, place: int) -> dict:
        """Return the columns of the chunk at a place and of its document."""
        return self._documents[int(self.documents[place])] | self._chunks[place]


def _mapped(path: Path) -> np.ndarray:
    return np.asarray(np.load(path, mmap_mode="r"))  # the map as a plain array, which is quicker to index
