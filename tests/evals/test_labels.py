"""Where quotes stand: tolerant of white space and case, of moved text, of a uri's beginning; never silent."""

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.questions.labels import Span, locate
from evals.questions.question import Question, Relevant

TEXT = "The weir holds the river back.\n\nThe Ferry crosses\n  at noon. Again: the ferry crosses at noon."


def _locate(documents: pl.DataFrame, *quotes: tuple[str, str]):
    return locate([Question("q", "?", tuple(Relevant(*quote) for quote in quotes))], documents)


def test_white_space_and_case_do_not_matter_and_every_occurrence_will_do(make_documents) -> None:
    (label,) = _locate(make_documents(guide=TEXT), ("guide", "the ferry crosses AT noon"))
    assert [TEXT[span.start : span.end] for span in label.spans] == [
        "The Ferry crosses\n  at noon",
        "the ferry crosses at noon",
    ]
    assert (label.id, label.question_id, label.problem) == ("q#1", "q", None)


def test_what_is_a_pattern_to_others_is_a_word_here(make_documents) -> None:
    (label,) = _locate(make_documents(guide="cost (a+b)* [1] is $5.00?"), ("guide", "(a+b)* [1] is $5.00?"))
    assert label.spans == (Span("guide", 5, 25),)


def test_composed_and_decomposed_letters_are_the_same(make_documents) -> None:
    (label,) = _locate(make_documents(guide="le café au lait"), ("guide", "cafe\u0301 au lait"))
    assert label.spans == (Span("guide", 3, 15),)


@pytest.mark.parametrize(
    ("uri", "found"),
    [
        ("https://example.org/guide/setup.md", True),
        ("guide/setup.md", True),
        ("/guide/setup.md", True),
        ("setup.md", True),
        ("up.md", False),
        ("ide/setup.md", False),
        ("other/setup.md", False),
        ("setup", False),
    ],
)
def test_a_uri_may_be_given_by_its_end_from_a_slash_on(uri, found) -> None:
    documents = pl.DataFrame(
        {"doc_id": ["d"], "uri": ["https://example.org/guide/setup.md"], "text": ["run the installer"]}
    )
    (label,) = _locate(documents, (uri, "the installer"))
    assert bool(label.spans) == found


def test_a_full_uri_is_preferred_to_one_that_ends_alike(make_documents) -> None:
    documents = pl.DataFrame({"doc_id": ["1", "2"], "uri": ["x/a.md", "a.md"], "text": ["the same words"] * 2})
    assert _locate(documents, ("a.md", "same words"))[0].spans == (Span("2", 4, 14),)


def test_what_is_no_longer_there_is_reported_and_voids_no_other_label(make_documents) -> None:
    documents = make_documents(guide=TEXT)
    gone, kept, unknown = _locate(
        documents, ("guide", "the ford is shallow"), ("guide", "holds the river"), ("manual", "holds the river")
    )
    assert (gone.spans, unknown.spans) == ((), ())
    assert kept.spans == (Span("guide", 9, 24),)
    assert gone.problem == "q#1: 'guide' does not hold the words 'the ford is shallow'"
    assert unknown.problem == "q#3: no document has the uri 'manual'"


def test_an_empty_quote_is_the_whole_document_and_an_unread_one_holds_nothing() -> None:
    documents = pl.DataFrame({"doc_id": ["1", "2"], "uri": ["a", "b"], "text": ["abc", None]})
    whole, unread = _locate(documents, ("a", ""), ("b", "some words"))
    assert whole.spans == (Span("1", 0, 3),)
    assert unread.problem


words = st.lists(st.text(st.characters(categories=("L", "N", "P")), min_size=1, max_size=6), min_size=1, max_size=6)


@given(before=words, quote=words, after=words, space=st.sampled_from([" ", "\n", "\t ", "\u00a0", "\n\n"]))
def test_a_quote_is_found_wherever_its_document_moves_it(before, quote, after, space) -> None:
    text = space.join([*before, *quote, *after])
    documents = pl.DataFrame({"doc_id": ["d"], "uri": ["d"], "text": [text]})
    (label,) = _locate(documents, ("d", " ".join(quote)))
    assert " ".join(quote) in [" ".join(text[span.start : span.end].split()) for span in label.spans]
