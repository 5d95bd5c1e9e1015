"""How well, and how fast, each way of searching finds the documents of a BEIR-style folder."""

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from evals.benchmark.beir import BeirFolder
from evals.measures.intervals import mean
from evals.measures.rank_metrics import latency, rank_measures
from evals.questions.question import Question
from rag_platform.config.settings import MODES, Mode
from rag_platform.core.ports import Progress, silent
from rag_platform.retrieval.results import SearchResult

DOCUMENT_MEASURES = {"nDCG@10": "nDCG@10", "R@100": "R@100", "AP": "AP", "MRR@10": "RR@10"}
DEPTH = 100
"""Documents ranked per question."""
SERVED = 10
"""Hits of a search as it is served, which is what is timed."""
_TIMED = 100
"""Questions timed per mode, evenly chosen."""
_WIDEST = 64 * DEPTH

BeirSearch = Callable[[str, Mode, int], SearchResult]
"""(question, mode, k) to its k best chunks."""


def evaluate_folder(
    folder: BeirFolder,
    open_search: Callable[[BeirFolder], BeirSearch],
    *,
    modes: Sequence[Mode] = MODES,
    reporter: Callable[[str], Progress] = lambda _stage: silent,
) -> dict[str, Any]:
    """Index a folder's corpus and score each mode of searching it.

    Args:
        folder: What to score.
        open_search: Indexes the corpus, or finds it indexed, and returns its search.
        modes: Ways of searching.
        reporter: Makes a progress callback for each mode.

    Returns:
        dataset, split, docs, queries (scored), modes (mode -> measure -> value, with `ms_p50` and `ms_p95`), seconds
        (in all), seconds_indexing, problems (rows left out).
    """
    start = time.perf_counter()
    search = open_search(folder)
    indexed = time.perf_counter()
    scores = {mode: evaluate_run(folder, search, mode, progress=reporter(mode)) for mode in modes}
    return {
        "dataset": folder.name,
        "split": folder.split,
        "docs": len(folder.documents),
        "queries": len(folder.qrels),
        "modes": scores,
        "seconds": round(time.perf_counter() - start, 3),
        "seconds_indexing": round(indexed - start, 3),
        "problems": list(folder.problems),
    }


def evaluate_run(
    folder: BeirFolder, search: BeirSearch, mode: Mode, *, progress: Progress = silent
) -> dict[str, float | None]:
    """Score one mode: the mean of each measure over the judged questions, and milliseconds of a search."""
    queries = [folder.questions[key] for key in folder.qrels]
    rankings = rank_documents(folder, search, mode, queries, progress)
    measured = rank_measures(folder.qrels, rankings, DOCUMENT_MEASURES)
    means: dict[str, float | None] = {name: round(mean(measured[name]) or 0.0, 4) for name in DOCUMENT_MEASURES}
    return means | latency(_served(queries, search, mode))


def rank_documents(
    folder: BeirFolder, search: BeirSearch, mode: Mode, queries: Sequence[Question], progress: Progress = silent
) -> Mapping[str, list[str]]:
    """Rank documents by their best chunk, asking for as many chunks as the wanted number of documents needs."""
    width, rankings = DEPTH, {}
    wanted = min(DEPTH, len(folder.documents))
    for done, question in enumerate(queries, start=1):
        while True:
            hits = search(question.question, mode, width).hits
            found = list(dict.fromkeys(uri for hit in hits for uri in (hit.uri, *hit.also_in)))
            if len(found) >= wanted or len(hits) < width or width >= _WIDEST:
                break
            width *= 2  # documents are long: the questions that follow start from here
        rankings[question.id] = [uri for uri in found if not _is_itself(folder, question, uri)][:DEPTH]
        progress(done, len(queries))
    return rankings


def _is_itself(folder: BeirFolder, question: Question, uri: str) -> bool:
    """Return whether a document is the question (as in ArguAna): finding it proves nothing."""
    document = folder.documents.get(uri) if uri == question.id else None
    return document is not None and document.text.strip() == question.question


def _served(queries: Sequence[Question], search: BeirSearch, mode: Mode) -> list[float]:
    """Time searches as they are served: the ranking above asks for many more hits than a page shows."""
    milliseconds = []
    for question in queries[:: -(-len(queries) // _TIMED)]:
        start = time.perf_counter()
        search(question.question, mode, SERVED)
        milliseconds.append((time.perf_counter() - start) * 1000)
    return milliseconds
