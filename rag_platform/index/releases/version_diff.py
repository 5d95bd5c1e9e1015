"""Two versions to what differs between them: documents, chunks, model, parameters and sizes.

Only what the versions themselves hold is compared, so any two of them can be, whatever lies between.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import polars as pl

from rag_platform.index.releases.open_version import OpenVersion
from rag_platform.index.vectors.spaces import models_of, moved_sources

_DESCRIPTION = ("title", "author", "language", "type", "collection", "principals", "published_at", "updated_at")
_MAKING = ("parameters", "format", "analysis")
"""What a manifest tells of how a version was made, apart from its models."""
CHANGES = ("added", "removed", "source", "extractor", "description", "unchanged")


@dataclass(frozen=True, slots=True, eq=False)
class Difference:
    """What differs between two versions, `before` and `after`."""

    before: str
    after: str
    documents: pl.DataFrame
    """One row per document of either: doc_id, source, uri, title, `change`, `same_text`, `fields`, `recut`, and the
    numbers of chunks `chunks_before`, `chunks_after`, `chunks_kept`.

    `change` is "added", "removed", or why a document is another one: "source" (its bytes), "extractor" (same bytes,
    other text), "description" (same text; `fields` names what is said of it otherwise), else "unchanged". `recut`
    says why the same text has other chunks: "chunker", or "description" when title or type went into the cut.
    """
    chunks: pl.DataFrame
    """One row per chunk of either: chunk_id, doc_id and `change`: "new", "gone", "kept", or "reheaded" when the same
    text stands under another title or heading, and so has another vector."""
    making: dict[str, tuple[Any, Any]]
    """Key -> its values, of what differs in model, parameters, format and analysis: ``chunks.size: (240, 120)``.

    Where either version has several models: ``model of SOURCE``.
    """
    sizes: dict[str, tuple[int, int]]
    """`documents`, `chunks` and `bytes` of either version."""
    moved: frozenset[str]
    """The sources of both versions that have other models: equal texts of theirs have other vectors."""

    @property
    def document_counts(self) -> dict[str, int]:
        """Number of documents per kind of change, and of those that were `recut`."""
        found = dict(self.documents.group_by("change").len().iter_rows())
        recut = self.documents["recut"].count()
        return {change: found.get(change, 0) for change in CHANGES} | {"recut": recut}

    @property
    def chunk_counts(self) -> dict[str, int]:
        """Number of chunks per kind of change."""
        found = dict(self.chunks.group_by("change").len().iter_rows())
        return {change: found.get(change, 0) for change in ("kept", "new", "gone", "reheaded")}

    @property
    def chunker_differs(self) -> bool:
        """Whether equal texts are cut otherwise: other parameters, or another chunker."""
        parameters = any(key.startswith("chunks.") for key in self.making)
        return parameters or bool((self.documents["recut"] == "chunker").any())

    @property
    def empty(self) -> bool:
        """Whether both hold the same, made in the same way."""
        counts = self.document_counts
        same = counts["unchanged"] == self.documents.height and not counts["recut"]
        return same and not self.making and self.chunk_counts["kept"] == self.chunks.height

    @property
    def sources(self) -> frozenset[str]:
        """The sources of which anything differs: documents, their chunks, or the model."""
        recut = pl.col("recut").is_not_null()
        return self.moved | {*self.documents.filter((pl.col("change") != "unchanged") | recut)["source"]}

    def changed(self, *changes: str) -> pl.DataFrame:
        """Return the documents with one of these changes, by source and uri."""
        return self.documents.filter(pl.col("change").is_in(changes))

    def by_source(self) -> pl.DataFrame:
        """Count the documents per source: its `id`, one column per kind of change, `recut`."""
        counts = [(pl.col("change") == change).sum().alias(change) for change in CHANGES]
        return self.documents.group_by(id="source").agg(*counts, pl.col("recut").count()).sort("id")

    def to_dict(self) -> dict[str, Any]:
        """Return what JSON can hold: counts, what differs, and every document that is not the same."""
        differing = self.documents.filter((pl.col("change") != "unchanged") | pl.col("recut").is_not_null())
        return {
            "before": self.before,
            "after": self.after,
            "documents": self.document_counts,
            "chunks": self.chunk_counts,
            "making": {key: list(values) for key, values in self.making.items()},
            "moved": sorted(self.moved),
            "sizes": {key: list(values) for key, values in self.sizes.items()},
            "by_source": self.by_source().to_dicts(),
            "changes": differing.to_dicts(),
        }


def difference(before: OpenVersion, after: OpenVersion) -> Difference:
    """Compare two versions."""
    chunks, then, now = _chunks(before, after), _sizes(before), _sizes(after)
    return Difference(
        before=before.id,
        after=after.id,
        documents=_documents(before, after, chunks),
        chunks=chunks.select("chunk_id", "doc_id", "change"),
        making=_making(before.manifest, after.manifest),
        sizes={key: (then.get(key, 0), now.get(key, 0)) for key in then | now},  # only restricted ones have canaries
        moved=moved_sources(before.manifest, after.manifest),
    )


def _chunks(before: OpenVersion, after: OpenVersion) -> pl.DataFrame:
    columns = ("chunk_id", "doc_id", "text_hash")
    then, now = (version.catalog.chunks(*columns) for version in (before, after))
    change = (
        pl.when(pl.col("text_hash").is_null())
        .then(pl.lit("new"))
        .when(pl.col("text_hash_after").is_null())
        .then(pl.lit("gone"))
        .when(_differs("text_hash"))
        .then(pl.lit("reheaded"))
        .otherwise(pl.lit("kept"))
    )
    both = then.join(now, on=["chunk_id", "doc_id"], how="full", coalesce=True, suffix="_after")
    return both.with_columns(change=change).sort("doc_id", "chunk_id")


def _documents(before: OpenVersion, after: OpenVersion, chunks: pl.DataFrame) -> pl.DataFrame:
    columns = ("doc_id", "source", "uri", "raw_sha256", "revision", *_DESCRIPTION)
    then, now = (version.catalog.documents(*columns) for version in (before, after))
    fields = [pl.when(_differs(name)).then(pl.lit(name)) for name in _DESCRIPTION]
    there = pl.col("revision").is_not_null() & pl.col("revision_after").is_not_null()
    same_text = (there & ~_differs("revision")).alias("same_text")
    return (
        then.join(now, on="doc_id", how="full", coalesce=True, suffix="_after")
        .join(_cuts(chunks), on="doc_id", how="left")
        .with_columns(fields=pl.when(there).then(pl.concat_list(fields).list.drop_nulls()).otherwise([]))
        .with_columns(same_text, change=_document_change())
        .with_columns(pl.col("chunks_before", "chunks_after", "chunks_kept").fill_null(0), recut=_recut())
        .select(
            "doc_id",
            *(pl.coalesce(f"{name}_after", name).alias(name) for name in ("source", "uri", "title")),
            *("change", "same_text", "fields", "recut", "chunks_before", "chunks_after", "chunks_kept"),
        )
        .sort("source", "uri")
    )


def _document_change() -> pl.Expr:
    return (
        pl.when(pl.col("revision").is_null())
        .then(pl.lit("added"))
        .when(pl.col("revision_after").is_null())
        .then(pl.lit("removed"))
        .when(_differs("raw_sha256"))
        .then(pl.lit("source"))
        .when(_differs("revision"))
        .then(pl.lit("extractor"))
        .when(pl.col("fields").list.len() > 0)
        .then(pl.lit("description"))
        .otherwise(pl.lit("unchanged"))
    )


def _recut() -> pl.Expr:
    """Say why a document whose text is the same has other chunks; null for one that has the same."""
    kept = pl.col("chunks_kept")
    recut = pl.col("same_text") & ((kept < pl.col("chunks_before")) | (kept < pl.col("chunks_after")))
    described = pl.col("fields").list.contains("title") | pl.col("fields").list.contains("type")
    return pl.when(recut & described).then(pl.lit("description")).when(recut).then(pl.lit("chunker"))


def _cuts(chunks: pl.DataFrame) -> pl.DataFrame:
    """Count each document's chunks in either version and in both."""
    change = pl.col("change")
    return chunks.group_by("doc_id").agg(
        chunks_before=(change != "new").sum(),
        chunks_after=(change != "gone").sum(),
        chunks_kept=change.is_in(["kept", "reheaded"]).sum(),
    )


def _differs(name: str) -> pl.Expr:
    return pl.col(name).ne_missing(pl.col(f"{name}_after"))


def _making(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, tuple[Any, Any]]:
    several = "spaces" in before or "spaces" in after
    then, now = (dict(_flat(_how(manifest, several=several))) for manifest in (before, after))
    keys = dict.fromkeys([*then, *now])
    pairs = {key.removeprefix("parameters."): (then.get(key), now.get(key)) for key in keys}
    return {key: pair for key, pair in pairs.items() if pair[0] != pair[1]}


def _how(manifest: Mapping[str, Any], *, several: bool) -> dict[str, Any]:
    """Return how a version was made: of one model, all that is known; of several, the name of each source's."""
    made = {key: manifest.get(key) for key in _MAKING}
    if not several:
        return {"model": manifest["model"]} | made
    names = {
        source: ", ".join(" ".join(map(str, model.values())) for model in models)
        for source, models in models_of(manifest).items()
    }
    return {f"model of {source}": name for source, name in names.items()} | made


def _flat(values: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for key, value in values.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", value


def _sizes(version: OpenVersion) -> dict[str, int]:
    return {**version.manifest["counts"], "bytes": version.reader.size}
