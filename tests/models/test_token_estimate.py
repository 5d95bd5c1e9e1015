"""Tokens estimated where a model's tokenizer is not here."""

import pytest

from rag_platform.models.token_estimate import estimating_tokenizer

ENGLISH = "The warden calibrates the gauge every spring; retrieval-augmented generation needs 1,204 passages of it."


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("a ferry", ["a", "ferry"]),
        ("Retrieval, 1234", ["Retri", "eval", ",", "12", "34"]),
        ("渡し船", ["渡", "し", "船"]),
        ("Привет", ["Пр", "ив", "ет"]),
        (" \n", []),
    ],
)
def test_pieces_are_short(text, pieces):
    encoding = estimating_tokenizer().encode(text, add_special_tokens=False)
    assert [text[start:end] for start, end in encoding.offsets] == pieces
    assert len(estimating_tokenizer().encode(text)) == len(pieces) + 2


def test_the_estimate_is_rather_too_high(embedder):
    estimated = len(estimating_tokenizer().encode(ENGLISH))
    assert 1.0 <= estimated / embedder.count_tokens([ENGLISH])[0] <= 1.6
