"""What of a table is drawn: its names or days against numbers of one unit, and nothing where that says nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.illustrating.chart_choice import choose
from app.illustrating.charting import chart
from rag_platform.text.notation.markdown_tables import tables_in


def table(*lines):
    head, *rows = lines
    bars = "|".join("---" for _ in head.split("|"))
    return next(tables_in("\n".join(f"| {line} |" for line in (head, bars, *rows))))


def test_names_are_drawn_against_the_first_numbers_and_others_of_their_unit():
    found = choose(
        table("No | Station | Upkeep | Repairs | Share", "1 | Weir | $1,250 | $30 | 5 %", "2 | Mill | $9 | $40 | 7 %")
    )
    assert (found.labels, found.named, found.unit, found.dated) == (("Weir", "Mill"), "Station", "$", False)
    assert [(one.name, one.values) for one in found.series] == [("Upkeep", (1250.0, 9.0)), ("Repairs", (30.0, 40.0))]


def test_days_and_years_run_in_their_order_and_totals_are_no_part():
    found = choose(table("Month | Level (cm)", "2025-03 | 304", "2025-01 | 212", "**Total** | 516"))
    assert found.dated and found.labels == ("2025-01-01", "2025-03-01")
    assert found.series[0].values == (212.0, 304.0) and found.unit == "cm"
    assert choose(table("Year | Rain", "2024 | 7", "2025 | 9")).labels == ("2024-01-01", "2025-01-01")


def test_what_would_hide_beside_the_first_is_left_out():
    found = choose(table("Gauge | Visits | Cost", "a | 5 | 900000", "b | 7 | 800000"))
    assert [one.name for one in found.series] == ["Visits"]


@pytest.mark.parametrize(
    "lines",
    [
        ("Name | Role", "Anna | Head", "Ben | Clerk"),
        ("Name | Count", "Anna | 5"),
        ("Name | Count", "Anna | 5", "Anna | 7"),
        ("a | b", "1 | 2", "3 | 4"),
        ("No | Name", "1 | Anna", "2 | Ben"),
        ("Name | Size", "Anna | 5 km", "Ben | 6 m"),
        ("Name | Count", *(f"n{n} | {n}" for n in range(60))),
    ],
)
def test_of_a_table_that_says_nothing_drawn_nothing_is(lines):
    assert choose(table(*lines)) is None


def test_a_chart_says_what_it_shows_and_holds_texts_as_data_alone():
    hostile = "</script><img src=x onerror=alert(1)>"
    choice = choose(table(f"{hostile} | Level", f"{hostile} | 5", "b | 7"))
    drawn = chart(choice, "A chart of Level.").to_dict()
    assert drawn["description"] == "A chart of Level." and drawn["mark"]["type"] == "bar"
    assert [point["label"] for point in drawn["data"]["values"]] == [hostile, "b"]
    assert not {"href", "url"} & {*drawn["encoding"], *drawn["data"]}


CELL = st.text(st.characters(exclude_characters="|\\\n", exclude_categories=["Cc", "Cs", "Zl", "Zp"]), max_size=9)


@given(st.lists(st.tuples(CELL, st.integers(-(10**6), 10**6).map(str) | CELL), min_size=1, max_size=6))
def test_any_table_has_a_chart_or_none(rows):
    choice = choose(table("a | b", *(f"{one} | {other}" for one, other in rows)))
    if choice:
        assert len(choice.labels) == len(choice.series[0].values) and chart(choice, "x").to_dict()
