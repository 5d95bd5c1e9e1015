"""Documents side by side: as the live version has them, and as they are now; of each only those that differ."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

import polars as pl

from rag_platform.core.schemas import DOCUMENTS, SAME_TEXT

COLUMNS = (
    "doc_id",
    "uri",
    "title",
    "language",
    "type",
    "format",
    "principals",
    "published_at",
    "updated_at",
    "revision",
    "status",
    "reason",
)
"""What is asked of every document; its text is read only where one of these changed."""
_KEPT = (pl.col("status") == "ok") | pl.col("reason").str.starts_with(SAME_TEXT).fill_null(value=False)
_COMPARED = [name for name in COLUMNS if name not in ("doc_id", "uri", "title", "reason")]


@dataclass(frozen=True, slots=True)
class Reading:
    """Reads what is needed of few documents, by `doc_id`."""

    then: Callable[[Sequence[str]], Mapping[str, str]]
    """Texts of the live version."""
    now: Callable[[Sequence[str]], Mapping[str, str]]
    """Texts of today."""
    signatures: Callable[[Sequence[str]], Mapping[str, Sequence[int]]]
    """Of today's texts: see text/shingles.py."""


@dataclass(frozen=True, slots=True)
class Side:
    """A document at one time."""

    title: str
    text: str
    language: str
    type: str
    format: str
    principals: frozenset[str]
    published_at: datetime | None
    updated_at: datetime | None
    revision: str
    status: str
    reason: str | None

    @property
    def repeats(self) -> bool:
        """Whether it is left out because another document says the same."""
        return (self.reason or "").startswith(SAME_TEXT)

    @property
    def read(self) -> bool:
        """Whether there is anything to index."""
        return bool(self.text.strip()) and (self.status == "ok" or self.repeats)


@dataclass(frozen=True, slots=True)
class Pair:
    """A document that was live and is another now."""

    uri: str
    then: Side
    now: Side


@dataclass(frozen=True, slots=True)
class New:
    """A document that is not in the live version."""

    doc_id: str
    uri: str
    now: Side


@dataclass(frozen=True, slots=True)
class Difference:
    """A source then and now, without the texts."""

    then: pl.DataFrame
    """Columns `COLUMNS`: what is live."""
    now: pl.DataFrame
    """The same of what there is now, whatever its status."""

    @property
    def indexed(self) -> pl.DataFrame:
        """What is indexed of what there is now."""
        return self.now.filter(pl.col("status") == "ok")

    @property
    def _both(self) -> pl.DataFrame:
        return self.then.join(self.now, on="doc_id", suffix="_now")

    @property
    def changed(self) -> pl.DataFrame:
        """What is in both and differs, or is no longer indexed: `doc_id`, ascending."""
        return self._both.filter(_DIFFERS).select("doc_id").sort("doc_id")

    @property
    def unchanged(self) -> pl.DataFrame:
        """What is in both and is the same: `doc_id`, `revision`."""
        return self._both.filter(~_DIFFERS).select("doc_id", "revision").sort("doc_id")

    @property
    def listed(self) -> pl.DataFrame:
        """What is live and is indexed still, or is left out only because another document says the same."""
        return self.then.join(self.now.filter(_KEPT), on="doc_id", how="semi")

    @property
    def rewritten(self) -> int:
        """How many documents have another text."""
        both = self.then.join(self.indexed, on="doc_id", suffix="_now")
        return both.filter(pl.col("revision") != pl.col("revision_now")).height

    @property
    def new(self) -> pl.DataFrame:
        """What is not live and can be indexed, or only repeats another document: `doc_id`, ascending."""
        return self.now.filter(_KEPT).join(self.then, on="doc_id", how="anti").select("doc_id").sort("doc_id")

    def pairs(self, chosen: pl.DataFrame, reading: Reading) -> list[Pair]:
        """Return the chosen documents of both sides, with their texts."""
        ids = chosen["doc_id"].to_list()
        then, now = _sides(self.then, ids, reading.then(ids)), _sides(self.now, ids, reading.now(ids))
        return [Pair(now[one][0], then[one][1], now[one][1]) for one in ids]

    def arrivals(self, chosen: pl.DataFrame, reading: Reading) -> list[New]:
        """Return the chosen new documents, with their texts."""
        ids = chosen["doc_id"].to_list()
        now = _sides(self.now, ids, reading.now(ids))
        return [New(one, *now[one]) for one in ids]


_DIFFERS = pl.any_horizontal(pl.col(name).ne_missing(pl.col(f"{name}_now")) for name in _COMPARED)


def difference(then: pl.DataFrame, now: pl.DataFrame) -> Difference:
    """Put two states of a source beside each other, columns `COLUMNS` each."""
    return Difference(then.select(COLUMNS).cast(_SCHEMA), now.select(COLUMNS).cast(_SCHEMA))


_SCHEMA = pl.Schema({name: DOCUMENTS[name] for name in COLUMNS})
NOTHING = pl.DataFrame(schema=_SCHEMA)
"""A source that is not live."""


def _sides(rows: pl.DataFrame, ids: Sequence[str], texts: Mapping[str, str]) -> dict[str, tuple[str, Side]]:
    sides = {}
    for row in rows.filter(pl.col("doc_id").is_in(ids)).iter_rows(named=True):
        doc_id, uri = row.pop("doc_id"), row.pop("uri")
        readers = frozenset(row.pop("principals") or ())
        sides[doc_id] = (uri, Side(text=texts.get(doc_id) or "", principals=readers, **row))
    return sides
