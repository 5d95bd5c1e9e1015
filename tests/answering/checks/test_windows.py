"""Long sources in pieces."""

import re

from rag_platform.answering.checks.windows import nearest, windows


def tokens(text):
    return [found.span() for found in re.finditer(r"\w+|[.]", text)]


def test_windows_begin_with_a_sentence_and_repeat_the_last_one_before():
    text = "One two three. Four five. Six seven. Eight nine ten."
    first, second, third = "One two three. Four five. ", "Four five. Six seven. ", "Six seven. Eight nine ten."
    assert windows(text, tokens(text), 8) == [first, second, third]
    assert windows(text, tokens(text), 100) == [text]
    assert windows("", [], 8) == [""]


def test_a_sentence_longer_than_a_window_is_cut_and_nothing_is_lost():
    text = "And " + " ".join(f"word{number}" for number in range(50)) + ". The end."
    found = windows(text, tokens(text), 8)
    assert all(len(tokens(piece)) <= 8 for piece in found)
    assert {word for piece in found for word in piece.split()} == set(text.split())


def test_of_many_windows_those_with_the_claims_words_are_read():
    pieces = [f"Nothing of note, {number}." for number in range(20)] + ["The ferry to Oster leaves at nine."]
    assert nearest("The ferry leaves at ten.", pieces, 1) == [pieces[-1]]
    assert nearest("The ferry leaves at ten.", pieces[:3], 3) == pieces[:3]
