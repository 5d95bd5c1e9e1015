"""Ranking measures against numbers worked out by hand, and what counts as finding a quote."""

import math
import sys
from dataclasses import replace

import pytest

from evals.measures.rank_metrics import credit, latency, rank_measures
from evals.questions.labels import Label, Span
from evals.questions.question import Relevant
from rag_platform.core.errors import MissingExtra
from rag_platform.core.hits import Duplicate


def _label(key: str, *spans: Span, quote: str = "words") -> Label:
    return Label(key, "q", Relevant("d", quote), spans)


@pytest.mark.parametrize(
    ("span", "found"),
    [((0, 100), True), ((20, 40), True), ((0, 30), True), ((0, 29), False), ((30, 60), True), ((40, 90), False)],
    ids=str,
)
def test_a_hit_finds_a_quote_when_it_shows_half_of_it(make_hit, span, found) -> None:
    assert credit([make_hit("d", *span)], [_label("q#1", Span("d", 20, 40))]) == (
        ["q#1"] if found else [f"d:{span[0]}-{span[1]}"]
    )


def test_a_hit_of_another_document_finds_nothing(make_hit) -> None:
    assert credit([make_hit("other", 0, 100)], [_label("q#1", Span("d", 20, 40))]) == ["other:0-100"]


def test_a_hit_finds_what_is_folded_into_it_too(make_hit) -> None:
    folded = Duplicate("c", "d", "d", "", "s", (15, 60))
    hit = replace(make_hit("other", 0, 50), duplicates=(folded,))
    assert credit([hit], [_label("q#1", Span("d", 20, 40))]) == ["q#1"]
    assert credit([hit], [_label("q#1", Span("d", 900, 990), quote="")]) == ["q#1"]


def test_a_quote_counts_once_for_the_first_hit_that_finds_it(make_hit) -> None:
    hits = [make_hit("x"), make_hit("d", 0, 50), make_hit("d", 10, 60)]
    assert credit(hits, [_label("q#1", Span("d", 20, 40))]) == ["x:0-10", "q#1", "d:10-60"]


def test_a_quote_cut_in_pieces_counts_when_half_of_it_has_been_shown(make_hit) -> None:
    pieces = [make_hit("d", start, start + 10) for start in (0, 20, 0, 50)]
    assert credit(pieces, [_label("q#1", Span("d", 0, 50))]) == ["d:0-10", "d:20-30", "d:0-10", "d:50-60"]
    assert credit([*pieces[:2], make_hit("d", 45, 55)], [_label("q#1", Span("d", 0, 50))])[-1] == "q#1"


def test_one_hit_may_find_two_quotes_and_any_occurrence_will_do(make_hit) -> None:
    labels = [_label("q#1", Span("d", 0, 10), Span("e", 0, 10)), _label("q#2", Span("e", 20, 30))]
    assert credit([make_hit("e", 0, 50), make_hit("d", 0, 50)], labels) == ["q#1", "q#2", "d:0-50"]


def test_a_whole_document_is_found_by_any_of_its_chunks(make_hit) -> None:
    assert credit([make_hit("d", 900, 910)], [_label("q#1", Span("d", 0, 1000), quote="")]) == ["q#1"]


def test_the_measures_are_those_worked_out_by_hand() -> None:
    relevant = {"q": {"a": 1, "b": 1, "c": 1}}
    ranking = ["x", "a", "y", "b", *(f"z{n}" for n in range(6)), "c"]
    row = rank_measures(relevant, {"q": ranking}).row(0, named=True)
    gain = 1 / math.log2(3) + 1 / math.log2(5)
    ideal = 1 + 1 / math.log2(3) + 1 / math.log2(4)
    assert row == {
        "id": "q",
        "nDCG@10": pytest.approx(gain / ideal),
        "R@10": pytest.approx(2 / 3),
        "Success@5": 1.0,
        "MRR@10": 0.5,
        "AP": pytest.approx((1 / 2 + 2 / 4 + 3 / 11) / 3),
    }


def test_grades_gain_linearly() -> None:
    row = rank_measures({"q": {"a": 3, "b": 1}}, {"q": ["b", "a"]}, {"nDCG@10": "nDCG@10"}).row(0, named=True)
    assert row["nDCG@10"] == pytest.approx((1 + 3 / math.log2(3)) / (3 + 1 / math.log2(3)))


@pytest.mark.parametrize("names", [("aaa", "zzz"), ("zzz", "aaa")])
def test_the_order_given_is_the_order_measured_whatever_the_names(names) -> None:
    """trec_eval orders equal scores by name; a ranking has no equal places."""
    found, other = names
    row = rank_measures({"q": {found: 1}}, {"q": [other, found]}).row(0, named=True)
    assert row["MRR@10"] == 0.5


def test_a_question_that_finds_nothing_scores_zero_and_stays_in_the_mean() -> None:
    frame = rank_measures({"q": {"a": 1}, "empty": {"a": 1}, "absent": {"a": 1}}, {"q": ["a"], "empty": []})
    assert dict(frame.select("id", "nDCG@10").iter_rows()) == {"q": 1.0, "empty": 0.0, "absent": 0.0}
    assert frame["AP"].mean() == pytest.approx(1 / 3)


def test_a_repeated_id_counts_at_its_first_place() -> None:
    row = rank_measures({"q": {"a": 1}}, {"q": ["a", "x", "a"]}).row(0, named=True)
    assert row["MRR@10"] == 1.0


def test_rankings_of_questions_without_judgements_are_left_out() -> None:
    assert rank_measures({}, {"q": ["a"]}).is_empty()
    assert rank_measures({"p": {"a": 1}}, {"q": ["a"]})["id"].to_list() == ["p"]


def test_without_the_extra_the_message_says_how_to_install_it(monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "ir_measures", None)
    with pytest.raises(MissingExtra, match=r"pip install .*\[eval\]"):
        rank_measures({"q": {"a": 1}}, {})


def test_latency_is_the_median_and_the_95th_percentile() -> None:
    assert latency([float(value) for value in range(1, 102)]) == {"ms_p50": 51.0, "ms_p95": 96.0}
    assert latency([]) == {}
