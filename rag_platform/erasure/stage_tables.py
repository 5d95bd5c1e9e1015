"""Removal from the stages' tables, from the raw bytes and from what was uploaded."""

from collections.abc import Callable, Collection, Iterator
from pathlib import Path

import polars as pl

from rag_platform.core.errors import DamagedFile
from rag_platform.core.ids import document_id
from rag_platform.core.schemas import SAME_TEXT
from rag_platform.embeddings.token_table import erase_tokens
from rag_platform.journal.references import referenced_blobs
from rag_platform.provenance.inventory import catalogs
from rag_platform.sources.uploads.source import UploadSource
from rag_platform.storage.hashed.table_files import forget_previous, table_problem
from rag_platform.storage.migrations import schema_version, version_metadata
from rag_platform.storage.tables import KEPT, Store
from rag_platform.workspace import Workspace

_STAGES = ("raw", "documents", "chunks", "access")


def erase_tables(store: Store, doc_ids: Collection[str]) -> dict[str, int]:
    """Remove these documents from every stage, and the vectors that no chunk needs any more; returns rows removed."""
    for stage in (*_STAGES, "embeddings"):
        for left in (store.folder / stage).rglob(".*.new"):  # of a killed process
            left.unlink()
    for stage in KEPT:
        forget_previous(store.folder / stage)
    removed = {
        "raw": _erase(store, "raw", lambda source, frame: _named(source, frame, doc_ids)),
        "documents": _erase(store, "documents", lambda _, frame: frame["doc_id"].is_in(list(doc_ids))),
        "chunks": _erase(store, "chunks", lambda _, frame: frame["doc_id"].is_in(list(doc_ids))),
    }
    _erase(store, "access", lambda _, frame: frame["doc_id"].is_in(list(doc_ids)))
    needed = {
        text_hash for source in store.sources("chunks") for text_hash in store.read("chunks", source)["text_hash"]
    }
    for stage in store.stages("embeddings"):
        idle = _erase(store, stage, lambda _, frame: ~frame["text_hash"].is_in(list(needed)))
        removed["vectors"] = removed.get("vectors", 0) + idle
    erase_tokens(store, needed)
    return {"vectors": 0} | removed


def erase_uploads(workspace: Workspace, doc_ids: Collection[str]) -> int:
    """Remove the uploaded files that these documents are; returns how many."""
    removed = 0
    for source in workspace.settings.sources:
        if isinstance(source, UploadSource):
            collections = workspace.collections(source.id)
            uris = {file.uri for file in collections.files()} | {uri for uri, _, _ in collections.removed()}
            removed += collections.erase(uri for uri in uris if document_id(source.id, uri) in doc_ids)
    return removed


def erase_blobs(workspace: Workspace, archives: Collection[str] = ()) -> int:
    """Remove the bytes that no document, version or receipt refers to; returns how many.

    Among them are earlier states of what was forgotten, of which nothing else says whose they were. Of `archives`,
    which held what was forgotten, only those stay that a source still has.
    """
    raw = set(_of_sources(workspace))
    needed = raw | (set(_of_the_past(workspace)) - set(archives))
    blobs = workspace.store.blobs
    idle = [sha256 for sha256 in blobs.hashes() if sha256 not in needed]
    for sha256 in idle:
        blobs.remove(sha256)
    for left in blobs.folder.glob("*/.*.new"):  # of a killed process
        left.unlink()
    return len(idle)


def _of_sources(workspace: Workspace) -> Iterator[str]:
    for source in workspace.store.sources("raw"):
        yield from workspace.store.read("raw", source)["sha256"].drop_nulls()


def _of_the_past(workspace: Workspace) -> Iterator[str]:
    for _, catalog in catalogs(workspace):
        yield from catalog.documents()["raw_sha256"].drop_nulls()
    yield from referenced_blobs(workspace.journal)


def _erase(store: Store, stage: str, goes: Callable[[str, pl.DataFrame], pl.Series]) -> int:
    removed = 0
    for source in store.sources(stage):
        path = store.here(stage, source)
        frame = _read(path)
        going = goes(source, frame)
        if not going.any():
            continue
        removed += int(going.sum())
        left = frame.filter(~going)
        if stage == "documents":
            left = _without_mention(left, frame.filter(going)["uri"].to_list())
        if stage == "raw" and "renamed_from" in left.columns:
            forgotten = pl.col("renamed_from").is_in(frame.filter(going)["uri"].implode())
            left = left.with_columns(pl.when(~forgotten).then("renamed_from").alias("renamed_from"))
        with store.rewriting(stage, source) as beside:
            left.write_parquet(beside, compression="zstd", metadata=version_metadata(schema_version(path)))
    return removed


def _read(path: Path) -> pl.DataFrame:
    if problem := table_problem(path):
        raise DamagedFile(path, problem)
    try:
        return pl.read_parquet(path)  # whatever its columns: a plugin's table holds texts too
    except (pl.exceptions.PolarsError, OSError) as error:
        raise DamagedFile(path, f"it cannot be read ({error})") from error


def _named(source: str, frame: pl.DataFrame, doc_ids: Collection[str]) -> pl.Series:
    return pl.Series([document_id(source, uri) in doc_ids for uri in frame["uri"]], dtype=pl.Boolean)


def _without_mention(documents: pl.DataFrame, addresses: list[str]) -> pl.DataFrame:
    """Leave no address where a document was excluded for its sake; the next sync decides anew."""
    mention = pl.col("reason").is_in([SAME_TEXT + address for address in addresses])
    return documents.with_columns(
        reason=pl.when(mention).then(pl.lit(SAME_TEXT + "a document that was forgotten")).otherwise("reason")
    )
