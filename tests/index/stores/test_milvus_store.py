"""Milvus as the engine of vectors: what is written and left, what is found, what is said when something is wrong."""

import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

from rag_platform.core.errors import DamagedVersion, MissingExtra, SettingsError, StorageError
from rag_platform.core.ports import VersionStore
from rag_platform.index.build.redaction import redact
from rag_platform.index.stores.milvus.milvus_store import MilvusStore
from rag_platform.index.stores.milvus.milvus_vectors import MilvusVectors
from rag_platform.workspace import open_workspace
from tests.index.corpora import document
from tests.index.stores.answers import hits, some_document
from tests.index.stores.conftest import Shared
from tests.index.stores.milvus_server import milvus_server
from tests.loopback import free_port
from tests.waiting import wait_until

pytestmark = pytest.mark.scale
COUNT, DIMENSION = 6_000, 16
"""Of vectors: more than are compared without a graph."""


@pytest.fixture
def shared(tmp_path: Path, milvus_store: Callable[[], VersionStore]) -> Shared:
    return Shared(tmp_path, milvus_store)


@pytest.fixture(scope="module")
def rows() -> np.ndarray:
    return np.random.default_rng(5).normal(size=(COUNT, DIMENSION)).astype(np.float16)


@pytest.fixture(scope="module")
def many(milvus: str, rows: np.ndarray) -> Iterator[MilvusVectors]:
    vectors = MilvusVectors(milvus, "many", {})
    vectors.write("0a", 0, rows)
    yield vectors
    vectors.drop(["0a"])


def _documents(count: int = 8) -> dict[int, dict]:
    return {place: some_document(place) for place in range(count)}


def _vectors(shared: Shared) -> MilvusVectors:
    assert isinstance(shared.builder.store, MilvusStore)
    return shared.builder.store._vectors


def _listed(shared: Shared) -> set[str]:
    return {segment.name for segment in shared.reader().live().reader._segments}


@pytest.mark.parametrize("allowed", [None, 40, 5_500, 5_001], ids=["all", "few", "most", "far away"])
def test_among_whatever_is_allowed_the_nearest_are_found(
    many: MilvusVectors, rows: np.ndarray, allowed: int | None
) -> None:
    wanted = rows[17].astype(np.float32)
    similar = rows.astype(np.float32) @ wanted / np.linalg.norm(rows.astype(np.float32), axis=1)
    order = np.argsort(-similar)
    chosen = None if allowed is None else np.sort(order[-allowed:])  # with "few" and "far away", none of the nearest
    among = order if chosen is None else order[-len(chosen) :]
    places, found = many.nearest("0a", 0, wanted, 20, chosen, COUNT)
    assert len({*places.tolist()} & {*among[:10].tolist()}) >= 8
    assert (found == rows[places]).all() and (chosen is None or np.isin(places, chosen).all())
    exact, _ = many.exact("0a", 0, wanted, 10, np.arange(COUNT) if chosen is None else chosen)
    assert exact.tolist() == among[:10].tolist()


def test_vectors_are_read_as_they_were_written(many: MilvusVectors, rows: np.ndarray) -> None:
    for places in ([5], [7, 3, 7], [*range(100, 200)], [*range(COUNT)]):
        assert (many.vectors("0a", 0, np.array(places)) == rows[places]).all()
    assert many.count("0a", 0) == COUNT


def test_of_a_version_that_changed_little_little_is_written(shared: Shared) -> None:
    shared.publish(_documents(20))
    before = _vectors(shared).segments()
    shared.publish(_documents(20) | {3: some_document(3, 1)})
    (new,) = _vectors(shared).segments() - before
    assert _vectors(shared).count(new, 0) == 4 and before < _vectors(shared).segments()


def test_nothing_is_left_of_what_was_forgotten(shared: Shared) -> None:
    documents = _documents() | {9: document("d9", "zanzibar river flood")}
    shared.publish(documents)
    (before,) = _vectors(shared).segments()
    redact(shared.builder, [documents[9]["doc_id"]], why="test", scrub=lambda scores: scores)
    assert before not in _listed(shared) and _vectors(shared).segments() == _listed(shared)


def test_what_was_cut_short_is_no_version_and_goes(shared: Shared, monkeypatch: pytest.MonkeyPatch) -> None:
    first = shared.publish(_documents())

    def cut(*_: object) -> None:
        raise RuntimeError("cut")

    with monkeypatch.context() as patch, pytest.raises(RuntimeError, match="cut"):
        patch.setattr(MilvusStore, "_add", cut)
        shared.publish({place: some_document(place, 1) for place in range(8)})
    assert len(_vectors(shared).segments()) == 2 and shared.reader().live_id() == first
    second = shared.publish({place: some_document(place, 2) for place in range(8)})
    assert shared.reader().live_id() == second
    assert _vectors(shared).segments() == _listed(shared) | {_of(shared, first)}


def _of(shared: Shared, version: str) -> str:
    (segment,) = shared.reader().open(version).reader._segments
    return segment.name


def test_vectors_of_a_workspace_whose_name_goes_on_are_not_ours(shared: Shared, milvus: str) -> None:
    other = MilvusVectors(milvus, f"{_vectors(shared)._prefix}2", {})
    other.write("0b", 0, np.eye(3, dtype=np.float16))
    shared.publish(_documents())
    assert other.count("0b", 0) == 3 and "0b" not in _vectors(shared).segments()
    other.drop(["0b"])


def test_vectors_that_are_missing_are_told(shared: Shared) -> None:
    version = shared.publish(_documents())
    segment = _of(shared, version)
    _vectors(shared)._client.delete(f"{_vectors(shared)._prefix}{segment}_0", filter="place in [1, 2]")
    opened = shared.reader().open(version)
    assert "holds 22 rows of vectors.usearch, not 24" in " ".join(opened.reader.problems("all"))
    with pytest.raises(DamagedVersion, match="has lost vectors"):
        opened.reader.vectors("vectors.usearch", 32).parts[0].rows(opened.catalog.keys)
    _vectors(shared).drop([segment])
    assert "holds 0 rows of vectors.usearch, not 24" in " ".join(opened.reader.problems("all"))
    with pytest.raises(DamagedVersion, match="not in Milvus any more"):
        hits(shared.reader(), "anchor pilot")


def test_a_server_that_is_away_is_told_and_comes_back(tmp_path: Path, postgres: str) -> None:
    port = free_port()
    with milvus_server(tmp_path / "milvus", port) as address:
        shared = Shared(tmp_path, lambda: MilvusStore(postgres, f"t{tmp_path.name[-20:].lower()}", address, {}))
        version = shared.publish(_documents())
        reader = shared.reader()
        before = hits(reader, "tide")
    with pytest.raises(StorageError, match=r"Milvus at http.* could not be asked: .*check \[scale\] milvus"):
        hits(reader, "anchor pilot gauge")
    assert reader.live_id() == version

    def answers() -> bool:  # gRPC waits some seconds before it tries to connect again
        with suppress(StorageError):
            return hits(reader, "tide") == before
        return False

    with milvus_server(tmp_path / "milvus", port):
        wait_until(answers, every=0.5)


def test_without_the_extra_the_command_that_installs_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pymilvus", None)
    with pytest.raises(MissingExtra, match=r"store = 'milvus' needs the package 'pymilvus'.*pip install"):
        MilvusVectors("http://127.0.0.1:9", "rag", {})


def test_a_workspace_says_where_its_versions_are_read_from(
    tmp_path: Path, postgres: str, milvus: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RAG_MILVUS", "of-a-test")
    (tmp_path / "rag.toml").write_text(
        f'[scale]\nstore = "milvus"\ndatabase = "{postgres}"\nschema_name = "here"\nmilvus = "{milvus}/"\n'
        'milvus_options = { token = "${RAG_MILVUS}" }\n'
    )
    store = open_workspace(tmp_path).versions.store
    assert isinstance(store, MilvusStore) and store.ids() == []
    assert (store._vectors._address, store._vectors._prefix) == (milvus, "here_versions_")


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ('store = "milvus"\nmilvus = "http://127.0.0.1:9"', "needs database, the address of a server of PostgreSQL"),
        ('store = "milvus"\ndatabase = "postgresql://db.example.org/rag"', "needs milvus, the address of its server"),
        ('milvus = "http://root:hunter2@milvus.example.org"', "without a key"),
        ('milvus_options = { token = "hunter2" }', "a key never stands in the file"),
        ('milvus_options = { password = "hunter2" }', "a key never stands in the file"),
    ],
)
def test_settings_that_cannot_be_are_refused_in_words(tmp_path: Path, lines: str, said: str) -> None:
    (tmp_path / "rag.toml").write_text(f"[scale]\n{lines}\n")
    with pytest.raises(SettingsError, match=said) as told:
        open_workspace(tmp_path)
    assert "hunter2" not in str(told.value)
