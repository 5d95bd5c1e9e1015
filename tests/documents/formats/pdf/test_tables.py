"""Tables of PDFs: merged cells, rows that lines do not part, names over several columns, what goes on over pages."""

from reportlab.lib import colors
from reportlab.platypus import Table, TableStyle

from rag_platform.documents.formats.pdf.reader import read_pdf
from tests.documents.formats.pdf.test_layout import drawn

GRID = ("GRID", (0, 0), (-1, -1), 0.5, colors.black)


def rows(text: str) -> list[list[str]]:
    """Return the cells of the Markdown tables in a text, without the row that parts the header."""
    lines = [line for line in text.split("\n") if line.startswith("|") and "| --- |" not in line]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def ruled(cells, *style, y=500, width=110):
    """Return a function that draws a table with those lines."""

    def draw(canvas):
        table = Table(cells, colWidths=[width] * len(cells[0]))
        table.setStyle(TableStyle([*style]))
        table.wrapOn(canvas, 500, 500)
        table.drawOn(canvas, 40, y)

    return draw


def test_a_cell_over_several_columns_or_rows_is_said_in_each():
    cells = [
        ["Region", "Harvest", ""],
        ["", "2023", "2024"],
        ["North", "3.4", "3.6"],
        ["", "1.2", "1.5"],
        ["All together", "", ""],
    ]
    spans = [("SPAN", *edges) for edges in (((0, 0), (0, 1)), ((1, 0), (2, 0)), ((0, 2), (0, 3)), ((0, 4), (2, 4)))]
    assert rows(read_pdf(drawn(ruled(cells, GRID, *spans))).text) == [
        ["Region", "Harvest", "Harvest"],
        ["", "2023", "2024"],
        ["North", "3.4", "3.6"],
        ["North", "1.2", "1.5"],
        ["All together", "", ""],
    ]


def test_rows_that_no_line_parts_are_rows():
    cells = [["Crop", "Harvest"], ["Wheat", "3.4"], ["Rice", "4.1"], ["Maize", "5.0"]]
    lines = [("BOX", (0, 0), (-1, -1), 0.5, colors.black), ("LINEBELOW", (0, 0), (-1, 0), 0.5, colors.black),
             ("LINEAFTER", (0, 0), (0, -1), 0.5, colors.black)]  # fmt: skip
    assert rows(read_pdf(drawn(ruled(cells, *lines))).text) == cells


def booktabs(canvas):
    """Draw a table as papers do: three long lines, and a short one below a name of two columns."""
    for y, left, right in ((720, 40, 440), (700, 150, 300), (680, 40, 440), (630, 40, 440)):
        canvas.line(left, y, right, y)
    canvas.drawString(200, 705, "Harvest")
    canvas.drawString(352, 705, "Money")
    for n, row in enumerate(
        [["Crop", "2023", "2024", "euro"], ["Wheat", "3.4", "3.6", "90"], ["Rice", "4", "4.2", "80"]]
    ):
        for place, cell in enumerate(row):
            canvas.drawString((40, 160, 260, 350)[place], 685 - 22 * n - 8 * (n > 0), cell)


def test_a_name_above_a_line_is_said_in_each_column_that_the_line_is_over():
    text = read_pdf(drawn(booktabs)).text
    assert rows(text) == [
        ["", "Harvest", "Harvest", "Money"],
        ["Crop", "2023", "2024", "euro"],
        ["Wheat", "3.4", "3.6", "90"],
        ["Rice", "4", "4.2", "80"],
    ]


def test_two_lines_of_a_cell_are_one_row():
    def draw(canvas):
        for n, (name, number) in enumerate([("State", "Count"), ("North", "31"), ("South", "45"), ("East", "12")]):
            canvas.drawString(40, 700 - 26 * n, name)
            canvas.drawString(200, 700 - 26 * n, number)
        canvas.drawString(40, 689, "or land")
        canvas.drawString(40, 637, "and islands")

    cells = [["State or land", "Count"], ["North", "31"], ["South and islands", "45"], ["East", "12"]]
    assert rows(read_pdf(drawn(draw)).text) == cells


def test_what_goes_on_of_a_table_on_the_next_page_has_the_names_of_its_columns():
    body = [[f"Farm {n}", f"{n}.5"] for n in range(8)]
    first = ruled([["Name", "Harvest"], *body[:4]], GRID, y=40)
    second = ruled(body[4:], GRID, y=680)
    read = read_pdf(drawn(first, second))
    assert rows(read.text) == [["Name", "Harvest"], *body[:4], ["Name", "Harvest"], *body[4:]]


def test_another_table_on_the_next_page_keeps_its_own_names():
    first = ruled([["Name", "Harvest"], ["Farm 1", "3.5"], ["Farm 2", "3.7"]], GRID, y=40)
    second = ruled([["Town", "People"], ["Pokhara", "many"], ["Butwal", "few"]], GRID, y=680)
    assert rows(read_pdf(drawn(first, second)).text)[3] == ["Town", "People"]


def test_a_row_that_is_merged_as_the_names_above_it_is_no_header():
    cells = [
        ["Left", "", "Right", ""],
        ["one sentence on the left", "", "one on the right", ""],
        ["A", "B", "C", "D"],
    ]
    spans = [("SPAN", (x, y), (x + 1, y)) for x in (0, 2) for y in (0, 1)]
    assert rows(read_pdf(drawn(ruled(cells, GRID, *spans))).text) == [
        ["Left", "Left", "Right", "Right"],
        ["one sentence on the left", "", "one on the right", ""],
        ["A", "B", "C", "D"],
    ]


def test_names_left_of_numbers_that_end_at_one_edge_are_the_first_row():
    def draw(canvas):
        for n, (year, count) in enumerate(
            [("Year", "Freshwater ducks"), ("2019", "120"), ("2020", "135"), ("2021", "90")]
        ):
            canvas.drawString(100 if n == 0 else 140, 700 - 14 * n, year)
            canvas.drawString(186, 700 - 14 * n, count) if n == 0 else canvas.drawRightString(274, 700 - 14 * n, count)

    assert rows(read_pdf(drawn(draw)).text)[:2] == [["Year", "Freshwater ducks"], ["2019", "120"]]


def test_lists_beside_each_other_are_no_table():
    lists = [[f"{n}. {kind} {n}" for n in range(1, 5)] for kind in ("Apple", "Pear", "Plum")]

    def draw(canvas):
        for column, points in enumerate(lists):
            for n, point in enumerate(points):
                canvas.drawString(60 + 150 * column, 700 - 14 * n, point)

    text = read_pdf(drawn(draw)).text
    assert "|" not in text and "\n".join(lists[0]) in text


def test_names_over_rows_of_which_the_first_is_empty_are_kept():
    cells = [["", "", ""], ["Name", "Value", "Unit"], ["Height of the tower", "31", "m"], ["Width", "7", "m"]]

    def draw(canvas):
        table = Table([["", "", ""] for _ in cells], colWidths=[150] * 3, rowHeights=[16] * 4)
        table.setStyle(TableStyle([GRID, *(("SPAN", (x, 0), (x, 1)) for x in range(3))]))
        table.wrapOn(canvas, 500, 500)
        table.drawOn(canvas, 40, 500)
        canvas.line(490, 548, 500, 548)  # which parts the first row from the second
        for n, row in enumerate(cells):
            for place, cell in enumerate(row):
                canvas.drawString(45 + 150 * place, 553 - 16 * n, cell)

    assert rows(read_pdf(drawn(draw)).text)[0][:3] == ["Name", "Value", "Unit"]


def test_text_on_a_pattern_of_squares_is_no_table():
    lines = [f"The weir {n} holds back the river in spring, and the miller opens it." for n in range(8)]

    def draw(canvas):
        for step in range(6):
            canvas.rect(45 + 65 * step, 500, 187, 187)
            canvas.rect(75 + 65 * step, 560, 187, 187)
        for place, line in enumerate(lines):
            canvas.drawString(60, 700 - 18 * place, line)

    text = read_pdf(drawn(draw)).text
    assert "|" not in text and all(line in " ".join(text.split()) for line in lines)
