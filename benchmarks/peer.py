"""One system, one phase, for benchmarks/peers.py, which starts this in an interpreter that has the system.

    python benchmarks/peer.py chroma|lancedb|txtai|pgvector build|query|update FOLDER
    python benchmarks/peer.py … load FOLDER WAY ASKERS SECONDS  # says "ready", and begins when it is sent a line

FOLDER holds texts.json, vectors.npy, questions.json, questions.npy and changed.npy. Prints one line of JSON.
"""

import json
import os
import sys
import threading
import time
from collections.abc import Callable
from itertools import chain
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


class Pgvector:
    """PostgreSQL with the extension's HNSW index, at its defaults; the server is that of PGVECTOR."""

    def __init__(self, folder: Path) -> None:  # noqa: ARG002  (its files are the server's)
        self._own = threading.local()

    def _ask(self, sql: str, values: tuple = ()) -> list[tuple]:
        if not hasattr(self._own, "connection"):
            import psycopg
            from pgvector.psycopg import register_vector

            self._own.connection = psycopg.connect(os.environ["PGVECTOR"], autocommit=True)
            self._own.connection.execute("create extension if not exists vector")
            register_vector(self._own.connection)
        found = self._own.connection.execute(sql, values)
        return found.fetchall() if found.description else []

    def build(self, texts: list[str], vectors: np.ndarray) -> None:
        """Copy the rows, then index them."""
        self._ask("drop table if exists passages")
        self._ask(f"create table passages (id bigint primary key, text text, vector vector({vectors.shape[1]}))")
        with self._own.connection.cursor().copy("copy passages from stdin with (format binary)") as copy:
            copy.set_types(["int8", "text", "vector"])
            for row, text in enumerate(texts):
                copy.write_row((row, text.replace("\0", ""), vectors[row]))
        self._ask("set maintenance_work_mem = '1GB'")
        self._ask("create index on passages using hnsw (vector vector_cosine_ops)")
        self._ask("analyze passages")

    def open(self) -> dict[str, Callable]:
        """Return the ways to ask."""
        sql = "select id from passages order by vector <=> %s limit %s"
        return {"vector": lambda _, vector: [row[0] for row in self._ask(sql, (vector, K))]}

    def disk(self) -> float:
        """Return the megabytes of the table and its indexes."""
        return self._ask("select pg_total_relation_size('passages')")[0][0] / 1e6

    def update(self, texts: list[str], vectors: np.ndarray, rows: np.ndarray) -> None:
        """Replace rows."""
        self._ask("select 1")
        with self._own.connection.transaction(), self._own.connection.cursor() as cursor:
            values = [(texts[row].replace("\0", ""), vectors[row], int(row)) for row in rows]
            cursor.executemany("update passages set text = %s, vector = %s where id = %s", values)


SYSTEMS = {"chroma": Chroma, "lancedb": Lance, "txtai": Txtai, "pgvector": Pgvector}


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


def load(system: object, folder: Path, way: str, askers: int, seconds: int) -> dict:
    """Let so many threads ask one question after another for so long; returns the milliseconds of each."""
    questions, vectors = json.loads((folder / "questions.json").read_text()), np.load(folder / "questions.npy")
    ask = system.open()[way]
    for question, vector in list(zip(questions, vectors, strict=True))[:20]:
        ask(question, vector)  # warm
    print("ready", flush=True)
    sys.stdin.readline()
    ends, took = time.perf_counter() + seconds, [[] for _ in range(askers)]

    def asking(number: int) -> None:
        place = number * 7919
        while (start := time.perf_counter()) < ends:
            ask(questions[place % len(questions)], vectors[place % len(questions)])
            took[number].append(round(1000 * (time.perf_counter() - start), 3))
            place += 1

    threads = [threading.Thread(target=asking, args=(number,)) for number in range(askers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return {"took": [*chain(*took)], "memory": _memory()}


def _memory() -> float:
    """Return the memory of this process in MB; what it shares with others counts for its part."""
    rolled = Path("/proc/self/smaps_rollup").read_text()
    return sum(int(line.split()[1]) for line in rolled.splitlines() if line.startswith("Pss:")) / 1024


def phase(system: object, name: str, folder: Path) -> dict:
    """Run one phase; returns what is to be told of it."""
    status = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    before = int(status["VmRSS"].split()[0]) / 1024
    texts, vectors = json.loads((folder / "texts.json").read_text()), np.load(folder / "vectors.npy", mmap_mode="r")
    start = time.perf_counter()
    if name == "query":
        ways = system.open()
        told = {"ways": asked(ways, folder), "disk": system.disk() if hasattr(system, "disk") else None}
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
    chosen, what, where, *further = sys.argv[1:]
    opened, place = SYSTEMS[chosen](Path(where)), Path(where)
    told = load(opened, place, further[0], *map(int, further[1:])) if further else phase(opened, what, place)
    print(json.dumps(told))
