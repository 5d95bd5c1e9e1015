"""PDFs by the place of their words: columns, tables, headings, forms, what cannot be seen."""

import io
import unicodedata

import pypdfium2 as pdfium
import pytest
from reportlab.lib import colors
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Table, TableStyle

from rag_platform.chunks import PLAIN
from rag_platform.documents.formats.page_layout.boxes import Line, Page, Word
from rag_platform.documents.formats.pdf.indic import mend_words
from rag_platform.documents.formats.pdf.pages import read_page
from rag_platform.documents.formats.pdf.reader import read_pdf
from rag_platform.text.markdown_blocks import BLOCKS


def drawn(*pages, size=(600, 800), **settings) -> bytes:
    """Make a PDF: each function draws a page."""
    written = io.BytesIO()
    canvas = Canvas(written, pagesize=size, **settings)
    for draw in pages:
        canvas.setFont("Helvetica", 10)
        draw(canvas)
        canvas.showPage()
    canvas.save()
    return written.getvalue()


LEFT = [f"The left column goes on in line number {n}" for n in range(8)]
RIGHT = [f"The right column has its own line number {n}" for n in range(8)]


def two_columns(canvas):
    canvas.drawString(50, 770, "A title that runs across both columns of this page, from the left edge to the right.")
    for n, (left, right) in enumerate(zip(LEFT, RIGHT, strict=True)):
        canvas.drawString(50, 740 - 14 * n, left)
        canvas.drawString(320, 740 - 14 * n, right)


def test_columns_that_are_drawn_line_by_line_are_read_one_after_the_other():
    text = read_pdf(drawn(two_columns)).text
    assert text.index("A title") < text.index(LEFT[0]) < text.index(LEFT[-1]) < text.index(RIGHT[0])
    assert f"{LEFT[0]}\n{LEFT[1]}" in text and f"{RIGHT[6]}\n{RIGHT[7]}" in text


CELLS = [["Crop", "Yield (t/ha)", "Note"], ["Wheat", "3.4", "a | b"], ["Rice", "4.1", "wet"], ["Maize", "5.0", ""]]


def ruled(canvas, rows=CELLS, **spans):
    table = Table(rows, colWidths=[120] * len(rows[0]))
    table.setStyle(TableStyle([("GRID", (0, 0), (-1, -1), 0.5, colors.black), *spans.get("style", ())]))
    table.wrapOn(canvas, 500, 500)
    table.drawOn(canvas, 60, 500)


def aligned(canvas):
    canvas.drawString(60, 720, "Yields of the year, as the office counted them in the autumn of the year before:")
    for n, row in enumerate(CELLS):
        for column, cell in enumerate(row):
            canvas.drawString(60 + 130 * column, 690 - 14 * n, cell)
    canvas.drawString(60, 600, "They were better than those of the year before, but for the rice in the north.")


@pytest.mark.parametrize("draw", [ruled, aligned])
def test_tables_are_markdown(draw):
    text = read_pdf(drawn(draw)).text
    table = text[text.index("| Crop") :].split("\n\n")[0].split("\n")
    assert table[:3] == ["| Crop | Yield (t/ha) | Note |", "| --- | --- | --- |", "| Wheat | 3.4 | a \\| b |"]
    assert table[4] == "| Maize | 5.0 |  |"
    assert "table_open" in [token.type for token in BLOCKS.parse(text)] and "pdf" not in PLAIN


def test_cells_are_cut_at_ruling_lines_even_when_they_are_close():
    table = Table([["aaaa", "bbbb"], ["cccc", "dddd"]], colWidths=[27, 27])
    table.setStyle(TableStyle([("GRID", (0, 0), (-1, -1), 0.5, colors.black), ("PADDING", (0, 0), (-1, -1), 0)]))

    def draw(canvas):
        table.wrapOn(canvas, 500, 500)
        table.drawOn(canvas, 60, 500)

    assert "| aaaa | bbbb |" in read_pdf(drawn(draw)).text


def test_a_list_is_no_table():
    def draw(canvas):
        for n in range(5):
            canvas.drawString(60, 700 - 14 * n, f"{n + 1}.")
            canvas.drawString(90, 700 - 14 * n, f"Point number {n}")

    assert read_pdf(drawn(draw)).text.split("\n")[0] == "1. Point number 0"


def chapters(canvas):
    def line(y, text, size=10, font="Helvetica"):
        canvas.setFont(font, size)
        canvas.drawString(60, y, text)

    line(760, "Water for farms", 22)
    line(720, "Who has it", 15)
    for n in range(4):
        line(700 - 13 * n, "The river belongs to all of those who live beside it, and to those who do not.")
    line(620, "Who wants it", 15)
    line(600, "# a comment, no heading, with some more words so that it is not too short to be read.")
    for n in range(4):
        line(586 - 13 * n, "Everybody wants it in the summer, and nobody does in a winter full of rain.")
    line(500, "In short", 10, "Helvetica-Bold")
    line(486, "There is enough of it for everybody who waits until it is his turn to take it.")


def test_headings_are_lines_in_larger_or_bolder_letters():
    read = read_pdf(drawn(chapters))
    headings = [line for line in read.text.split("\n") if line.startswith("#")]
    assert headings == ["# Water for farms", "## Who has it", "## Who wants it", "### In short"]
    assert "\\# a comment" in read.text and read.title == "Water for farms"


def test_many_headings_among_few_long_paragraphs_are_headings():
    def draw(canvas):
        for n in range(6):
            canvas.setFont("Helvetica-Bold", 10)
            canvas.drawString(60, 750 - 60 * n, f"Part {'ABCDEF'[n]} of it")
            canvas.setFont("Helvetica", 10)
            canvas.drawString(
                60, 735 - 60 * n, "Here a paragraph goes on with many words that fill all of its one line. " * 2
            )

    assert read_pdf(drawn(draw)).text.count("# Part") == 6


def test_pages_that_lie_on_their_side_are_read_as_they_are_shown():
    def draw(canvas):
        canvas.translate(800, 0)
        canvas.rotate(90)
        two_columns(canvas)

    document = pdfium.PdfDocument(drawn(draw, size=(800, 800)))
    document[0].set_rotation(90)
    turned = io.BytesIO()
    document.save(turned)
    text = read_pdf(turned.getvalue()).text
    assert text.index(LEFT[0]) < text.index(LEFT[-1]) < text.index(RIGHT[0])


def test_form_fields_stand_beside_their_labels():
    def draw(canvas):
        canvas.drawString(60, 700, "Name of the farm:")
        canvas.drawString(60, 660, "Place:")
        canvas.acroForm.textfield(value="Green Hill", x=180, y=692, width=120, height=20)
        canvas.acroForm.textfield(value="Pokhara", x=180, y=652, width=120, height=20)

    assert read_pdf(drawn(draw)).text.split() == ["Name", "of", "the", "farm:", "Green", "Hill", "Place:", "Pokhara"]


def test_what_nobody_can_see_is_left_out_and_flagged():
    def draw(canvas):
        canvas.drawString(60, 700, "Plain words.")
        canvas.setFillColor(colors.white)
        canvas.drawString(60, 650, "white secret")
        canvas.setFillColor(colors.navy)
        canvas.rect(50, 590, 300, 30, fill=1)
        canvas.setFillColor(colors.white)
        canvas.drawString(60, 600, "Light on dark.")
        canvas.setFillColor(colors.black)
        canvas.drawString(60, 900, "off the page")
        canvas.setFont("Helvetica", 0.5)
        canvas.drawString(60, 550, "speck")
        clear = canvas.beginText(60, 500)
        clear.setFont("Helvetica", 10)
        clear.setTextRenderMode(3)
        clear.textOut("clear secret")
        canvas.drawText(clear)

    read = read_pdf(drawn(draw))
    assert read.text.split("\n\n") == ["Plain words.", "Light on dark."]
    assert read.flags == ("hidden words removed: 8",)


def test_the_text_that_recognition_put_under_a_scan_stays():
    def draw(canvas):
        canvas.drawInlineImage(_grey(), 0, 0, 600, 800)
        clear = canvas.beginText(60, 500)
        clear.setTextRenderMode(3)
        clear.textOut("Words that somebody else has recognised before us.")
        canvas.drawText(clear)

    assert read_pdf(drawn(draw)).text == "Words that somebody else has recognised before us."


def _grey():
    from PIL import Image

    return Image.new("L", (20, 20), 200)


def test_more_objects_than_anybody_draws_cost_little():
    def draw(canvas):
        canvas.drawString(60, 700, "A map.")
        for n in range(12_000):
            canvas.line(n % 600, 0, 600 - n % 600, 800)

    assert read_pdf(drawn(draw, pageCompression=1)).text == "A map."


def test_words_that_ran_into_each_other_without_a_space_are_two():
    document = pdfium.PdfDocument(drawn(two_columns))
    texts = [line.text for line in read_page(document, 0).lines]
    document.close()
    assert LEFT[3] in texts and RIGHT[3] in texts


def lettered(codes: str) -> bytes:
    """Make a PDF of the characters given in hexadecimal UTF-16, each a letter of its font."""
    pairs = " ".join(f"<{n:04x}> <{code}>" for n, code in enumerate(codes.split(), start=1))
    table = (
        "begincmap 1 begincodespacerange <0000> <ffff> endcodespacerange "
        f"{len(codes.split())} beginbfchar {pairs} endbfchar endcmap"
    )
    shown = "".join(f"{n:04x}" for n in range(1, len(codes.split()) + 1))
    page = f"BT /F 12 Tf 60 700 Td <{shown}> Tj ET"
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>",
        f"<< /Length {len(page)} >> stream\n{page}\nendstream",
        "<< /Type /Font /Subtype /Type0 /BaseFont /A /Encoding /Identity-H"
        " /DescendantFonts [7 0 R] /ToUnicode 6 0 R >>",
        f"<< /Length {len(table)} >> stream\n{table}\nendstream",
        "<< /Type /Font /Subtype /CIDFontType2 /BaseFont /A /CIDSystemInfo"
        " << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> >>",
    ]
    numbered = "".join(f"{number} 0 obj {one} endobj\n" for number, one in enumerate(objects, start=1))
    return f"%PDF-1.4\n{numbered}trailer << /Root 1 0 R /Size 8 >>".encode()


def test_characters_beyond_the_first_plane_are_kept_and_those_of_a_font_alone_are_not():
    assert read_pdf(lettered("0041 D842DFB7 D83CDF34 DB80DC41 0042")).text == "A𠮷🌴B"


# --- Indic scripts ----------------------------------------------------------------------------------

SENTENCE = "भारत की सरकार ने किसानों के लिए नया पानी का काम शुरू किया और सारा गाँव साथ रहा"
SPACE, AFTER_SIGN = 3.0, 3.1
"""Points: a space, and what a font leaves after a vowel sign that has a width of its own."""


def fallen_apart() -> Page:
    """Lay words out as PDFium sees them when it takes what a sign leaves for a space."""
    page = Page(600.0, 800.0)
    for n in range(6):
        words, x = [], 0.0
        for word in SENTENCE.split():
            for piece in _pieces(word):
                words.append(Word(piece, x, 20.0 * n, x + 8.0 * len(piece), 20.0 * n + 12))
                x = words[-1].x1 + AFTER_SIGN * any(unicodedata.category(sign) == "Mc" for sign in piece[-2:])
            x += SPACE
        page.lines.append(Line(words, size=12.0))
    return page


def _pieces(word: str) -> list[str]:
    cuts = [n + 1 for n, letter in enumerate(word[:-1]) if unicodedata.category(letter) == "Mc"
            and unicodedata.category(word[n + 1]) == "Lo"]  # fmt: skip
    return [word[start:end] for start, end in zip([0, *cuts], [*cuts, len(word)], strict=True)]


def test_words_of_indic_scripts_are_put_together():
    page = fallen_apart()
    assert "भा रत" in page.lines[0].text
    assert mend_words([page]) > 0
    assert page.lines[0].text == SENTENCE


def test_indic_words_that_are_whole_stay_as_they_are():
    page = Page(600.0, 800.0)
    words = [Word(word, 60.0 * n, 0.0, 60.0 * n + 50, 12.0) for n, word in enumerate(SENTENCE.split() * 3)]
    page.lines.append(Line(words, size=12.0))
    assert mend_words([page]) == 0


def test_a_line_with_a_high_letter_stays_above_the_one_below_it():
    def draw(canvas):
        canvas.drawString(72, 700, "Proof. By definition of the quotient the map of classes is con")
        canvas.setFont("Helvetica", 40)
        canvas.drawString(370, 686, "P")
        canvas.setFont("Helvetica", 10)
        canvas.drawString(60, 688, "tinuous. As the sphere is closed and bounded, it is compact as well.")

    text = " ".join(read_pdf(drawn(draw)).text.split())
    assert text.index("Proof.") < text.index("tinuous.")
