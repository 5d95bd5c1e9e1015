"""What goes into a version."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import polars as pl

from rag_platform.core.ids import digest
from rag_platform.core.principals import PUBLIC
from rag_platform.index.releases.embedded_version import FORMAT
from rag_platform.index.vectors.spaces import Space, describe_spaces
from rag_platform.storage.hashed.row_files import RowFiles
from rag_platform.text import analysis


@dataclass(frozen=True, slots=True)
class Corpus:
    """All that goes into a version."""

    documents: pl.DataFrame
    """Columns of DOCUMENTS with `source`, and `near`; only those that are indexed."""
    chunks: pl.DataFrame
    """Columns of CHUNKS, `source`, `language` and `key`; ascending by key."""
    spaces: tuple[Space, ...]
    """At least one; each chunk is in at most one that is not `cross`."""
    parameters: dict[str, Any]
    reference: pl.DataFrame | None = None
    """`spaces.reference_of`."""
    tokens: Mapping[str, Sequence[RowFiles]] = field(default_factory=dict)
    """Who has token vectors of its passages, by the model's fingerprint; see `stored_tokens`."""

    @property
    def public(self) -> pl.DataFrame:
        """The chunks that everybody may read."""
        documents = self.documents.filter(pl.col("principals").list.contains(PUBLIC))
        return self.chunks.filter(pl.col("doc_id").is_in(documents["doc_id"].implode()))

    @property
    def content(self) -> str:
        """Hash what a reader can see, and nothing that differs between two runs over equal inputs."""
        # a document's revision stands for its text, a chunk's id and text hash for its own
        documents = self.documents.drop("text", "signature", "fetched_at", "run_id", "stage_key", "flags", "losses")
        documents = documents.sort("source", "uri")
        chunks = self.chunks.drop("text", "header", "stage_key")
        described = describe_spaces([replace(space, relevance=None) for space in self.spaces])  # these follow from it
        models = json.dumps(described.get("spaces", described["model"]))
        members = [digest(space.keys.tobytes()) for space in self.spaces]
        parts = [documents.write_ndjson(), chunks.write_ndjson(), models, json.dumps(self.parameters), *members]
        return digest(FORMAT, analysis.VERSION, *parts)

    @property
    def words_only(self) -> int:
        """How many chunks have no vector at home: no model reads their language, or it could not be had."""
        return self.chunks.height - sum(len(space.keys) for space in self.spaces if not space.cross)
