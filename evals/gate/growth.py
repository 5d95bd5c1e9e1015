"""Questions that do worse in some measures only because the collection grew.

Whether an answer is given depends on how the best passages stand out from the rest of the collection. So unrelated new
documents can make the platform doubt what it finds as well as before. And each way of searching alone can only lose
places among more documents, though both together find as much. That is no fault of the version: such a question counts
as in the live version in those measures, and people are told whose answers are doubted.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
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


@dataclass(frozen=True, slots=True)
class Growth:
    """The questions that only the growth of the collection can have touched."""

    found: tuple[str, ...]
    """Those whose answer is found as before: what answers them is among the first passages, or was not before either;
    their documents are as they were, the model is the same, and there are documents that the live version lacks."""
    doubted: tuple[str, ...]
    """Those of them that the live version answers and the candidate does not."""


def growth_of(candidate: Scores, live: Scores, origins: Origins | None) -> Growth:
    """Return which questions growth alone can have touched."""
    before = {row["id"]: row for row in live.deciding.iter_rows(named=True)}
    rows = list(_found_as_before(candidate, before, origins))
    doubted = (row["id"] for row in rows if (before[row["id"]]["answered"], row["answered"]) == (1.0, 0.0))
    return Growth(tuple(row["id"] for row in rows), tuple(doubted))


def without_growth(candidate: Scores, live: Scores, growth: Growth) -> Scores:
    """Return the candidate's scores, in which questions count as in the live version where growth alone lowers them."""
    if not growth.found:
        return candidate
    lowered = dict.fromkeys(_DOUBTED, growth.doubted) | dict.fromkeys(_ALONE, growth.found)
    rows = candidate.questions.join(live.questions.select("id", *lowered), on="id", how="left", maintain_order="left")
    columns = [
        pl.when(pl.col("id").is_in(ids)).then(pl.coalesce(f"{name}_right", name)).otherwise(name).alias(name)
        for name, ids in lowered.items()
    ]
    counted = rows.with_columns(columns).select(*QUESTIONS)
    return replace(candidate, questions=counted).excluding(candidate.stale)


def _found_as_before(
    candidate: Scores, before: Mapping[str, Mapping[str, Any]], origins: Origins | None
) -> Iterator[Mapping[str, Any]]:
    """Yield the rows of the questions that nothing but new documents can have touched, and that find as much."""
    if origins is None or not origins.new or not origins.same_models:
        return
    for row in candidate.deciding.iter_rows(named=True):
        then, homes = before.get(row["id"]), origins.homes.get(row["id"], frozenset())
        if then and (row[_FOUND] or 0.0) >= (then[_FOUND] or 0.0) and homes.isdisjoint(origins.changed):
            yield row


def doubts(doubted: Sequence[str], origins: Origins | None) -> Iterator[str]:
    """Say what happened, for people."""
    if doubted and origins:
        count = len(doubted)
        which = "1 question finds what answers it" if count == 1 else f"{count_questions(count)} find what answers them"
        is_, them = ("is", "it") if count == 1 else ("are", "them")
        yield (
            f"{which} as before and {is_} no longer answered: among {len(origins.new)} documents more the platform is "
            f"less sure of {them}. The ranking holds, so this refuses nothing; first: {doubted[0]}."
        )
