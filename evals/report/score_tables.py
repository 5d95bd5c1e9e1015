"""Scores to the rows of a report: each measure, and each group of questions, with its interval and its change."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import polars as pl

from evals.measures.answer_metrics import ABSTENTION, ANSWERING, STATES
from evals.measures.intervals import interval, mean
from evals.measures.ragas_metrics import RAGAS
from evals.measures.rank_metrics import RANKING
from evals.measures.scoring import MEASURES, RETRIEVERS, Scores

Interval = tuple[float, float] | None

FAMILIES = {
    "Finding": (*RANKING, *RETRIEVERS.values()),
    "Answering": (*ANSWERING, *ABSTENTION),
    "Sentences of the answers": STATES,
    "Ragas, without a judge": RAGAS,
}
MEANINGS = {
    "nDCG@10": "1 when the right passages stand at the top, less the further down",
    "R@10": "share of the right passages among the first ten",
    "Success@5": "share of questions with a right passage among the first five",
    "MRR@10": "mean of one divided by the rank of the first right passage",
    "AP": "average precision",
    RETRIEVERS["lexical"]: "by words alone",
    RETRIEVERS["vector"]: "by meaning alone",
    "answered": "share of answerable questions that were answered",
    "contains_gold": "the accepted answer stands in the answer",
    "gold_recall": "share of the accepted answer's words in the answer",
    "cited_verbatim": "share of citations that stand word for word in the document",
    "cites_quote": "share of answers that cite the labelled place",
    "cites_document": "share of answers that cite the labelled document",
    "quoted": "share of an answer's sentences that stand in a source word for word",
    "supported": "share of them that a check found supported",
    "not verified": "share of them that no check found supported",
    "contradicted": "share of them that a source contradicts",
    "abstained": "share of unanswerable questions that were declined",
    "abstention_precision": "how often it was right to decline",
    "abstention_recall": "how often it declined when that was right",
    "ms_p50": "milliseconds of the median search",
    "ms_p95": "milliseconds that 95 of 100 searches stay below",
}


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """A measure, or a group of questions under one measure."""

    name: str
    questions: int | None
    """How many have a value; None for a measure of the whole set."""
    value: float | None
    interval: Interval
    live: float | None
    gain: float | None
    gain_interval: Interval
    """Paired: over each question's own difference."""

    @property
    def meaning(self) -> str:
        """What the measure says, in half a sentence."""
        return MEANINGS.get(self.name, "")


def families(candidate: Scores, live: Scores | None) -> dict[str, list[ScoreRow]]:
    """Return the measures that have a value, family by family; what is in none comes last."""
    rows = {row.name: row for row in _measures(candidate, live)}
    known = {name for names in FAMILIES.values() for name in names}
    names = {**FAMILIES, "Speed and others": [name for name in rows if name not in known]}
    found = {family: [rows[name] for name in members if name in rows] for family, members in names.items()}
    return {family: members for family, members in found.items() if members}


def of_metric(candidate: Scores, live: Scores | None, metric: str) -> ScoreRow | None:
    """Return the measure that decides; None when nothing has a value."""
    return next((row for row in _measures(candidate, live) if row.name == metric), None)


def _measures(candidate: Scores, live: Scores | None) -> Iterator[ScoreRow]:
    order = [*(name for name in MEASURES if name in candidate.means), *candidate.means]
    for name in dict.fromkeys(order):
        if name in candidate.questions.columns:
            pairs = _pairs(candidate.deciding, live.deciding if live else None, name)
            yield _row(name, pairs, candidate.means[name], live.means.get(name) if live else None)
        else:
            value, before = candidate.means[name], live.means.get(name) if live else None
            yield ScoreRow(name, None, value, None, before, None if before is None else value - before, None)


def groups(candidate: Scores, live: Scores | None, metric: str) -> dict[str, list[ScoreRow]]:
    """Return the metric per tag, language and, when there are several, split."""
    made = {}
    for title, column in (("Tag", "tags"), ("Language", "language"), ("Split", "split")):
        if column in candidate.questions.columns and metric in candidate.questions.columns:
            rows = [*_grouped(candidate, live, metric, column)]
            if len(rows) > 1 or column == "tags":
                made[title] = rows
    return {title: rows for title, rows in made.items() if rows}


def _grouped(candidate: Scores, live: Scores | None, metric: str, column: str) -> Iterator[ScoreRow]:
    rows = candidate.questions if column == "split" else candidate.deciding
    members = rows.select("id", pl.col(column).alias("group"))
    members = members.explode("group") if column == "tags" else members
    for group in sorted(members["group"].drop_nulls().unique()):
        ids = members.filter(pl.col("group") == group)["id"]
        own = [frame.questions.filter(pl.col("id").is_in(ids.to_list())) for frame in (candidate, live) if frame]
        pairs = _pairs(own[0], own[1] if live else None, metric)
        if pairs.height:
            yield _row(group, pairs, mean(pairs["now"]) or 0.0, mean(pairs["then"]))


def _pairs(now: pl.DataFrame, then: pl.DataFrame | None, metric: str) -> pl.DataFrame:
    """Return `now` and `then` of the questions with a value now; `then` is null where there is none."""
    mine = now.select("id", now=metric).drop_nulls("now")
    if then is None:
        return mine.with_columns(then=pl.lit(None, pl.Float64))
    return mine.join(then.select("id", then=metric), on="id", how="left", maintain_order="left")


def _row(name: str, pairs: pl.DataFrame, value: float, live: float | None) -> ScoreRow:
    gains = (pairs["now"] - pairs["then"]).drop_nulls().to_numpy()
    compared = live is not None and len(gains) > 0
    return ScoreRow(
        name=name,
        questions=pairs.height,
        value=value,
        interval=interval(pairs["now"].to_numpy()),
        live=live,
        gain=float(np.mean(gains)) if compared else None,
        gain_interval=interval(gains) if compared else None,
    )
