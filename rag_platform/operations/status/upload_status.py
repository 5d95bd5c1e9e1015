"""What has become of each file: read off what the stages made, so that nothing can say otherwise."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

import polars as pl

from rag_platform.core.errors import ModelError, NothingPublished
from rag_platform.monitoring.progress import running_stages
from rag_platform.sources.uploads.collections import Collections
from rag_platform.sources.uploads.records import Collection, File
from rag_platform.sources.uploads.source import item_of
from rag_platform.storage.kept.vector_tables import VectorTable
from rag_platform.text.language import UNDETERMINED
from rag_platform.workspace import Workspace

STATES = ("uploaded", "fetched", "read", "chunked", "embedded", "live")
"""The way of a file. Beside it: "failed", "excluded" (read, and not indexed) and "forgotten"."""
_ALL = pl.lit(value=True)


@dataclass(frozen=True, slots=True)
class FileStatus:
    """A file and how far it has come."""

    file: File
    state: str
    """The last of `STATES` that it has reached; or "failed", "excluded", "forgotten"."""
    reason: str | None
    """Why it failed or is excluded, or what is to be known of it."""
    chunks: int
    document: str | None = None
    """The id of its document, of an archive that of the first, as soon as that is live."""


def file_states(workspace: Workspace, collections: Collections, collection: str) -> Sequence[FileStatus]:
    """Tell of each file of a collection how far it has come."""
    made = _Made(workspace, collections.source)
    about = collections.show(collection)
    return [made.status(file, about) for file in collections.files(collection)]


def status_document(workspace: Workspace, collections: Collections, collection: str) -> dict[str, Any]:
    """Return a collection, its files with their states, and what is running; what the page, the API and `rag` show."""
    states = file_states(workspace, collections, collection)
    return {
        "collection": collections.show(collection),
        "states": count_states(states),
        "files": [file_document(one) for one in states],
        "running": running_stages(workspace.settings.data / "progress"),
    }


def file_document(status: FileStatus) -> dict[str, Any]:
    """Return a file and its state as one document."""
    progress = {"state": status.state, "reason": status.reason, "chunks": status.chunks}
    return asdict(status.file) | progress


def count_states(states: Iterable[FileStatus]) -> dict[str, int]:
    """Count the files by state."""
    return dict(Counter(one.state for one in states))


class _Made:
    """What the stages made of a source."""

    def __init__(self, workspace: Workspace, source: str) -> None:
        self._workspace = workspace
        self._source = source
        read = workspace.store.select  # the texts themselves are not needed, and may be large
        seen = ("uri", "status", "reason", "fingerprint", "sha256")
        self._raw = {row["uri"]: row for row in read("raw", source, seen, _ALL).iter_rows(named=True)}
        self._forgotten = workspace.suppression.rule().forgotten(workspace.settings.source(source))
        columns = ("doc_id", "raw_uri", "raw_sha256", "status", "reason", "revision")
        self._documents: dict[str, list[dict[str, Any]]] = {}
        self._languages = dict(read("documents", source, ("doc_id", "language"), _ALL).iter_rows())
        for row in read("documents", source, columns, _ALL).iter_rows(named=True):
            self._documents.setdefault(row["raw_uri"], []).append(row)  # an archive has many
        chunks = read("chunks", source, ("doc_id", "revision", "text_hash"), _ALL)
        chunks = chunks.group_by("doc_id", "revision").agg("text_hash")
        self._chunks = {(doc_id, revision): hashes for doc_id, revision, hashes in chunks.iter_rows()}

    def status(self, file: File, about: Collection) -> FileStatus:
        """Return how far a file has come."""
        raw = self._raw.get(file.uri)
        if self._forgotten(file.uri):
            return FileStatus(file, "forgotten", "it was forgotten and is not read again; see `rag forget`", 0)
        if raw is not None and raw["status"] == "failed":
            return FileStatus(file, "failed", raw["reason"], 0)
        if raw is None or raw["status"] != "ok" or raw["fingerprint"] != item_of(file, about).fingerprint:
            return FileStatus(file, "uploaded", None, 0)
        rows = [row for row in self._documents.get(file.uri, ()) if row["raw_sha256"] == raw["sha256"]]
        if not rows:
            return FileStatus(file, "fetched", None, 0)
        return self._read(file, rows)

    def _read(self, file: File, rows: Sequence[dict[str, Any]]) -> FileStatus:
        good = [row for row in rows if row["status"] == "ok"]
        failed = [row for row in rows if row["status"] == "failed"]
        chunks = sum(len(self._chunks.get((row["doc_id"], row["revision"]), ())) for row in good)
        if good:
            state = min((self._way_of(row) for row in good), key=STATES.index)
            inside = f"{len(failed)} of {len(good) + len(failed)} documents inside failed: " if failed else None
            live = next((row["doc_id"] for row in good if self._way_of(row) == "live"), None)
            return FileStatus(file, state, inside and inside + failed[0]["reason"], chunks, live)
        return FileStatus(file, "failed" if failed else "excluded", (failed or rows)[0]["reason"], 0)

    def _way_of(self, row: dict[str, Any]) -> str:
        if row["revision"] == self._live.get(row["doc_id"]):
            return "live"
        hashes = self._chunks.get((row["doc_id"], row["revision"]))
        if hashes is None:
            return "read"
        return "embedded" if self._vectors.issuperset(hashes) else "chunked"

    @cached_property
    def _live(self) -> dict[str, str]:
        """Return the revision of each document of the live version."""
        try:
            catalog = self._workspace.versions.live().catalog
        except NothingPublished:
            return {}
        rows = catalog.documents("source", "doc_id", "revision").filter(pl.col("source") == self._source)
        return dict(rows.select("doc_id", "revision").iter_rows())

    @cached_property
    def _vectors(self) -> set[str]:
        """Return which texts have a vector of the source's model, or are in a language that it does not read."""
        try:
            embedder = self._workspace.embedders.of_source(self._source)
        except ModelError:
            return set()
        table = VectorTable(self._workspace.store, embedder.fingerprint, self._source, embedder.dimension)
        others = {
            doc_id for doc_id, language in self._languages.items() if not embedder.card.reads(language or UNDETERMINED)
        }
        texts = (hashes for (doc_id, _), hashes in self._chunks.items() if doc_id in others)
        return {*table.hashes()}.union(*texts)
