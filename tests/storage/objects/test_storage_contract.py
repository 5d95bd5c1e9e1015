"""What the stores of raw bytes and tables promise, whether a folder or an object store has them."""

import hashlib
import pickle
import shutil
import threading
from concurrent.futures import ThreadPoolExecutor

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rag_platform.core.errors import DamagedFile, SettingsError, StorageError
from rag_platform.core.schemas import RAW
from rag_platform.storage.objects.object_store import ObjectStore
from rag_platform.storage.objects.shared_tables import SharedStore
from rag_platform.storage.tables import Store
from tests.storage.objects_server import new_bucket, objects_server, options_of

pytestmark = pytest.mark.scale


@pytest.fixture(scope="module")
def endpoint():
    with objects_server() as address:
        yield address


@pytest.fixture
def bucket(endpoint):
    return new_bucket(endpoint) + "/team/one"


@pytest.fixture
def machine(endpoint, bucket, tmp_path):
    """Return what opens the workspace on a machine with a folder of its own."""
    return lambda name="one": SharedStore(tmp_path / name, None, ObjectStore(bucket, lambda: options_of(endpoint)))


@pytest.fixture(params=["folder", "objects"])
def opened(request, tmp_path):
    """Return what opens the store once more, as another process of the same machine does."""
    if request.param == "folder":
        return lambda: Store(tmp_path / "one")
    return request.getfixturevalue("machine")


def raw(*uris):
    return pl.DataFrame([{"uri": uri, "status": "ok"} for uri in uris], schema=RAW)


# --- one contract -----------------------------------------------------------------------------------------


def test_tables_come_back_as_they_were_written_and_are_known_by_stage(opened):
    one, other = opened(), opened()
    assert one.read("raw", "docs").is_empty() and one.sources("raw") == [] and one.stages("embeddings") == []
    for stage in ("raw", "embeddings/abc", "embeddings/abc.recent"):
        one.write(stage, "docs", raw("a", "b")) if stage == "raw" else _write_vectors(one, stage)
    one.write("raw", "news", raw("c"))
    assert other.read("raw", "docs").equals(raw("a", "b")) and other.sources("raw") == ["docs", "news"]
    assert other.stages("embeddings") == ["embeddings/abc", "embeddings/abc.recent"]
    assert other.select("raw", "docs", ["uri"], pl.col("uri") == "b")["uri"].to_list() == ["b"]
    assert other.column("raw", "docs", "uri", RAW).to_list() == ["a", "b"]
    other.write("raw", "docs", raw("z"))
    assert one.read("raw", "docs")["uri"].to_list() == ["z"]
    one.drop("raw", "docs")
    assert other.sources("raw") == ["news"] and other.read("raw", "docs").is_empty()
    one.drop("raw", "docs")
    one.write("raw", "docs", raw("again"))
    assert other.read("raw", "docs")["uri"].to_list() == ["again"]


def _write_vectors(store, stage):
    store.write(stage, "docs", pl.DataFrame({"text_hash": ["a"]}), compression="uncompressed")


def test_a_write_that_fails_leaves_what_was_there(opened):
    one, other = opened(), opened()
    one.write("raw", "docs", raw("a"))
    with pytest.raises(ZeroDivisionError), one.rewriting("raw", "docs") as beside:
        raw("b").write_parquet(beside)
        raise ZeroDivisionError
    assert one.read("raw", "docs").equals(raw("a")) and other.read("raw", "docs").equals(raw("a"))


def test_raw_bytes_come_back_by_their_hash_and_are_checked(opened):
    one, other = opened().blobs, opened().blobs
    content = b"the heron" * 1000
    sha256 = one.put(content)
    assert sha256 == hashlib.sha256(content).hexdigest() == one.put(content)
    assert 0 < one.written < len(content)
    assert other.has(sha256) and other.get(sha256) == content and [*other.hashes()] == [sha256]
    assert other.file(sha256).stat().st_size == one.written
    other.remove(sha256)
    other.remove(sha256)
    for blobs in (one, other):
        assert not blobs.has(sha256) and [*blobs.hashes()] == []
        with pytest.raises(StorageError, match="sync their source again"):
            blobs.get(sha256)


EDITS = st.lists(
    st.tuples(
        st.sampled_from(["write", "drop", "put", "remove", "read", "elsewhere"]),
        st.sampled_from(["docs", "news"]),
        st.lists(st.sampled_from("abcd"), max_size=3, unique=True),
    ),
    max_size=12,
)


@given(edits=EDITS)
@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_history_of_edits_by_two_machines_gives_what_one_folder_gives(edits, endpoint, tmp_path_factory):
    bucket, folder = new_bucket(endpoint), tmp_path_factory.mktemp("history")
    objects = lambda: ObjectStore(bucket, lambda: options_of(endpoint))  # noqa: E731
    machines = [SharedStore(folder / name, None, objects()) for name in ("one", "two")]
    alone, now = Store(folder / "alone"), 0
    for action, source, uris in edits:
        for store in (alone, machines[now]):
            _edit(store, action, source, uris)
        now = 1 - now if action == "elsewhere" else now
    for store in machines:
        assert store.sources("raw") == alone.sources("raw")
        for source in ("docs", "news"):
            assert store.read("raw", source).equals(alone.read("raw", source))
        assert [*store.blobs.hashes()] == [*alone.blobs.hashes()]
        assert [store.blobs.get(one) for one in store.blobs.hashes()] == [*map(alone.blobs.get, alone.blobs.hashes())]


def _edit(store, action, source, uris):
    content = "".join([source, *uris]).encode()
    match action:
        case "write":
            with store.lock(source):
                store.table("raw", source).replace(raw(*uris))
        case "drop":
            with store.lock(source):
                store.read("raw", source)
                store.drop("raw", source)
        case "put":
            store.blobs.put(content)
        case "remove":
            store.blobs.remove(hashlib.sha256(content).hexdigest())
        case "read":
            store.read("raw", source)


# --- several machines -------------------------------------------------------------------------------------


def test_of_two_machines_that_read_one_state_one_writes_and_the_other_is_told_and_goes_on(machine):
    one, other = machine("one"), machine("two")
    one.write("raw", "docs", raw("a"))
    tables = [store.table("raw", "docs") for store in (one, other)]
    tables[0].replace(raw("a", "from one"))
    with pytest.raises(StorageError, match="another machine has written the table raw of 'docs'"):
        tables[1].replace(raw("a", "from two"))
    with pytest.raises(StorageError, match="another machine"):
        machine("three").write("raw", "docs", raw()) or one.write("raw", "docs", raw("b"))
    assert other.read("raw", "docs")["uri"].to_list() == []
    other.table("raw", "docs").replace(raw("from two"))
    assert one.read("raw", "docs")["uri"].to_list() == ["from two"]


def test_no_update_is_lost_by_writers_that_try_again(machine):
    machine("w0").write("raw", "docs", raw())
    have_read = threading.Barrier(4)

    def add(number):
        store, tries = machine(f"w{number}"), 0
        while True:
            try:
                table = store.table("raw", "docs")
                if not tries:
                    have_read.wait(300)
                return table.replace(raw(*table.frame["uri"], str(number)))
            except StorageError:
                tries += 1

    with ThreadPoolExecutor(4) as pool:
        [*pool.map(add, range(8))]
    found = machine("reader")
    assert sorted(found.read("raw", "docs")["uri"]) == [str(number) for number in range(8)]
    assert len([name for name in found._objects.sizes("tables") if name.endswith(".parquet")]) == 1


def test_what_another_machine_removed_is_not_read_from_the_copies_of_this_one(machine):
    one, other = machine("one"), machine("two")
    with one.lock("docs"), other.lock("docs"):
        one.write("raw", "docs", raw("a"))
        sha256 = one.blobs.put(b"to be forgotten")
    third = machine("three")
    with third.lock("news"):
        third.bring_here()
    other.bring_here()
    assert third.path("raw", "docs").exists() and third.blobs.path(sha256).exists()
    assert other.path("raw", "docs").exists() and other.blobs.path(sha256).exists()
    one.drop("raw", "docs")
    one.blobs.remove(sha256)
    third = machine("three")
    with third.lock("news"):
        assert not third.path("raw", "docs").exists() and not third.blobs.path(sha256).exists()
    assert other.read("raw", "docs").is_empty()
    with pytest.raises(StorageError, match="not in s3://"):
        other.blobs.get(sha256)
    assert not other.blobs.path(sha256).exists()


def test_a_folder_hands_over_what_it_has_once_and_may_be_emptied_then(machine, tmp_path):
    before = Store(tmp_path / "one")
    before.write("raw", "docs", raw("a"))
    before.write("access", "docs", before.read("access", "docs"))
    sha256 = before.blobs.put(b"old bytes")
    shared = machine("one")
    assert shared.read("raw", "docs").equals(raw("a")) and shared.blobs.get(sha256) == b"old bytes"
    with shared.lock("docs"):
        assert shared.handed_over()
    for folder in ("raw", "documents"):
        shutil.rmtree(tmp_path / "one" / folder, ignore_errors=True)
    for store in (machine("one"), machine("two")):
        assert store.read("raw", "docs").equals(raw("a")) and store.blobs.get(sha256) == b"old bytes"
    assert machine("one").sources("access") == ["docs"] and machine("two").sources("access") == []

    another = Store(tmp_path / "three")
    another.write("raw", "docs", raw("of another workspace"))
    third = machine("three")
    with pytest.raises(StorageError, match="prefix of its own"), third.lock("docs"):
        pass
    assert another.read("raw", "docs").height == 1 and machine("two").read("raw", "docs").equals(raw("a"))


def test_damage_here_is_mended_from_there_and_damage_there_is_told(machine):
    one = machine("one")
    one.write("raw", "docs", raw("a"))
    sha256 = one.blobs.put(b"bytes of a document")
    one.path("raw", "docs").write_bytes(b"PAR1 not a table")
    one.blobs.path(sha256).write_bytes(b"nothing of the kind")
    one.mend("raw", "docs")
    assert one.read("raw", "docs").equals(raw("a")) and one.blobs.get(sha256) == b"bytes of a document"
    assert [*one.damages()] == []
    for name in one._objects.sizes("tables") | one._objects.sizes("blobs"):
        if not name.endswith(".json"):
            one._objects.replace(name, b"damaged")
    fresh = machine("two")
    with pytest.raises(DamagedFile, match="not what was written"):
        fresh.read("raw", "docs")
    with pytest.raises(DamagedFile):
        fresh.blobs.get(sha256)
    assert [(stage, source) for stage, source, _ in fresh.damages()] == [("raw", "docs")]


def test_what_a_killed_writer_left_is_swept_and_nothing_else(machine, monkeypatch):
    one = machine("one")
    one.write("raw", "docs", raw("a"))

    def killed(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr(SharedStore, "_swap", killed)
        one.write("raw", "docs", raw("b"))
    files = lambda: [name for name in one._objects.sizes("tables") if name.endswith(".parquet")]  # noqa: E731
    assert len(files()) == 2
    one.sweep()
    assert len(files()) == 1 and machine("two").read("raw", "docs").equals(raw("a"))


def test_a_store_that_heeds_no_condition_and_one_that_is_not_there_are_refused(machine, monkeypatch, endpoint):
    heedless = machine("one")
    monkeypatch.setattr(ObjectStore, "_put", lambda *_: "mark")
    with pytest.raises(StorageError, match="does not heed IfNoneMatch"):
        heedless.read("raw", "docs")
    monkeypatch.undo()
    gone = ObjectStore("s3://no-such-bucket/a", lambda: options_of(endpoint))
    with pytest.raises(StorageError, match=r"check \[scale\] objects"):
        gone.read("a")
    with pytest.raises(SettingsError, match="expected s3://bucket/prefix"):
        ObjectStore("memory://a", dict).read("a")


def test_raw_bytes_are_read_by_a_process_that_was_sent_the_store(machine):
    one = machine("one")
    sha256 = one.blobs.put(b"sent")
    sent = pickle.loads(pickle.dumps(one.blobs))
    one.blobs.path(sha256).unlink()
    assert sent.get(sha256) == b"sent" and sent.has(sha256)
