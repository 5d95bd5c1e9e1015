"""Ranking measures, from hits' spans: no chunk id is ever labelled.

A quote counts once, for the hit with which at least half of it has been shown (by that hit alone, or together with
the hits above it, so that cutting finer costs little). A hit also shows the near-duplicates collapsed into it, whose
text is nearly the same. A question that finds nothing scores 0.
"""

from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np
import polars as pl

from evals.questions.labels import Label, Span
from rag_platform.core.errors import MissingExtra

RANKING = {"nDCG@10": "nDCG@10", "R@10": "R@10", "Success@5": "Success@5", "MRR@10": "RR@10", "AP": "AP"}
"""Our name of each measure and that of ir_measures (MacAvaney et al., "Streamlining Evaluation with ir-measures",
ECIR 2022)."""


class Passage(Protocol):
    """A span of a document."""

    @property
    def doc_id(self) -> str: ...  # noqa: D102
    @property
    def span(self) -> tuple[int, int]: ...  # noqa: D102


class RankedPassage(Passage, Protocol):
    """A hit, or what is stored of one."""

    @property
    def chunk_id(self) -> str: ...  # noqa: D102
    @property
    def duplicates(self) -> Sequence[Passage]: ...  # noqa: D102


def credit(hits: Sequence[RankedPassage], labels: Sequence[Label]) -> list[str]:
    """Return a ranking to be measured: for each hit the ids of the quotes it completes, else its own chunk id."""
    shown: dict[Span, set[int]] = {}
    open_labels = list(labels)
    ranking = []
    for hit in hits:
        completed = [label for label in open_labels if _completes(hit, label, shown)]
        open_labels = [label for label in open_labels if label not in completed]
        ranking.extend([label.id for label in completed] or [hit.chunk_id])
    return ranking


def _completes(hit: RankedPassage, label: Label, shown: dict[Span, set[int]]) -> bool:
    """Add what the hit shows of a quote; return whether half of it has now been shown."""
    passages = [(hit.doc_id, hit.span), *((other.doc_id, other.span) for other in hit.duplicates)]
    if not label.relevant.quote:  # the whole document
        return any(span.doc_id == doc_id for span in label.spans for doc_id, _ in passages)
    complete = False
    for span in label.spans:
        for _, (start, end) in (passage for passage in passages if passage[0] == span.doc_id):
            seen = shown.setdefault(span, set())
            seen.update(range(max(span.start, start), min(span.end, end)))
            complete |= 2 * len(seen) >= span.end - span.start
    return complete


def rank_measures(
    relevant: Mapping[str, Mapping[str, int]],
    rankings: Mapping[str, Sequence[str]],
    measures: Mapping[str, str] = RANKING,
) -> pl.DataFrame:
    """Measure rankings (ids, best first) by what is relevant (question -> id -> grade).

    Returns:
        One row per question of `relevant`, also of those without a ranking: `id` and one column per measure.
    """
    try:
        import ir_measures
    except ImportError as error:
        raise MissingExtra("ir-measures", "eval", "measuring rankings") from error
    names = {ir_measures.parse_measure(theirs): ours for ours, theirs in measures.items()}
    rows = {question: {"id": question, **dict.fromkeys(measures, 0.0)} for question in relevant}
    run = [
        # ranks stand for scores: the measures would put equal scores in an order of their own
        ir_measures.ScoredDoc(question, found, -float(rank))
        for question, ranking in rankings.items()
        if question in rows
        for rank, found in enumerate(dict.fromkeys(ranking))
    ]
    qrels = [
        ir_measures.Qrel(question, key, grade) for question, keys in relevant.items() for key, grade in keys.items()
    ]
    for metric in ir_measures.iter_calc(list(names), qrels, run) if qrels else ():
        rows[metric.query_id][names[metric.measure]] = float(metric.value)
    return pl.DataFrame(list(rows.values()), schema={"id": pl.String, **dict.fromkeys(measures, pl.Float64)})


def latency(milliseconds: Sequence[float]) -> dict[str, float]:
    """Return the median and the 95th percentile of times in milliseconds; nothing of nothing."""
    if not len(milliseconds):
        return {}
    p50, p95 = np.percentile(milliseconds, [50, 95])
    return {"ms_p50": round(float(p50), 3), "ms_p95": round(float(p95), 3)}
