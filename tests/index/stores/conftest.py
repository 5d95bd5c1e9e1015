"""A workspace's versions, and those who read them from another machine: by the folder, or by an engine."""

import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from rag_platform.core.ports import VersionStore
from rag_platform.index.build import segment_plan
from rag_platform.index.build.builder import build
from rag_platform.index.releases.open_version import OpenVersion
from rag_platform.index.releases.versions import Versions
from rag_platform.storage.locks import FileLocks
from tests.index.corpora import chunked
from tests.index.stores.milvus_server import milvus_server
from tests.postgres_server import postgres_server, with_pgvector
from tests.storage.objects_server import new_bucket, objects_server

ENGINES = ("postgres", "lance", "lance_s3", "milvus")


@dataclass
class Shared:
    """One machine that builds and publishes, and others that read."""

    folder: Path
    connect: Callable[[], VersionStore] | None
    """None: the readers have the folder."""

    def __post_init__(self) -> None:
        self.builder = Versions(self.folder / "builder", store=self.connect)

    def reader(self) -> Versions:
        """Return a reader that holds nothing yet."""
        return Versions(self.folder / ("nothing" if self.connect else "builder"), store=self.connect)

    def publish(self, documents: dict[int, dict], words: int = 8) -> str:
        """Build a version of these documents and make it live."""
        made = build(chunked(*documents.values(), words=words), self.builder, partitions={})
        self.builder.promote(made.version, why="test")
        return made.version

    def built(self, version: str) -> OpenVersion:
        """Open a version from its folder."""
        return self.builder.open_folder(version)


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """The address of a server with pgvector."""
    pytest.importorskip("psycopg")
    with postgres_server(with_pgvector()) as address:
        yield address


@pytest.fixture(autouse=True)
def _no_segment_is_small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(segment_plan, "SMALL", 0)


@pytest.fixture
def postgres_store(server: str) -> Callable[[], VersionStore]:
    """Connect to a schema that holds nothing, each time as another process would."""
    from rag_platform.index.stores.postgres.postgres_store import PostgresStore

    schema = f"t{uuid.uuid4().hex[:12]}"
    return lambda: PostgresStore(server, schema)


@pytest.fixture
def lance_store(tmp_path: Path) -> Callable[[], VersionStore]:
    """Connect to tables of Lance in a folder that holds nothing, each time as another process would."""
    (tmp_path / "tables").mkdir()
    return _lance(str(tmp_path / "tables"), {}, tmp_path)


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    """The address of an S3 server."""
    pytest.importorskip("lance")
    with objects_server() as address:
        yield address


@pytest.fixture
def lance_s3_store(endpoint: str, tmp_path: Path) -> Callable[[], VersionStore]:
    """Connect to tables of Lance in a bucket that holds nothing."""
    given = {"aws_access_key_id": "writer", "aws_secret_access_key": "of-a-test", "aws_region": "us-east-1"}
    return _lance(f"{new_bucket(endpoint)}/index", given | {"aws_endpoint": endpoint}, tmp_path)


@pytest.fixture(scope="module")
def milvus(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server of Milvus."""
    with milvus_server(tmp_path_factory.mktemp("milvus")) as address:
        yield address


@pytest.fixture
def milvus_store(postgres: str, milvus: str) -> Callable[[], VersionStore]:
    """Connect to a schema and to collections that hold nothing; the server of PostgreSQL has no pgvector."""
    from rag_platform.index.stores.milvus.milvus_store import MilvusStore

    schema = f"t{uuid.uuid4().hex[:12]}"
    return lambda: MilvusStore(postgres, schema, milvus, {})


def _lance(address: str, options: dict[str, str], folder: Path) -> Callable[[], VersionStore]:
    pytest.importorskip("lance", reason="the extra lance is not installed")
    from rag_platform.index.stores.lance.lance_store import LanceStore

    return lambda: LanceStore(address, options, FileLocks(folder / "locks"))


@pytest.fixture(params=["folder", *ENGINES])
def shared(request: pytest.FixtureRequest, tmp_path: Path) -> Shared:
    """Versions that others read, of each kind."""
    kind = request.param
    return Shared(tmp_path, None if kind == "folder" else request.getfixturevalue(f"{kind}_store"))
