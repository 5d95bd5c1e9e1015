"""Exponents, indices and marks that touch the word they belong to."""

import pytest

from rag_platform.documents.formats.pdf.reader import read_pdf
from tests.documents.formats.pdf.test_layout import drawn


def line_of(*pieces):
    """Return a function that writes pieces of text one after the other: (text, its size, points that it is raised)."""

    def draw(canvas):
        text = canvas.beginText(72, 700)
        for written, size, rise in pieces:
            text.setFont("Helvetica", size)
            text.setRise(rise)
            text.textOut(written)
        canvas.drawText(text)

    return draw


@pytest.mark.parametrize(
    ("pieces", "text"),
    [
        ([("about 10", 12, 0), ("6", 8, 5), (" people", 12, 0)], "about 10⁶ people"),
        ([("a field of 3 m", 12, 0), ("-2", 8, 5), (", no more", 12, 0)], "a field of 3 m⁻², no more"),
        ([("H", 12, 0), ("2", 8, -3), ("O is water", 12, 0)], "H2O is water"),
        ([("the space R", 12, 0), ("n", 8, 5), (" is open", 12, 0)], "the space Rn is open"),
        ([("1", 7, 5), ("University of the North", 12, 0)], "¹University of the North"),
    ],
)
def test_what_is_raised_or_lowered_stays_with_its_word(pieces, text):
    assert read_pdf(drawn(line_of(*pieces))).text == text


def test_small_words_after_a_space_are_words():
    pieces = ("the price", 12, 0), (" 6 euro", 8, 0), (" is low", 12, 0)
    assert read_pdf(drawn(line_of(*pieces))).text == "the price 6 euro is low"


def test_letters_of_another_font_cut_no_word():
    def draw(canvas):
        text = canvas.beginText(72, 700)
        for written, font, size in [
            ("un", "Helvetica", 12), ("believ", "Helvetica-Bold", 12), ("able, and ", "Times-Roman", 12),
            ("H", "Times-Bold", 16), ("ead", "Times-Italic", 12), ("ing", "Helvetica-Bold", 12),
            ("s too", "Helvetica", 12),
        ]:  # fmt: skip
            text.setFont(font, size)
            text.textOut(written)
        canvas.drawText(text)

    assert read_pdf(drawn(draw)).text == "unbelievable, and Headings too"
