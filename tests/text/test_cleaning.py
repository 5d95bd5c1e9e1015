"""Text as stored."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_platform.text.cleaning import clean, clean_line, count_words

odd = st.text() | st.text(
    alphabet="a \t\n\r\v\f\x00\x85\u00a0\u00ad\u200b\u200c\u200d\u2028\u202e\u3000\ufeffé\u0301\u212b\U000e0041"
)


@given(odd)
def test_cleaning_twice_changes_nothing(text):
    assert clean(clean(text)) == clean(text)


@given(odd)
def test_what_is_clean(text):
    found = clean(text)
    assert unicodedata.is_normalized("NFC", found)
    assert "\n\n\n" not in found and found == found.strip("\n")
    assert all(line == line.rstrip(" \t") for line in found.split("\n"))
    assert not [c for c in found if unicodedata.category(c) in ("Cc", "Cs") and c not in "\n\t"]
    assert len(found.splitlines()) == (found.count("\n") + 1 if found else 0)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("a\r\nb\rc", "a\nb\nc"),
        ("a  \n \n\n\t\nb", "a\n\nb"),
        ("co\u00adoperate\u200b \ufeffnow", "cooperate now"),
        ("क्\u200dष ম\u200cন", "क्\u200dष ম\u200cন"),
        ("👩\u200d🌾", "👩\u200d🌾"),
        ("e\u0301", "é"),
        ("x² ﬁ ① ﬄ", "x² fi ① ffl"),
        ("ﺍﻟﻤﺎء ﷺ", "الماء ﷺ"),
        ("hide\U000e0069\U000e0067n\u202eore", "hidenore"),
        ("a\u00a0b\u3000c", "a b c"),
        ("  indented", "  indented"),
        ("lone \ud83d half", "lone  half"),
    ],
)
def test_examples(given, expected):
    assert clean(given) == expected


def test_a_line_is_one_line():
    assert clean_line("  A\n title\u200b ") == "A title"
    assert clean_line(None) == ""


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", 0),
        ("two words", 2),
        ("don't stop—now", 3),
        ("这是句子", 2),
        ("สวัสดี", 3),
        ("क्षेत्र में पानी", 3),
        ("한국어 문장", 2),
        ("- * #", 0),
    ],
)
def test_words(text, words):
    assert count_words(text) == words


@pytest.mark.parametrize(
    "text", ["a  \nb ", "a\n\n\n\nb", "a \n \n \n\nb", "  a\n  b", "a\tb\t\nc", "a\x00b\r\nc\x7f", ""]
)
def test_plain_ascii_is_cleaned_as_any_other_text(text: str) -> None:
    assert clean(f"x{text}x") == clean(f"x{text}xé")[:-1]
    assert clean(f"x{text}").rstrip() == clean(f"x{text}")
