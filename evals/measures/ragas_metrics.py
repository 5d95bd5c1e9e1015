"""Ragas' measures that need no language model, so that they can stand in the gate.

Ragas calls a question with its retrieved and reference contexts a sample. What it cannot measure is NaN, which
counts as missing, never as a score.
"""

import asyncio
import logging
import math
import os
import warnings
from collections.abc import Coroutine, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np

from rag_platform.core.errors import MissingExtra
from rag_platform.core.ids import digest
from rag_platform.core.ports import Memo

ON_IDS = ("id_based_context_precision", "id_based_context_recall")
ON_QUOTES = ("non_llm_context_precision_with_reference", "non_llm_context_recall")
ON_ANSWERS = ("non_llm_string_similarity",)
RAGAS = (*ON_IDS, *ON_QUOTES, *ON_ANSWERS)
"""Ragas' own names of its measures."""
T = TypeVar("T")


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


def ragas_measures(samples: Sequence[Sample], memo: Memo | None = None) -> list[dict[str, float | None]]:
    """Measure each sample: NaN where Ragas can give no number, None where a measure does not apply.

    What the memo knows is not measured again; when it knows all, Ragas is not even imported, which takes seconds.
    """
    samples = [_numbered(sample) for sample in samples]
    keys = [digest("ragas", repr(sample), length=32) for sample in samples]
    known = {key: found for key in keys if memo and (found := memo.get(key)) is not None}
    missing = {key: sample for key, sample in zip(keys, samples, strict=True) if key not in known}
    for key, values in zip(missing, _measure_all([*missing.values()]), strict=True):
        known[key] = values
        if memo:
            memo.put(key, values, 0.0)
    return [_applied(sample, known[key]) for key, sample in zip(keys, samples, strict=True)]


def _numbered(sample: Sample) -> Sample:
    """Give the ids in the order in which they appear: Ragas only compares them."""
    ids = dict.fromkeys((*sample.relevant_ids, *sample.retrieved_ids))
    number = {one: str(place) for place, one in enumerate(ids)}
    retrieved, relevant = ([number[one] for one in some] for some in (sample.retrieved_ids, sample.relevant_ids))
    return replace(sample, retrieved_ids=retrieved, relevant_ids=relevant)


def _applied(sample: Sample, values: np.ndarray) -> dict[str, float | None]:
    measured = dict(zip(RAGAS, values.tolist(), strict=True))
    return dict.fromkeys(RAGAS) | {name: measured[name] for name in _applicable(sample)}


def _measure_all(samples: Sequence[Sample]) -> list[np.ndarray]:
    """Return the values of `RAGAS` for each sample: NaN also for those that do not apply."""
    if not samples:
        return []
    metrics, sample_type = _load()
    with _quiet():
        return run_apart(_measure(samples, metrics, sample_type))


def run_apart(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine on a loop of its own, also where one is running: in a notebook, in an asynchronous program."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()


def import_ragas() -> None:
    """Import Ragas without its telemetry; `ImportError` when it is not installed."""
    os.environ["RAGAS_DO_NOT_TRACK"] = "true"  # Ragas reads it when it is imported
    from ragas._analytics import get_userid

    with warnings.catch_warnings(action="ignore", category=ResourceWarning):
        get_userid()  # Ragas names its user also without telemetry, and leaves that file open


def _load() -> tuple[dict[str, Any], Any]:
    try:
        import_ragas()
        import rapidfuzz  # noqa: F401  an extra
        from ragas import SingleTurnSample

        # from where they live: the public module warns of a move that these have not made
        from ragas.metrics._context_precision import (
            IDBasedContextPrecision,
            NonLLMContextPrecisionWithReference,
        )
        from ragas.metrics._context_recall import IDBasedContextRecall, NonLLMContextRecall
        from ragas.metrics._string import NonLLMStringSimilarity
    except ImportError as error:
        raise MissingExtra(error.name or "ragas", "eval", "scoring with Ragas") from error
    made = (
        IDBasedContextPrecision(),
        IDBasedContextRecall(),
        NonLLMContextPrecisionWithReference(),
        NonLLMContextRecall(),
        NonLLMStringSimilarity(),
    )
    return dict(zip(RAGAS, made, strict=True)), SingleTurnSample


async def _measure(samples: Sequence[Sample], metrics: dict[str, Any], sample_type: Any) -> list[np.ndarray]:
    rows = []
    for sample in samples:
        row = dict.fromkeys(RAGAS, math.nan)
        single = sample_type(
            retrieved_context_ids=list(sample.retrieved_ids),
            reference_context_ids=list(sample.relevant_ids),
            retrieved_contexts=list(sample.cited or ()),
            reference_contexts=list(sample.relevant),
            response=sample.answer,
            reference=sample.gold,
        )
        for name in _applicable(sample):
            row[name] = await _value(metrics[name], single)
        rows.append(np.array([*row.values()]))
    return rows


def _applicable(sample: Sample) -> Iterator[str]:
    yield from ON_IDS
    if sample.cited is not None:
        yield from ON_QUOTES
    if sample.answer is not None and sample.gold:
        yield from ON_ANSWERS


async def _value(metric: Any, sample: Any) -> float:
    try:
        return float(await metric.single_turn_ascore(sample))
    except ValueError:  # Ragas' answer to an empty list
        return math.nan


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep Ragas from logging a warning for each NaN, which we count."""
    logger = logging.getLogger("ragas")
    level = logger.level
    logger.setLevel(logging.ERROR)
    try:
        yield
    finally:
        logger.setLevel(level)
