"""Ragas' measures that need no language model, so that they can stand beside those that decide.

Counted as Ragas 0.4.3 counts them, without importing it, which takes three seconds and a few hundred megabytes; tests
compare the numbers with its own (docs/decisions/0055). Where Ragas has no number there is NaN, which counts as missing,
never as a score.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rapidfuzz.distance import Levenshtein

ON_IDS = ("id_based_context_precision", "id_based_context_recall")
ON_QUOTES = ("non_llm_context_precision_with_reference", "non_llm_context_recall")
ON_ANSWERS = ("non_llm_string_similarity",)
RAGAS = (*ON_IDS, *ON_QUOTES, *ON_ANSWERS)
"""Ragas' own names of its measures."""
_ALIKE = 0.5
"""The similarity from which on one quote stands for another."""
_NEVER_ZERO = 1e-10
"""What Ragas adds to the number of relevant quotes."""


@dataclass(frozen=True, slots=True)
class Sample:
    """What is measured of one question; None: not applicable, so not measured."""

    retrieved_ids: Sequence[str]
    """Of the first ten places: ids of quotes, or of chunks that show none."""
    relevant_ids: Sequence[str]
    cited: Sequence[str] | None = None
    """Quotes that the answer cites."""
    relevant: Sequence[str] = ()
    """Labelled quotes."""
    answer: str | None = None
    gold: str | None = None


def ragas_measures(sample: Sample) -> dict[str, float | None]:
    """Measure a sample: NaN where Ragas gives no number, None where a measure does not apply."""
    return dict.fromkeys(RAGAS) | dict(_measured(sample))


def _measured(sample: Sample) -> Iterator[tuple[str, float]]:
    yield from zip(ON_IDS, _on_ids({*sample.retrieved_ids}, {*sample.relevant_ids}), strict=True)
    if sample.cited is not None:
        yield from zip(ON_QUOTES, _on_quotes(sample.cited, sample.relevant), strict=True)
    if sample.answer is not None and sample.gold:
        yield ON_ANSWERS[0], _similarity(sample.gold, sample.answer)


def _on_ids(retrieved: set[str], relevant: set[str]) -> tuple[float, float]:
    """Return which share of what was retrieved is relevant, and which share of what is relevant was retrieved."""
    both = len(retrieved & relevant)
    return both / len(retrieved) if retrieved else math.nan, both / len(relevant) if relevant else math.nan


def _on_quotes(cited: Sequence[str], relevant: Sequence[str]) -> tuple[float, float]:
    """Return the average precision of the cited quotes, and the share of the labelled ones that are like a cited one.

    At the limit Ragas counts a quote for the precision, and not for the recall.
    """
    likeness = [[_similarity(quote, other) for other in relevant] for quote in cited]
    if cited and not relevant:  # nothing to be like
        return math.nan, math.nan
    found = [max(row) >= _ALIKE for row in likeness]
    precisions = [sum(found[: place + 1]) / (place + 1) for place, hit in enumerate(found) if hit]
    recalled = [max(column) > _ALIKE for column in zip(*likeness, strict=True)]
    return sum(precisions) / (len(precisions) + _NEVER_ZERO), sum(recalled) / len(recalled) if recalled else math.nan


def _similarity(one: str, other: str) -> float:
    return 1 - Levenshtein.normalized_distance(one, other)
