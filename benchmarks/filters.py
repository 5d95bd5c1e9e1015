"""Filtered search against exact filtered search, at 0.01 %, 1 %, 10 % and 90 % of the rows.

    python -m benchmarks.filters DOCS --home DIR [--sizes 100000] [--queries 200]

See benchmarks/large.py for the corpora. The reference compares the question with every allowed row, and ranks every
row of the lexical index by its score. "hybrid" is the whole search, with the question's embedding.
"""

import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from benchmarks.large import SHARES, arguments_of, questions, versions_of, workspace
from rag_platform.core.hits import Filters
from rag_platform.index.releases.open_version import OpenVersion
from rag_platform.retrieval import Retriever
from rag_platform.workspace import Workspace

_K = 10
_COMPARED = 60
"""Questions whose results are compared with the reference, which takes long."""


def reference(live: OpenVersion, part: str, asked: object, allowed: np.ndarray | None) -> np.ndarray:
    """Return the scores of the exact first `_K` among the allowed, best first."""
    if part == "vector":
        keys = live.catalog.keys if allowed is None else allowed
        scores = np.concatenate([live.vectors.similarities(asked, block) for block in np.array_split(keys, 20)])
        return np.sort(scores)[::-1][:_K]
    keys, scores = live.lexical.search(asked, live.size, live.whole_view.statistics)
    return scores[:_K] if allowed is None else scores[np.isin(keys, allowed)][:_K]


def recall(found: np.ndarray, exact: np.ndarray) -> float:
    """Return the share of the exact first that were found, rows of equal score taken for one another."""
    return float((found[: len(exact)] >= exact[-1] - 1e-6).mean()) if len(exact) else 1.0


def timed(search: Callable[[], object]) -> float:
    """Return milliseconds."""
    start = time.perf_counter()
    search()
    return 1000 * (time.perf_counter() - start)


def measure(live: OpenVersion, work: Workspace, asked: list[str], filters: Filters) -> dict[str, tuple]:
    """Return of each way to search its recall and the p50 and p95 of its milliseconds."""
    retriever = Retriever(work.versions, lambda: work.embedder, lambda: work.reranker, work.settings.retrieval)
    allowed, depth = live.catalog.allowed(filters), work.settings.retrieval.depth
    embedded = [work.embedder.embed_query(question) for question in asked]
    found = {}
    for part, index, values in (("lexical", live.lexical, asked), ("vector", live.vectors, embedded)):
        took = [timed(lambda value=value, index=index: index.search(value, depth, allowed)) for value in values]
        recalls = [
            recall(index.search(value, depth, allowed)[1][:_K], reference(live, part, value, allowed))
            for value in values[:_COMPARED]
        ]
        found[part] = (float(np.mean(recalls)), *np.percentile(took, (50, 95)))
    took = [timed(lambda q=q: retriever.search(q, mode="hybrid", filters=filters)) for q in asked]
    return found | {"hybrid": (float("nan"), *np.percentile(took, (50, 95)))}


def show(home: Path, docs: Path, size: int, count: int) -> None:
    """Measure an index of that size and print."""
    work = workspace(home, docs)
    work.versions = versions_of(work, size)
    live = work.versions.live()
    asked = questions(work.versions, count)
    measure(live, work, asked[:20], Filters())  # warm
    plain = measure(live, work, asked, Filters())
    print(f"\n{size:,} chunks{'':12}" + "".join(f"{part:>34}" for part in plain))
    for name, filters in {"no filter": Filters(), **{name: Filters(tags=(name,)) for name in SHARES}}.items():
        found = measure(live, work, asked, filters) if filters != Filters() else plain
        cells = (
            f"{'' if np.isnan(share) else f'recall {share:.4f}':>14} p50 {median:5.1f} p95 {slow:6.1f}"
            for share, median, slow in found.values()
        )
        ratio = found["hybrid"][2] / plain["hybrid"][2]
        print(f"  {name:18}" + "".join(f"{cell:>34}" for cell in cells) + f"   p95 x {ratio:.2f}", flush=True)


def main() -> None:
    """Measure and print."""
    arguments = arguments_of(__doc__).parse_args()
    for size in arguments.sizes:
        show(arguments.home, arguments.docs, size, arguments.queries)


if __name__ == "__main__":
    main()
