"""One system, one phase, for benchmarks/peers.py, which starts this in an interpreter that has the system.

    python benchmarks/peer.py chroma|lancedb|txtai build|query|update FOLDER

FOLDER holds texts.json, vectors.npy, questions.json, questions.npy and changed.npy. Prints one line of JSON.
"""

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

K = 10


class Chroma:
    """Its own HNSW index; it has no hybrid query over local data."""

    def __init__(self, folder: Path) -> None:
        import chromadb

        self._client = chromadb.PersistentClient(str(folder / "chroma"))

    def build(self, texts: list[str], vectors: np.ndarray) -> None:
        """Add everything, in the batches that it takes."""
        space = {"hnsw": {"space": "cosine"}}
        table = self._client.create_collection("passages", configuration=space, embedding_function=None)
        for rows in _batches(len(texts), self._client.get_max_batch_size()):
            chosen = [texts[row] for row in rows]
            table.add(ids=[str(row) for row in rows], embeddings=vectors[rows], documents=chosen)

    def open(self) -> dict[str, Callable]:
        """Return the ways to ask."""
        table = self._client.get_collection("passages", embedding_function=None)
        return {"vector": lambda _, vector: [*map(int, table.query(query_embeddings=[vector], n_results=K)["ids"][0])]}

    def update(self, texts: list[str], vectors: np.ndarray, rows: np.ndarray) -> None:
        """Replace rows."""
        table = self._client.get_collection("passages", embedding_function=None)
        for part in np.array_split(rows, -(-len(rows) // 5000)):
            chosen = [texts[row] for row in part]
            table.update(ids=[str(row) for row in part], embeddings=vectors[part], documents=chosen)


class Lance:
    """IVF with HNSW and scalar quantisation, and its full-text index; hybrid by its default, reciprocal ranks."""

    def __init__(self, folder: Path) -> None:
        import lancedb

        self._base = lancedb.connect(str(folder / "lancedb"))

    def build(self, texts: list[str], vectors: np.ndarray) -> None:
        """Write the table and both indexes."""
        from lancedb.index import FTS, HnswSq

        table = self._base.create_table("passages", self._rows(texts, vectors, np.arange(len(texts))))
        table.create_index("vector", config=HnswSq(distance_type="cosine"))
        table.create_index("text", config=FTS())

    def open(self) -> dict[str, Callable]:
        """Return the ways to ask."""
        table = self._base.open_table("passages")

        def vector(_: str, asked: np.ndarray) -> list[int]:
            found = table.search(asked).distance_type("cosine").limit(K).to_arrow()
            return found["id"].to_pylist()

        def hybrid(question: str, asked: np.ndarray) -> list[int]:
            found = table.search(query_type="hybrid").vector(asked).text(question).limit(K).to_arrow()
            return found["id"].to_pylist()

        return {"vector": vector, "hybrid": hybrid}

    def update(self, texts: list[str], vectors: np.ndarray, rows: np.ndarray) -> None:
        """Replace rows, and bring the indexes up to date."""
        table = self._base.open_table("passages")
        table.merge_insert("id").when_matched_update_all().execute(self._rows(texts, vectors, rows))
        table.optimize()

    def _rows(self, texts: list[str], vectors: np.ndarray, rows: np.ndarray) -> object:
        import pyarrow as pa

        width = vectors.shape[1]
        column = pa.FixedSizeListArray.from_arrays(pa.array(vectors[rows].ravel()), width)
        return pa.table({"id": pa.array(rows), "text": [texts[row] for row in rows], "vector": column})


class Txtai:
    """Faiss with its default settings, and its own BM25; hybrid is their weighted sum."""

    def __init__(self, folder: Path) -> None:
        from txtai import Embeddings

        self._path = str(folder / "txtai")
        texts = json.loads((folder / "texts.json").read_text()) + json.loads((folder / "questions.json").read_text())
        vectors = np.concatenate([np.load(folder / "vectors.npy"), np.load(folder / "questions.npy")])
        places = {text: place for place, text in enumerate(texts)}

        def transform(asked: list[str]) -> np.ndarray:
            return vectors[[places[text] for text in asked]]

        self._embeddings = Embeddings(method="external", transform=transform, hybrid=True, content=True)

    def build(self, texts: list[str], vectors: np.ndarray) -> None:  # noqa: ARG002  (found by their texts)
        """Index everything."""
        self._embeddings.index(enumerate(texts))
        self._embeddings.save(self._path)

    def open(self) -> dict[str, Callable]:
        """Return the ways to ask."""
        self._load()
        search = self._embeddings.search
        return {
            "vector": lambda question, _: [int(row["id"]) for row in search(question, K, weights=1.0)],
            "hybrid": lambda question, _: [int(row["id"]) for row in search(question, K)],
        }

    def update(self, texts: list[str], vectors: np.ndarray, rows: np.ndarray) -> None:  # noqa: ARG002
        """Replace rows and save."""
        self._load()
        self._embeddings.upsert([(int(row), texts[row]) for row in rows])
        self._embeddings.save(self._path)

    def _load(self) -> None:
        transform = self._embeddings.config["transform"]
        self._embeddings.load(self._path, config={"transform": transform})


SYSTEMS = {"chroma": Chroma, "lancedb": Lance, "txtai": Txtai}


def _batches(count: int, size: int) -> list[range]:
    return [range(start, min(start + size, count)) for start in range(0, count, size)]


def asked(ways: dict[str, Callable], folder: Path) -> dict:
    """Ask every question each way; returns what was found and the milliseconds."""
    questions, vectors = json.loads((folder / "questions.json").read_text()), np.load(folder / "questions.npy")
    told: dict[str, dict] = {}
    for way, ask in ways.items():
        for question, vector in list(zip(questions, vectors, strict=True))[:10]:
            ask(question, vector)  # warm
        found, took = [], []
        for question, vector in zip(questions, vectors, strict=True):
            start = time.perf_counter()
            found.append([int(one) for one in ask(question, vector)])
            took.append(1000 * (time.perf_counter() - start))
        told[way] = {"found": found, "took": took}
    return told


def phase(system: object, name: str, folder: Path) -> dict:
    """Run one phase; returns what is to be told of it."""
    status = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    before = int(status["VmRSS"].split()[0]) / 1024
    texts, vectors = json.loads((folder / "texts.json").read_text()), np.load(folder / "vectors.npy", mmap_mode="r")
    start = time.perf_counter()
    if name == "query":
        ways = system.open()
        told = {"ways": asked(ways, folder)}
    else:
        changed = np.load(folder / "changed.npy")
        given = (texts, np.asarray(vectors)) if name == "build" else (texts, np.asarray(vectors), changed)
        start = time.perf_counter()
        getattr(system, name)(*given)
        told = {}
    seconds = time.perf_counter() - start
    status = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    return told | {"seconds": seconds, "memory": int(status["VmRSS"].split()[0]) / 1024 - before}


if __name__ == "__main__":
    chosen, what, where = sys.argv[1:]
    print(json.dumps(phase(SYSTEMS[chosen](Path(where)), what, Path(where))))
