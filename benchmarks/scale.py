"""What a query costs in a large index: each stage, opening, memory, disk, and what the graph of vectors finds.

    python -m benchmarks.scale DOCS --home DIR [--sizes 100000 1000000] [--queries 300]

See benchmarks/large.py for the corpora. The first call embeds the documents, and builds an index of each size; both
are kept in --home. Each size is measured in a process of its own.
"""

import multiprocessing
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np

from benchmarks.large import arguments_of, questions, versions_of, workspace
from rag_platform.config.settings_file import load_settings
from rag_platform.index.releases.versions import Versions
from rag_platform.retrieval import Retriever
from rag_platform.workspace import Workspace


def measure(home: Path, folder: Path, count: int) -> dict:
    """Open a version and ask; milliseconds, MB."""
    work = Workspace(load_settings(home))
    asked = questions(Versions(folder), count)
    work.embedder.embed_query("warm")
    before = _memory()
    versions = Versions(folder, exact_below=work.settings.index.exact_below)
    start = time.perf_counter()
    live = versions.live()
    opening = time.perf_counter() - start
    retriever = Retriever(versions, lambda: work.embedder, lambda: work.reranker, work.settings.retrieval)
    start = time.perf_counter()
    retriever.search(asked[0], mode="hybrid")
    first = time.perf_counter() - start
    for question in asked[: count // 10]:
        retriever.search(question, mode="hybrid")
    took = {mode: _took(retriever, asked, mode) for mode in ("hybrid", "rerank")}
    memory = _memory()
    vectors = [work.embedder.embed_query(question) for question in asked[:200]]
    recall = float(np.mean([live.vectors.recall(vector, 10) for vector in vectors]))
    return {
        "opening": opening,
        "first": first,
        "took": took,
        "memory": (before, memory),
        "recall": recall,
        "disk": {name: size for name, size in _disk(live.folder).items() if size > 0.05},
    }


def _took(retriever: Retriever, asked: list[str], mode: str) -> dict[str, tuple[float, float]]:
    runs = [retriever.search(question, mode=mode).took_ms for question in asked]
    return {stage: tuple(np.percentile([run.get(stage, 0) for run in runs], (50, 95))) for stage in runs[0]}


def _memory() -> dict[str, float]:
    """Return the resident memory of this process in MB: its own, and what is mapped from files."""
    status = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    return {name: int(status[name].split()[0]) / 1024 for name in ("RssAnon", "RssFile")}


def _disk(folder: Path) -> dict[str, float]:
    sizes: dict[str, float] = {}
    for path in folder.rglob("*"):
        if path.is_file():
            name = path.relative_to(folder).parts[0]
            sizes[name] = sizes.get(name, 0) + path.stat().st_size / 1e6
    return sizes


def _show(size: int, found: dict) -> None:
    print(f"\n{size:,} chunks: opened in {found['opening']:.2f} s, first question {1000 * found['first']:.0f} ms")
    for mode, took in found["took"].items():
        for stage, (median, slow) in took.items():
            print(f"  {mode:8}{stage:10} p50 {median:8.2f} ms   p95 {slow:8.2f} ms")
    own, mapped = (found["memory"][1][name] - found["memory"][0][name] for name in ("RssAnon", "RssFile"))
    print(f"  memory: {own:,.0f} MB of its own and {mapped:,.0f} MB of mapped files more than before it was opened")
    print(f"  recall@10 of the graph against exact search: {found['recall']:.4f}")
    parts = ", ".join(f"{name} {megabytes:,.0f}" for name, megabytes in sorted(found["disk"].items()))
    print(f"  disk: {sum(found['disk'].values()):,.0f} MB ({parts})")


def main() -> None:
    """Measure and print."""
    arguments = arguments_of(__doc__).parse_args()
    work = workspace(arguments.home, arguments.docs)
    for size in arguments.sizes:
        folder = versions_of(work, size).folder
        with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as process:
            _show(size, process.submit(measure, arguments.home, folder, arguments.queries).result())


if __name__ == "__main__":
    main()
