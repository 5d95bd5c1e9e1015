"""The small corpus with its documents cut into pieces of so many words."""

import re
from dataclasses import replace

import polars as pl

from rag_platform.core.ids import chunk_key, digest
from rag_platform.index.build.corpus import Corpus
from tests.index.corpora import WordEmbedder, corpus


def cut_corpus(*documents: dict, words: int, model: str = "words") -> Corpus:
    """Return a corpus whose documents are cut every so many words; each piece knows its document's title."""
    whole = corpus(*documents, model=model)
    rows = [row for chunk in whole.chunks.iter_rows(named=True) for row in _pieces(chunk, words, documents)]
    key = pl.col("chunk_id").map_elements(chunk_key, return_dtype=pl.UInt64)
    chunks = pl.DataFrame(rows, schema=whole.chunks.schema).with_columns(key=key).sort("key")
    vectors = WordEmbedder().embed_passages(chunks["text"].to_list())
    space = replace(whole.spaces[0], keys=chunks["key"].to_numpy(), vectors=vectors)
    return replace(whole, chunks=chunks, spaces=(space,), parameters={"chunks": {"size": words}})


def _pieces(chunk: dict, words: int, documents: tuple[dict, ...]) -> list[dict]:
    title = next(row["title"] for row in documents if row["doc_id"] == chunk["doc_id"])
    found = [(match.start(), match.end()) for match in re.finditer(rf"\S+(?:\s+\S+){{0,{words - 1}}}", chunk["text"])]
    return [
        chunk
        | {
            "chunk_id": digest(chunk["doc_id"], chunk["text"][start:end], str(place)),
            "ordinal": place,
            "start": start,
            "end": end,
            "text": chunk["text"][start:end],
            "header": title,
            "text_hash": digest(title, chunk["text"][start:end]),
        }
        for place, (start, end) in enumerate(found)
    ]
