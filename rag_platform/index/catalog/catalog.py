"""The catalog of a version: its chunks and documents, and which of them somebody may read.

What each query asks is there in forms that are read in microseconds: the keys and the document of each chunk as
arrays, the attributes of the documents in memory. The rest are tables, asked by SQL.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

import numpy as np
import polars as pl

from rag_platform.access import Access, Readable
from rag_platform.access.reasons import Reasons
from rag_platform.core.hits import Filters
from rag_platform.core.lazy import locked_cached_property, method_cache
from rag_platform.core.ports import VersionPassages, VersionTables
from rag_platform.core.schemas import CANARY
from rag_platform.index.catalog.attached import AttachedTables
from rag_platform.index.catalog.attributes import LABELS, LISTS, Attributes, Facts
from rag_platform.index.catalog.passages import Passages
from rag_platform.index.reading import explaining_damage
from rag_platform.index.segments import LIST, listed
from rag_platform.text.shingles import SIZE


@dataclass(frozen=True, slots=True)
class StoredDocument:
    """A document as it stands in a version."""

    doc_id: str
    uri: str
    title: str
    author: str | None
    source: str
    collection: str
    language: str
    type: str
    published_at: datetime | None
    updated_at: datetime | None
    fetched_at: datetime | None
    revision: str
    raw_sha256: str
    run_id: str | None
    text: str
    pages: list[int]
    flags: list[str]
    losses: list[dict[str, Any]]
    """What its file has and the text does not: `what`, `count`."""
    tags: list[str]
    owner: str | None


_ASKED = ", ".join(
    ("doc_id", "uri", "revision", "near", *LABELS, *LISTS, "coalesce(published_at, updated_at) as dated")
)
"""Columns of `Attributes`, and those by which it is told who may read."""
Address = tuple[str, str, str]
"""Of a document: its source, its uri, and its id."""
_ADDRESS = "source, uri, doc_id"
_LOOKED_THROUGH = 2000
"""Documents with some letters in their titles, of which those that may be read are named."""
_LONGEST_TEXT = 2**31 - 1
_CACHED = 16
"""Filters of which the allowed keys are kept: 8 bytes for each chunk."""


class Catalog:
    """An opened catalog; safe to ask from many threads."""

    def __init__(self, tables: VersionTables, passages: VersionPassages, access: Access | None) -> None:
        """Ask these parts of a version; `access` tells who may read now, None: whom documents name."""
        self._frame, self._rows = tables.frame, tables.rows
        self._access = access
        self._allowed = method_cache(_CACHED, self._find_allowed)
        self._facets = method_cache(_CACHED, self._count_facets)
        self.passages = passages

    @classmethod
    def of_folder(cls, folder: Path, access: Access | None) -> "Catalog":
        """Open the catalog of the version in a folder."""
        with explaining_damage(folder / LIST):
            segments = listed(folder)
        return cls(AttachedTables(folder, segments), Passages(segments), access)

    def allowed(self, filters: Filters) -> np.ndarray | None:
        """Return the keys (uint64, ascending) that pass the filters and that the asker may read; None means all."""
        reading = self.attributes.reading(filters.principals)
        chosen = replace(filters, match=None, archived=False)  # which are looked at elsewhere
        nothing = chosen == Filters(principals=filters.principals)
        if reading.everything and nothing and not self.attributes.planted.any():
            return None
        return self._allowed(chosen, reading)

    def unreadable(self, principals: Sequence[str]) -> list[str]:
        """Name the documents (doc_id) that these principals may not read."""
        return self.attributes.named(~self.attributes.readable(principals))

    def unreadable_then(self, principals: Sequence[str]) -> list[str]:
        """Name the documents (doc_id) that these principals could not read when they were as they are here."""
        return self.attributes.named(~self.attributes.readable_then(principals))

    def named(self, name: str) -> list[dict[str, Any]]:
        """Return source, uri, doc_id, title and principals of the documents of that address or id, or that end of one.

        Planted documents have no name.
        """
        sql = (
            "select source, uri, doc_id, title, principals from documents "
            "where type <> ? and (uri = ? or doc_id = ? or ends_with(uri, ?)) order by source, uri"
        )
        return self._frame(sql, [CANARY, name, name, "/" + name.lstrip("/")]).to_dicts()

    def called(self, name: str, principals: Sequence[str], most: int) -> list[str]:
        """Name the documents (doc_id) of that title, address, id or file name that these principals may read."""
        sql = (
            "select doc_id from documents where type <> ? and (doc_id = ? or uri = ? or ends_with(uri, ?) "
            "or lower(title) = lower(?)) order by source, uri"
        )
        found = self._frame(sql, [CANARY, name, name, "/" + name.lstrip("/"), name])["doc_id"].to_list()
        return [doc_id for doc_id in found if doc_id in self.readable(found, principals)][:most] if found else []

    def titled(self, words: str, principals: Sequence[str], most: int) -> list[dict[str, Any]]:
        """Return doc_id, title and uri of documents with these letters in title or file name, the newest first.

        Of those that these principals may read; where very many others have the letters too, perhaps not of all.
        """
        sql = (
            "select doc_id, title, uri from documents where type <> ? and (contains(lower(title), lower(?)) "
            "or contains(lower(split_part(uri, '/', -1)), lower(?))) "
            "order by starts_with(lower(title), lower(?)) desc, "
            "coalesce(published_at, updated_at) desc nulls last, uri "
            f"limit {_LOOKED_THROUGH}"
        )
        found = self._frame(sql, [CANARY, words, words, words])
        readable = self.readable(found["doc_id"].to_list(), principals)
        return found.filter(pl.col("doc_id").is_in(readable))[:most].to_dicts()

    def without(self, allowed: np.ndarray | None, documents: Sequence[str]) -> np.ndarray | None:
        """Return the allowed keys but those of these documents."""
        if not documents:
            return allowed
        kept = ~self.attributes.doc_ids.is_in(list(documents)).to_numpy()
        keys = self.keys if allowed is None else allowed
        left: np.ndarray = keys[kept[self.document_of if allowed is None else self.documents_of(allowed)]]
        return left

    @property
    def keys(self) -> np.ndarray:
        """The key of each chunk (uint64), ascending."""
        return self.passages.keys

    @property
    def document_of(self) -> np.ndarray:
        """The document of each chunk, as its place among the attributes (uint32), in the order of `keys`."""
        return self.passages.documents

    def documents_of(self, keys: np.ndarray) -> np.ndarray:
        """Return the documents of these chunks, as their places among the attributes (uint32)."""
        return self.document_of[np.searchsorted(self.keys, keys)]

    def ordinals_of(self, keys: np.ndarray) -> np.ndarray:
        """Return the place of each of these chunks in its document."""
        return self._ordinals[np.searchsorted(self.keys, keys)]

    @locked_cached_property
    def _ordinals(self) -> np.ndarray:
        return self._frame("select ordinal from chunks order by key", [])["ordinal"].to_numpy()

    def facts(self, keys: np.ndarray) -> Facts:
        """Return what ranking asks of each of these chunks."""
        return self.attributes.facts(self.documents_of(keys))

    def candidates(self, keys: np.ndarray) -> Mapping[int, dict[str, Any]]:
        """Return the columns of those chunks and of their documents (without the documents' texts), by key.

        A row is read when it is first asked for.
        """
        return self.passages.by_key(keys)

    @locked_cached_property
    def attributes(self) -> Attributes:
        """What filters and ranking ask of each document."""
        return self._attributes("true")

    def _attributes(self, which: str, *values: Any) -> Attributes:
        sql = f"select {_ASKED} from placed where {which} order by segment, place"
        documents = self._frame(sql, [*values])
        return Attributes(documents, self._access.documents(documents) if self._access else None)

    def document(self, doc_id: str, principals: Sequence[str]) -> StoredDocument | None:
        """Return a document, or None when there is none that these principals may read."""
        columns = ", ".join(StoredDocument.__slots__)
        if not self.readable([doc_id], principals):
            return None
        rows = self._frame(f"select {columns} from documents where doc_id = ?", [doc_id])
        return StoredDocument(**rows.row(0, named=True)) if rows.height else None

    def holds(self, doc_id: str) -> bool:
        """Return whether there is a document of that id."""
        return bool(self._rows("select 1 from documents where doc_id = ?", [doc_id]))

    def about(self, doc_id: str) -> dict[str, Any]:
        """Return what is known of a document but its text; empty: there is none."""
        columns = "* exclude (text, pages, signature), length(text) as characters, len(pages) as page_count"
        rows = self._frame(f"select {columns} from documents where doc_id = ?", [doc_id])
        return rows.row(0, named=True) if rows.height else {}

    def readable(self, doc_ids: Collection[str], principals: Sequence[str], *, then: bool = False) -> set[str]:
        """Return those of the documents that are here and that these principals may read; `then`: and might then."""
        few = self._attributes("list_contains(?::varchar[], doc_id)", list(doc_ids))
        mask = few.readable(principals)
        return set(few.named(mask & few.readable_then(principals) if then else mask))

    def page(self, filters: Filters, after: Address | None, most: int, *columns: str) -> list[dict[str, Any]]:
        """Return these columns of at most so many documents that pass the filters, in the order of their addresses.

        `after` is the address of the last one of the page before, also of one that is gone; None: the first page.
        """
        before = "select count(*) from documents where type <> ? and (source, uri, doc_id) <= (?, ?, ?)"
        begun = self._rows(before, [CANARY, *after])[0][0] if after else 0
        there = self._by_address[begun:]
        chosen = self.attributes.doc_ids[there[self.attributes.passing(filters)[there]][:most]]
        which = f"doc_id in (select unnest(?::varchar[])) order by {_ADDRESS}"
        return self._frame(f"select {', '.join(columns)} from documents where {which}", [chosen.to_list()]).to_dicts()

    @locked_cached_property
    def _by_address(self) -> np.ndarray:
        """The documents but the planted ones, as their places among the attributes, in the order of their addresses."""
        ordered = self._frame(f"select doc_id from documents where type <> ? order by {_ADDRESS}", [CANARY])
        places = pl.DataFrame({"doc_id": self.attributes.doc_ids}).with_row_index("place")
        return ordered.join(places, on="doc_id", how="left", maintain_order="left")["place"].to_numpy()

    def reasons(self, doc_id: str) -> Reasons | None:
        """Return what decides now on who may read a document; None: there is none, or only versions say who."""
        found = self._frame(f"select {_ASKED} from documents where doc_id = ?", [doc_id])
        return self._access.documents(found).reasons() if self._access and found.height else None

    def headings(self, principals: Sequence[str], documents: int, seed: str) -> list[dict[str, Any]]:
        """Return doc_id, title, language, source and `headings` of some documents that these principals may read.

        Which documents is chance, and the same for the same seed. The headings are of their beginnings.
        """
        ids = self._frame("select doc_id from documents order by md5(doc_id || ?)", [seed])["doc_id"]
        shown = self.attributes.named(self.attributes.readable(principals) & ~self.attributes.planted)
        chosen = ids.filter(ids.is_in(shown))[:documents].to_list()
        sql = (
            f"select doc_id, title, language, source, {_HEADINGS} as headings from documents "
            "where list_contains(?::varchar[], doc_id) order by list_position(?::varchar[], doc_id)"
        )
        return self._frame(sql, [chosen, chosen]).to_dicts()

    def common_headings(self, readable: np.ndarray) -> frozenset[str]:
        """Return headings that several of some of these documents (bool, for each) have, in lower case."""
        some = self.attributes.doc_ids.filter(pl.Series(readable)).sort().head(2000).to_list()  # ids are hashes
        sql = (
            f"select lower(heading) from (select doc_id, unnest({_HEADINGS}) as heading from documents "
            "where doc_id in (select unnest(?::varchar[]))) as titles group by 1 having count(distinct doc_id) > 2"
        )
        return frozenset(heading for (heading,) in self._rows(sql, [some]))

    def signatures(self, places: np.ndarray) -> np.ndarray:
        """Return the signatures of these documents, which have near-duplicates: uint32, shape (len(places), SIZE)."""
        rows, matrix = self._signatures
        found: np.ndarray = matrix[np.searchsorted(rows, places)]
        return found

    @locked_cached_property
    def _signatures(self) -> tuple[np.ndarray, np.ndarray]:
        sql = "select doc_id, signature from placed where signature is not null order by segment, place"
        frame, ids = self._frame(sql, []), self.attributes.doc_ids
        rows = np.flatnonzero(ids.is_in(frame["doc_id"].implode()).to_numpy())
        return rows, frame["signature"].list.to_array(SIZE).to_numpy()

    def label(self, doc_id: str) -> tuple[str, str]:
        """Return title and language of a document."""
        return self._rows("select title, language from documents where doc_id = ?", [doc_id])[0]

    def text(self, doc_id: str, start: int, end: int) -> str:
        """Return a part of a document's text, by characters."""
        sql = "select substring(text, ?, ?) from documents where doc_id = ?"
        return str(self._rows(sql, [start + 1, end - start, doc_id])[0][0])

    def texts(self, doc_ids: Sequence[str], most: int = _LONGEST_TEXT) -> dict[str, str]:
        """Return the texts of those of these documents that are here, by id: of each at most so many characters."""
        sql = "select doc_id, left(text, ?) from documents where doc_id in (select unnest(?::varchar[]))"
        return dict(self._rows(sql, [most, list(doc_ids)]))

    def documents(self, *columns: str, planted: bool = False, source: str | None = None) -> pl.DataFrame:
        """Return all documents or a source's, or these columns of them; the planted ones only on demand."""
        chosen, hidden = ", ".join(columns) or "*", "" if planted else CANARY
        which = "type <> ? and source = coalesce(?, source)"
        return self._frame(f"select {chosen} from documents where {which} order by source, uri", [hidden, source])

    def stored(self, *columns: str, planted: bool = False) -> pl.DataFrame:
        """Return these columns of what the files hold: also of documents, and of states of them, that do not live."""
        hidden = "" if planted else CANARY
        return self._frame(f"select {', '.join(columns)} from stored where type <> ?", [hidden])

    def canaries(self) -> list[tuple[str, str]]:
        """Return the planted documents as (owner, words)."""
        return self._rows("select principals[1], text from documents where type = ? order by uri", [CANARY])

    def chunks(self, *columns: str, source: str | None = None) -> pl.DataFrame:
        """Return all chunks, those of planted documents too, or a source's, or these columns of them."""
        chosen, which = ", ".join(columns) or "*", "source = coalesce(?, source)"
        return self._frame(f"select {chosen} from chunks where {which} order by doc_id, ordinal", [source])

    def chunks_of(self, doc_id: str, first: int = 0, count: int | None = None) -> pl.DataFrame:
        """Return a document's chunks in the order of its text: `count` of them from the one at `first`, or all."""
        sql = "select * from chunks where doc_id = ? order by ordinal limit ? offset ?"
        return self._frame(sql, [doc_id, count, first])

    def rows_of(self, table: Literal["documents", "chunks"], doc_ids: Sequence[str], *columns: str) -> pl.DataFrame:
        """Return these columns of the documents of these ids, or of their chunks, each in the order of its text."""
        ordered = "doc_id, ordinal" if table == "chunks" else "doc_id"
        sql = f"select {', '.join(columns)} from {table} where list_contains(?::varchar[], doc_id) order by {ordered}"
        return self._frame(sql, [list(doc_ids)])

    def chunk_count(self, doc_id: str) -> int:
        """Count a document's chunks."""
        return int(self._rows("select count(*) from chunks where doc_id = ?", [doc_id])[0][0])

    def addresses(self) -> pl.DataFrame:
        """Name every document but the planted ones: source, uri, doc_id, principals, type."""
        return self.documents("source", "uri", "doc_id", "principals", "type")

    def keys_in(self, segments: Collection[int]) -> np.ndarray:
        """Return the keys (uint64, ascending) of the chunks that segments, by their places, have."""
        counts = sorted(self._rows("select segment, count(*) from placed group by segment", []))  # as they are numbered
        own = [np.full(count, place in segments) for place, count in counts]
        keys: np.ndarray = self.keys[np.concatenate([np.empty(0, bool), *own])[self.document_of]]
        return keys

    def segments_with(self, doc_ids: Collection[str]) -> set[int]:
        """Return the segments, by their places, whose files hold one of these documents, whether it lives or not."""
        sql = "select distinct segment from stored where list_contains(?::varchar[], doc_id)"
        return {segment for (segment,) in self._rows(sql, [list(doc_ids)])}

    def facets(self, principals: Sequence[str]) -> dict[str, dict[str, int]]:
        """Count the documents that these principals may read by collection, source, language, type and tag."""
        return self._facets(self.attributes.reading(principals))

    def _count_facets(self, reading: Readable) -> dict[str, dict[str, int]]:
        return self.attributes.facets(reading.documents)

    def _find_allowed(self, filters: Filters, _: Readable) -> np.ndarray:
        passing: np.ndarray = self.keys[self.attributes.passing(filters)[self.document_of]]
        return passing


_HEADINGS = r"regexp_extract_all(left(text, 20000), '(?m)^#{1,6} +(.+?) *#*$', 1)"
"""The headings of the beginning of a document's text, which is Markdown."""
