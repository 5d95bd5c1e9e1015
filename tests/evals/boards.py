"""Scores made from nothing but the values of one measure."""

from collections.abc import Mapping

import polars as pl

from evals.measures.scoring import QUESTIONS, Scores


def board(values: Mapping[str, float | None], *, metric: str = "nDCG@10", **fields: object) -> Scores:
    """Return scores of these questions; `fields` override those of `Scores`."""
    rows = [{"id": key, "question": f"{key}?", "answerable": True, metric: value} for key, value in values.items()]
    frame = pl.DataFrame(rows, schema=QUESTIONS)
    mean = frame[metric].mean()
    made = {
        "version": "v2",
        "fingerprint": "set",
        "questions": frame,
        "means": {} if mean is None else {metric: mean},
    }
    return Scores(**(made | fields))
