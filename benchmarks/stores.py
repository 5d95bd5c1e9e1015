"""A version in its folder and in engines that several machines read, side by side in one run.

    python -m benchmarks.stores [--size 100000] [--queries 200] [--stores folder postgres lance] [--postgres ADDRESS]

Texts and vectors are made: words as frequent as in a language (Zipf), 384 dimensions in groups, ten chunks a document.
Every reader is a process of its own that holds nothing before. Told are the seconds until a version is there after a
build from nothing and after the edit of one document in a hundred, what a question takes by words, by vectors, by
vectors where 3 % may be read, and by both with fusion, recall@10 against all vectors compared, the reader's memory, and
the seconds until a reader elsewhere answers from what was published, and from what was gone back to.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from benchmarks.segments import edited
from rag_platform.config.settings import RetrievalSettings
from rag_platform.core.hits import Filters
from rag_platform.core.ids import digest
from rag_platform.core.ports import VersionStore
from rag_platform.core.schemas import CHUNKS, DOCUMENTS
from rag_platform.index.build.builder import build
from rag_platform.index.build.corpus import Corpus
from rag_platform.index.releases.versions import Versions
from rag_platform.index.vectors.spaces import Space
from rag_platform.models.cards import CARDS
from rag_platform.retrieval.retriever import Retriever
from rag_platform.storage.locks import FileLocks

_DIMENSION, _WORDS, _LENGTH, _CUT = 384, 50_000, 90, 10
_GROUPS = 2_000
_EXACT_BELOW = 50_000
_SEEN = 0.03
"""Share of the documents that the filtered questions may find."""


def corpus_of(size: int) -> Corpus:
    """Return so many made chunks, the same each time."""
    drawn = np.random.default_rng(0)
    names = np.array([digest("word", str(number))[:7] for number in range(_WORDS)])
    numbers = np.minimum(drawn.zipf(1.3, (size, _LENGTH)) - 1, _WORDS - 1)
    texts = [" ".join(row) for row in names[numbers]]
    owner = np.arange(size) // _CUT
    docs = [digest("document", str(number)) for number in range(int(owner[-1]) + 1)]
    chunks = pl.DataFrame(
        {
            "chunk_id": [digest("chunk", str(number)) for number in range(size)],
            "doc_id": [docs[number] for number in owner],
            "ordinal": np.arange(size) % _CUT,
            "start": (np.arange(size) % _CUT) * 8 * _LENGTH,
            "end": (np.arange(size) % _CUT + 1) * 8 * _LENGTH - 1,
            "text": texts,
        }
    ).with_columns(revision="doc_id", text_hash="chunk_id", header=pl.lit(""), section=pl.lit(""), tokens=_LENGTH)
    grouped = chunks.group_by("doc_id", maintain_order=True).agg(pl.col("text").str.join(" "))
    few = pl.when(pl.int_range(pl.len()) < _SEEN * pl.len()).then(pl.lit("few")).otherwise(pl.lit("many"))
    documents = grouped.with_columns(uri="doc_id", title="doc_id", revision="doc_id", collection=few)
    chunks = _columns(chunks, CHUNKS).with_columns(source=pl.lit("made"), language=pl.lit("en"))
    chunks = chunks.with_columns(key=pl.col("chunk_id").str.to_integer(base=16, dtype=pl.UInt64))
    vectors = drawn.standard_normal((_GROUPS, _DIMENSION), np.float32)[drawn.integers(_GROUPS, size=size)]
    vectors += 0.6 * drawn.standard_normal((size, _DIMENSION), np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    order = chunks["key"].arg_sort()
    model = {"name": "all-MiniLM-L6-v2", "precision": "fp32", "fingerprint": "made", "dimension": _DIMENSION}
    space = Space(model, ("made",), chunks["key"][order].to_numpy(), vectors[order.to_numpy()])
    return Corpus(_described(documents), chunks[order], (space,), {"chunks": {}})


def _described(documents: pl.DataFrame) -> pl.DataFrame:
    common = {"language": "en", "type": "text", "status": "ok", "stage_key": "made", "raw_sha256": "made"}
    lists = {name: pl.lit([], pl.List(pl.String)) for name in ("tags", "flags", "page_labels")}
    public = pl.lit(["*"], pl.List(pl.String)).alias("principals")
    full = documents.with_columns(public, **{name: pl.lit(value) for name, value in common.items()}, **lists)
    return _columns(full, DOCUMENTS).with_columns(source=pl.lit("made"), near=pl.lit(None, pl.String))


def _columns(frame: pl.DataFrame, schema: pl.Schema) -> pl.DataFrame:
    absent = (pl.lit(None, kind).alias(name) for name, kind in schema.items() if name not in frame.columns)
    return frame.with_columns(*absent).select(pl.col(name).cast(kind) for name, kind in schema.items())


class Given:
    """A model whose vector of a question is looked up."""

    card = CARDS["all-MiniLM-L6-v2"]
    fingerprint, dimension, max_tokens = "made", _DIMENSION, 10_000

    def __init__(self, vectors: dict[str, np.ndarray]) -> None:
        self._vectors = vectors

    def embed_query(self, text: str) -> np.ndarray:
        """Return the vector that belongs to a question."""
        return self._vectors[text]

    def count_tokens(self, texts: list[str]) -> list[int]:
        """Return how many words each has."""
        return [len(text.split()) for text in texts]


def questions(corpus: Corpus, count: int) -> dict[str, np.ndarray]:
    """Return questions of five words of a chunk, each with a vector near that of the chunk."""
    drawn, found = np.random.default_rng(1), {}
    space = corpus.spaces[0]
    for place in drawn.choice(corpus.chunks.height, count, replace=False):
        vector = space.vectors[place] + 0.02 * drawn.standard_normal(_DIMENSION).astype(np.float32)
        words = " ".join(drawn.choice(corpus.chunks["text"][int(place)].split(), 5))
        found[words] = (vector / np.linalg.norm(vector)).astype(np.float32)
    return found


def connected(kind: str, address: str, folder: Path) -> Callable[[], VersionStore] | None:
    """Return how an engine is connected to; None: it is the folder. Tables of Lance lie beside it."""
    if kind == "folder":
        return None
    if kind == "lance":
        from rag_platform.index.stores.lance.lance_store import LanceStore

        (folder / "tables").mkdir(exist_ok=True)
        return partial(LanceStore, str(folder / "tables"), {}, FileLocks(folder / "locks"))
    from rag_platform.index.stores.postgres.postgres_store import PostgresStore

    return partial(PostgresStore, address, "benchmark_versions")


def asked(kind: str, address: str, folder: Path) -> None:
    """Be a reader: tell what each way to answer takes; then, for each line of stdin, when that version answers."""
    given = dict(np.load(folder / "questions.npz"))
    reader = Versions(
        folder / "index" if kind == "folder" else folder / "none",
        store=connected(kind, address, folder),
        exact_below=_EXACT_BELOW,
    )
    begun = time.perf_counter()
    version = reader.live()
    view, told = version.view(()), {"open": time.perf_counter() - begun}
    few = version.catalog.allowed(Filters(collections=("few",)))
    search = Retriever(reader, lambda: Given(given), lambda: None, RetrievalSettings(mode="hybrid"))  # type: ignore[arg-type, return-value]
    ways: dict[str, Callable[[str, np.ndarray], Any]] = {
        "words": lambda text, _: version.lexical.search(text, 50, view.statistics, None),
        "vectors": lambda _, vector: version.vectors.search(vector, 50),
        "vectors, 3 %": lambda _, vector: version.vectors.search(vector, 50, few),
        "both, fused": lambda text, _: search.search(text, k=10),
    }
    for name, way in ways.items():
        times = []
        for text, vector in given.items():
            start = time.perf_counter()
            way(text, vector)
            times.append(1000 * (time.perf_counter() - start))
        told[f"{name} p50"], told[f"{name} p95"] = np.percentile(times, [50, 95]).tolist()
    recalls = [version.vectors.recall(vector, 10) for vector in [*given.values()][:50]]
    told["recall@10"] = float(np.mean(recalls))
    told["memory MB"] = _peak() / 1e6
    print(json.dumps(told), flush=True)
    for line in sys.stdin:
        while reader.live().id != line.strip():
            time.sleep(0.002)
        search.search(next(iter(given)), k=10)
        print(json.dumps(time.time()), flush=True)


def _peak() -> int:
    """Return the most bytes that this program has held: rusage also counts what the process held that began it."""
    return 1024 * int(re.findall(r"VmHWM:\s+(\d+)", Path("/proc/self/status").read_text())[0])


def measured(kind: str, address: str, folder: Path, corpora: list[Corpus]) -> dict[str, float]:
    """Return what one engine took."""
    store = connected(kind, address, folder)
    versions, told, made = Versions(folder / "index", store=store, exact_below=_EXACT_BELOW), {}, []
    for name, corpus in zip(("all", "1 % edited"), corpora, strict=True):
        begun = time.perf_counter()
        made.append(build(corpus, versions, partitions={}).version)
        built = time.perf_counter()
        versions.promote(made[-1], why="benchmark")
        told |= {f"build {name}": built - begun, f"publish {name}": time.perf_counter() - built}
    reader = versions.open(made[-1]).reader
    told["disk MB"] = reader.size / 1e6
    command = [
        sys.executable,
        "-m",
        "benchmarks.stores",
        "--asked",
        kind,
        "--postgres",
        address,
        "--folder",
        str(folder),
    ]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdin and process.stdout
    told |= json.loads(process.stdout.readline())
    for name, version in (("back", made[0]), ("forth", made[1]), ("back again", made[0])):
        start = time.time()
        versions.promote(version, why="benchmark")
        moved = time.time()
        print(version, file=process.stdin, flush=True)
        told[f"{name}: pointer"], told[f"{name}: answers"] = (
            moved - start,
            json.loads(process.stdout.readline()) - start,
        )
    process.stdin.close()
    process.wait()
    return told


def main() -> None:
    """Build, publish and ask with each engine."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", type=int, default=100_000)
    parser.add_argument("--queries", type=int, default=200)
    parser.add_argument("--stores", nargs="+", default=["folder", "postgres"])
    parser.add_argument(
        "--postgres", default="", help="a server with pgvector; by default that of the tests is started"
    )
    parser.add_argument("--asked", help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.asked:
        asked(given.asked, given.postgres, given.folder)
        return
    if "postgres" in given.stores and not given.postgres:
        from tests.postgres_server import postgres_server, with_pgvector

        with postgres_server(with_pgvector()) as address:
            _compare(given, address)
    else:
        _compare(given, given.postgres)


def _compare(given: argparse.Namespace, address: str) -> None:
    corpus = corpus_of(given.size)
    few = corpus.documents["doc_id"].gather_every(100).to_list()
    corpora, found = [corpus, edited(corpus, few)], {}
    for kind in given.stores:
        with tempfile.TemporaryDirectory() as folder:
            np.savez(Path(folder) / "questions.npz", **questions(corpus, given.queries))  # type: ignore[arg-type]
            found[kind] = measured(kind, address, Path(folder), corpora)
            print(kind, json.dumps(found[kind]), flush=True)
    first = found[given.stores[0]]
    print(f"| {given.size:,} chunks | {' | '.join(found)} | ratio |")
    for name in first:
        row, ratio = [one[name] for one in found.values()], [*found.values()][-1][name] / max(first[name], 1e-9)
        print(f"| {name} | {' | '.join(f'{value:.3g}' for value in row)} | {ratio:.2f} |")


if __name__ == "__main__":
    main()
