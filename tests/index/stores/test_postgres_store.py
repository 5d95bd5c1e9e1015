"""PostgreSQL as the engine of versions: what is written, what is left, and what is said when something is wrong."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

from rag_platform.core.errors import DamagedVersion, StorageError, VersionError
from rag_platform.core.ports import VersionStore
from rag_platform.index.build.redaction import redact
from rag_platform.index.releases.versions import Versions
from rag_platform.index.stores.postgres import postgres_store
from rag_platform.index.stores.postgres.postgres_store import PostgresStore
from rag_platform.workspace import open_workspace
from tests.index.corpora import document
from tests.index.stores.answers import hits, some_document
from tests.index.stores.conftest import Shared
from tests.postgres_server import start, stop, with_pgvector

pytestmark = pytest.mark.scale

psycopg = pytest.importorskip("psycopg")


@pytest.fixture
def shared(tmp_path: Path, postgres_store: Callable[[], VersionStore]) -> Shared:
    return Shared(tmp_path, postgres_store)


@pytest.fixture
def tables(server: str, shared: Shared) -> Callable[[], dict[str, list]]:
    """Return the rows of all tables of the schema, and each table's own number."""

    def _read() -> dict[str, list]:
        assert isinstance(shared.builder.store, PostgresStore)
        schema = shared.builder.store._schema
        with psycopg.connect(server) as raw:
            raw.execute(f'set search_path to "{schema}", public')
            named = raw.execute(
                "select tablename, tablename::regclass::oid from pg_tables where schemaname = %s", [schema]
            )
            return {
                name: [number, *raw.execute(f"select * from {name}").fetchall()] for name, number in named.fetchall()
            }

    return _read


def test_of_a_version_that_changed_little_little_is_written(shared: Shared, tables) -> None:
    documents = {place: some_document(place) for place in range(20)}
    shared.publish(documents)
    before = tables()
    shared.publish(documents | {3: some_document(3, 1)})
    after = tables()
    new = after.keys() - before.keys()
    assert all(after[name] == before[name] for name in before if name[0] == "s" and name != "segments")
    (chunks,) = (after[name] for name in new if name.endswith("_chunks"))
    assert len(chunks) - 1 == 4  # 28 words in eights, of one document


def test_no_table_holds_what_was_forgotten(shared: Shared, tables) -> None:
    documents = {place: some_document(place) for place in range(8)} | {9: document("d9", "zanzibar river flood")}
    shared.publish(documents)
    assert _mentions(tables(), "zanzibar")
    redact(shared.builder, [documents[9]["doc_id"]], why="test", scrub=lambda scores: scores)
    assert not _mentions(tables(), "zanzibar")


def _mentions(tables: dict[str, list], word: str) -> list[str]:
    found = []
    for name, (_, *rows) in tables.items():
        for row in rows:
            packed = [value for value in row if isinstance(value, bytes) and value[:4] == b"\x28\xb5\x2f\xfd"]
            if word in str(row) or any(word.encode() in zstandard.decompress(value) for value in packed):
                found.append(name)
    return found


def test_rows_that_are_missing_are_told(server: str, shared: Shared, tables) -> None:
    version = shared.publish({place: some_document(place) for place in range(8)})
    (chunks,) = (name for name in tables() if name.endswith("_chunks"))
    with psycopg.connect(server) as raw:
        raw.execute(f'delete from "{shared.builder.store._schema}".{chunks} where place < 2')
    opened = shared.reader().open(version)
    assert "holds 22 rows of chunks, not 24" in " ".join(opened.reader.problems("all"))
    with pytest.raises(DamagedVersion, match="has lost a passage"):
        opened.verify()


def test_what_was_cut_short_leaves_nothing_and_is_done_again(shared: Shared, tables, monkeypatch) -> None:
    first = shared.publish({place: some_document(place) for place in range(8)})
    before = tables()

    def cut(*_: object) -> None:
        raise RuntimeError("cut")

    with monkeypatch.context() as patch, pytest.raises(RuntimeError, match="cut"):
        patch.setattr(postgres_store.PostgresStore, "_add", cut)
        shared.publish({place: some_document(place, 1) for place in range(8)})
    assert tables() == before
    assert (shared.builder.live_id(), shared.reader().live_id()) == (first, first)
    assert shared.publish({place: some_document(place, 1) for place in range(8)}) == shared.reader().live().id


def test_the_store_follows_the_folder_where_a_process_ended_between_the_two(shared: Shared) -> None:
    documents = {place: some_document(place) for place in range(8)}
    first = shared.publish(documents)
    second = shared.publish(documents | {1: some_document(1, 1)})
    shared.builder.store.publish(first)
    assert shared.reader().live_id() == first
    shared.builder.sweep()
    assert shared.reader().live_id() == second


def test_a_server_that_is_away_is_told_and_comes_back(server: str, shared: Shared) -> None:
    version = shared.publish({place: some_document(place) for place in range(8)})
    reader = shared.reader()
    before = hits(reader, "tide")
    stop(server, with_pgvector())
    try:
        with pytest.raises(StorageError, match="the database of versions"):
            hits(reader, "anchor pilot gauge")
        assert reader.live_id() == version
        with pytest.raises(StorageError):
            shared.publish({place: some_document(place, 1) for place in range(8)})
    finally:
        start(server, with_pgvector())
    assert hits(reader, "tide") == before


def test_a_server_without_pgvector_is_refused_in_words(postgres: str) -> None:
    with pytest.raises(VersionError, match=r"needs pgvector 0\.8 or newer, and the server has none"):
        PostgresStore(postgres, "rag_versions")


def test_a_workspace_says_where_its_versions_are_read_from(tmp_path: Path, server: str) -> None:
    (tmp_path / "rag.toml").write_text(f'[scale]\nstore = "postgres"\ndatabase = "{server}"\nschema_name = "here"\n')
    store = open_workspace(tmp_path).versions.store
    assert isinstance(store, PostgresStore) and store._schema == "here_versions"


_ASKING = """
import sys
from pathlib import Path
from rag_platform.index.releases.versions import Versions
from rag_platform.index.stores.postgres.postgres_store import PostgresStore
from tests.index.stores.answers import hits
reader, seen = Versions(Path(sys.argv[3]), store=lambda: PostgresStore(sys.argv[1], sys.argv[2])), []
while sys.argv[4] not in seen:
    found = hits(reader, "tide river")
    if found[-1] not in seen:
        seen.append(found[-1])
        print(found[-1], flush=True)
"""


def test_processes_that_hold_nothing_follow_the_pointer(server: str, shared: Shared, tmp_path: Path) -> None:
    documents = {place: some_document(place) for place in range(8)}
    first = shared.publish(documents)
    second = _built(shared, documents | {1: some_document(1, 1)})
    asked = [sys.executable, "-c", _ASKING, server, shared.builder.store._schema, str(tmp_path / "nowhere"), second]
    asking = [subprocess.Popen(asked, stdout=subprocess.PIPE, text=True, cwd=Path.cwd()) for _ in range(2)]
    assert [process.stdout.readline().strip() for process in asking] == [first, first]
    Versions(shared.builder.folder, store=shared.connect).promote(second, why="test")
    assert [process.communicate(timeout=120)[0].strip() for process in asking] == [second, second]
    assert [process.returncode for process in asking] == [0, 0]


def _built(shared: Shared, documents: dict[int, dict]) -> str:
    from rag_platform.index.build.builder import build
    from tests.index.corpora import chunked

    return build(chunked(*documents.values(), words=8), shared.builder, partitions={}).version
