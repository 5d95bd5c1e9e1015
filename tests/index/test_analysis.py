"""Words of many scripts to terms."""

import pytest

from rag_platform.index.analysis import query_terms, terms


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("Running dogs' houses", "en", ["run", "dog", "hous"]),
        ("क्षेत्र में कृषि।", "hi", ["क्षेत्र", "में", "कृषि"]),
        ("नेपालको संविधान", "ne", ["नेपालको", "संविधान"]),
        ("東京都庁", "ja", ["東京", "京都", "都庁"]),
        ("北京", "zh", ["北京"]),
        ("山", "zh", ["山"]),
        ("naïve café", "und", ["naive", "cafe"]),
        ("ﬁnance Ｆｕｌｌ", "und", ["finance", "full"]),
        ("snake_case v2.1", "und", ["snake", "case", "v2", "1"]),
        ("Python製のツール", "ja", ["python", "製の", "のツ", "ツー", "ール"]),
        ("laufenden Läufe", "de", ["laufend", "lauf"]),
        ("!!! …", "en", []),
        ("", "en", []),
    ],
)
def test_terms(text: str, language: str, expected: list[str]) -> None:
    assert terms(text, language) == expected


def test_thai_is_cut_in_pairs_that_keep_its_marks_matching() -> None:
    assert set(query_terms("ประเทศไทย", ["th"])[0]) <= set(terms("ราชอาณาจักรประเทศไทย", "th"))


def test_each_word_of_a_question_has_a_variant_per_language() -> None:
    assert query_terms("running dogs", ["en", "hi"]) == [["running", "run"], ["dogs", "dog"]]
    assert query_terms("running dogs", ["en"]) == [["run"], ["dog"]]


def test_a_repeated_word_counts_once() -> None:
    assert query_terms("dog Dog dog", ["en"]) == [["dog"]]
