"""The stage: chunks to vectors; what was embedded once with a model is never embedded again."""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass

import polars as pl

from rag_platform.core.ids import embedding_text
from rag_platform.core.ports import Embedder, Progress, silent, within
from rag_platform.core.schemas import embeddings_schema
from rag_platform.embeddings.embedding_model import TokenModel
from rag_platform.embeddings.sharded import Cluster
from rag_platform.embeddings.token_table import TokenTable

BLOCK = 2000
"""Texts embedded between two checkpoints: what a killed run loses."""


@dataclass(frozen=True, slots=True)
class Embedding:
    """The vectors that a table of chunks needs, and what they cost."""

    rows: pl.DataFrame
    """Those made now: `records.embeddings_schema`, sorted by text_hash, one row for each text."""
    embedded: int
    reused: int
    tokens: int
    """Of the texts embedded now."""


def embed_chunks(
    chunks: pl.DataFrame,
    known: pl.Series,
    embedder: Embedder,
    *,
    progress: Progress = silent,
    save: Callable[[pl.DataFrame], None] = lambda _: None,
    keep: Collection[str] = (),
    tokens: TokenTable | None = None,
    block: int = BLOCK,
    cluster: Cluster | None = None,
) -> Embedding:
    """Embed those of the chunks' texts that were not embedded before.

    Args:
        chunks: A table of `records.CHUNKS`.
        known: Texts that have a vector of this embedder, by their hashes.
        embedder: The model.
        progress: Told the texts embedded and how many there are to embed.
        save: Given the rows of each block, which a run after a crash then knows.
        keep: Texts whose tokens stay, by their hashes, though none of these chunks needs them.
        tokens: Where the vectors of their tokens are kept, if the model gives any; None: nowhere.
        block: Texts in a block. One is at least a twentieth of the chunks, so that saving costs little.
        cluster: Embeds them elsewhere; None: here.
    """
    schema = embeddings_schema(embedder.dimension)
    wanted = chunks.select("text_hash", "header", "text", "tokens").unique("text_hash", keep="first").sort("text_hash")
    needed = pl.concat([wanted["text_hash"], pl.Series("text_hash", list(keep), dtype=pl.String)])
    tokens = tokens if isinstance(embedder, TokenModel) else None
    lacks = ~wanted["text_hash"].is_in(known.implode())
    missing = wanted.filter(lacks | tokens.lacks(wanted["text_hash"]) if tokens else lacks)
    reused = wanted.height - missing.height
    block, made = max(block, wanted.height // 20), [pl.DataFrame(schema=schema)]
    bits = tokens.bits if tokens else 0
    for part in _embedded(missing, embedder, bits, block, progress, cluster):
        if tokens and bits:
            tokens.replace(needed, dict(part.select("text_hash", "packed").iter_rows()))
        rows = part.select(schema.names()).cast(schema)
        made.append(rows.filter(~pl.col("text_hash").is_in(known.implode())))
        save(made[-1])
    if tokens and not (tokens.bits and missing.height):
        tokens.replace(needed, {})
    rows = pl.concat(made).sort("text_hash")
    return Embedding(rows, embedded=missing.height, reused=reused, tokens=int(missing["tokens"].sum() or 0))


def _embedded(
    missing: pl.DataFrame, embedder: Embedder, bits: int, block: int, progress: Progress, cluster: Cluster | None
) -> Iterator[pl.DataFrame]:
    """Yield the texts' hashes in blocks, with the vector of each, and with `bits` those of its tokens, packed."""
    hashes = missing["text_hash"]
    texts = [embedding_text(header or "", text) for header, text in missing.select("header", "text").iter_rows()]
    if cluster and texts:
        yield from cluster.embed([*zip(hashes, texts, strict=True)], embedder.fingerprint, bits, block, progress)
        return
    for start in range(0, len(texts), block):
        part, told = texts[start : start + block], within(progress, start, len(texts))
        if bits and isinstance(embedder, TokenModel):
            vectors, packed = embedder.embed_with_tokens(part, bits, told)
        else:
            vectors, packed = embedder.embed_passages(part, told), [b""] * len(part)
        yield pl.DataFrame({"text_hash": hashes[start : start + block], "vector": vectors, "packed": packed})
