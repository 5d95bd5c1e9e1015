"""What a segment holds, read from its files, in the form in which an engine keeps it: tables, vectors, packed rows."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import numpy as np
import polars as pl
import zstandard

from rag_platform.core.ids import passage_keys
from rag_platform.index.catalog.attached import AttachedTables
from rag_platform.index.catalog.catalog_writing import UNSHOWN, around
from rag_platform.index.catalog.passages import document_places
from rag_platform.index.lexical import POSTINGS, VOCABULARY
from rag_platform.index.postings import Postings, term_hash
from rag_platform.index.segments import CATALOG, LEXICAL, Listed
from rag_platform.index.stores.packed_rows import codes, packed
from rag_platform.index.vectors.stored_tokens import TOKENS
from rag_platform.index.vocabulary import WORDS
from rag_platform.storage.array_files import mapped
from rag_platform.storage.hashed.row_files import open_rows
from rag_platform.text.analysis import index_terms

Kind = Literal["terms", "words", "positions"]
"""Which chunks hold a term and how often; which hold a word as it is written; where in the chunks a term stands."""
KINDS: tuple[Kind, ...] = ("terms", "words", "positions")
_BATCH = 1000


@dataclass(frozen=True)
class SegmentContent:
    """A segment of the version in a folder."""

    version: Path
    name: str
    """What it is known by: it tells what the segment holds."""
    segment: Path

    @cached_property
    def documents(self) -> pl.DataFrame:
        """The columns of the catalog, and `place`: what the segment's chunks know the document by."""
        return self._tables.frame("select * exclude (segment) from placed order by place", [])

    @cached_property
    def chunks(self) -> pl.DataFrame:
        """The columns of the catalog and what stands around each chunk; `place`; `document`: the place of its own."""
        chunks = self._tables.frame("select * from chunks order by key", [])
        document = document_places(self.documents, chunks).cast(pl.Int64).alias("document")
        return chunks.hstack(around(self.documents, chunks)).with_row_index("place").with_columns(document)

    @property
    def arrays(self) -> dict[str, bytes]:
        """What every reader holds in memory, each array as its bytes; by name."""
        catalog = self.segment / CATALOG
        kept = {
            "keys": mapped(catalog.with_suffix(".keys.npy")),
            "documents": mapped(catalog.with_suffix(".documents.npy")),
            "terms": self._postings(POSTINGS).lengths,
            "words": self._postings(VOCABULARY).lengths,
        } | {f"keys of {file}": keys for file, (keys, _) in self.vectors.items()}
        lines = (self.segment / VOCABULARY / WORDS).read_bytes()
        return {name: array.tobytes() for name, array in kept.items()} | {WORDS: zstandard.compress(lines)}

    @cached_property
    def vectors(self) -> dict[str, tuple[np.ndarray, np.ndarray]]:
        """Of each space, by its file: keys (uint64, ascending) and vectors (float16, shape (keys, dimension))."""
        files = sorted(self.segment.glob("vectors*.usearch"))
        parts = ((file, mapped(file.with_suffix(".keys.npy")), mapped(file.with_suffix(".rows.npy"))) for file in files)
        return {file.name: (keys, rows) for file, keys, rows in parts}

    def rows(self, kind: Kind) -> Iterator[tuple[int, bytes]]:
        """Yield the hash of each term, with what is packed of it."""
        if kind == "positions":
            yield from self._positions()
            return
        for term, chunks, counts in self._postings(POSTINGS if kind == "terms" else VOCABULARY).each():
            yield term, packed(chunks, counts)

    def tokens(self) -> Iterator[tuple[str, int, bytes]]:
        """Yield model, key and content of the token vectors of its passages, as far as the version has them."""
        wanted = np.unique(passage_keys(self.chunks["text_hash"])).tolist()
        for folder in sorted((self.version / TOKENS).glob("*/")):
            rows = open_rows(folder)
            for start in range(0, len(wanted), _BATCH):
                keys = wanted[start : start + _BATCH]
                found = zip(keys, rows.read(keys), strict=True)
                yield from ((folder.name, key, content) for key, content in found if content is not None)

    def described(self) -> dict[str, Any]:
        """Return how many rows of each kind it has, by which it is seen whether an engine has all of them."""
        counts = {"documents": self.documents.height, "chunks": self.chunks.height}
        return counts | {file: len(keys) for file, (keys, _) in self.vectors.items()}

    def _positions(self) -> Iterator[tuple[int, bytes]]:
        """Analyse the texts once more: nothing that is kept of a segment tells where in a chunk its terms stand."""
        numbers: dict[str, int] = {}
        terms, lengths = [], []
        texts = self.chunks.select(pl.concat_str(["header", "text"], separator="\n"), "language")
        for text, language in texts.iter_rows():
            held = index_terms(text, language)
            terms.append(np.fromiter((numbers.setdefault(term, len(numbers)) for term in held), np.uint32, len(held)))
            lengths.append(len(held))
        every = np.concatenate([np.empty(0, np.uint32), *terms])
        order, ends = np.argsort(every, kind="stable"), np.cumsum(lengths, dtype=np.int64)
        chunk = np.repeat(np.arange(len(lengths)), lengths)
        place = np.arange(len(every)) - (ends - np.array(lengths, np.int64))[chunk]
        found = np.split(codes(chunk, place)[order], np.cumsum(np.bincount(every, minlength=len(numbers)))[:-1])
        for term, own in zip(numbers, found, strict=True):
            yield term_hash(term), packed(own)

    @cached_property
    def _tables(self) -> AttachedTables:
        return AttachedTables(self.version, [Listed(self.segment, np.empty(0, np.int64))])

    def _postings(self, folder: str) -> Postings:
        return Postings((self.segment / LEXICAL).with_name(folder))


def shown_columns(documents: list[str], chunks: list[str]) -> list[str]:
    """Return the columns of a document that a hit shows beside those of its chunk."""
    return [name for name in documents if name not in (*UNSHOWN, *chunks, "place")]
