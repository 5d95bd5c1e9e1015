"""Nothing leaks: random questions, filters and modes of many people, over documents of which each may read a few.

    python -m benchmarks.leaks DOCS [--triples 10000] [--people 50] [--documents 3000]

Every hit, every passage collapsed into one and every candidate that an explanation names is held against who may read
its document. The vectors are those of a hash of the words: what is tested is who sees what, not how well it is found.
"""

import argparse
import itertools
import random
import re
import tempfile
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import polars as pl

from benchmarks.incremental import documents as read_documents
from rag_platform.config.settings import RetrievalSettings
from rag_platform.core.hits import Filters
from rag_platform.core.ids import chunk_key, digest
from rag_platform.core.ports import Progress, silent
from rag_platform.core.principals import PUBLIC
from rag_platform.core.schemas import CHUNKS, DOCUMENTS
from rag_platform.index.build.builder import Corpus, build
from rag_platform.index.releases.versions import Versions
from rag_platform.index.vectors.spaces import Space
from rag_platform.retrieval import Retriever

_DIMENSION = 64
_CHUNK = 600
_MODES = ("lexical", "vector", "hybrid")
_COLLECTIONS = ("guides", "news", "plans")


class HashEmbedder:
    """Each word has a place; a text's vector counts its words."""

    fingerprint, dimension, max_tokens = "hash", _DIMENSION, 10_000

    def embed_query(self, text: str) -> np.ndarray:
        """Return a unit vector."""
        counts = Counter(int(digest(word), 16) % _DIMENSION for word in text.lower().split())
        vector = np.array([1e-3 + counts[place] for place in range(_DIMENSION)], np.float32)
        return vector / np.linalg.norm(vector)

    def embed_passages(self, texts: Sequence[str], progress: Progress = silent) -> np.ndarray:  # noqa: ARG002
        """Return unit vectors."""
        return np.stack([self.embed_query(text) for text in texts])

    def count_tokens(self, texts: Iterable[str]) -> list[int]:
        """Count words."""
        return [len(text.split()) for text in texts]


def corpus_of(docs: Path, count: int, people: Sequence[str], chance: random.Random) -> Corpus:
    """Return documents of which a third is public, a third of a few people and a third private to one."""
    documents, chunks = [], []
    for name, text in itertools.islice(read_documents(docs), count):
        readers = chance.choice([[PUBLIC], chance.sample(people, chance.randrange(4)), [chance.choice(people)]])
        doc_id = digest(name)
        documents.append(
            dict.fromkeys(DOCUMENTS)
            | {"doc_id": doc_id, "uri": name, "title": name, "status": "ok", "language": "en", "type": "text"}
            | {"collection": chance.choice(_COLLECTIONS), "principals": readers, "text": text, "pages": []}
            | {"tags": chance.sample(["wet", "old", "cold"], chance.randrange(3)), "flags": [], "near": None}
            | {"raw_sha256": "", "revision": digest(text), "source": chance.choice(("docs", "board"))}
            | {"near": chance.choice((None, "one", "two")), "published_at": datetime(2026, 1, 1, tzinfo=UTC)}
        )
        chunks += _chunks(documents[-1])
    frame = pl.DataFrame(chunks, schema={**CHUNKS, "source": pl.String, "language": pl.String, "key": pl.UInt64})
    frame = frame.sort("key")
    columns = {name: kind for name, kind in DOCUMENTS.items() if name != "signature"}
    schema = {**columns, "source": pl.String, "near": pl.String}
    vectors = HashEmbedder().embed_passages(frame["text"].to_list())
    model = {"name": "hash", "precision": "fp32", "fingerprint": "hash", "dimension": _DIMENSION}
    rows = [{name: row[name] for name in schema} for row in documents]
    space = Space(model, ("board", "docs"), frame["key"].to_numpy(), vectors)
    return Corpus(pl.DataFrame(rows, schema=schema), frame, (space,), {})


def _chunks(document: dict) -> list[dict]:
    text = document["text"][: 4 * _CHUNK]
    starts = [start for start in range(0, len(text), _CHUNK) if text[start : start + _CHUNK].strip()]
    return [
        dict.fromkeys(CHUNKS)
        | {name: document[name] for name in ("doc_id", "revision", "source", "language")}
        | {"chunk_id": digest(document["doc_id"], str(start)), "ordinal": ordinal, "start": start, "header": ""}
        | {"end": min(start + _CHUNK, len(text)), "text": text[start : start + _CHUNK], "section": ""}
        | {"key": chunk_key(digest(document["doc_id"], str(start))), "text_hash": digest(text, str(start))}
        for ordinal, start in enumerate(starts)
    ]


def ask(retriever: Retriever, readers: dict[str, set[str]], uris: dict[str, str], filters: Filters, words: str) -> int:
    """Search in every mode; returns how many documents were shown, and fails on one that may not be."""
    me, shown = {PUBLIC, *filters.principals}, 0
    for mode in _MODES:
        result = retriever.search(words, mode=mode, filters=filters, explain=True)
        seen = {hit.doc_id for hit in result.hits} | {one.doc_id for hit in result.hits for one in hit.duplicates}
        seen |= {uris[entry["uri"]] for entry in result.explanation}
        leaked = [doc_id for doc_id in seen if not readers[doc_id] & me]
        if leaked:
            raise SystemExit(f"{filters.principals} saw {leaked} for {words!r} in mode {mode}")
        shown += len(seen)
    return shown


def main() -> None:
    """Ask and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("docs", type=Path)
    parser.add_argument("--triples", type=int, default=10_000)
    parser.add_argument("--people", type=int, default=50)
    parser.add_argument("--documents", type=int, default=3000)
    arguments = parser.parse_args()
    chance, shown = random.Random(0), 0
    people = [f"user:{number}" for number in range(arguments.people)]
    corpus = corpus_of(arguments.docs, arguments.documents, people, chance)
    readers = {doc_id: set(names) for doc_id, names in corpus.documents.select("doc_id", "principals").iter_rows()}
    uris = dict(corpus.documents.select("uri", "doc_id").iter_rows())
    texts = corpus.chunks["text"].to_list()
    with tempfile.TemporaryDirectory() as folder:
        versions = Versions(Path(folder), exact_below=1000)
        versions.promote(build(corpus, versions, partitions={}).version, why="benchmark")
        retriever = Retriever(versions, HashEmbedder, HashEmbedder, RetrievalSettings(depth=30))
        for _ in range(arguments.triples):
            words = re.findall(r"\w+", chance.choice(texts)) or ["word"]
            filters = Filters(
                principals=tuple(chance.sample(people, chance.randrange(1, 3))),
                collections=tuple(chance.sample(_COLLECTIONS, chance.randrange(3))),
                tags=tuple(chance.sample(["wet", "old", "cold"], chance.randrange(2))),
                sources=tuple(chance.sample(["docs", "board"], chance.randrange(2))),
            )
            shown += ask(retriever, readers, uris, filters, " ".join(chance.choices(words, k=4)))
    print(
        f"{arguments.triples:,} triples of {arguments.people} people, {len(texts):,} chunks: {shown:,} shown, 0 leaked"
    )


if __name__ == "__main__":
    main()
