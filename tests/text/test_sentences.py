from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from rag_platform.text.sentences import split_sentences


def sentences(text):
    return [text[sentence.start : sentence.end] for sentence in split_sentences(text)]


def test_abbreviations_initials_and_numbers_do_not_end_a_sentence():
    text = "Dr. Smith paid $3.50 (approx. 4 euros). J. K. Rowling, e.g., did not! “Really?” he asked. See Fig. 3."
    assert sentences(text) == [
        "Dr. Smith paid $3.50 (approx. 4 euros).",
        "J. K. Rowling, e.g., did not!",
        "“Really?” he asked.",
        "See Fig. 3.",
    ]


def test_scripts_with_their_own_full_stops():
    assert sentences("第一句。第二句！“第三句？”他说。") == ["第一句。", "第二句！", "“第三句？”", "他说。"]
    hindi = "सरकार ने नीति की घोषणा की। डॉ. शर्मा ने कहा। क्या यह सही है?"
    assert sentences(hindi) == ["सरकार ने नीति की घोषणा की।", "डॉ. शर्मा ने कहा।", "क्या यह सही है?"]
    assert sentences("El Sr. García llegó. ¿Qué pasó? ¡Nada!") == [
        "El Sr. García llegó.",
        "¿Qué pasó?",
        "¡Nada!",
    ]
    assert sentences("یہ پہلا جملہ ہے۔ یہ دوسرا ہے۔") == ["یہ پہلا جملہ ہے۔", "یہ دوسرا ہے۔"]


def test_markdown_keeps_headings_items_rows_and_code_apart():
    text = (
        "# Title\nA paragraph that\nis wrapped. Second.\n- one\n  goes on\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"
        "Under\n-----\n```\nx = 1\n```\n"
    )
    assert [(kind, text[start:end]) for start, end, kind in split_sentences(text)] == [
        ("heading", "Title"),
        ("prose", "A paragraph that\nis wrapped."),
        ("prose", "Second."),
        ("item", "one\n  goes on"),
        ("item", "two"),
        ("row", "| a | b |"),
        ("row", "| 1 | 2 |"),
        ("heading", "Under"),
        ("code", "x = 1"),
    ]


def test_any_language_and_a_very_long_paragraph():
    assert sentences("Yksi lause. Toinen lause.") == ["Yksi lause.", "Toinen lause."]
    assert len(sentences("A short sentence here. " * 500)) == 500


@given(st.text(st.sampled_from("ab A.!?。।\n\t-*#|`>“”()[]$^\\1…"), max_size=120))
def test_spans_are_ordered_trimmed_and_lose_no_letter(text):
    found = split_sentences(text)
    assert all(text[start:end] == text[start:end].strip() != "" for start, end, _ in found)
    assert all(left.end <= right.start for left, right in pairwise(found))
    covered = {place for start, end, _ in found for place in range(start, end)}
    # a list's letter or number ("a.", "1)") and a fence's language are markup, not text
    if not any(mark in text for mark in ("`", "1", "a.", "b.", "a)", "b)")):
        assert all(place in covered for place, letter in enumerate(text) if letter.isalnum())
