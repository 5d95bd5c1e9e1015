import pytest

from rag_platform.core.did_you_mean import did_you_mean


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("retreival", "did you mean 'retrieval'?"),
        ("RETRIEVAL", "did you mean 'retrieval'?"),
        ("indx", "did you mean 'Index'?"),
        ("zebra", ""),
        ("", ""),
    ],
)
def test_the_nearest_name_is_proposed(given, expected):
    assert did_you_mean(given, ["retrieval", "Index", "chunks"]) == expected


def test_of_no_names_none_is_near():
    assert did_you_mean("x", []) == ""
