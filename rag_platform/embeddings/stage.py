"""The stage: chunks to vectors; what was embedded once with a model is never embedded again."""

from collections.abc import Callable, Collection
from dataclasses import dataclass

import polars as pl

from rag_platform.core.errors import ModelError
from rag_platform.core.ids import embedding_text
from rag_platform.core.ports import Embedder, Progress, silent, within
from rag_platform.core.schemas import embeddings_schema
from rag_platform.embeddings.embedding_model import TokenModel
from rag_platform.embeddings.token_table import TokenTable

BLOCK = 2000
"""Texts embedded between two checkpoints: what a killed run loses."""


@dataclass(frozen=True, slots=True)
class Embedding:
    """The vectors that a table of chunks needs, and what they cost."""

    table: pl.DataFrame
    """`records.embeddings_schema`, sorted by text_hash, one row for each text."""
    embedded: int
    reused: int
    tokens: int
    """Of the texts embedded now."""


def embed_chunks(
    chunks: pl.DataFrame,
    previous: pl.DataFrame,
    embedder: Embedder,
    *,
    progress: Progress = silent,
    checkpoint: Callable[[pl.DataFrame], None] | None = None,
    keep: Collection[str] = (),
    tokens: TokenTable | None = None,
    block: int = BLOCK,
) -> Embedding:
    """Embed the chunks' texts, reusing the vectors of texts that were embedded before.

    Args:
        chunks: A table of `records.CHUNKS`.
        previous: Vectors of this embedder, by text_hash; any that no chunk needs are left out.
        embedder: The model.
        progress: Told the texts embedded and how many there are to embed.
        checkpoint: Given the table as it stands after each block, to be the `previous` of a run after a crash.
        keep: Texts whose vectors stay, by their hashes, though none of these chunks needs them.
        tokens: Where the vectors of their tokens are kept, if the model gives any; None: nowhere.
        block: Texts in a block. One is at least a twentieth of the table, so that checkpoints cost little.

    Raises:
        ModelError: `previous` holds vectors of another model.
    """
    schema = embeddings_schema(embedder.dimension)
    if previous.schema != schema:
        raise ModelError(f"the vectors to reuse have the columns {previous.schema}; this model's have {schema}")
    wanted = chunks.select("text_hash", "header", "text", "tokens").unique("text_hash", keep="first").sort("text_hash")
    needed = pl.concat([wanted["text_hash"], pl.Series("text_hash", list(keep), dtype=pl.String)])
    table = (
        previous.filter(pl.col("text_hash").is_in(needed.implode())).unique("text_hash", keep="first").sort("text_hash")
    )
    tokens = tokens if isinstance(embedder, TokenModel) else None
    lacks = ~wanted["text_hash"].is_in(table["text_hash"].implode())
    missing = wanted.filter(lacks | tokens.lacks(wanted["text_hash"]) if tokens else lacks)
    reused = wanted.height - missing.height
    block = max(block, wanted.height // 20)
    for start in range(0, missing.height, block):
        part = missing.slice(start, block)
        texts = [embedding_text(header or "", text) for header, text in part.select("header", "text").iter_rows()]
        told = within(progress, start, missing.height)
        if tokens and tokens.bits and isinstance(embedder, TokenModel):
            vectors, packed = embedder.embed_with_tokens(texts, tokens.bits, told)
            tokens.replace(needed, dict(zip(part["text_hash"], packed, strict=True)))
        else:
            vectors = embedder.embed_passages(texts, told)
        rows = pl.DataFrame({"text_hash": part["text_hash"], "vector": vectors}, schema=schema)
        table = pl.concat([table, rows]).unique("text_hash", keep="first").sort("text_hash")
        if checkpoint is not None:
            checkpoint(table)
    if tokens and not missing.height:
        tokens.replace(needed, {})
    return Embedding(table, embedded=missing.height, reused=reused, tokens=int(missing["tokens"].sum() or 0))
