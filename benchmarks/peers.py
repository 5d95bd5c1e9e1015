"""This index beside Chroma, LanceDB and txtai: the same texts and vectors, one machine, one run.

    python -m benchmarks.peers DOCS --home DIR --python PEERS/bin/python [--sizes 50000] [--queries 200]

PEERS is an environment of its own with `chromadb`, `lancedb` and `txtai`. The vectors of the questions are given to
all, so that only the searching is measured. Each phase is a process of its own. An update replaces 1 % of the rows.
Here that makes a whole new version, which the others have no notion of: the one before stays and can be gone back to.
"""

import json
import multiprocessing
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl

from benchmarks.large import arguments_of, corpus_of, questions, versions_of, workspace
from benchmarks.peer import SYSTEMS, phase
from rag_platform.config.settings import IndexSettings, RetrievalSettings
from rag_platform.core.ids import digest
from rag_platform.index.build.builder import build
from rag_platform.index.build.corpus import Corpus
from rag_platform.index.releases.versions import Versions
from rag_platform.retrieval import Retriever

_SHARE = 0.01


class Given(threading.local):
    """Returns the vector that the question comes with, which each thread sets for itself."""

    vector: np.ndarray

    def embed_query(self, text: str) -> np.ndarray:  # noqa: ARG002
        """Return it."""
        return self.vector


class Ours:
    """A version, as `rag sync` builds it, and the search of it without reranking."""

    def __init__(self, folder: Path, corpus: Corpus | None = None) -> None:
        self._folder, self._corpus = folder, corpus
        self._versions = Versions(folder / "ours", exact_below=IndexSettings().exact_below)

    def build(self, texts: list[str], vectors: np.ndarray) -> None:  # noqa: ARG002  (they are in the corpus)
        """Build a version and publish it."""
        self._versions.promote(build(self._corpus, self._versions, partitions={}).version, why="benchmark")

    def update(self, texts: list[str], vectors: np.ndarray, rows: np.ndarray) -> None:
        """Build the version in which these rows have another text, and publish it."""
        changed = pl.Series(np.isin(np.arange(len(texts)), rows))
        hashes = [digest(text, "changed") for text in self._corpus.chunks["text_hash"]]
        now = pl.when(changed).then(pl.Series(hashes)).otherwise(pl.col("text_hash"))
        self._corpus = replace(self._corpus, chunks=self._corpus.chunks.with_columns(text_hash=now))
        self.build(texts, vectors)

    def open(self) -> dict:
        """Return the ways to ask."""
        given = Given()
        live = self._versions.live()
        retriever = Retriever(
            self._versions,
            lambda: given,
            lambda: given,
            RetrievalSettings(collapse=False, merge=False, feedback=0),  # by feedback others than the nearest are found
        )
        places = {key: place for place, key in enumerate(live.catalog.keys.tolist())}
        ids = {chunk_id: places[key] for chunk_id, key in live.catalog.chunks("chunk_id", "key").iter_rows()}

        def ask(mode: str) -> Callable[[str, np.ndarray], list[int]]:
            def asked(question: str, vector: np.ndarray) -> list[int]:
                given.vector = vector
                return [ids[hit.chunk_id] for hit in retriever.search(question, mode=mode).hits]

            return asked

        return {"vector": ask("vector"), "hybrid": ask("hybrid")}


def run_ours(name: str, folder: Path, corpus: Corpus | None) -> dict:
    """Run a phase of this index."""
    return phase(Ours(folder, corpus), name, folder)


def of_system(system: str, name: str, folder: Path, python: Path, corpus: Corpus) -> dict:
    """Run a phase in a process of its own."""
    if system == "ours":
        with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as process:
            return process.submit(run_ours, name, folder, corpus if name != "query" else None).result()
    command = [python, Path(__file__).with_name("peer.py"), system, name, folder]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(done.stdout.splitlines()[-1])


def write_inputs(folder: Path, corpus: Corpus, asked: list[str], vectors: np.ndarray) -> np.ndarray:
    """Write what all systems are given; returns the exact first 10 of each question."""
    (folder / "texts.json").write_text(json.dumps(corpus.chunks["text"].to_list()))
    (folder / "questions.json").write_text(json.dumps(asked))
    np.save(folder / "questions.npy", vectors)
    np.save(folder / "vectors.npy", corpus.spaces[0].vectors)
    count = len(corpus.spaces[0].vectors)
    np.save(folder / "changed.npy", np.random.default_rng(2).choice(count, int(_SHARE * count), replace=False))
    return np.argsort(-(vectors @ corpus.spaces[0].vectors.T), axis=1)[:, :10]


def measure(system: str, folder: Path, python: Path, corpus: Corpus, exact: np.ndarray) -> str:
    """Run all phases of a system; returns its line."""
    built = of_system(system, "build", folder, python, corpus)
    disk = sum(path.stat().st_size for path in (folder / system).rglob("*") if path.is_file()) / 1e6
    asked = of_system(system, "query", folder, python, corpus)
    updated = of_system(system, "update", folder, python, corpus)
    shutil.rmtree(folder / system)
    found = asked["ways"]["vector"]["found"]
    recall = np.mean([len(set(one) & set(best)) / 10 for one, best in zip(found, exact.tolist(), strict=True)])
    took = "".join(
        "{:8.1f} {:7.1f}".format(*np.percentile(asked["ways"][way]["took"], (50, 95)))
        if way in asked["ways"]
        else f"{'-':>8} {'-':>7}"
        for way in ("vector", "hybrid")
    )
    return (
        f"{system:9}{built['seconds']:8.1f} s{took}{recall:9.4f}{asked['memory']:9,.0f} MB{disk:9,.0f} MB"
        f"{updated['seconds']:9.1f} s"
    )


def main() -> None:
    """Measure and print."""
    parser = arguments_of(__doc__)
    parser.add_argument("--python", type=Path, required=True, help="interpreter that has the other systems")
    parser.add_argument(
        "--systems", nargs="+", default=["ours", "chroma", "lancedb", "txtai"], choices=["ours", *SYSTEMS]
    )
    arguments = parser.parse_args()
    work = workspace(arguments.home, arguments.docs)
    for size in arguments.sizes:
        corpus = corpus_of(work, size)
        asked = list(dict.fromkeys(questions(versions_of(work, size), arguments.queries)))
        vectors = np.stack([work.embedder.embed_query(question) for question in asked])
        print(f"{size:,} chunks; vector and hybrid query p50 and p95 in ms")
        print(f"{'':9}{'build':>10}{'vector':>16}{'hybrid':>16}{'recall':>9}{'memory':>12}{'disk':>12}{'update':>11}")
        with tempfile.TemporaryDirectory() as folder:
            exact = write_inputs(Path(folder), corpus, asked, vectors)
            for system in arguments.systems:
                print(measure(system, Path(folder), arguments.python, corpus, exact), flush=True)


if __name__ == "__main__":
    main()
