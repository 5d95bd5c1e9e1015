"""What a version costs after an edit, and a question in versions of several segments against one that is whole.

    python -m benchmarks.segments DOCS --home DIR [--sizes 100000 1000000] [--queries 300]

See benchmarks/large.py for the corpora. Told are the seconds and the bytes of a build from nothing, of one after the
edit of one document and of one after the edit of one in a hundred, and what a question takes by words, by vectors and
by both in versions that came to so many segments by growing: each addition is half as large as the one before.
"""

import shutil
import statistics
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl

from benchmarks.large import arguments_of, corpus_of, questions, workspace
from rag_platform.core.hits import Filters
from rag_platform.index.build.builder import build
from rag_platform.index.build.corpus import Corpus
from rag_platform.index.keys import among
from rag_platform.index.releases.open_version import OpenVersion
from rag_platform.index.releases.versions import Versions
from rag_platform.workspace import Workspace

_SEGMENTS = (1, 4, 8)
_EDITED = 100
"""One document in so many is edited."""


def edited(corpus: Corpus, doc_ids: Sequence[str]) -> Corpus:
    """Return the corpus with a word more in these documents, and in the first chunk of each."""
    own, word = pl.col("doc_id").is_in(list(doc_ids)), pl.lit(" amended")
    changed = pl.when(own).then(pl.col("revision") + "x").otherwise("revision").alias("revision")
    text = pl.when(own).then(pl.col("text") + word).otherwise("text").alias("text")
    first = pl.when(own & (pl.col("ordinal") == 0)).then(pl.col("text") + word).otherwise("text").alias("text")
    return replace(
        corpus,
        documents=corpus.documents.with_columns(changed, text),
        chunks=corpus.chunks.with_columns(changed, first),
    )


def of_documents(corpus: Corpus, documents: pl.DataFrame) -> Corpus:
    """Return what the corpus has of these documents."""
    chunks = corpus.chunks.filter(pl.col("doc_id").is_in(documents["doc_id"].implode()))
    keys = chunks["key"].to_numpy()
    spaces = []
    for space in corpus.spaces:
        own = among(space.keys, keys)
        spaces.append(replace(space, keys=space.keys[own], vectors=space.vectors[own]))
    return replace(corpus, documents=documents, chunks=chunks, spaces=tuple(spaces))


def grown(corpus: Corpus, versions: Versions, segments: int) -> OpenVersion:
    """Build versions one after the other, each with more documents, until there are so many segments."""
    left = corpus.documents.height
    sizes = [left >> (step + 1) for step in range(segments - 1)]
    for size in [*np.cumsum(sizes).tolist(), left]:
        _publish(of_documents(corpus, corpus.documents.head(size)), versions)
    return versions.live()


def _publish(corpus: Corpus, versions: Versions) -> tuple[float, float, int]:
    """Return the seconds of the build and of the publication, and the bytes that were written."""
    start = time.perf_counter()
    made = build(corpus, versions, partitions={})
    built = time.perf_counter()
    versions.promote(made.version, why="benchmark")
    return built - start, time.perf_counter() - built, made.bytes_written


def _asked(version: OpenVersion, texts: Sequence[str], vectors: np.ndarray) -> dict[str, float]:
    """Return median milliseconds of a question by words and by vectors, each alone."""
    view, allowed = version.view(()), version.catalog.allowed(Filters())
    took: dict[str, list[float]] = {"words": [], "vectors": []}
    for turn in range(2):  # the first warms
        for text, vector in zip(texts, vectors, strict=True):
            start = time.perf_counter()
            version.lexical.search(text, 100, view.statistics, allowed)
            between = time.perf_counter()
            version.vectors.search(vector, 100, allowed)
            if turn:
                took["words"].append(between - start)
                took["vectors"].append(time.perf_counter() - between)
    return {name: 1000 * statistics.median(found) for name, found in took.items()}


def _changes(corpus: Corpus, folder: Path) -> None:
    versions, ids = Versions(folder), corpus.documents["doc_id"].to_list()
    edits = {"everything": [], "one document": ids[len(ids) // 2 :][:1], "one in a hundred": ids[::_EDITED]}
    for name, chosen in edits.items():
        seconds, publishing, written = _publish(edited(corpus, chosen), versions)
        print(
            f"  {name:18} built in {seconds:7.1f} s, published in {publishing:5.2f} s, {written / 1e6:9.1f} MB",
            flush=True,
        )


def _compare(work: Workspace, corpus: Corpus, folder: Path, count: int) -> None:
    """Ask versions of one and of several segments in turn, so that what else runs here slows all alike."""
    opened = {}
    for segments in _SEGMENTS:
        opened[segments] = grown(corpus, Versions(folder / str(segments)), segments)
    texts = questions(Versions(folder / "1"), count)
    vectors = np.stack([work.embedder.embed_query(text) for text in texts])
    rounds = [{segments: _asked(version, texts, vectors) for segments, version in opened.items()} for _ in range(3)]
    for segments, version in opened.items():
        took = {name: min(one[segments][name] for one in rounds) for name in ("words", "vectors")}
        recall = np.mean([version.vectors.recall(vector, 10) for vector in vectors[:100]])
        parts = ", ".join(f"{name} {milliseconds:.2f} ms" for name, milliseconds in took.items())
        print(
            f"  {len(version.segments)} segments: {parts}, both {sum(took.values()):.2f} ms, recall {recall:.4f}",
            flush=True,
        )


def main() -> None:
    """Measure and print."""
    arguments = arguments_of(__doc__).parse_args()
    work = workspace(arguments.home, arguments.docs)
    for size in arguments.sizes:
        print(f"{size:,} chunks", flush=True)
        corpus, folder = corpus_of(work, size), arguments.home / f"segments-{size}"
        shutil.rmtree(folder, ignore_errors=True)
        _changes(corpus, folder / "changes")
        shutil.rmtree(folder)
        _compare(work, corpus, folder, arguments.queries)
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
