"""What a version found for each question, with the quotes as they stand in it: ranks, own hits, rivals."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from evals.measures.rank_metrics import credit
from evals.measures.scoring import Scores
from evals.questions.labels import Label, asked_documents, locate
from evals.questions.question import Question
from rag_platform.index.releases.open_version import OpenVersion


@dataclass(frozen=True, slots=True, eq=False)
class EvaluatedVersion:
    """A version and what it found."""

    version: OpenVersion
    scores: Scores
    retrieval: Mapping[str, Any]
    """The retrieval settings it was searched with."""


@dataclass(frozen=True, slots=True)
class RunHit:
    """A hit as `evals.measures.rank_metrics.credit` takes it."""

    chunk_id: str
    doc_id: str
    span: tuple[int, int]
    rank: int
    after: bool
    """Whether the later of the two versions found it."""
    duplicates: tuple["RunHit", ...] = ()
    """Near-duplicates that were collapsed into it."""


class Run:
    """What one version found, with the labels as they stand in it."""

    def __init__(self, measured: EvaluatedVersion, questions: Sequence[Question], metric: str, *, after: bool) -> None:
        rows = measured.scores.questions.select("id", "hits", pl.col(metric).alias("value"))
        self.hits = {key: _hits(hits, after=after) for key, hits, _ in rows.iter_rows()}
        self.values = {key: value for key, _, value in rows.iter_rows()}
        self._version = measured.version
        self.labels: dict[str, list[Label]] = {question.id: [] for question in questions}
        for label in locate(questions, asked_documents(questions, measured.version)):
            self.labels[label.question_id].append(label)

    def text(self, doc_id: str) -> str:
        """Return a document's text; nothing when the version does not have it."""
        return self._version.catalog.texts([doc_id]).get(doc_id) or ""

    def rank(self, question: str) -> int | None:
        """Return the rank of the hit that completes the first quote."""
        hits, labels = self.hits[question], self.labels[question]
        wanted = {label.id for label in labels}
        ranking = credit(hits, labels)
        return next((place for place, found in enumerate(ranking, start=1) if found in wanted), None)

    def own(self, question: str) -> set[str]:
        """Name the hits that show something of a quote."""
        spans = [(label.relevant.quote, span) for label in self.labels[question] for span in label.spans]
        return {
            hit.chunk_id
            for hit in self.hits[question]
            for passage in (hit, *hit.duplicates)
            for quote, span in spans
            if passage.doc_id == span.doc_id
            and (not quote or (passage.span[0] < span.end and span.start < passage.span[1]))
        }


def _hits(rows: Iterable[Mapping[str, Any]] | None, *, after: bool) -> list[RunHit]:
    return [_hit(row, rank, after=after) for rank, row in enumerate(rows or (), start=1)]


def _hit(row: Mapping[str, Any], rank: int, *, after: bool) -> RunHit:
    duplicates = tuple(_hit(other, rank, after=after) for other in row.get("duplicates") or ())
    return RunHit(row["chunk_id"], row["doc_id"], (row["start"], row["end"]), rank, after, duplicates)


def weight(rank: int | None) -> float:
    """Return what a rank is worth, as in nDCG; nothing for what was not found."""
    return 1 / math.log2(rank + 1) if rank else 0.0


def weights_of(then: Sequence[RunHit], now: Sequence[RunHit]) -> dict[str, float]:
    """Return how much each hit that moved gained or lost by its rank."""
    ranks = [{hit.chunk_id: hit.rank for hit in hits} for hits in (then, now)]
    keys = dict.fromkeys(hit.chunk_id for hit in (*then, *now))
    gains = {key: abs(weight(ranks[0].get(key)) - weight(ranks[1].get(key))) for key in keys}
    return {key: gain for key, gain in gains.items() if gain}


def rivals_of(
    then: Sequence[RunHit], now: Sequence[RunHit], own: set[str], ranks: tuple[int | None, int | None]
) -> set[str]:
    """Name the hits that stand above a question's own in one version only; all others when its rank is the same."""
    others = [{hit.chunk_id for hit in hits} - own for hits in (then, now)]
    if ranks[0] == ranks[1]:
        return others[0] ^ others[1] or others[0]
    above = [
        {hit.chunk_id for hit in hits if rank is None or hit.rank < rank} - own
        for hits, rank in zip((then, now), ranks, strict=True)
    ]
    worse = ranks[1] is None or (ranks[0] is not None and ranks[1] > ranks[0])
    return (above[1] - above[0] if worse else above[0] - above[1]) or (others[0] ^ others[1])
