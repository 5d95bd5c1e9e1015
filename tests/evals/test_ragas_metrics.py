"""Ragas' own numbers for small samples; what it cannot measure is NaN, what does not apply is None."""

import asyncio
import importlib
import math
import os
import sys

import pytest

from evals.measures.ragas_metrics import RAGAS, Sample, ragas_measures
from rag_platform.core.errors import MissingExtra


def _measure(**values: object) -> dict:
    return ragas_measures([Sample(**values)])[0]


def test_ids_are_compared_as_sets() -> None:
    row = _measure(retrieved_ids=["q#1", "c1", "c2"], relevant_ids=["q#1", "q#2"])
    assert row["id_based_context_precision"] == pytest.approx(1 / 3)
    assert row["id_based_context_recall"] == 0.5
    assert [row[name] for name in RAGAS[2:]] == [None, None, None]


def test_a_notebook_measures_too_where_an_event_loop_is_running() -> None:
    async def cell() -> dict:
        return _measure(retrieved_ids=["a"], relevant_ids=["a"])

    assert asyncio.run(cell())["id_based_context_recall"] == 1.0


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


def test_each_sample_has_its_row_and_ragas_reports_to_nobody() -> None:
    samples = [Sample(retrieved_ids=["a"], relevant_ids=[found]) for found in "aba"]
    assert [row["id_based_context_recall"] for row in ragas_measures(samples)] == [1.0, 0.0, 1.0]
    assert os.environ["RAGAS_DO_NOT_TRACK"] == "true"
    assert importlib.import_module("ragas._analytics").do_not_track()
    assert ragas_measures([]) == []


def test_without_the_extra_the_message_says_how_to_install_it(monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "rapidfuzz", None)
    with pytest.raises(MissingExtra, match=r"'rapidfuzz'.*pip install .*\[eval\]"):
        _measure(retrieved_ids=["a"], relevant_ids=["a"])
