"""Lance as the engine of versions: what is written, what is left, and what is said when something is wrong."""

import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

from rag_platform.core.errors import DamagedVersion, MissingExtra, SettingsError, StorageError
from rag_platform.core.ports import VersionStore
from rag_platform.index.build.builder import build
from rag_platform.index.build.redaction import redact
from rag_platform.index.releases.versions import Versions
from rag_platform.index.stores.lance.lance_store import LanceStore
from rag_platform.storage.locks import FileLocks
from rag_platform.workspace import open_workspace
from tests.index.corpora import chunked, document
from tests.index.stores.answers import hits, some_document
from tests.index.stores.conftest import Shared
from tests.storage.objects_server import objects_server

pytestmark = pytest.mark.scale


@pytest.fixture
def shared(tmp_path: Path, lance_store: Callable[[], VersionStore]) -> Shared:
    return Shared(tmp_path, lance_store)


@pytest.fixture
def tables(tmp_path: Path) -> Path:
    return tmp_path / "tables"


def _files(tables: Path) -> dict[str, tuple[int, int]]:
    found = (path for path in tables.rglob("*") if path.is_file())
    return {str(path.relative_to(tables)): (path.stat().st_mtime_ns, path.stat().st_size) for path in found}


def _segments(tables: Path) -> set[str]:
    return {path.name for path in (tables / "segments").iterdir()}


def _documents(count: int = 8) -> dict[int, dict]:
    return {place: some_document(place) for place in range(count)}


def test_of_a_version_that_changed_little_little_is_written(shared: Shared, tables: Path) -> None:
    import lance

    shared.publish(_documents(20))
    before, old = _files(tables), _segments(tables)
    shared.publish(_documents(20) | {3: some_document(3, 1)})
    after = _files(tables)
    assert {name: after.get(name) for name in before if "segments/" in name} == {
        name: told for name, told in before.items() if "segments/" in name
    }
    (new,) = _segments(tables) - old
    assert lance.dataset(tables / "segments" / new / "chunks.lance").count_rows() == 4  # 28 words in eights


def test_no_table_holds_what_was_forgotten(shared: Shared, tables: Path) -> None:
    documents = _documents() | {9: document("d9", "zanzibar river flood")}
    shared.publish(documents)
    (tables / "versions.lance" / "data" / "left.lance").write_bytes(b"of a writer that was killed: zanzibar")
    assert {"chunks", "documents"} <= {*_mentions(tables, "zanzibar")}
    redact(shared.builder, [documents[9]["doc_id"]], why="test", scrub=lambda scores: scores)
    assert _mentions(tables, "zanzibar") == []
    assert _segments(tables) == {segment.name for segment in shared.reader().live().reader._segments}
    assert not (tables / "versions.lance" / "data" / "left.lance").exists()


def test_no_object_of_a_segment_that_was_forgotten_is_left(
    tmp_path: Path, lance_s3_store: Callable[[], VersionStore]
) -> None:
    shared = Shared(tmp_path, lance_s3_store)
    documents = _documents() | {9: document("d9", "zanzibar river flood")}
    shared.publish(documents)
    folder = shared.builder.store._folder
    (before,) = folder.folders("segments")
    redact(shared.builder, [documents[9]["doc_id"]], why="test", scrub=lambda scores: scores)
    listed = [segment.name for segment in shared.reader().live().reader._segments]
    assert before not in listed and folder.folders("segments") == listed


def _mentions(tables: Path, word: str) -> list[str]:
    """Name the tables that hold a word in any state of theirs that can be read."""
    import lance

    found = []
    for path in tables.rglob("*.lance"):
        for state in lance.dataset(path).versions() if (path / "_versions").is_dir() else ():
            rows = lance.dataset(path, version=state["version"]).to_table().to_pylist()
            values = [value for row in rows for value in row.values()]
            packed = [value for value in values if isinstance(value, bytes) and value[:4] == b"\x28\xb5\x2f\xfd"]
            if word in str(values) or any(word.encode() in zstandard.decompress(value) for value in packed):
                found.append(path.stem)
    return found


def test_a_file_that_is_not_as_written_is_told_by_its_segment(shared: Shared, tables: Path) -> None:
    version = shared.publish(_documents())
    (segment,) = _segments(tables)
    (file,) = (tables / "segments" / segment / "chunks.lance" / "data").iterdir()
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(content)
    assert f"segment {segment}: chunks.lance/data/{file.name}" in " ".join(shared.reader().open(version).verify())
    file.unlink()
    with pytest.raises(DamagedVersion, match=r"not in .* any more"):
        hits(shared.reader(), "tide")


def test_what_was_cut_short_leaves_readers_as_they_were_and_is_deleted(
    shared: Shared, tables: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = shared.publish(_documents())
    (own,) = _segments(tables)

    def cut(*_: object, **__: object) -> None:
        raise RuntimeError("cut")

    with monkeypatch.context() as patch, pytest.raises(RuntimeError, match="cut"):
        patch.setattr(LanceStore, "_commit", cut)
        shared.publish({place: some_document(place, 1) for place in range(8)})
    (left,) = _segments(tables) - {own}
    assert (shared.builder.live_id(), shared.reader().live_id()) == (first, first)
    second = shared.publish({place: some_document(place, 2) for place in range(8)})
    assert left not in _segments(tables) and len(_segments(tables)) == 2
    assert shared.reader().live_id() == second


def test_going_back_waits_for_nobody_who_writes(shared: Shared) -> None:
    first = shared.publish(_documents())
    shared.publish(_documents() | {1: some_document(1, 1)})
    assert isinstance(shared.builder.store, LanceStore)
    with shared.builder.store._locks.wait("segments"):
        back = threading.Thread(target=shared.builder.rollback, kwargs={"why": "test"}, daemon=True)
        back.start()
        back.join(timeout=60)
        assert not back.is_alive()
        assert shared.reader().live_id() == first


def test_of_two_that_write_without_a_lock_between_them_one_is_refused(
    shared: Shared, tables: Path, tmp_path: Path
) -> None:
    version = shared.publish(_documents())
    other = LanceStore(str(tables), {}, FileLocks(tmp_path / "elsewhere"))

    def meanwhile(rows):
        other.publish(None)
        return rows.with_columns(manifest=rows["manifest"] + " ")

    with pytest.raises(StorageError, match="conflict"):
        shared.builder.store._commit(meanwhile)
    assert (shared.reader().live_id(), shared.reader().ids()) == (None, [version])


def test_a_folder_that_is_not_mounted_is_told_and_comes_back(shared: Shared, tables: Path) -> None:
    version = shared.publish(_documents())
    reader = shared.reader()
    before = hits(reader, "tide")
    tables.rename(tables.with_name("away"))
    with pytest.raises(StorageError, match="mount it"):
        hits(reader, "anchor pilot gauge")
    assert reader.live_id() == version
    tables.with_name("away").rename(tables)
    assert hits(reader, "tide") == before


def test_a_bucket_that_is_away_is_told_in_words(tmp_path: Path) -> None:
    pytest.importorskip("lance", reason="the extra lance is not installed")
    with objects_server() as endpoint:
        pass  # nobody listens there any more
    options = {"aws_access_key_id": "w", "aws_secret_access_key": "hidden", "aws_region": "us-east-1"}
    options |= {"aws_endpoint": endpoint, "client_max_retries": "0", "connect_timeout": "2s", "timeout": "5s"}
    with pytest.raises(StorageError, match=r"check \[scale\] lance") as told:
        LanceStore("s3://bucket/index", options, FileLocks(tmp_path)).ids()
    assert "hidden" not in str(told.value)


def test_without_the_extra_the_command_that_installs_it_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "lance", None)
    with pytest.raises(MissingExtra, match=r"store = 'lance' needs the package 'pylance'.*pip install"):
        LanceStore(str(tmp_path), {}, FileLocks(tmp_path))


def test_a_workspace_says_where_its_versions_are_read_from(tmp_path: Path) -> None:
    pytest.importorskip("lance", reason="the extra lance is not installed")
    (tmp_path / "rag.toml").write_text('[scale]\nstore = "lance"\nlance = "tables/"\n')
    store = open_workspace(tmp_path).versions.store
    assert isinstance(store, LanceStore)
    with pytest.raises(StorageError, match="mount it, or make it"):
        store.ids()
    (tmp_path / "tables").mkdir()
    assert store._folder.address == str(tmp_path / "tables") and store.ids() == [] and store.live() is None


def test_the_keys_of_a_bucket_come_from_where_secrets_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("lance", reason="the extra lance is not installed")
    monkeypatch.setenv("RAG_S3", "of-a-test")
    options = '{ aws_endpoint = "http://127.0.0.1:9", aws_secret_access_key = "${RAG_S3}" }'
    (tmp_path / "rag.toml").write_text(
        f'[scale]\nstore = "lance"\nlance = "s3://bucket/index"\nlance_options = {options}\n'
    )
    store = open_workspace(tmp_path).versions.store
    assert isinstance(store, LanceStore)
    given = {"aws_secret_access_key": "of-a-test", "allow_http": "true"}
    assert store._folder._options.items() >= given.items()


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ('store = "lance"', "needs lance, the folder or s3"),
        ('lance = "gs://bucket/index"', "expected a folder, or s3://bucket/prefix"),
        ('lance = "s3://key:hunter2@bucket/index"', "without a key"),
        ('lance_options = { aws_secret_access_key = "hunter2" }', "a key never stands in the file"),
    ],
)
def test_settings_that_cannot_be_are_refused_in_words(tmp_path: Path, lines: str, said: str) -> None:
    (tmp_path / "rag.toml").write_text(f"[scale]\n{lines}\n")
    with pytest.raises(SettingsError, match=said) as told:
        open_workspace(tmp_path)
    assert "hunter2" not in str(told.value)


def test_a_question_is_no_look_at_the_list(shared: Shared) -> None:
    first, reader = shared.publish(_documents()), shared.reader()
    assert hits(reader, "tide")[-1] == first and isinstance(reader.store, LanceStore)
    reader.store._moment = 1e9
    second = shared.publish(_documents() | {1: some_document(1, 1)})
    assert [hits(reader, question)[-1] for question in ("anchor pilot", "weir", "boat")] == [first] * 3
    reader.store._moment = 0
    assert hits(reader, "anchor pilot")[-1] == second


_ASKING = """
import sys
from pathlib import Path
from rag_platform.index.releases.versions import Versions
from rag_platform.index.stores.lance.lance_store import LanceStore
from rag_platform.storage.locks import FileLocks
from tests.index.stores.answers import hits
tables, nowhere, last = sys.argv[1:]
reader, seen = Versions(Path(nowhere), store=lambda: LanceStore(tables, {}, FileLocks(Path(nowhere)))), []
while last not in seen:
    found = hits(reader, "tide river")
    if found[-1] not in seen:
        seen.append(found[-1])
        print(found[-1], flush=True)
"""


def test_processes_that_hold_nothing_follow_the_pointer(shared: Shared, tables: Path, tmp_path: Path) -> None:
    first = shared.publish(_documents())
    second = build(
        chunked(*(_documents() | {1: some_document(1, 1)}).values(), words=8), shared.builder, partitions={}
    ).version
    asked = [sys.executable, "-c", _ASKING, str(tables), str(tmp_path / "nowhere"), second]
    asking = [subprocess.Popen(asked, stdout=subprocess.PIPE, text=True, cwd=Path.cwd()) for _ in range(2)]
    assert [process.stdout.readline().strip() for process in asking] == [first, first]
    Versions(shared.builder.folder, store=shared.connect).promote(second, why="test")
    assert [process.communicate(timeout=120)[0].strip() for process in asking] == [second, second]
    assert [process.returncode for process in asking] == [0, 0]
