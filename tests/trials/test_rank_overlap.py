"""How alike two rankings are."""

import pytest

from rag_platform.trials.rank_overlap import overlap, rank_biased_overlap


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [("abc", "abc", 1), ("abc", "xyz", 0), ("", "", 1), ("", "abc", 0), ("abcd", "abxy", 0.5), ("abc", "cba", 1)],
)
def test_overlap_counts_what_both_have(one: str, other: str, expected: float) -> None:
    assert overlap(one, other) == expected == overlap(other, one)
    assert overlap(one, other, 0) == 1


def test_rank_biased_overlap_is_that_of_its_definition() -> None:
    assert rank_biased_overlap("abcdef", "abcdef") == pytest.approx(1)
    assert rank_biased_overlap("abc", "xyz") == 0 == rank_biased_overlap("", "abc")
    assert rank_biased_overlap("", "") == 1
    # by hand, p = .5: agreement is 0 at the first rank, 1 at the second and beyond
    assert rank_biased_overlap("ab", "ba", p=0.5) == pytest.approx(0.5)
    # of unlike lengths: one list is all of the first rank of the other, and agrees as far as it is seen
    assert rank_biased_overlap("a", "ab", p=0.5) == pytest.approx(1)


def test_the_first_ranks_count_most() -> None:
    first, last = rank_biased_overlap("xbcdefghij", "abcdefghij"), rank_biased_overlap("abcdefghix", "abcdefghij")
    assert first < last < 1
