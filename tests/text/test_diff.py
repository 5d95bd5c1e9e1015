"""Differences of texts: nothing is lost, and long ones are fast."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_platform.text.text_diff import by_words, changed_blocks, hunk_lines, hunks, moved_spans

LINES = st.lists(st.sampled_from("abcdefgh"), max_size=14)


@given(LINES, LINES)
def test_what_changed_makes_the_one_text_of_the_other(old, new):
    made, at = [], 0
    for a, b, c, d in changed_blocks(old, new):
        made += old[at:a]
        assert len(made) == c and (a < b or c < d)
        made += new[c:d]
        at = b
    assert made + old[at:] == new


@given(LINES, LINES)
def test_each_line_is_told_with_its_number(old, new):
    for hunk in hunks(old, new):
        for line in hunk_lines(old, new, hunk):
            text = "".join(piece for piece, _ in line.parts)
            assert line.old is None or old[line.old - 1] == text
            assert line.new is None or new[line.new - 1] == text
            assert (line.old is None, line.new is None) == (line.kind == "new", line.kind == "old")


def test_words_that_changed_are_marked_where_lines_are_alike():
    was, now = by_words("Employees get 25 days of leave.", "Employees get 26 days of leave.")
    assert [piece for piece, differs in was if differs] == ["25"] and ("26", True) in now
    assert by_words("Employees get 25 days.", "Nothing of this is here any more!")[0] == (
        ("Employees get 25 days.", False),
    )


def test_two_texts_of_a_hundred_thousand_lines_are_compared():  # in hours, were each line compared to each
    old = [f"line {number} of the book" for number in range(100_000)]
    new = [line + " again" if number % 97 == 0 else line for number, line in enumerate(old)]
    assert len(changed_blocks(old, new)) == 1031
    assert len(changed_blocks(["a", "b", "c"] * 50_000, ["c", "a"] * 70_000)) >= 1, "without an anchor"


@pytest.mark.parametrize(
    ("before", "span", "after", "found"),
    [
        ("one two three", "two", "one two three", "two"),
        ("one  two three", "two three", "two three", "two three"),
        ("one two three", "two", "one (link removed) two, three", "two"),
        ("see <b>two</b> three", "<b>two</b>", "see two three", "two"),
        ("one two three", "three", "one two", ""),
        ("one two three", "one two three", "zero one two", "one two"),
    ],
)
def test_a_span_is_found_again_in_the_changed_text(before, span, after, found):
    start = before.index(span)
    [(begin, end)] = moved_spans([(start, start + len(span))], before, after)
    assert after[begin:end] == found


@given(st.text("ab .", max_size=30), st.text("ab .", max_size=30), st.integers(0, 30), st.integers(0, 30))
def test_a_moved_span_lies_in_the_text(before, after, one, other):
    start, end = sorted((min(one, len(before)), min(other, len(before))))
    [(begin, close)] = moved_spans([(start, end)], before, after)
    assert 0 <= begin <= close <= len(after)
