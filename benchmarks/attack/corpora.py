"""Documents of many readers, for the leak probes: vectors of a hash of the words, so that no model is needed."""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from random import Random

import numpy as np
import polars as pl

from rag_platform.config.settings import RetrievalSettings
from rag_platform.core.ids import chunk_key, digest
from rag_platform.core.ports import Progress, silent
from rag_platform.core.principals import PUBLIC
from rag_platform.core.schemas import CHUNKS, DOCUMENTS
from rag_platform.index.build.builder import build
from rag_platform.index.build.corpus import Corpus
from rag_platform.index.catalog.near_duplicates import group
from rag_platform.index.releases.versions import Versions
from rag_platform.index.vectors.spaces import Space
from rag_platform.retrieval import Retriever
from rag_platform.text.shingles import signature

PEOPLE = [f"user:{number}" for number in range(50)]
NEAR = 0.6
_DIMENSION = 64
_SYLLABLES = [first + second for first in "bdfgklmnprstvz" for second in "aeiou"]


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
        """Count letters: no word is known to be spelled right."""
        return [len(text) for text in texts]


def word(chance: Random, syllables: int = 4) -> str:
    """Return a word that can be spoken."""
    return "".join(chance.choices(_SYLLABLES, k=syllables))


def corpus_of(chance: Random, count: int) -> Corpus:
    """Return documents of which a third is public, a third of a few people and a third private to one."""
    vocabulary = [word(chance, 3) for _ in range(400)]
    rows = []
    for number in range(count):
        readers = chance.choice([[PUBLIC], chance.sample(PEOPLE, chance.randrange(4)), [chance.choice(PEOPLE)]])
        text = " ".join(chance.choices(vocabulary, k=chance.randrange(10, 80)))
        if rows and chance.random() < 0.2:  # a near-duplicate of another one, whoever reads that
            text = f"{chance.choice(rows)['text']} {chance.choice(vocabulary)}"
        rows.append(_document(chance, f"d{number}", text, readers))
    return _corpus(rows)


def guesses(chance: Random, count: int) -> tuple[Corpus, dict[str, bool]]:
    """Return public documents and hidden ones, and words of which a hidden document holds each second."""
    vocabulary = [word(chance, 3) for _ in range(300)]
    words = {word(chance): number % 2 == 0 for number in range(count)}
    rows = [
        _document(chance, f"d{n}", f"harbour pilot {' '.join(chance.choices(vocabulary, k=40))}", [PUBLIC])
        for n in range(200)
    ]
    held = [one for one, hidden in words.items() if hidden]
    for number in range(100):
        text = " ".join([*chance.choices(vocabulary, k=30), *held[number::100], *chance.choices(held, k=5)])
        rows.append(_document(chance, f"hidden{number}", text, ["user:owner"]))
    return _corpus(rows), words


def published(corpus: Corpus, folder: Path) -> Retriever:
    """Return a retriever of a version of the corpus."""
    versions = Versions(folder, exact_below=1000)
    versions.promote(build(corpus, versions, partitions={}).version, why="attack")
    return Retriever(versions, HashEmbedder, HashEmbedder, RetrievalSettings(depth=30))


def _document(chance: Random, name: str, text: str, readers: list[str]) -> dict:
    return (
        dict.fromkeys(DOCUMENTS)
        | {"doc_id": digest(name), "uri": name, "title": name, "status": "ok", "language": "en", "type": "text"}
        | {"collection": chance.choice(("guides", "news", "plans")), "principals": readers, "text": text, "pages": []}
        | {"tags": chance.sample(["wet", "old", "cold"], chance.randrange(3)), "flags": [], "raw_sha256": ""}
        | {"revision": digest(text), "source": "docs", "signature": signature(text)}
        | {"published_at": datetime(2026, 1, 1, tzinfo=UTC)}
    )


def _corpus(rows: list[dict]) -> Corpus:
    chunks = [_chunk(row) for row in rows]
    frame = pl.DataFrame(chunks, schema={**CHUNKS, "source": pl.String, "language": pl.String, "key": pl.UInt64})
    frame = frame.sort("key")
    documents = group(pl.DataFrame(rows, schema={**DOCUMENTS, "source": pl.String}), NEAR)
    vectors = HashEmbedder().embed_passages(frame["text"].to_list())
    model = {"name": "hash", "precision": "fp32", "fingerprint": "hash", "dimension": _DIMENSION}
    space = Space(model, ("docs",), frame["key"].to_numpy(), vectors)
    return Corpus(documents, frame, (space,), {"near_duplicates": NEAR})


def _chunk(document: dict) -> dict:
    chunk_id = digest(document["doc_id"], "0")
    return (
        dict.fromkeys(CHUNKS)
        | {name: document[name] for name in ("doc_id", "revision", "source", "language", "text")}
        | {"chunk_id": chunk_id, "ordinal": 0, "start": 0, "end": len(document["text"]), "header": "", "section": ""}
        | {"key": chunk_key(chunk_id), "text_hash": digest(document["text"])}
    )
