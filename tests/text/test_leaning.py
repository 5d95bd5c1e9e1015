"""Which sentences lean on the one before them."""

import pytest

from rag_platform.text.analysis.leaning import leans


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "It opened in 1902."),
        ("en", '"However, the weir held."'),
        ("en", "For  example, a ferry."),
        ("en-GB", "Their boats are blue."),
        ("de", "Deshalb blieb die Fähre im Hafen."),
        ("es", "Sin embargo, nadie vino."),
        ("fr", "Elle ferme le lundi."),
        ("hi", "इसके बाद नदी सूख गई।"),
        ("ne", "त्यसपछि उनी घर फर्किए।"),
        ("ru", "Поэтому паром не ходит."),
        ("zh", "其水位每年上升。"),
        ("ja", "「そのため」川は溢れた。"),
        ("th", "แต่เขาไม่มา"),
    ],
)
def test_what_points_back_leans(language, sentence):
    assert leans(sentence, language)


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "Italy has many rivers."),
        ("en", "The weir was built in 1902; it is old."),
        ("en", ""),
        ("de", "Escher malte Treppen."),
        ("ne", "योजना सुरु भयो।"),
        ("ne", "तरकारी महँगो भयो।"),
        ("hi", "औरत बाज़ार गई।"),
        ("zh", "水位上升。"),
        ("xx", "It opened in 1902."),
        ("", "It opened in 1902."),
    ],
)
def test_what_stands_for_itself_does_not(language, sentence):
    assert not leans(sentence, language)
