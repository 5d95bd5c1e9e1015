import threading
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rag_platform.core.errors import MassDeletion, SourceError, StorageError
from rag_platform.core.ports import Fetched, Item, Listing
from rag_platform.core.schemas import RAW
from rag_platform.raw.renames import earlier_names
from rag_platform.raw.scrape import Tally, plan, scrape, without_marks
from rag_platform.sources.in_memory import Memory
from rag_platform.storage.blobs import Blobs

NOW = datetime(2026, 3, 2, 10, tzinfo=UTC)


class Bench:
    """A source in memory and the table that syncs of it leave."""

    def __init__(self, blobs, source):
        self.blobs, self.source, self.syncs = blobs, source, 0
        self.table = pl.DataFrame(schema=RAW)

    def sync(self, **options):
        self.syncs += 1
        options = {"max_deleted_share": 0.2, "workers": 2, **options}
        done = scrape(
            self.source,
            self.table,
            self.blobs,
            source_id="notes",
            now=NOW + timedelta(days=self.syncs),
            run_id=f"run {self.syncs}",
            **options,
        )
        self.table = done.table
        return done.tally

    def row(self, uri):
        return self.table.row(by_predicate=pl.col("uri") == uri, named=True)

    def hashes(self):
        rows = self.table.filter(pl.col("status") == "ok")
        return dict(zip(rows["uri"], rows["sha256"], strict=True))


@pytest.fixture
def bench(tmp_path):
    documents = {f"n{number}": f"text {number}".encode() for number in range(10)}
    return Bench(Blobs(tmp_path), Memory(documents))


def test_rows_tell_where_their_bytes_came_from(bench):
    bench.sync()
    row = bench.row("n3")
    assert bench.blobs.get(row["sha256"]) == b"text 3"
    assert (row["status"], row["run_id"], row["fetched_at"], row["missing"]) == (
        "ok",
        "run 1",
        NOW + timedelta(days=1),
        0,
    )
    assert bench.table["uri"].to_list() == sorted(bench.source.documents)
    assert bench.table.schema == RAW


def test_what_has_not_changed_is_not_fetched_and_keeps_its_run(bench):
    bench.sync()
    bench.source.fetched.clear()
    bench.source.documents["n3"] = b"edited"
    assert bench.sync().to_dict() == {"seen": 10, "new": 0, "changed": 1, "unchanged": 9, "gone": 0, "failed": []}
    assert bench.source.fetched == ["n3"]
    assert bench.row("n3")["run_id"] == "run 2"
    assert (bench.row("n4")["run_id"], bench.row("n4")["last_seen"]) == ("run 1", NOW + timedelta(days=2))


@pytest.mark.parametrize("etags", [True, False])
def test_without_fingerprints_a_304_or_equal_bytes_are_unchanged(bench, etags):
    bench.source.fingerprints, bench.source.etags = False, etags
    bench.sync()
    assert bench.sync().unchanged == 10
    assert bench.row("n4")["run_id"] == "run 1"


def test_a_failure_keeps_the_last_good_bytes_and_is_tried_again(bench):
    bench.sync()
    good = bench.row("n3")["sha256"]
    bench.source.documents["n3"] = b"edited"
    bench.source.failing.add("n3")
    assert bench.sync().failed == (("n3", "n3 cannot be read now; try again later"),)
    assert (bench.row("n3")["status"], bench.row("n3")["sha256"]) == ("failed", good)
    bench.source.documents["n3"] = b"text 3"  # as it was: the fingerprint is the old one, and yet it is asked for
    bench.source.failing.clear()
    bench.source.fetched.clear()
    assert bench.sync().unchanged == 10
    assert bench.source.fetched == ["n3"]
    assert (bench.row("n3")["status"], bench.row("n3")["reason"]) == ("ok", None)


def test_what_never_could_be_read_is_new_when_it_can(bench):
    bench.source.failing.add("n3")
    assert bench.sync().new == 9
    assert (bench.row("n3")["status"], bench.row("n3")["sha256"]) == ("failed", None)
    bench.source.failing.clear()
    assert bench.sync().new == 1


def test_a_tombstone_stays_and_a_return_is_noticed(bench):
    bench.sync()
    kept = bench.source.documents.pop("n3")
    assert bench.sync().gone == 1
    row = bench.row("n3")
    assert (row["status"], row["sha256"], row["etag"], row["fingerprint"]) == ("gone", None, None, None)
    assert row["first_seen"] == NOW + timedelta(days=1)
    assert bench.sync().gone == 0
    assert bench.row("n3") == row
    bench.source.documents["n3"] = kept
    assert bench.sync().new == 1
    assert bench.row("n3")["first_seen"] == NOW + timedelta(days=1)


def test_an_item_that_says_it_is_gone_goes_once(bench):
    bench.source.fingerprints = False
    bench.sync()
    bench.source.gone.add("n3")
    assert bench.sync().gone == 1
    assert bench.row("n3")["status"] == "gone"
    again = bench.sync()
    assert (again.gone, [uri for uri, _ in again.failed]) == (0, ["n3"])


def test_missing_counts_only_complete_listings_in_a_row(bench):
    bench.source.confirmations = 2
    bench.sync()
    kept = bench.source.documents.pop("n3")
    assert bench.sync().gone == 0
    assert bench.row("n3")["missing"] == 1
    bench.source.complete = False
    assert bench.sync().gone == 0
    bench.source.complete = True
    bench.source.documents["n3"] = kept
    bench.sync()
    assert bench.row("n3")["missing"] == 0
    del bench.source.documents["n3"]
    assert [bench.sync().gone, bench.sync().gone] == [0, 1]


def test_a_mass_deletion_stops_before_anything_is_fetched(bench):
    bench.sync()
    bench.source.fetched.clear()
    bench.source.documents = {f"n{number}": b"edited" for number in range(7)}
    before = bench.table
    with pytest.raises(MassDeletion, match=r"'notes' would lose 3 of its 10 .* n7, n8, n9\..*--allow-mass-delete"):
        bench.sync()
    assert bench.source.fetched == []
    assert bench.table is before
    assert bench.sync(allow_mass_delete=True).gone == 3


def test_a_mass_deletion_by_the_items_own_word_stops_too(bench):
    bench.source.fingerprints = False
    bench.sync()
    bench.source.gone = {"n1", "n2", "n3"}
    tables = []
    with pytest.raises(MassDeletion):
        bench.sync(checkpoint=tables.append)
    assert bench.sync(allow_mass_delete=True).gone == 3


def test_an_empty_listing_is_a_mass_deletion(bench):
    bench.sync()
    bench.source.documents = {}
    with pytest.raises(MassDeletion, match="lose 10 of its 10"):
        bench.sync()


def test_the_share_is_of_what_there_is(bench):
    bench.sync()
    for uri in ("n0", "n1"):
        del bench.source.documents[uri]
    assert bench.sync().gone == 2  # 20 % is not more than 20 %
    for uri in ("n2", "n3"):
        del bench.source.documents[uri]
    with pytest.raises(MassDeletion, match="lose 2 of its 8"):
        bench.sync()


def test_one_of_few_may_go_but_not_the_last(tmp_path):
    bench = Bench(Blobs(tmp_path), Memory({"a": b"1", "b": b"2"}))
    bench.sync()
    del bench.source.documents["a"]
    assert bench.sync().gone == 1
    del bench.source.documents["b"]
    with pytest.raises(MassDeletion):
        bench.sync()
    bench.source.documents["c"] = b"3"  # renamed rather than lost
    assert bench.sync().to_dict() == {"seen": 1, "new": 1, "changed": 0, "unchanged": 0, "gone": 1, "failed": []}


def test_lost_bytes_are_fetched_again(bench):
    bench.source.etags = True
    bench.sync()
    bench.blobs.path(bench.row("n3")["sha256"]).unlink()
    bench.sync()
    assert bench.blobs.get(bench.row("n3")["sha256"]) == b"text 3"


def test_a_uri_that_is_listed_twice_counts_once(bench):
    items = [Item("a", "1", {}, b"first"), Item("a", "2", {}, b"second"), Item("b", "1", {}, b"other")]
    bench.source.list = lambda: Listing(items, complete=True)
    bench.source.fetch = lambda item, validators: Fetched(item.content)
    tally = bench.sync()
    assert (tally.seen, tally.new) == (2, 2)
    assert tally.failed == (("a", "listed more than once; the first is used"),)
    assert bench.blobs.get(bench.row("a")["sha256"]) == b"first"


def test_what_the_listing_could_not_read_does_not_count_as_missing(bench):
    bench.sync()
    real = bench.source.list
    bench.source.list = lambda: Listing(
        [item for item in real().items if item.uri != "n3"], complete=True, failed=[("n3", "no permission")]
    )
    assert bench.sync().to_dict()["failed"] == [{"uri": "n3", "reason": "no permission"}]
    assert (bench.row("n3")["status"], bench.row("n3")["missing"]) == ("ok", 0)


def test_a_stand_in_is_asked_for_again_and_never_replaces_the_real_thing(bench):
    bench.source.documents = {"a": b"page"}
    fetch, stand_in = bench.source.fetch, Fetched(b"summary", metadata={"note": "text of the feed"}, provisional=True)
    bench.source.fetch = lambda item, validators: stand_in
    assert bench.sync().new == 1
    assert bench.blobs.get(bench.row("a")["sha256"]) == b"summary"
    bench.source.fetch = fetch
    assert bench.sync().changed == 1
    bench.source.documents = {"a": b"new page"}
    bench.source.fetch = lambda item, validators: stand_in
    assert bench.sync().failed == (("a", "text of the feed"),)
    assert bench.blobs.get(bench.row("a")["sha256"]) == b"page"


def test_an_item_that_breaks_the_adapter_does_not_stop_the_others(bench):
    def fetch(item, validators):
        if item.uri == "n3":
            raise ZeroDivisionError("of all things")
        return Fetched(b"fine")

    bench.source.fetch = fetch
    tally = bench.sync()
    assert tally.new == 9
    assert tally.failed == (("n3", "unexpected ZeroDivisionError: of all things"),)


def test_a_source_that_is_down_changes_nothing(bench):
    bench.sync()
    bench.source.down = True
    with pytest.raises(SourceError):
        bench.sync()


def test_a_killed_scrape_goes_on_where_it_was(tmp_path):
    source = Memory({f"n{number:03}": f"text {number}".encode() for number in range(250)})
    bench, tables = Bench(Blobs(tmp_path), source), []

    def progress(done, total):
        assert total == 250
        if done == 230:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        bench.sync(progress=progress, checkpoint=tables.append)
    assert [table.height for table in tables] == [100, 200]
    bench.table = tables[-1]
    source.fetched.clear()
    assert bench.sync().to_dict() == {"seen": 250, "new": 50, "changed": 0, "unchanged": 200, "gone": 0, "failed": []}
    assert len(source.fetched) == 50


def test_bytes_are_kept_several_at_a_time_and_a_full_disk_ends_the_scrape(bench, monkeypatch):
    together, own = threading.Barrier(2, timeout=60), bench.blobs.put
    monkeypatch.setattr(bench.blobs, "put", lambda content: (together.wait(), own(content))[1])
    bench.sync()  # ten items, two at a time; one alone would wait in vain
    assert bench.blobs.get(bench.row("n3")["sha256"]) == b"text 3"

    def full(_):
        raise StorageError("the disk is full")

    monkeypatch.setattr(bench.blobs, "put", full)
    bench.source.documents["n3"] = b"edited"
    with pytest.raises(StorageError, match="the disk is full"):
        bench.sync()


def test_the_later_checkpoints_are_further_apart(tmp_path):
    source = Memory({f"n{number:04}": b"text" for number in range(3000)})
    bench, tables = Bench(Blobs(tmp_path), source), []
    bench.sync(checkpoint=tables.append)
    sizes = [table.height for table in tables]
    steps = [after - before for before, after in pairwise([0, *sizes])]
    assert (
        steps[0] == 100
        and steps == sorted(steps)
        and all(step <= max(100, size // 20) for step, size in zip(steps, sizes, strict=True))
    )


def test_a_checkpoint_holds_no_deletion(bench):
    bench.source = Memory({f"n{number:03}": b"text" for number in range(120)}, fingerprints=False)
    bench.sync()
    bench.source.gone = {"n001"}
    del bench.source.documents["n002"]
    tables = []
    bench.sync(checkpoint=tables.append)
    assert tables[0].filter(status="gone").is_empty()
    assert bench.table.filter(status="gone")["uri"].to_list() == ["n001", "n002"]


def test_an_interrupt_does_not_wait_for_slow_items(bench):
    release = threading.Event()

    def fetch(item, validators):
        if item.uri != "n0":
            release.wait()
        return Fetched(b"fine")

    def progress(done, total):
        raise KeyboardInterrupt

    bench.source.fetch = fetch
    try:
        with pytest.raises(KeyboardInterrupt):
            bench.sync(progress=progress)
    finally:
        release.set()


def test_a_plan_fetches_nothing_and_foretells_the_scrape(bench):
    bench.sync()
    bench.source.fetched.clear()
    bench.source.documents |= {"n1": b"edited", "new": b"new"}
    del bench.source.documents["n2"]
    told = plan(bench.source.list(), bench.table, source_id="bench", max_deleted_share=0.2)
    assert told.to_dict() == {"seen": 10, "new": 1, "changed": 1, "unchanged": 8, "gone": 1, "failed": []}
    assert bench.source.fetched == []
    assert told.pending == ("n1", "new")
    assert bench.sync() == replace(told, pending=())


def test_a_plan_says_that_nothing_is_deleted_because_it_is_absent(bench):
    bench.sync()
    bench.source.complete = False
    del bench.source.documents["n2"]
    told = plan(bench.source.list(), bench.table, source_id="bench", max_deleted_share=0.2).to_dict()
    assert (told["gone"], told["incomplete"]) == (0, True)


def test_a_plan_says_what_only_a_fetch_can_tell(bench):
    bench.source.fingerprints = False
    bench.sync()
    assert plan(bench.source.list(), bench.table, source_id="bench", max_deleted_share=0.2).to_dict()["unknown"] == 10


def test_a_tally_as_json():
    tally = Tally(3, 1, 0, 1, 0, (("a", "why"),))
    assert tally.to_dict() == {
        "seen": 3,
        "new": 1,
        "changed": 0,
        "unchanged": 1,
        "gone": 0,
        "failed": [{"uri": "a", "reason": "why"}],
    }


URIS = st.sampled_from("abcdefg")
STEP = st.fixed_dictionaries(
    {
        "put": st.dictionaries(URIS, st.sampled_from([b"", b"1", b"2", b"3"]), max_size=3),
        "remove": st.sets(URIS, max_size=3),
        "failing": st.sets(URIS, max_size=2),
        "gone": st.sets(URIS, max_size=2),
        "incomplete": st.booleans(),
        "lost": st.booleans(),
    }
)


@settings(max_examples=40, deadline=None)
@given(history=st.lists(STEP, max_size=5), fingerprints=st.booleans(), etags=st.booleans())
def test_any_history_ends_as_a_scrape_from_scratch(tmp_path_factory, history, fingerprints, etags):
    source = Memory({}, fingerprints=fingerprints, etags=etags)
    bench = Bench(Blobs(tmp_path_factory.mktemp("blobs")), source)
    for step in history:
        source.documents |= step["put"]
        for uri in step["remove"] & source.documents.keys():
            del source.documents[uri]
        source.failing, source.gone, source.complete = step["failing"], step["gone"], not step["incomplete"]
        bench.sync(allow_mass_delete=True)
        if step["lost"]:
            for path in bench.blobs.folder.glob("*/*"):
                path.unlink()
    source.failing, source.gone, source.complete = set(), set(), True
    bench.sync(allow_mass_delete=True)
    scratch = Bench(Blobs(tmp_path_factory.mktemp("blobs")), source)
    scratch.sync()
    assert bench.hashes() == scratch.hashes()
    assert all(bench.blobs.get(sha256) == source.documents[uri] for uri, sha256 in bench.hashes().items())


def test_a_renamed_document_keeps_its_history(bench):
    bench.sync()
    bench.source.documents["m3"] = bench.source.documents.pop("n3")
    bench.sync()
    row = bench.row("m3")
    assert (row["renamed_from"], row["first_seen"]) == ("n3", NOW + timedelta(days=1))
    bench.source.documents["o3"] = bench.source.documents.pop("m3")
    bench.sync()
    bench.source.documents["o3"] = b"edited since"
    bench.sync()
    rows = {row["uri"]: row for row in bench.table.iter_rows(named=True)}
    assert earlier_names(rows, "o3") == ["m3", "n3"]
    assert rows["o3"]["first_seen"] == NOW + timedelta(days=1)


def test_what_only_looks_like_a_rename_is_none(bench):
    bench.sync()
    bench.source.documents["copy"] = bench.source.documents["n3"]
    bench.source.documents["other"] = b"another text"
    del bench.source.documents["n4"]
    bench.sync()
    assert bench.table["renamed_from"].null_count() == bench.table.height


def test_moved_files_of_equal_bytes_are_told_apart_by_their_names(bench):
    bench.source.documents = {"a/x": b"same", "a/y": b"same", **bench.source.documents}
    bench.sync()
    bench.source.documents |= {"b/y": bench.source.documents.pop("a/y"), "b/x": bench.source.documents.pop("a/x")}
    bench.sync()
    assert (bench.row("b/x")["renamed_from"], bench.row("b/y")["renamed_from"]) == ("a/x", "a/y")


def test_a_rename_leaves_nothing_in_what_documents_are_made_of(bench, tmp_path):
    bench.sync()
    bench.source.documents["m3"] = bench.source.documents.pop("n3")
    bench.sync()
    fresh = Bench(Blobs(tmp_path / "fresh"), bench.source)
    fresh.sync()
    columns = ("uri", "sha256", "content_type", "metadata", "status")
    assert bench.table.filter(status="ok").select(columns).equals(fresh.table.select(columns))


def test_without_marks_everything_is_read_anew(bench):
    bench.sync()
    bench.source.fetched.clear()
    bench.table = without_marks(bench.table)
    assert bench.sync().unchanged == 10
    assert len(bench.source.fetched) == 10


@pytest.mark.parametrize("change", [lambda table: table.with_columns(score=1.0), lambda table: table.drop("missing")])
def test_a_table_of_other_columns_is_refused_and_never_read_as_empty(bench, change):
    bench.sync()
    before = bench.table = change(bench.table)
    bench.source.documents.clear()
    with pytest.raises(StorageError, match="the raw table has the columns uri, "):
        bench.sync()
    with pytest.raises(StorageError, match="Nothing was changed"):
        plan(bench.source.list(), bench.table, source_id="notes", max_deleted_share=0.2)
    assert bench.table is before
