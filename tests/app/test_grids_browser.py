"""A grid in a real browser: made of a search, filled while one looks, read to its source, saved, and undone."""

import csv
import io
import os
from pathlib import Path

import pytest

from tests.app.browsing import expect, in_browser, page_over, settled, tab_of, violations

pytestmark = in_browser
ASKED = "How many days of paid leave do employees get?\nWhen does the office open?"


@pytest.fixture(scope="module")
def address(served):
    with page_over(served) as running:
        yield running


def seen(tab, name):
    settled(tab)
    if folder := os.environ.get("RAG_SCREENSHOTS"):
        tab.screenshot(path=Path(folder) / f"{name}.png")
    assert violations(tab) == []
    assert tab.evaluate("document.documentElement.scrollWidth <= innerWidth")


def closed(tab):
    """Close the dialog."""
    tab.get_by_role("dialog").get_by_role("button", name="Close").click()
    tab.get_by_role("dialog").wait_for(state="detached")


def test_a_grid_is_made_of_a_search_filled_read_saved_and_kept(browser, address, tmp_path):
    with tab_of(browser, f"{address}/search?q=leave office") as tab:
        tab.get_by_role("link", name="Compare in a grid").click()
        tab.get_by_label("Name", exact=True).fill("Rules")
        tab.get_by_label("Questions, one a line", exact=True).fill(ASKED)
        seen(tab, "grid-new")
        tab.get_by_role("button", name="Make the grid").click()
        cells = tab.locator(".grid tbody td")
        expect(cells.filter(has_text="No answer in this document").first).to_be_visible()
        expect(tab.get_by_role("status").first).to_have_text("4 of 4 answers")
        expect(cells.filter(has_text="25 days")).to_have_count(1)
        seen(tab, "grid-light")
        tab.emulate_media(color_scheme="dark")
        tab.set_viewport_size({"width": 390, "height": 844})
        seen(tab, "grid-phone-dark")
        assert tab.evaluate("(one => one.scrollWidth > one.clientWidth)(document.querySelector('.grid'))")
        tab.set_viewport_size({"width": 1100, "height": 800})
        tab.emulate_media(color_scheme="light")
        tab.reload()
        cells.filter(has_text="25 days").locator("a.cite").first.click()
        expect(tab.locator("mark#cited")).to_contain_text("25 days")
        tab.go_back()
        tab.get_by_role("button", name="Export").click()
        tab.get_by_role("dialog").get_by_text("With a column more").click()
        with tab.expect_download() as saved:
            tab.get_by_role("button", name="Save as CSV").click()
        saved.value.save_as(tmp_path / "grid.csv")
        rows = list(csv.reader(io.StringIO((tmp_path / "grid.csv").read_text("utf-8-sig"))))
        assert rows[0][2] == ASKED.partition("\n")[0] and len(rows) == 3 and len(rows[0]) == 6
        assert any("25 days" in row[2] and "leave.md" in row[3] for row in rows)
        closed(tab)
        cells.filter(has_text="25 days").get_by_role("link", name="Whole answer").click()
        expect(tab.get_by_role("dialog").locator(".answer")).to_contain_text("25 days")
        seen(tab, "grid-cell")
        closed(tab)
        tab.locator(".grid thead a", has_text="office").click()
        tab.get_by_role("button", name="Remove this question").click()
        expect(tab.locator(".grid thead th")).to_have_count(2)
        tab.get_by_role("button", name="Undo").click()
        expect(tab.locator(".grid thead th")).to_have_count(3)
        tab.goto(f"{address}/grids")
        expect(tab.locator("ul.watches")).to_contain_text("2 questions to 2 documents")
        assert tab.trouble == []
