"""Tables are found with their rows in place, and their columns are numbers only where all cells are."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_platform.text.notation.code_blocks import code_at
from rag_platform.text.notation.markdown_tables import table_at, tables_in
from rag_platform.text.notation.quantities import numeric_column

TEXT = "Before.\n\n| Gauge | Level |\n|:--|--:|\n| Weir | 5 |\n| a \\| b | 7 |\n\nAfter | all.\n\nx | y\n--|--\n1 | 2\n"


def test_a_table_has_its_head_its_rows_and_their_places():
    first, second = tables_in(TEXT)
    assert first.head == ("Gauge", "Level") and first.rows == (("Weir", "5"), ("a | b", "7"))
    assert [TEXT[slice(*span)] for span in first.spans] == ["| Weir | 5 |", "| a \\| b | 7 |"]
    assert TEXT[slice(*first.span)].startswith("| Gauge") and TEXT[slice(*first.span)].endswith("7 |")
    assert (second.head, second.rows) == (("x", "y"), (("1", "2"),))


def test_a_span_within_a_table_names_it_and_its_rows():
    start = TEXT.index("Weir")
    table = table_at(TEXT, (start, start + 4))
    assert table.head == ("Gauge", "Level") and table.touched((start, start + 4)) == [0]
    assert table.touched((start, len(TEXT))) == [0, 1]
    assert table_at(TEXT, (0, 7)) is None and table_at(TEXT, table.span[:1] * 2) is None


@pytest.mark.parametrize(
    "text", ["a | b\nc | d", "| a | b |\n|---|\n| 1 | 2 |", "| a |\n|---|\n| 1 |", "a\n---\nb | c"]
)
def test_lines_with_bars_alone_are_no_table(text):
    assert list(tables_in(text)) == []


CELLS = st.text(st.characters(exclude_characters="|\\\n", exclude_categories=["Cc", "Cs", "Zl", "Zp"]), max_size=8)


@given(st.lists(st.tuples(CELLS, CELLS), min_size=1, max_size=6), st.integers(0, 5))
def test_what_is_written_as_a_table_is_read_as_it_was(rows, pick):
    text = "\n".join(["x", "", "| a | b |", "|---|---|", *(f"| {one} | {other} |" for one, other in rows)])
    (table,) = tables_in(text)
    assert table.rows == tuple((one.strip(), other.strip()) for one, other in rows)
    place = pick % len(rows)
    assert table_at(text, table.spans[place]).touched(table.spans[place]) == [place]


@pytest.mark.parametrize(
    ("cells", "values", "unit"),
    [
        (["1,234.5", "2"], (1234.5, 2.0), ""),
        (["1.234,5", "2.000"], (1234.5, 2000.0), ""),
        (["1.234", "12"], (1.234, 12.0), ""),
        (["1,234", "12"], (1234.0, 12.0), ""),
        (["0,125", "0,250"], (0.125, 0.25), ""),
        (["12 345", "1\u202f234,5"], (12345.0, 1234.5), ""),
        (["₹1,23,456", "₹5"], (123456.0, 5.0), "₹"),
        (["12 %", "5%", "n/a", "–"], (12.0, 5.0, None, None), "%"),
        (["$5", "$1,200.50"], (5.0, 1200.5), "$"),
        (["(1,200)", "-5", "−3", "+4"], (-1200.0, -5.0, -3.0, 4.0), ""),
        (["**7**", "8[^1]", "9*"], (7.0, 8.0, 9.0), ""),
        (["१२", "५.५"], (12.0, 5.5), ""),
        (["1e5", "2E-3"], (100000.0, 0.002), ""),
        (["5 km", "6.5 km"], (5.0, 6.5), "km"),
    ],
)
def test_numbers_are_read_as_people_write_them(cells, values, unit):
    column = numeric_column("x", cells)
    assert column.values == pytest.approx(values) and column.unit == unit


def test_a_unit_may_stand_in_the_head():
    assert numeric_column("Depth (m)", ["5", "6"]).unit == "m" and numeric_column("Depth", ["5", "6"]).unit == ""


@pytest.mark.parametrize(
    "cells",
    [["Anna", "5"], ["5 km", "6 m"], ["2024-01-05"], ["10:30"], ["5 of 6"], ["v1.2.3"], ["1.2.3"], ["10–20"],
     ["", "", "5"], ["3rd"], ["9" * 400], ["1e999"], ["1" + "0" * 30 + "e300"], []],
)  # fmt: skip
def test_anything_else_is_no_column_of_numbers(cells):
    assert numeric_column("x", cells) is None


@given(st.lists(st.decimals(-(10**9), 10**9, places=2), min_size=2), st.sampled_from([",.", ".,", " ,", "'."]))
def test_any_separators_give_the_number_that_was_written(numbers, marks):
    written = [f"{one:,}".replace(",", "\0").replace(".", marks[1]).replace("\0", marks[0]) for one in numbers]
    column = numeric_column("x", written)
    assert column.values == pytest.approx([float(one) for one in numbers])


@given(st.text(max_size=30))
def test_any_cell_is_a_number_or_none(cell):
    numeric_column(cell, [cell, "5"])


def test_code_is_found_around_a_span_with_its_language():
    text = "Run:\n\n```python title\na = 1\nb = 2\n```\n\nThen b = 2.\n"
    at = text.index("b = 2")
    block = code_at(text, (at, at + 5))
    assert (block.language, block.code) == ("python", "a = 1\nb = 2\n") and text[slice(*block.span)] == block.code
    assert code_at(text, (text.rindex("b = 2"), len(text))) is None and code_at(text, (0, 4)) is None
