"""Documents ranked by their best chunk, as many as asked for, scored against numbers worked out by hand."""

import math

import pytest

from evals.benchmark.beir import BeirDocument, BeirFolder
from evals.benchmark.benchmark import evaluate_folder, rank_documents
from evals.questions.question import Question


def _folder(documents: int, qrels: dict, questions: dict | None = None) -> BeirFolder:
    texts = {f"d{number}": BeirDocument("", f"text {number}") for number in range(documents)}
    asked = {key: Question(key, (questions or {}).get(key, f"{key}?")) for key in qrels}
    return BeirFolder("set", "test", texts, asked, qrels)


@pytest.fixture
def search(make_hit, make_result):
    """Make a search that returns the chunks of these documents, in this order, up to k."""

    def _search(*uris: str, asked: list | None = None):
        def _of(question: str, mode: str, k: int):
            if asked is not None:
                asked.append((question, mode, k))
            return make_result(*(make_hit(uri, place, place + 1) for place, uri in enumerate(uris[:k])))

        return _of

    return _search


def test_each_mode_is_scored_by_documents(search) -> None:
    folder = _folder(5, {"q": {"d1": 1, "d3": 1}, "lost": {"d4": 2}})
    found = search("d0", "d1", "d0", "d1", "d3", "d0")
    asked: list = []
    result = evaluate_folder(folder, lambda _folder: found, modes=["lexical", "hybrid"])
    gain = (1 / math.log2(3) + 1 / math.log2(4)) / (1 + 1 / math.log2(3))
    scores = result["modes"]["hybrid"]
    assert {name: scores[name] for name in ("nDCG@10", "R@100", "AP", "MRR@10")} == {
        "nDCG@10": pytest.approx(gain / 2, abs=1e-4),
        "R@100": 0.5,
        "AP": pytest.approx((1 / 2 + 2 / 3) / 2 / 2, abs=1e-4),
        "MRR@10": 0.25,
    }
    assert scores["ms_p95"] >= scores["ms_p50"] >= 0
    assert (result["dataset"], result["docs"], result["queries"]) == ("set", 5, 2)
    assert [*result["modes"]] == ["lexical", "hybrid"]
    assert asked == []


def test_more_chunks_are_asked_for_until_there_are_enough_documents(search) -> None:
    asked: list = []
    chunks = [f"d{number // 3}" for number in range(360)]
    folder = _folder(120, {"q1": {"d0": 1}, "q2": {"d0": 1}})
    rankings = rank_documents(folder, search(*chunks, asked=asked), "vector", [*folder.questions.values()])
    assert rankings["q1"] == [f"d{number}" for number in range(100)]
    assert [k for _, _, k in asked] == [100, 200, 400, 400]  # the second question starts where the first ended


def test_a_search_that_has_no_more_is_not_asked_again(search) -> None:
    asked: list = []
    folder = _folder(120, {"q": {"d0": 1}})
    assert rank_documents(folder, search("d1", asked=asked), "lexical", [folder.questions["q"]]) == {"q": ["d1"]}
    assert len(asked) == 1


def test_a_search_that_only_finds_one_document_ends(search) -> None:
    asked: list = []
    folder = _folder(120, {"q": {"d0": 1}})
    rank_documents(folder, search(*["d0"] * 10_000, asked=asked), "lexical", [folder.questions["q"]])
    assert [k for _, _, k in asked][-1] == 6400


def test_a_document_that_is_the_question_does_not_count(search) -> None:
    folder = _folder(3, {"d1": {"d2": 1}, "d0": {"d2": 1}}, {"d1": "text 1", "d0": "another text"})
    rankings = rank_documents(folder, search("d0", "d1", "d2"), "lexical", [*folder.questions.values()])
    assert rankings == {"d1": ["d0", "d2"], "d0": ["d0", "d1", "d2"]}


def test_searches_are_timed_as_served_and_not_all_of_them(search) -> None:
    asked: list = []
    folder = _folder(3, {f"q{number}": {"d0": 1} for number in range(250)})
    evaluate_folder(folder, lambda _folder: search("d0", asked=asked), modes=["lexical"])
    served = [question for question, _, k in asked if k == 10]
    assert len(served) == 84
    assert len(asked) == 250 + 84
