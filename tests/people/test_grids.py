"""What is kept of grids, in both databases: whose they are, how large, and who fills them."""

from datetime import UTC, datetime, timedelta

import pytest

from rag_platform.core.answers import Answer
from rag_platform.core.errors import NotFound, SettingsError
from rag_platform.journal.journal import Journal
from rag_platform.people.grids import grid as limits
from rag_platform.people.grids.grid import Cell
from rag_platform.people.grids.grid_cells import LEASE, GridCells
from rag_platform.people.grids.grids import Grids

NOW = datetime(2026, 11, 27, tzinfo=UTC)
ANN, BO = "user:ann", "user:bo"


@pytest.fixture
def journal(database):
    return Journal(database)


@pytest.fixture
def grids(journal):
    return Grids(journal)


@pytest.fixture
def cells(journal):
    return GridCells(journal)


def made(grids, owner=ANN, **options):
    grid_id = grids.begin(owner, "Leases", **options)
    grids.add_rows(grid_id, owner, ["d1", "d2", "d1"])
    return grid_id, grids.add_column(grid_id, owner, "What is the rent?", "Rent")


def test_a_grid_is_its_owners_and_read_by_whom_they_let(grids):
    grid_id, column = made(grids, readers=["group:crew", ANN])
    assert [one.id for one in grids.of({ANN})] == [one.id for one in grids.of({"group:crew"})] == [grid_id]
    assert grids.find(grid_id, {BO}) is None and grids.of({BO}) == []
    assert grids.find(grid_id, {"group:crew"}).readers == ("group:crew",)
    changes = [
        lambda: grids.change(grid_id, BO, "Mine"),
        lambda: grids.add_column(grid_id, BO, "What?"),
        lambda: grids.change_column(grid_id, BO, column, "What?"),
        lambda: grids.remove_column(grid_id, BO, column),
        lambda: grids.add_rows(grid_id, BO, ["d3"]),
        lambda: grids.leave_out(grid_id, BO, "d1"),
        lambda: grids.remove(grid_id, BO),
    ]
    for change in changes:
        with pytest.raises(NotFound):
            change()
    assert grids.rows(grid_id) == ["d1", "d2"] and [one.title for one in grids.columns(grid_id)] == ["Rent"]
    grids.change(grid_id, ANN, "Rents", generator="tiny", readers=[])
    assert grids.find(grid_id, {"group:crew"}) is None
    assert (grids.find(grid_id, {ANN}).name, grids.find(grid_id, {ANN}).generator) == ("Rents", "tiny")
    grids.remove(grid_id, ANN)
    assert grids.find(grid_id, {ANN}) is None and grids.columns(grid_id) == []


def test_a_row_that_is_left_out_comes_back_where_it_was(grids):
    grid_id, _ = made(grids)
    grids.leave_out(grid_id, ANN, "d1")
    assert grids.rows(grid_id) == ["d2"] and grids.rows(grid_id, left_out=True) == ["d1"]
    grids.add_rows(grid_id, ANN, ["d3", "d1"])
    assert grids.rows(grid_id) == ["d1", "d2", "d3"] and grids.size(grid_id) == (1, 3)
    with pytest.raises(NotFound, match="no row"):
        grids.leave_out(grid_id, ANN, "d9")


def test_what_is_too_large_or_says_nothing_is_refused_in_words(grids, monkeypatch):
    grid_id, column = made(grids)
    with pytest.raises(
        SettingsError, match="1 questions to 201 documents; a grid may have 20 questions, 200 documents"
    ):
        grids.add_rows(grid_id, ANN, [f"e{number}" for number in range(limits.MOST_ROWS - 1)])
    assert grids.rows(grid_id) == ["d1", "d2"], "all or nothing"
    for number in range(limits.MOST_COLUMNS - 1):
        grids.add_column(grid_id, ANN, f"What is {number}?")
    with pytest.raises(SettingsError, match="21 questions to 2 documents"):
        grids.add_column(grid_id, ANN, "One more?")
    with pytest.raises(SettingsError, match="20 questions to 101 documents"):
        grids.add_rows(grid_id, ANN, [f"e{number}" for number in range(99)])
    for asked, told in ((" \n ", "asks nothing"), ("x" * 1001, "1001 characters")):
        with pytest.raises(SettingsError, match=told):
            grids.change_column(grid_id, ANN, column, asked)
    with pytest.raises(SettingsError, match="no name"):
        grids.begin(ANN, "\u200b ")
    monkeypatch.setattr("rag_platform.people.grids.grids.MOST_GRIDS", 1)
    with pytest.raises(SettingsError, match="as many as one may have"):
        grids.begin(ANN, "Another")


def test_a_cell_is_kept_once_and_goes_with_what_it_answers(grids, cells, journal):
    grid_id, column = made(grids)
    grid, (asked,) = grids.find(grid_id, {ANN}), grids.columns(grid_id)
    receipt = journal.record(Answer("What?", "At six.", False, (), "v1", "extractive", "", ()), mode="hybrid")
    one = Cell("mark", receipt, failed=False, seconds=0.5)
    for kept in (Cell("", None, failed=True, seconds=0), one):
        cells.keep(grid, asked, "d1", kept)
        assert cells.of(grid_id) == {(column, "d1"): kept}
    cells.keep(grid, asked, "d9", one)  # no row of this grid
    grids.change_column(grid_id, ANN, column, "What is the rent?", "The rent")
    assert list(cells.of(grid_id)) == [(column, "d1")], "only the name is another"
    grids.change_column(grid_id, ANN, column, "What is the deposit?")
    assert cells.of(grid_id) == {}
    cells.keep(grid, asked, "d1", one)  # asked before the question was changed
    assert cells.of(grid_id) == {}


def test_one_process_fills_a_grid_until_it_is_stopped_or_lets_go(grids, cells):
    grid_id, _ = made(grids)
    assert cells.claim(NOW) is None
    with pytest.raises(NotFound):
        cells.want(grid_id, BO, [BO], NOW)
    cells.want(grid_id, ANN, [ANN, "group:crew"], NOW, "ci")
    held = cells.claim(NOW)
    assert (held.id, held.principals, held.token, held.seen_at) == (grid_id, (ANN, "group:crew"), "ci", NOW)
    assert cells.claim(NOW) is None and cells.claim(NOW + LEASE, "another") is None
    assert cells.renew(held, NOW + timedelta(minutes=4)) and cells.claim(NOW + LEASE) is None
    cells.stop(grid_id, ANN)
    assert not cells.renew(held, NOW)
    cells.want(grid_id, ANN, [ANN], NOW + timedelta(minutes=1))
    cells.release(held, filled=True)  # of what was wanted before
    again = cells.claim(NOW)
    assert again.filling and again.token == ""
    cells.release(again, filled=False)
    again = cells.claim(NOW)  # whose process ended, and another goes on
    cells.release(again, filled=True)
    assert cells.claim(NOW + LEASE) is None and not grids.find(grid_id, {ANN}).filling
