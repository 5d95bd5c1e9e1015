"""Ragas' measures without Ragas: by known numbers, and equal to what it measures itself."""

import asyncio
import importlib
import math
import os
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evals.measures.ragas_llm_metrics import _import_ragas
from evals.measures.ragas_metrics import ON_ANSWERS, ON_IDS, ON_QUOTES, RAGAS, Sample, ragas_measures

QUOTES = st.lists(st.text("ab ", min_size=1, max_size=6), max_size=4)
IDS = st.lists(st.sampled_from("abcde"), max_size=6)
SAMPLES = st.builds(
    Sample,
    retrieved_ids=IDS,
    relevant_ids=IDS,
    cited=st.none() | QUOTES,
    relevant=QUOTES,
    answer=st.none() | st.text("ab", max_size=5),
    gold=st.none() | st.text("ab", max_size=5),
)


def _measure(**values: object) -> dict:
    return ragas_measures(Sample(**values))


def test_ids_are_compared_as_sets() -> None:
    row = _measure(retrieved_ids=["q#1", "c1", "c2"], relevant_ids=["q#1", "q#2"])
    assert row["id_based_context_precision"] == pytest.approx(1 / 3)
    assert row["id_based_context_recall"] == 0.5
    assert [row[name] for name in RAGAS[2:]] == [None, None, None]


def test_nothing_retrieved_has_no_precision_but_recalls_nothing() -> None:
    row = _measure(retrieved_ids=[], relevant_ids=["q#1"])
    assert math.isnan(row["id_based_context_precision"])
    assert row["id_based_context_recall"] == 0.0


def test_cited_quotes_are_compared_with_labelled_quotes() -> None:
    row = _measure(
        retrieved_ids=["q#1"],
        relevant_ids=["q#1", "q#2"],
        cited=["Paris is the capital of France.", "x"],
        relevant=["Paris is capital of France", "Lyon has two rivers and a long history"],
    )
    assert row["non_llm_context_precision_with_reference"] == pytest.approx(1.0)
    assert row["non_llm_context_recall"] == 0.5


def test_an_answer_without_citations_has_no_recall_to_measure() -> None:
    row = _measure(retrieved_ids=["a"], relevant_ids=["a"], cited=[], relevant=["some words"])
    assert math.isnan(row["non_llm_context_recall"])


def test_answers_are_compared_letter_by_letter_in_any_script() -> None:
    row = _measure(retrieved_ids=["a"], relevant_ids=["a"], answer="kitten", gold="sitting")
    assert row["non_llm_string_similarity"] == pytest.approx(1 - 3 / 7)
    same = _measure(retrieved_ids=["a"], relevant_ids=["a"], answer="भारत की राजधानी", gold="भारत की राजधानी")
    assert same["non_llm_string_similarity"] == 1.0


@pytest.fixture(scope="module")
def by_ragas() -> Callable[[Sample], dict[str, float]]:
    """What Ragas itself measures of a sample; an empty list, at which it raises an error, is NaN."""
    _import_ragas()
    from ragas import SingleTurnSample
    from ragas.metrics._context_precision import IDBasedContextPrecision, NonLLMContextPrecisionWithReference
    from ragas.metrics._context_recall import IDBasedContextRecall, NonLLMContextRecall
    from ragas.metrics._string import NonLLMStringSimilarity

    made = (
        IDBasedContextPrecision(),
        IDBasedContextRecall(),
        NonLLMContextPrecisionWithReference(),
        NonLLMContextRecall(),
        NonLLMStringSimilarity(),
    )

    async def measured(sample: Sample) -> dict[str, float]:
        row = {}
        applicable = [*ON_IDS, *(ON_QUOTES if sample.cited is not None else ())]
        applicable += ON_ANSWERS if sample.answer is not None and sample.gold else ()
        single = SingleTurnSample(
            retrieved_context_ids=list(sample.retrieved_ids),
            reference_context_ids=list(sample.relevant_ids),
            retrieved_contexts=list(sample.cited or ()),
            reference_contexts=list(sample.relevant),
            response=sample.answer,
            reference=sample.gold,
        )
        for name, metric in zip(RAGAS, made, strict=True):
            if name in applicable:
                try:
                    row[name] = float(await metric.single_turn_ascore(single))
                except ValueError:
                    row[name] = math.nan
        return row

    return lambda sample: asyncio.run(measured(sample))


@given(SAMPLES)
@settings(max_examples=150, deadline=None)
def test_every_number_is_the_one_that_ragas_gives(by_ragas, sample: Sample) -> None:
    own = {name: value for name, value in ragas_measures(sample).items() if value is not None}
    assert own == pytest.approx(by_ragas(sample), abs=1e-12, nan_ok=True)


def test_ragas_reports_to_nobody(by_ragas) -> None:
    assert by_ragas(Sample(["a"], ["a"]))["id_based_context_recall"] == 1.0
    assert os.environ["RAGAS_DO_NOT_TRACK"] == "true"
    assert importlib.import_module("ragas._analytics").do_not_track()
