"""Questions that do worse in some measures only because the collection grew.

Whether an answer is given depends on how the best passages stand out from the rest of the collection. So unrelated new
documents can make the platform doubt what it finds as well as before. And each way of searching alone can only lose
places among more documents, though both together find as much. That is no fault of the version: such a question counts
as in the live version in those measures, and people are told whose answers are doubted.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import polars as pl

from evals.gate.blame import Origins
from evals.gate.objections import count_questions
from evals.measures.scoring import QUESTIONS, RETRIEVERS, Scores

_FOUND = "Success@5"
"""Whether what answers is among the first passages; how high it stands there, the measures of ranking judge."""
_DOUBTED = ("answered", "contains_gold", "gold_recall")
"""Measures that fall when the platform finds an answer as before, and doubts it."""
_ALONE = tuple(RETRIEVERS.values())
"""Measures of one way of searching alone, which are watched because damage to one is hidden by the other."""


def outgrown(candidate: Scores, live: Scores, origins: Origins | None) -> list[str]:
    """Return the questions that the live version answers and the candidate does not, though it finds as much.

    What answers them is among the first passages as before, or was not before either; their documents are as they were,
    the model is the same, and there are documents that the live version does not have.
    """
    before = _by_id(live)
    rows = _found_as_before(candidate, live, origins)
    return [row["id"] for row in rows if (before[row["id"]]["answered"], row["answered"]) == (1.0, 0.0)]


def without_growth(candidate: Scores, live: Scores, origins: Origins | None) -> Scores:
    """Return the candidate's scores, in which questions count as in the live version where growth alone lowers them."""
    found = [row["id"] for row in _found_as_before(candidate, live, origins)]
    lowered = {name: outgrown(candidate, live, origins) for name in _DOUBTED} | dict.fromkeys(_ALONE, found)
    if not found:
        return candidate
    rows = candidate.questions.join(live.questions.select("id", *lowered), on="id", how="left", maintain_order="left")
    columns = [
        pl.when(pl.col("id").is_in(ids)).then(pl.coalesce(f"{name}_right", name)).otherwise(name).alias(name)
        for name, ids in lowered.items()
    ]
    counted = rows.with_columns(columns).select(*QUESTIONS)
    return replace(candidate, questions=counted).excluding(candidate.stale)


def _found_as_before(candidate: Scores, live: Scores, origins: Origins | None) -> list[Mapping[str, Any]]:
    """Return the rows of the questions that nothing but new documents can have touched, and that find as much."""
    if origins is None or not origins.new or not origins.same_models:
        return []
    before = _by_id(live)
    return [
        row
        for row in candidate.deciding.iter_rows(named=True)
        if row["id"] in before
        and (row[_FOUND] or 0.0) >= (before[row["id"]][_FOUND] or 0.0)
        and origins.homes.get(row["id"], frozenset()).isdisjoint(origins.changed)
    ]


def _by_id(scores: Scores) -> dict[str, Mapping[str, Any]]:
    return {row["id"]: row for row in scores.deciding.iter_rows(named=True)}


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
