"""Footnotes of PDFs."""

from rag_platform.documents.formats.pdf.reader import read_pdf
from tests.documents.formats.pdf.test_layout import drawn

BODY = [f"Line {n} of the body tells more about the harvest of that year." for n in range(6)]


def page(mark, called="Wheat was counted twice", note="By the office of statistics."):
    """Return a function that draws a page whose third line calls a note at the foot."""

    def draw(canvas):
        for n, line in enumerate(BODY):
            canvas.drawString(60, 700 - 14 * n, line)
        text = canvas.beginText(60, 600)
        for written, size, rise in ((called, 10, 0), (mark, 6, 4), (" and rice once.", 10, 0)):
            text.setFont("Helvetica", size)
            text.setRise(rise)
            text.textOut(written)
        text.setTextOrigin(60, 80)
        for written, size, rise in ((mark, 5, 3), (f" {note}", 8, 0)):
            text.setFont("Helvetica", size)
            text.setRise(rise)
            text.textOut(written)
        canvas.drawText(text)

    return draw


def test_a_note_at_the_foot_is_tied_to_its_word():
    text = read_pdf(drawn(page("1"))).text
    assert "Wheat was counted twice[^1] and rice once." in text
    assert "\n\n[^1]: By the office of statistics." in text


def test_notes_that_are_numbered_anew_on_each_page_are_told_apart():
    text = read_pdf(drawn(page("1"), page("1", note="By the other office."))).text
    assert "twice[^1] and" in text and "twice[^1-2] and" in text
    assert "[^1]: By the office of statistics." in text and "[^1-2]: By the other office." in text


def test_a_word_may_end_like_a_unit():
    text = read_pdf(drawn(page("1", called="Nach dem Programm"))).text
    assert "Programm[^1] and rice" in text


def test_an_area_in_feet_is_no_call_of_a_note():
    text = read_pdf(drawn(page("2", called="The field has 40 ft"))).text
    assert "40 ft² and rice" in text and "[^" not in text


def test_an_exponent_is_no_call_of_a_note():
    text = read_pdf(drawn(page("2", called="The field has 40 m"))).text
    assert "40 m² and rice" in text and "[^" not in text
