"""The gate, in every case that decides: better, equal, worse, noisy, one question lost, another set, floors, damage."""

import json
from dataclasses import replace

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evals.gate.blame import Origins
from evals.gate.verdict import Evidence, Verdict, comparable, judge
from evals.measures.scoring import QUESTIONS, Scores
from rag_platform.config.settings import GateSettings
from tests.evals.boards import board

HUNDRED = [f"q{number:03}" for number in range(100)]


def _judge(candidate: dict, live: dict, **gate: object) -> Verdict:
    return judge(board(candidate), board(live, version="v1"), GateSettings(**gate))


def test_a_better_version_passes() -> None:
    verdict = _judge(dict.fromkeys(HUNDRED, 0.6), dict.fromkeys(HUNDRED, 0.5))
    assert verdict.passed
    assert verdict.reasons == (
        "nDCG@10 is 0.600, against 0.500 in the live version (+0.100) over 100 questions: 100 got better, 0 worse.",
    )


def test_an_equal_version_passes_also_without_a_noise_band() -> None:
    values = {key: number / 7 for number, key in enumerate(HUNDRED)}
    assert _judge(values, dict(reversed(values.items())), noise=0).passed


def test_equal_means_of_other_questions_are_equal_to_the_last_bit() -> None:
    live = {"a": 0.4, "b": 0.1, "c": 0.9}
    assert _judge({"a": 0.4, "b": 0.9, "c": 0.1}, live, noise=0).passed


def test_a_worse_version_is_refused_with_numbers() -> None:
    live = dict.fromkeys(HUNDRED, 0.5)
    verdict = _judge(live | dict.fromkeys(HUNDRED[:10], 0.3), live)
    assert verdict.outcome == "refused"
    assert verdict.reasons == (
        "nDCG@10 fell from 0.500 to 0.480 (by 0.020, 95 % interval 0.010 to 0.032) over 100 questions: "
        "10 got worse, 0 better. That is beyond the "
        "noise band of 0.010, and chance alone would explain it in only 0.1% of cases.",
    )


def test_a_drop_that_chance_explains_passes_and_says_so() -> None:
    live = dict.fromkeys(HUNDRED, 0.5)
    noisy = live | dict.fromkeys(HUNDRED[:30], 0.9) | dict.fromkeys(HUNDRED[30:64], 0.1)
    verdict = _judge(noisy, live)
    assert verdict.passed
    assert verdict.comparison.drop == pytest.approx(0.016)
    assert "Beyond the noise band of 0.010, but chance explains it in 3" in verdict.reasons[0]


def test_a_drop_within_the_noise_passes_however_certain() -> None:
    live = dict.fromkeys(HUNDRED, 0.5)
    verdict = _judge(dict.fromkeys(HUNDRED, 0.491), live)
    assert verdict.passed
    assert verdict.comparison.p < 0.001


def test_a_severe_drop_is_refused_however_uncertain() -> None:
    live = dict.fromkeys(HUNDRED[:10], 1.0)
    verdict = _judge(live | {"q000": 0.0}, live)
    assert verdict.comparison.p == 0.5
    assert not verdict.passed
    assert "more than 3 times the noise band of 0.010" in verdict.reasons[0]


@pytest.mark.parametrize(("drop", "passed"), [(0.0299, True), (0.03, True), (0.0301, False)])
def test_the_edge_of_a_severe_drop(drop, passed) -> None:
    live = dict.fromkeys(HUNDRED[:3], 0.5)  # too few for chance to be excluded
    assert _judge(dict.fromkeys(live, 0.5 - drop), live).passed is passed


@pytest.mark.parametrize(("score", "passed"), [(0.63, True), (0.5, True), (0.3, False)])
def test_a_single_answer_that_moved_a_place_or_two_is_none_lost(score, passed) -> None:
    live = dict.fromkeys(HUNDRED[:10], 1.0)
    assert _judge(live | {"q000": score}, live).passed is passed


@pytest.mark.parametrize(("questions", "passed"), [(10, False), (30, False), (300, True)])
def test_one_lost_question_weighs_by_the_size_of_the_set(questions, passed) -> None:
    live = {f"q{number}": 1.0 for number in range(questions)}
    assert _judge(live | {"q0": 0.0}, live).passed is passed


def test_a_question_missing_from_the_candidate_counts_as_lost() -> None:
    live = dict.fromkeys(HUNDRED[:10], 1.0)
    verdict = _judge({key: 1.0 for key in live if key != "q000"}, live)
    assert not verdict.passed
    assert verdict.comparison.worse == ("q000",)


def test_scores_of_another_set_are_never_compared() -> None:
    candidate, live = board({"a": 1.0}, fingerprint="other set"), board({"a": 0.0}, version="v1")
    verdict = judge(candidate, live, GateSettings())
    assert (verdict.outcome, verdict.passed, verdict.comparison) == ("rescore", False, None)
    assert "The live version v1 was scored on other questions (set set, now other set)" in verdict.reasons[0]
    assert not comparable(candidate, live)
    assert comparable(candidate, None)


def test_what_is_unsound_is_refused_before_anything_is_rescored() -> None:
    candidate = board({"a": 1.0}, fingerprint="other set")
    verdict = judge(candidate, board({"a": 0.0}), GateSettings(), Evidence(integrity=["lexical is missing"]))
    assert (verdict.outcome, verdict.reasons) == ("refused", ("lexical is missing",))


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"leaks": ("q: 'plan' was shown to 'bob', who may not read it",)}, "1 hits were shown to people who may not"),
        ({"failed": ("q: RuntimeError: boom",)}, "1 question could not be asked, first: q: RuntimeError: boom."),
    ],
    ids=["leak", "crash"],
)
def test_leaks_and_crashes_are_refused_whatever_the_scores(fields, reason) -> None:
    verdict = judge(board({"a": 1.0}, **fields), board({"a": 0.0}), GateSettings())
    assert not verdict.passed
    assert verdict.reasons[0].startswith(reason)


@pytest.mark.parametrize(
    ("floors", "reason"),
    [
        ({"nDCG@10": 0.6}, "nDCG@10 is 0.500, below its floor of 0.600."),
        ({"cites_quote": 0.1}, "cites_quote must be at least 0.100, but no question gave it a value."),
        ({"ndcg@10": 0.1}, "gate.floors.ndcg@10 names 'ndcg@10', which is not measured; expected one of: nDCG@10, "),
        ({"ms_p95": 5}, "gate.floors.ms_p95 names 'ms_p95', which is not measured"),
    ],
    ids=str,
)
@pytest.mark.parametrize("live", [None, board({"a": 0.1}, version="v1")], ids=["first", "next"])
def test_a_floor_holds_whatever_is_live(floors, reason, live) -> None:
    verdict = judge(board({"a": 0.5}), live, GateSettings(floors=floors))
    assert not verdict.passed
    assert verdict.reasons[0].startswith(reason)


def test_a_value_at_its_floor_passes() -> None:
    assert judge(board({"a": 0.5}), None, GateSettings(floors={"nDCG@10": 0.5})).passed


def test_the_first_version_needs_only_floors_and_integrity() -> None:
    verdict = judge(board({"a": 0.5}), None, GateSettings())
    assert verdict.passed
    assert verdict.reasons == ("There is no other live version to compare with. nDCG@10 is 0.500.",)
    assert not judge(board({"a": 0.5}), None, GateSettings(), Evidence(integrity=["vectors are missing"])).passed


def test_without_questions_integrity_decides_and_the_verdict_says_that_nothing_was_scored() -> None:
    verdict = judge(board({}), board({}), GateSettings())
    assert verdict.passed
    assert "Nothing was scored" in verdict.reasons[0]
    assert not judge(board({}), board({}), GateSettings(), Evidence(integrity=["vectors are missing"])).passed
    assert not judge(board({}), None, GateSettings(floors={"nDCG@10": 0.5})).passed


def test_a_measure_that_does_not_exist_compares_nothing_and_is_refused() -> None:
    verdict = _judge({"a": 1.0}, {"a": 1.0}, metric="nDCG")
    assert verdict.reasons[0].startswith("gate.metric names 'nDCG', which is not measured; expected one of: nDCG@10, ")
    assert not verdict.passed


def test_a_measure_that_no_question_has_is_said_to_be_uncompared() -> None:
    verdict = _judge({"a": None}, {"a": None})
    assert (verdict.passed, verdict.reasons) == (True, ("nDCG@10 was not compared: no question gave it a value.",))


@pytest.mark.parametrize(("before", "now", "passed"), [(50, 160, False), (50, 140, True), (10, 90, True)])
def test_a_much_slower_search_is_refused(before, now, passed) -> None:
    latency = {"candidate_p95": now, "live_p95": before, "ratio": now / before}
    verdict = judge(board({"a": 1.0}), board({"a": 1.0}, version="v1"), GateSettings(), Evidence(latency=latency))
    assert verdict.passed is passed
    if not passed:
        assert verdict.reasons[0].startswith("Searching is 3.2 times slower: p95 is 160 ms, against 50 ms in the live")


def test_lost_labels_and_missing_values_are_told_beside_the_verdict() -> None:
    candidate = board(
        {"a": 1.0}, unlocated=("a#1: no document has the uri 'x'",), missing={"non_llm_context_recall": 2}
    )
    reasons = judge(candidate, board({"a": 1.0}), GateSettings()).reasons
    assert reasons[1].startswith("1 labelled quotes are not in the documents and count as not found, first: a#1: no")
    assert reasons[2] == "non_llm_context_recall gave no number for 2 questions; its mean is over the others."


def test_a_verdict_has_a_form_in_json() -> None:
    verdict = json.loads(json.dumps(_judge({"a": 1.0}, {"a": 0.5}).to_dict(), allow_nan=False))
    assert verdict["passed"] is True
    assert verdict["outcome"] == "passed"
    assert verdict["comparison"]["better"] == ["a"]
    assert (verdict["version"], verdict["live"], verdict["fingerprint"]) == ("v2", "v1", "set")


values = st.lists(st.floats(0, 1, allow_subnormal=False), min_size=1, max_size=12)


@settings(deadline=None)
@given(values, st.floats(0, 0.2))
def test_whoever_is_nowhere_worse_passes_and_whoever_is_far_worse_everywhere_does_not(live, gain) -> None:
    names = HUNDRED[: len(live)]
    before = dict(zip(names, live, strict=True))
    assert _judge({key: min(1.0, value + gain) for key, value in before.items()}, before).passed
    assert not _judge({key: value - 0.031 for key, value in before.items()}, before).passed


def _grown(origins_changed: frozenset[str] = frozenset(), *, same_models: bool = True) -> Evidence:
    """Know of forty questions, of one document each, and of ninety new documents of another source."""
    mine, new = {f"d{number}": "docs" for number in range(40)}, {f"n{number}": "pages" for number in range(90)}
    origins = Origins(
        sources=mine | new,
        uris={key: f"{key}.md" for key in mine | new},
        new=frozenset(new),
        changed=frozenset(new) | origins_changed,
        homes={f"q{number}": frozenset([f"d{number}"]) for number in range(40)},
        same_models=same_models,
    )
    return Evidence(origins=origins)


def _answering(answered: int, *, ranking: float = 1.0) -> Scores:
    rows = [
        {"id": f"q{number}", "question": "?", "answerable": True, "nDCG@10": ranking, "Success@5": 1.0,
         "answered": float(number < answered), "gold_recall": float(number < answered),
         "hits": [{"chunk_id": f"c{number}", "doc_id": f"d{number}", "start": 0, "end": 9, "duplicates": []}]}
        for number in range(40)
    ]  # fmt: skip
    return Scores("v2", "set", pl.DataFrame(rows, schema=QUESTIONS), {"nDCG@10": ranking, "answered": answered / 40})


def test_unrelated_growth_that_makes_the_platform_doubt_refuses_nothing_and_is_told() -> None:
    settings = GateSettings(floors={"answered": 0.6})
    verdict = judge(_answering(12), _answering(26), settings, _grown())
    assert verdict.passed, verdict.reasons
    (told,) = [reason for reason in verdict.reasons if "no longer answered" in reason]
    assert told.startswith("14 questions find what answers them as before and are no longer answered: among 90 docum")


@pytest.mark.parametrize(
    "evidence",
    [Evidence(), _grown(same_models=False), _grown(frozenset(f"d{number}" for number in range(40)))],
    ids=["nothing new", "another model", "their own documents changed"],
)
def test_answers_lost_for_another_reason_than_growth_are_refused(evidence) -> None:
    verdict = judge(_answering(12), _answering(26), GateSettings(), evidence)
    assert not verdict.passed
    assert any(reason.startswith("answered fell from 0.650 to 0.300 (by 0.350, 95 % int") for reason in verdict.reasons)


def test_a_place_lost_to_new_documents_is_the_rankings_affair() -> None:
    """Measured on a handbook beside 181 pages: what answers stood second instead of first, and was doubted."""
    verdict = judge(_answering(12, ranking=0.995), _answering(26), GateSettings(), _grown())
    assert verdict.passed, verdict.reasons


def test_one_way_of_searching_loses_places_among_new_documents_and_damage_is_still_seen() -> None:
    scores = _answering(26)
    alone = scores.questions.with_columns(pl.lit(1.0).alias("vector_nDCG@10"))
    fell = alone.with_columns(pl.lit(0.9).alias("vector_nDCG@10"))
    live, candidate = replace(scores, questions=alone), replace(scores, questions=fell)
    assert judge(candidate, live, GateSettings(), _grown()).passed
    assert not judge(candidate, live, GateSettings(), Evidence()).passed


def test_a_source_with_a_wrong_model_is_refused_though_its_words_still_answer() -> None:
    scores = _answering(26)
    few = pl.col("id").is_in(["q1", "q2", "q3"])
    seeing = scores.questions.with_columns(pl.lit(0.9).alias("vector_nDCG@10"))
    blind = seeing.with_columns(pl.when(few).then(0.1).otherwise(0.9).alias("vector_nDCG@10"))
    evidence = _grown(same_models=False)
    origins = replace(evidence.origins, sources=evidence.origins.sources | {f"d{one}": "guide" for one in (1, 2, 3)})
    judged = [
        judge(
            replace(scores, questions=blind), replace(scores, questions=seeing), GateSettings(), Evidence(origins=one)
        )
        for one in (origins, replace(origins, same_models=True))
    ]
    assert judged[0].reasons[0].startswith("The vectors of `guide` are of another model")
    assert judged[1].passed


def test_growth_that_moves_the_ranking_is_refused() -> None:
    assert not judge(_answering(12, ranking=0.6), _answering(26), GateSettings(), _grown()).passed
