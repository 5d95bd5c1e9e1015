"""What every kind of source must keep to."""

import importlib.util
from datetime import UTC, datetime
from pathlib import Path

import polars as pl
import pytest

from rag_platform.core.errors import SourceError
from rag_platform.core.ports import Validators
from rag_platform.core.schemas import RAW
from rag_platform.raw.scrape import plan, scrape
from rag_platform.storage.blobs import Blobs

spec = importlib.util.spec_from_file_location("source_worlds", Path(__file__).with_name("source_worlds.py"))
source_worlds = importlib.util.module_from_spec(spec)
spec.loader.exec_module(source_worlds)


class Workspace:
    """A world, and the table that scrapes of it leave."""

    def __init__(self, world, blobs):
        self.world, self.blobs = world, blobs
        self.table = pl.DataFrame(schema=RAW)

    def sync(self):
        done = scrape(
            self.world.source(),
            self.table,
            self.blobs,
            source_id="s",
            now=datetime(2026, 3, 2, tzinfo=UTC),
            run_id="r",
            max_deleted_share=0.5,
        )
        self.table = done.table
        return done.tally

    def texts(self):
        rows = self.table.filter(pl.col("status") == "ok")
        return [self.blobs.get(sha256).decode() for sha256 in rows["sha256"]]


@pytest.fixture(params=source_worlds.WORLDS)
def workspace(request, tmp_path):
    world = source_worlds.make(request, tmp_path)
    for name in ("one", "two", "three"):
        world.put(name, f"text of {name}")
    return Workspace(world, Blobs(tmp_path / "blobs"))


def test_a_listing_is_repeatable_and_its_uris_are_unique(workspace):
    first, second = workspace.world.source().list(), workspace.world.source().list()
    uris = [item.uri for item in first.items]
    assert len(uris) == len(set(uris)) == 3
    assert [(i.uri, i.fingerprint, i.metadata) for i in first.items] == [
        (i.uri, i.fingerprint, i.metadata) for i in second.items
    ]
    assert not first.failed


def test_each_item_gives_its_bytes(workspace):
    source = workspace.world.source()
    listing = source.list()
    if listing.expect:
        listing.expect(listing.items)
    texts = [source.fetch(item, Validators()).content.decode() for item in listing.items]
    for name in ("one", "two", "three"):
        assert any(f"text of {name}" in text for text in texts)


def test_the_first_sync_finds_all_new_and_the_second_all_unchanged(workspace):
    assert workspace.sync().to_dict() == {"seen": 3, "new": 3, "changed": 0, "unchanged": 0, "gone": 0, "failed": []}
    table = workspace.table
    assert workspace.sync().to_dict() == {"seen": 3, "new": 0, "changed": 0, "unchanged": 3, "gone": 0, "failed": []}
    assert workspace.table.equals(table)


def test_what_has_a_fingerprint_is_not_fetched_again(workspace):
    workspace.sync()
    source = workspace.world.source()
    known = plan(source.list(), workspace.table, source_id="one", max_deleted_share=0.2)
    newest = getattr(workspace.world, "newest", 0)  # what may still change without a sign is always fetched
    assert (known.unknown if workspace.world.refetches else known.unchanged + newest) == 3


def test_an_edit_is_seen(workspace):
    workspace.sync()
    workspace.world.put("two", "another text")
    tally = workspace.sync()
    assert (tally.changed, tally.unchanged, tally.failed) == (1, 2, ())
    assert sum("another text" in text for text in workspace.texts()) == 1
    assert not any("text of two" in text for text in workspace.texts())


def test_an_addition_is_seen(workspace):
    workspace.sync()
    workspace.world.put("four", "text of four")
    tally = workspace.sync()
    assert (tally.new, tally.unchanged, tally.failed) == (1, 3, ())


def test_a_removal_is_confirmed_before_it_counts(workspace):
    workspace.sync()
    workspace.world.remove("two")
    confirmations = workspace.world.source().list().confirmations
    for _ in range(confirmations - 1):
        assert workspace.sync().gone == 0
    assert workspace.sync().gone == int(workspace.world.deletes)
    assert len(workspace.texts()) == (2 if workspace.world.deletes else 3)


def test_a_return_is_noticed(workspace):
    workspace.sync()
    workspace.world.remove("two")
    for _ in range(3):
        workspace.sync()
    workspace.world.put("two", "text of two")
    tally = workspace.sync()
    assert tally.new == int(workspace.world.deletes)
    assert len(workspace.texts()) == 3


def test_a_source_that_is_down_is_an_error_and_not_an_empty_one(workspace):
    workspace.sync()
    before = workspace.table
    workspace.world.break_down()
    with pytest.raises(SourceError):
        workspace.sync()
    assert workspace.table.equals(before)
