"""Which vectors of passages and of their tokens are stored, and who has those of a version."""

from contextlib import suppress
from pathlib import Path

import polars as pl

from rag_platform.core.errors import VersionError
from rag_platform.embeddings.token_table import token_folders
from rag_platform.index.build.corpus import Corpus
from rag_platform.index.vectors.stored_tokens import TOKENS
from rag_platform.storage.hashed.row_files import RowFiles, open_rows
from rag_platform.workspace import Workspace


def token_bits(workspace: Workspace) -> int:
    """Return how many bits of a dimension are stored; 0: none, as it is set, or because there are too many chunks."""
    settings, store = workspace.settings.index, workspace.store
    chunks = sum(_rows(store.here("chunks", source)) for source in store.sources("chunks"))
    return settings.token_bits if chunks <= settings.tokens_up_to else 0


def _rows(table: Path) -> int:
    """Count a table's rows; a damaged one is for the sync of its own source to tell of."""
    with suppress(OSError, pl.exceptions.PolarsError):
        return int(pl.scan_parquet(table).select(pl.len()).collect().item())
    return 0


def token_givers(workspace: Workspace, corpus: Corpus) -> dict[str, tuple[RowFiles, ...]]:
    """Return who may have token vectors of a version's passages, by model: the sources' tables and the live version."""
    bits = token_bits(workspace)
    givers = {}
    for fingerprint in {space.model["fingerprint"] for space in corpus.spaces} if bits else ():
        folders = token_folders(workspace.store, fingerprint, bits=bits)
        givers[fingerprint] = (
            *(open_rows(folder).there() for folder in folders),
            *live_tokens(workspace, fingerprint, bits),
        )
    return givers


def live_texts(workspace: Workspace, source: str) -> pl.Series:
    """Return the texts that a source's chunks have in the live version, by their hashes."""
    versions = workspace.versions
    with suppress(VersionError):
        if live := versions.live_id():
            return versions.catalog(live).chunks("text_hash", source=source)["text_hash"]
    return pl.Series("text_hash", [], dtype=pl.String)


def live_tokens(workspace: Workspace, fingerprint: str, bits: int) -> tuple[RowFiles, ...]:
    """Return the token vectors of a model that the live version has in so many bits."""
    versions = workspace.versions
    live = versions.live_id()
    with suppress(VersionError):
        if live and versions.manifest(live)["parameters"].get(TOKENS) == bits:
            return (open_rows(versions.path(live) / TOKENS / fingerprint).there(),)
    return ()
