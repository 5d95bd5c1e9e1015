"""Corpora of any size for benchmarks: real chunks with their vectors; beyond their number, repeats with edits.

The documents are cut and embedded once, by `rag sync`, in a workspace that is kept. A repeat of a chunk has 3 of its
words replaced by words of other chunks, and the vector of the original turned by what such an edit turns it by on
average (a cosine of 0.97); the vectors of its tokens are the original's. Repeats of a document are near-duplicates of
it, and stand in one group with it.

Each document also carries the tags `1in10000`, `1in100`, `1in10` and `9in10`, spread evenly, to filter by.
"""

import argparse
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import polars as pl

from benchmarks.incremental import prepare
from rag_platform.config.settings_file import load_settings
from rag_platform.core.ids import chunk_key, digest, embedding_text, passage_hash, passage_key, passage_keys
from rag_platform.embeddings.token_table import token_folders
from rag_platform.index.build.builder import build
from rag_platform.index.build.corpus import Corpus
from rag_platform.index.releases.versions import Versions
from rag_platform.index.vectors.spaces import Space
from rag_platform.index.vectors.stored_tokens import TOKENS
from rag_platform.storage.hashed.row_files import RowFiles, open_rows, write_rows
from rag_platform.storage.kept.vector_tables import VectorTable
from rag_platform.workspace import Workspace

SHARES = {"1in10000": 0.0001, "1in100": 0.01, "1in10": 0.1, "9in10": 0.9}
_SOURCE = "docs"
_EDITS = 3
_TOGETHER = 20_000
"""Chunks whose token vectors are in memory at a time."""
_COSINE = 0.97


def arguments_of(description: str) -> argparse.ArgumentParser:
    """Return a parser of what all these benchmarks take."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("docs", type=Path, help="a folder of documents, or JSON lines with _id and text (also .zst)")
    parser.add_argument("--home", type=Path, required=True, help="where chunks, vectors and versions are kept")
    parser.add_argument("--sizes", type=int, nargs="+", default=[100_000], help="chunks of each corpus")
    parser.add_argument("--queries", type=int, default=300)
    return parser


def workspace(home: Path, docs: Path) -> Workspace:
    """Open the workspace; cut and embed the documents if that was not done."""
    if not (home / "rag.toml").exists():
        home.mkdir(parents=True, exist_ok=True)
        print(f"{prepare(home, docs, None)} documents; cutting and embedding …", flush=True)
        subprocess.run([sys.executable, "-m", "rag_platform", "--home", str(home), "sync"], check=True)
    return Workspace(load_settings(home))


def versions_of(work: Workspace, size: int) -> Versions:
    """Return the versions of a corpus of this size, of which one is live; it is built the first time."""
    versions = Versions(work.settings.home / f"index-{size}", exact_below=work.settings.index.exact_below)
    if versions.live_id() is None:
        print(f"building a version of {size:,} chunks …", flush=True)
        corpus = corpus_of(work, size)
        start = time.perf_counter()
        versions.promote(build(corpus, versions, partitions={}).version, why="benchmark")
        print(f"built in {time.perf_counter() - start:.0f} s", flush=True)
    return versions


def corpus_of(work: Workspace, size: int) -> Corpus:
    """Return `size` chunks with their documents and vectors."""
    documents, chunks, vectors = _real(work)
    copies = -(-size // len(chunks))
    drawn = np.random.default_rng(0)
    parts = [_repeat(documents, chunks, vectors, copy, drawn) for copy in range(copies)]
    if copies > 1:
        parts[0] = (parts[0][0].with_columns(near=pl.col("doc_id")), *parts[0][1:])
    all_chunks = pl.concat([part[1] for part in parts]).head(size)
    order = all_chunks["key"].arg_sort()
    matrix = np.concatenate([part[2] for part in parts])[:size][order.to_numpy()]
    all_documents = pl.concat([part[0] for part in parts]).join(all_chunks, on="doc_id", how="semi")
    card = work.embedder.card
    model = {
        "name": card.name,
        "precision": work.settings.model.precision,
        "fingerprint": work.embedder.fingerprint,
        "dimension": card.dimension,
    }
    all_chunks = all_chunks[order]
    space = Space(model, (_SOURCE,), all_chunks["key"].to_numpy(), matrix)
    bits, tokens = work.settings.index.token_bits, {work.embedder.fingerprint: (_tokens(work, all_chunks),)}
    parameters = {"chunks": {}, TOKENS: bits}
    return Corpus(_tagged(all_documents), all_chunks.drop("origin"), (space,), parameters, tokens=tokens)


def _tokens(work: Workspace, chunks: pl.DataFrame) -> RowFiles:
    """Give each chunk the token vectors of the one that it repeats, in a folder that is kept."""
    folder = work.settings.home / f"tokens-{chunks.height}"
    (kept,) = token_folders(work.store, work.embedder.fingerprint, _SOURCE, work.settings.index.token_bits)
    stored, made = open_rows(kept), open_rows(folder)
    keys = np.unique(passage_keys(chunks["text_hash"]))
    if len(made) == len(keys):
        return made
    for part in chunks.select("text_hash", "origin").iter_slices(_TOGETHER):
        rows = stored.read([passage_key(one) for one in part["origin"]])
        fresh = {passage_key(one): row for one, row in zip(part["text_hash"], rows, strict=True) if row is not None}
        made = write_rows(folder, keys, [made], fresh)
    return made


def _real(work: Workspace) -> tuple[pl.DataFrame, pl.DataFrame, np.ndarray]:
    documents = work.store.read("documents", _SOURCE).filter(pl.col("status") == "ok")
    documents = documents.with_columns(source=pl.lit(_SOURCE), near=pl.lit(None, pl.String))
    embedded = VectorTable(work.store, work.embedder.fingerprint, _SOURCE, work.embedder.dimension).read()
    chunks = work.store.read("chunks", _SOURCE).with_columns(source=pl.lit(_SOURCE), language=pl.lit("en"))
    joined = chunks.join(embedded, on="text_hash", how="inner", maintain_order="left")
    joined = joined.with_columns(origin="text_hash")
    return documents, joined.drop("vector"), joined["vector"].to_numpy().astype(np.float32)


def _repeat(
    documents: pl.DataFrame, chunks: pl.DataFrame, vectors: np.ndarray, copy: int, drawn: np.random.Generator
) -> tuple[pl.DataFrame, pl.DataFrame, np.ndarray]:
    """Return the copy of that number: the first is the original."""
    key = pl.col("chunk_id").map_elements(chunk_key, return_dtype=pl.UInt64)
    if not copy:
        return documents, chunks.with_columns(key=key), vectors
    name = pl.col("doc_id") + f"-{copy}"
    documents = documents.with_columns(near=pl.col("doc_id"), doc_id=name, uri=pl.col("uri") + f"?{copy}")
    ids = [digest(chunk_id, str(copy)) for chunk_id in chunks["chunk_id"]]
    texts = pl.Series("text", _edited(chunks["text"].to_list(), drawn))
    chunks = chunks.with_columns(pl.Series("chunk_id", ids), texts, doc_id=name).with_columns(key=key)
    hashes = [
        passage_hash(embedding_text(header or "", text)) for header, text in chunks.select("header", "text").rows()
    ]
    chunks = chunks.with_columns(pl.Series("text_hash", hashes))
    return documents, chunks, _turned(vectors, drawn)


def _edited(texts: list[str], drawn: np.random.Generator) -> list[str]:
    others = drawn.integers(0, len(texts), (len(texts), _EDITS)).tolist()
    places = drawn.random((len(texts), _EDITS, 2)).tolist()
    words = [text.split(" ") for text in texts]
    edited = [list(row) for row in words]
    for row, froms, spots in zip(edited, others, places, strict=True):
        for other, (here, there) in zip(froms, spots, strict=True):
            row[int(here * len(row))] = words[other][int(there * len(words[other]))]
    return [" ".join(row) for row in edited]


def _turned(vectors: np.ndarray, drawn: np.random.Generator) -> np.ndarray:
    noise = drawn.standard_normal(vectors.shape, np.float32)
    noise -= (noise * vectors).sum(axis=1, keepdims=True) * vectors
    noise /= np.linalg.norm(noise, axis=1, keepdims=True)
    return _COSINE * vectors + np.float32((1 - _COSINE**2) ** 0.5) * noise


def _tagged(documents: pl.DataFrame) -> pl.DataFrame:
    drawn = np.random.default_rng(1).random(documents.height)
    tags = [[name for name, share in SHARES.items() if chance < share] for chance in drawn]
    return documents.with_columns(tags=pl.Series(tags, dtype=pl.List(pl.String)))


def questions(versions: Versions, count: int) -> list[str]:
    """Return questions to ask: the titles and sections of chunks all over the corpus."""
    headers = versions.live().catalog.chunks("header")["header"].unique(maintain_order=True)
    headers = headers.filter(headers.str.len_chars() > 0)
    return headers.gather_every(max(1, len(headers) // count)).str.replace_all(r"[^\w\s]|\n", " ").to_list()[:count]
