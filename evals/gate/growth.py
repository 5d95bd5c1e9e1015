"""Questions that are no longer answered only because the collection grew.

Whether an answer is given depends on how the best passages stand out from the rest of the collection. So unrelated new
documents can make the platform doubt what it finds as well as before. That is no fault of the version: such a question
counts as in the live version in the measures that doubt lowers, and people are told.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import polars as pl

from evals.gate.blame import Origins
from evals.gate.objections import count_questions
from evals.measures.scoring import QUESTIONS, Scores

_FOUND = "Success@5"
"""Whether what answers is among the first passages; how high it stands there, the measures of ranking judge."""
_DOUBTED = ("answered", "contains_gold", "gold_recall")
"""Measures that fall when the platform finds an answer as before, and doubts it."""


def outgrown(candidate: Scores, live: Scores, origins: Origins | None) -> list[str]:
    """Return the questions that the live version answers and the candidate does not, though it finds as much.

    What answers them is among the first passages as before, or was not before either; their documents are as they were,
    the model is the same, and there are documents that the live version does not have.
    """
    if origins is None or not origins.new or not origins.same_models:
        return []
    before = {row["id"]: row for row in live.deciding.iter_rows(named=True)}
    rows = candidate.deciding.iter_rows(named=True)
    return [row["id"] for row in rows if row["id"] in before and _doubted(row, before[row["id"]], origins)]


def _doubted(now: Mapping[str, Any], before: Mapping[str, Any], origins: Origins) -> bool:
    home = origins.homes.get(now["id"], frozenset())
    return (
        (before["answered"], now["answered"]) == (1.0, 0.0)
        and (now[_FOUND] or 0.0) >= (before[_FOUND] or 0.0)
        and home.isdisjoint(origins.changed)
    )


def without_doubt(candidate: Scores, live: Scores, outgrown: Sequence[str]) -> Scores:
    """Return the candidate's scores, in which these questions count as in the live version where doubt lowers them."""
    if not outgrown:
        return candidate
    before = live.questions.filter(pl.col("id").is_in(outgrown)).select("id", *_DOUBTED)
    columns = [pl.coalesce(f"{name}_right", name).alias(name) for name in _DOUBTED]
    rows = candidate.questions.join(before, on="id", how="left", maintain_order="left").with_columns(columns)
    return replace(candidate, questions=rows.select(*QUESTIONS)).excluding(candidate.stale)


def doubts(outgrown: Sequence[str], origins: Origins | None) -> Iterator[str]:
    """Say what happened, for people."""
    if outgrown and origins:
        count = len(outgrown)
        which = "1 question finds what answers it" if count == 1 else f"{count_questions(count)} find what answers them"
        is_, them = ("is", "it") if count == 1 else ("are", "them")
        yield (
            f"{which} as before and {is_} no longer answered: among {len(origins.new)} documents more the platform is "
            f"less sure of {them}. The ranking holds, so this refuses nothing; first: {outgrown[0]}."
        )
