"""The order in which a PDF's page is read: columns that differ from part to part, sidebars, writing that runs down."""

import io
import re

import pytest
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen.canvas import Canvas

from rag_platform.documents.formats.pdf.reader import read_pdf
from tests.documents.formats.pdf.test_layout import drawn

STEP = 13
WORDS = ["river", "farm", "water", "winter", "people", "village", "harvest", "market", "summer", "road"]


def prose(name: str, count: int, words: int = 6) -> list[str]:
    """Return lines that are told apart by their first word: the name of their column and their number in it."""
    return [" ".join([f"{name}{n}", *(WORDS[(n * 3 + place) % 10] for place in range(words))]) for n in range(count)]


def in_rows(canvas, top: float, *columns: tuple[float, list[str]]) -> None:
    """Draw columns as some programs do: all that stands at one height, then the next."""
    for n in range(max(len(lines) for _, lines in columns)):
        for x, lines in columns:
            if n < len(lines):
                canvas.drawString(x, top - STEP * n, lines[n])


def marks(content: bytes) -> list[str]:
    """Return the first words of the lines that were read, in order."""
    return re.findall(r"\b[A-Z]\d+\b", read_pdf(content).text)


def named(*columns: tuple[str, int]) -> list[str]:
    """Return the first words of columns that are read one after the other."""
    return [f"{name}{n}" for name, count in columns for n in range(count)]


def test_two_columns_above_three_are_read_part_by_part():
    def draw(canvas):
        canvas.drawString(40, 770, "The news of this week, with all that was said of it in villages along the river")
        in_rows(canvas, 740, (40, prose("A", 8)), (310, prose("B", 8)))
        canvas.drawString(40, 600, "What was sold on the market, from the first day of the week until the day of rest")
        in_rows(canvas, 570, (40, prose("C", 8, 4)), (220, prose("D", 8, 4)), (400, prose("E", 8, 4)))

    assert marks(drawn(draw)) == named(("A", 8), ("B", 8), ("C", 8), ("D", 8), ("E", 8))


def test_few_lines_of_columns_go_on_below_a_picture():
    def draw(canvas):
        in_rows(canvas, 740, (40, prose("A", 8)), (310, prose("B", 8)))
        canvas.drawString(40, 600, "Figure 1: the road from the market to the village, which is under water in summer")
        in_rows(canvas, 570, (40, prose("C", 3)), (310, prose("D", 3)))

    assert marks(drawn(draw)) == named(("A", 8), ("B", 8), ("C", 3), ("D", 3))


LONG = ["Figure 1: herons seen on the river", "in each month of the last year"], [
    "Figure 2: herons that nested in", "the reeds, by village"
]  # fmt: skip


@pytest.mark.parametrize("captions", [LONG, (LONG[0], LONG[1][:1]), (LONG[0][:1], LONG[1]), (LONG[0][:1], LONG[1][:1])])
def test_captions_below_two_figures_beside_each_other_are_read_one_after_the_other(captions):
    after = "Herons came back to the river when the reeds were no longer cut, as the people of all villages tell."

    def draw(canvas):
        canvas.rect(40, 600, 220, 120, fill=1)
        canvas.rect(310, 600, 220, 120, fill=1)
        in_rows(canvas, 585, (40, captions[0]), (310, captions[1]))
        canvas.drawString(40, 530, after)

    assert read_pdf(drawn(draw)).text == "\n\n".join(["\n".join(lines) for lines in captions] + [after])


def test_a_short_heading_below_two_columns_belongs_to_what_follows():
    def draw(canvas):
        in_rows(canvas, 740, (40, prose("A", 8)), (310, prose("B", 8)))
        canvas.drawString(40, 590, "H1 In short")
        for n, line in enumerate(prose("C", 6, 13)):
            canvas.drawString(40, 575 - STEP * n, line)

    assert marks(drawn(draw)) == [*named(("A", 8), ("B", 8)), "H1", *named(("C", 6))]


def test_a_narrow_sidebar_is_not_read_into_the_text():
    def draw(canvas):
        for n in range(14):
            if n < 9:
                canvas.drawString(40, 737 - 15 * n, prose("S", 9, 3)[n])
            canvas.drawString(180, 740 - STEP * n, prose("A", 14, 10)[n])

    assert marks(drawn(draw)) == named(("S", 9), ("A", 14))


def test_what_was_drawn_last_is_read_where_it_stands():
    def draw(canvas):
        canvas.drawString(40, 40, "Z0 is the note at the foot of the page, about the water")
        for n, line in enumerate(prose("A", 8, 10)):
            canvas.drawString(40, 700 - STEP * n, line)
        canvas.drawString(40, 760, "T0 is the title that somebody put there in the end")

    assert marks(drawn(draw)) == ["T0", *named(("A", 8)), "Z0"]


def test_a_table_is_no_pair_of_columns():
    def draw(canvas):
        for n in range(8):
            canvas.drawString(40, 740 - STEP * n, f"A{n} the river and its farms")
            canvas.drawString(310, 740 - STEP * n, f"B{n} 3.{n}")

    assert marks(drawn(draw)) == [f"{name}{n}" for n in range(8) for name in "AB"]


DOWN = ["吾輩は猫である。名前はまだ無い。", "二番目の列はその左にあります。", "三番目の列で文は終わります。"]


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 0, 1)])
def test_writing_that_runs_down_is_read_from_the_right(order):
    pdfmetrics.registerFont(UnicodeCIDFont("HeiseiMin-W3", isVertical=True))
    written = io.BytesIO()
    canvas = Canvas(written, pagesize=(600, 800))
    for n in order:
        canvas.setFont("HeiseiMin-W3", 12)
        canvas.drawString(500 - 24 * n, 700, DOWN[n])
    canvas.save()
    assert "".join(read_pdf(written.getvalue()).text.split()) == "".join(DOWN)


def test_what_repeats_below_a_heading_of_its_own_is_text():
    def page(number):
        def draw(canvas):
            canvas.drawString(40, 780, f"The agreement, page {number}")
            canvas.drawString(40, 750, f"Clause of the {WORDS[number]}")
            canvas.drawString(40, 735, "Nothing in this clause is meant in earnest, and it")
            for n, line in enumerate(prose("A", 8)):
                canvas.drawString(40, 720 - STEP * n, line)

        return draw

    read = read_pdf(drawn(*map(page, range(4))))
    assert read.text.count("Nothing in this clause") == 4 and "page" not in read.text


def test_a_caption_is_a_paragraph_of_its_own():
    lines = ["The wheat grew well in that year, as is", "seen in the field's picture below here.",
             "Figure 3: Wheat in the north", "Figure 4 shows rice, of which was", "less than before."]  # fmt: skip

    def draw(canvas):
        for n, line in enumerate(lines):
            canvas.drawString(60, 700 - 14 * n, line)

    assert "below here.\n\nFigure 3: Wheat in the north\nFigure 4 shows" in read_pdf(drawn(draw)).text


def test_the_columns_of_an_index_are_read_one_after_the_other():
    def draw(canvas):
        canvas.drawString(40, 770, "113")
        canvas.drawRightString(560, 770, "Index")
        for column, x, letters in (("A", 40, (4, 5, 6)), ("B", 320, (7, 4, 4))):
            place, top = 0, 740.0
            for count in letters:
                for _ in range(count):
                    canvas.drawString(
                        x + 20 * (place % 3 > 0), top, f"{column}{place} {WORDS[place % 10]}, {place + 3}"
                    )
                    place, top = place + 1, top - STEP
                top -= 9.0

    assert marks(drawn(draw)) == named(("A", 15), ("B", 15))
    assert "|" not in read_pdf(drawn(draw)).text


def test_a_table_that_is_drawn_column_by_column_stays_a_table():
    def draw(canvas):
        for n in range(12):
            canvas.drawString(40, 740 - STEP * n, f"A{n} {WORDS[n % 10]} by the river")
        for n in (0, 2, 3, 4, 5, 6, 8, 9, 10, 11):
            canvas.drawString(320, 740 - STEP * n, f"B{n} {n * 7} tons of it all")

    assert "| A3 winter by the river | B3 21 tons of it all |" in read_pdf(drawn(draw)).text


def test_lines_that_are_drawn_twice_at_one_place_are_read_once_beside_what_they_answer():
    def draw(canvas):
        for n in range(8):
            canvas.drawString(
                40, 740 - STEP * n, f"Q{n} Did you eat or drink {WORDS[n]} before you went to bed? If so, what?"
            )
            canvas.drawString(400, 740 - STEP * n, "yes")
            for away in (0.0, 0.3):
                canvas.drawString(430 + away, 740 - STEP * n, "no what?__________________")

    text = read_pdf(drawn(draw)).text
    assert text.count("no what?") == 8
    assert re.search(r"Q3 [^\n]*yes[^\n]*no what\?[^\n]*\n[^\n]*Q4", text)
