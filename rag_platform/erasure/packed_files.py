"""Files as they were fetched or uploaded, of which no table holds the text: what their readers find in them.

The text of a file that was read stands in the table of documents. Of one that was not, or whose document was removed,
its bytes alone do not tell what it says: they may be compressed, as those of an Office file are.
"""

from collections.abc import Iterator
from pathlib import Path

import polars as pl
import zstandard

from rag_platform.core.errors import Unprotected
from rag_platform.documents.extracted import HOLDERS
from rag_platform.documents.reader_options import reading_limits
from rag_platform.documents.sandbox.pool import SANDBOX
from rag_platform.index.catalog.catalog import Catalog
from rag_platform.provenance.inventory import catalogs
from rag_platform.workspace import Workspace

_UPLOADS = "uploads"
_READ = ("raw_sha256", "status", "text")


class PackedFiles:
    """The files of others below data/ whose text no table holds."""

    def __init__(self, workspace: Workspace) -> None:
        self._folders = (workspace.store.blobs.folder, workspace.settings.data / _UPLOADS)
        self._limits = reading_limits(workspace.settings)
        self._known = _read_whole(workspace)
        self._named = _named(workspace)
        self._unread: set[str] = set()

    def texts(self, path: Path) -> Iterator[str]:
        """Yield the texts of the documents in a file; none, if it is not such a file, or its text is in a table."""
        sha256 = path.name.removesuffix(".zst")
        if sha256 in self._known or not any(path.is_relative_to(folder) for folder in self._folders):
            return
        content = path.read_bytes()
        content = zstandard.decompress(content) if path.suffix == ".zst" else content
        uri, content_type = self._named.get(sha256, (sha256, None))
        try:
            parts = SANDBOX.read(content, limits=self._limits, uri=uri, content_type=content_type)
        except Unprotected:  # nothing can be read here; what was asked to be forgotten is forgotten all the same
            self._unread.add(sha256)
            return
        yield from (f"{part.read.title}\n{part.read.text}" for part in parts if part.read)
        self._unread |= {sha256} if any(part.read is None for part in parts) else set()

    def notes(self) -> list[str]:
        """Say of which files the bytes alone could be looked through."""
        count = len(self._unread)
        return [f"of {count} files the bytes alone were looked through: no reader reads all of them"] if count else []


def _read_whole(workspace: Workspace) -> set[str]:
    """Return the hashes of the bytes of which every document was read, and its text kept.

    The table of documents tells it of what it has; of what is in versions alone, only a file that holds no others: of
    an archive the versions have what could be read, and do not tell of the rest.
    """
    tables = [
        workspace.store.read("documents", source).select(_READ) for source in workspace.store.sources("documents")
    ]
    rows = (
        pl.concat(tables).drop_nulls("raw_sha256") if tables else pl.DataFrame(schema=dict.fromkeys(_READ, pl.String))
    )
    read = (pl.col("status") != "failed") & pl.col("text").is_not_null()
    in_tables = dict(rows.group_by("raw_sha256").agg(read.all()).select("raw_sha256", "status").iter_rows())
    in_versions = {sha256 for _, catalog in catalogs(workspace) for sha256 in _files_of_one(catalog)}
    return {sha256 for sha256, whole in in_tables.items() if whole} | (in_versions - in_tables.keys())


def _files_of_one(catalog: Catalog) -> Iterator[str]:
    """Yield the hashes of files of which a version has the text, and which hold no documents of their own."""
    own = (pl.col("uri") == pl.col("raw_uri")) & ~pl.col("format").is_in(HOLDERS)
    yield from catalog.documents("uri", "raw_uri", "raw_sha256", "format").filter(own)["raw_sha256"].drop_nulls()


def _named(workspace: Workspace) -> dict[str, tuple[str, str | None]]:
    """Return the address and the content type of each raw file, by the hash of its bytes."""
    return {
        sha256: (uri, content_type)
        for source in workspace.store.sources("raw")
        for uri, sha256, content_type in workspace.store.read("raw", source)
        .drop_nulls("sha256")
        .select("uri", "sha256", "content_type")
        .iter_rows()
    }
