"""What moved is followed by what its source says is the same, and by its bytes."""

from datetime import UTC, datetime

import polars as pl
import pytest

from rag_platform.core.errors import FetchError
from rag_platform.core.ports import Fetched, Item, Listing
from rag_platform.core.schemas import RAW
from rag_platform.raw.scrape import plan, scrape
from rag_platform.storage.blobs import Blobs

THINGS = {"a": "one", "b": "two", "c": "three"}


class Things:
    """A source whose items are at some address, and say which thing they are."""

    def __init__(self, places, *, failing=()):
        self.places, self.failing = places, failing

    def list(self):
        return Listing([Item(uri, None, {"identity": thing}) for uri, thing in self.places.items()], complete=True)

    def fetch(self, item, validators):
        if item.uri in self.failing:
            raise FetchError("not now")
        return Fetched(f"{item.uri} holds {self.places[item.uri]}".encode())


class Bench:
    """Scrapes on top of what the last scrape left."""

    def __init__(self, folder):
        self.table, self.blobs = pl.DataFrame(schema=RAW), Blobs(folder)

    def __call__(self, source):
        when = datetime(2026, 3, 2, tzinfo=UTC)
        given = {"source_id": "s", "now": when, "run_id": "r", "max_deleted_share": 0.2}
        done = scrape(source, self.table, self.blobs, **given)
        self.table = done.table
        return done.tally


@pytest.fixture
def bench(tmp_path):
    return Bench(tmp_path / "blobs")


def test_a_thing_that_moved_and_changed_keeps_its_history(bench):
    bench(Things(THINGS))
    bench(Things({"x/a": "one", "b": "two", "c": "three"}))
    rows = {row["uri"]: row for row in bench.table.iter_rows(named=True)}
    assert rows["x/a"]["renamed_from"] == "a"
    assert rows["a"]["status"] == "gone"


def test_all_things_may_move_at_once(bench):
    bench(Things(THINGS))
    tally = bench(Things({f"x/{uri}": thing for uri, thing in THINGS.items()}))
    assert (tally.new, tally.gone) == (3, 3)


def test_what_cannot_be_read_where_it_is_now_stays_where_it_was(bench):
    bench(Things(THINGS))
    moved = {f"x/{uri}": thing for uri, thing in THINGS.items()}
    assert bench(Things(moved, failing=("x/a", "x/b"))).gone == 1
    assert set(bench.table.filter(status="ok")["uri"]) == {"a", "b", "x/c"}
    assert bench(Things(moved)).gone == 2
    assert {row["uri"]: row["renamed_from"] for row in bench.table.iter_rows(named=True)}["x/a"] == "a"


def test_things_that_trade_places_are_changes(bench):
    bench(Things(THINGS))
    tally = bench(Things({"a": "two", "b": "one", "c": "three"}))
    assert (tally.changed, tally.gone) == (2, 0)


def test_what_moved_counts_among_what_there_is_when_others_go(bench):
    many = {f"{n:02}": f"thing {n}" for n in range(20)}
    bench(Things(many))
    places = {f"x/{uri}" if n > 4 else uri: thing for n, (uri, thing) in enumerate(many.items()) if n > 2}
    assert plan(Things(places).list(), bench.table, source_id="s", max_deleted_share=0.2).stops is None
    assert bench(Things(places)).gone == 15 + 3
