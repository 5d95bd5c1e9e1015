"""What every kind of source must keep to, as tests that pytest runs over a world of yours.

A test class derives from `SourceContract` and has a fixture ``world``: a small world whose documents the tests change,
and the source that reads it. `rag source new-kind` writes an example.
"""

from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

import polars as pl

from rag_platform.core.errors import SourceError
from rag_platform.core.ports import Resuming, Source, Validators
from rag_platform.core.schemas import RAW
from rag_platform.raw.scrape import Tally, plan, scrape
from rag_platform.storage.blobs import Blobs


class World(Protocol):
    """Documents that can be changed, and the source that reads them."""

    deletes: bool
    """What is removed counts as deleted: a listing names all there is."""
    refetches: bool
    """No mark tells what has not changed, so every item is asked for each time."""

    def put(self, name: str, text: str) -> None:
        """Add a document, or change it."""
        ...

    def remove(self, name: str) -> None:
        """Take a document away."""
        ...

    def break_down(self) -> None:
        """Let the source be one that cannot be listed."""
        ...

    def source(self) -> Source:
        """Open the source."""
        ...


class _Synced:
    """A world of three documents, and the table that syncs of it leave."""

    def __init__(self, world: World, folder: Path) -> None:
        for name in ("one", "two", "three"):
            world.put(name, f"text of {name}")
        self.world = world
        self.blobs = Blobs(folder / "blobs")
        self.table = pl.DataFrame(schema=RAW)

    def sync(self) -> Tally:
        source = self.world.source()
        done = scrape(
            source,
            self.table,
            self.blobs,
            source_id="contract",
            now=datetime(2026, 3, 2, tzinfo=UTC),
            run_id="run",
            max_deleted_share=0.5,
        )
        self.table = done.table
        if isinstance(source, Resuming):
            source.settled()
        return done.tally

    def counts(self) -> tuple[int, int, int, int]:
        """Sync, and return how many were new, changed, unchanged and gone."""
        tally = self.sync()
        assert not tally.failed, f"these could not be read: {tally.failed}"
        return tally.new, tally.changed, tally.unchanged, tally.gone

    def texts(self) -> list[str]:
        rows = self.table.filter(pl.col("status") == "ok")
        return [self.blobs.get(sha256).decode() for sha256 in rows["sha256"]]


class SourceContract:
    """The tests."""

    def test_a_listing_is_repeatable_and_its_uris_are_unique(self, world: World, tmp_path: Path) -> None:
        """A document keeps its address, or else it is another one at every sync."""
        first, second = _Synced(world, tmp_path).world.source().list(), world.source().list()
        uris = [item.uri for item in first.items]
        assert len(uris) == len(set(uris)) == 3, f"expected three addresses, each once, and not {uris}"
        assert not first.failed, f"these parts could not be listed: {first.failed}"
        said, again = ([(i.uri, i.fingerprint, i.metadata) for i in one.items] for one in (first, second))
        assert said == again, "two listings of the same documents differ"

    def test_each_item_gives_its_bytes(self, world: World, tmp_path: Path) -> None:
        """What is listed can be fetched."""
        source = _Synced(world, tmp_path).world.source()
        listing = source.list()
        if listing.expect:
            listing.expect(listing.items)
        fetched = [source.fetch(item, Validators()) for item in listing.items]
        texts = [one.content.decode() for one in fetched if one]
        missing = [name for name in ("one", "two", "three") if not any(f"text of {name}" in text for text in texts)]
        assert not missing, f"no item holds the text of {missing}"

    def test_the_first_sync_finds_all_new_and_the_second_all_unchanged(self, world: World, tmp_path: Path) -> None:
        """A sync without changes changes nothing."""
        synced = _Synced(world, tmp_path)
        assert synced.counts() == (3, 0, 0, 0)
        table = synced.table
        assert synced.counts() == (0, 0, 3, 0), "what has not changed was taken for changed"
        assert synced.table.equals(table), "a sync without changes changed the table"

    def test_what_has_a_fingerprint_is_not_fetched_again(self, world: World, tmp_path: Path) -> None:
        """A sync costs what has changed."""
        synced = _Synced(world, tmp_path)
        synced.sync()
        known = plan(world.source().list(), synced.table, source_id="contract", max_deleted_share=0.2)
        newest = getattr(world, "newest", 0)  # what may still change without a sign is always fetched
        spared = known.unknown if world.refetches else known.unchanged + newest
        assert spared == 3, "the fingerprints do not tell that nothing has changed"

    def test_an_edit_is_seen(self, world: World, tmp_path: Path) -> None:
        """The new text takes the place of the old one."""
        synced = _Synced(world, tmp_path)
        synced.sync()
        world.put("two", "another text")
        assert synced.counts() == (0, 1, 2, 0), "an edited document was not seen as one that changed"
        assert sum("another text" in text for text in synced.texts()) == 1
        assert not any("text of two" in text for text in synced.texts()), "the old text is still there"

    def test_an_addition_is_seen(self, world: World, tmp_path: Path) -> None:
        """The others stay as they are."""
        synced = _Synced(world, tmp_path)
        synced.sync()
        world.put("four", "text of four")
        assert synced.counts() == (1, 0, 3, 0)

    def test_a_removal_is_confirmed_before_it_counts(self, world: World, tmp_path: Path) -> None:
        """A document goes only when the source is sure of it."""
        synced = _Synced(world, tmp_path)
        synced.sync()
        world.remove("two")
        for _ in range(world.source().list().confirmations - 1):
            assert synced.sync().gone == 0, "a document went before enough listings had missed it"
        assert synced.sync().gone == int(world.deletes)
        assert len(synced.texts()) == (2 if world.deletes else 3)

    def test_a_return_is_noticed(self, world: World, tmp_path: Path) -> None:
        """What was deleted and is back is read again."""
        synced = _Synced(world, tmp_path)
        synced.sync()
        world.remove("two")
        for _ in range(3):
            synced.sync()
        world.put("two", "text of two")
        assert synced.sync().new == int(world.deletes)
        assert len(synced.texts()) == 3

    def test_a_source_that_is_down_is_an_error_and_not_an_empty_one(self, world: World, tmp_path: Path) -> None:
        """Nothing is deleted because a server does not answer."""
        synced = _Synced(world, tmp_path)
        synced.sync()
        before = synced.table
        world.break_down()
        try:
            synced.sync()
        except SourceError:
            assert synced.table.equals(before), "a listing that failed changed the table"
        else:
            raise AssertionError("expected a SourceError from a source that cannot be listed")
