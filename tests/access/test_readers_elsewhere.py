"""A machine without the workspace's folder shows what may be read now: what is closed or forgotten elsewhere is not."""

import uuid
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import polars as pl
import pytest

from rag_platform.access.access_rules import AccessRules
from rag_platform.access.decisions import Target
from rag_platform.access.rule_tables import FileTables
from rag_platform.core.errors import DatabaseUnavailable, StorageError
from rag_platform.core.hits import Filters
from rag_platform.core.ids import document_id
from rag_platform.embeddings.onnx_embedder import OnnxEmbedder
from rag_platform.erasure.forget import forget, undo
from rag_platform.erasure.targets import recognise
from rag_platform.pipeline.sync import sync
from rag_platform.raw.suppression import Entry, target_hash
from rag_platform.workspace import Workspace, open_workspace
from tests.pipeline.fixed_gate import FixedGate
from tests.postgres_server import postgres_server, start, stop, with_pgvector

pytest.importorskip("psycopg")
pytestmark = pytest.mark.scale

TOML = """
[scale]
database = "{database}"
schema_name = "{schema}"
store = "postgres"

[[sources]]
id = "notes"
kind = "folder"
path = "notes"
min_words = 1
"""
FERRY, WEIR = document_id("notes", "notes/ferry.md"), document_id("notes", "notes/weir.md")
ANN, BOB = "user:ann", "user:bob"


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with postgres_server(with_pgvector()) as address:
        yield address


@pytest.fixture
def machine(tmp_path: Path, server: str, tiny_embedder: OnnxEmbedder) -> Callable[[str], Workspace]:
    """Open the workspace on a machine of that name, as a new process would; folders are of one machine each."""
    schema = f"r{uuid.uuid4().hex[:12]}"

    def opened(name: str) -> Workspace:
        home = tmp_path / name
        home.mkdir(exist_ok=True)
        (home / "rag.toml").write_text(TOML.format(database=server, schema=schema))
        workspace = open_workspace(home)
        workspace.embedder = tiny_embedder
        return workspace

    return opened


@pytest.fixture
def builder(machine: Callable[[str], Workspace]) -> Workspace:
    """The machine that reads the documents, after a sync."""
    workspace = machine("builder")
    notes = workspace.settings.home / "notes"
    notes.mkdir()
    (notes / "ferry.md").write_text("# Ferry\n\nThe ferry leaves at six from the jetty.")
    (notes / "weir.md").write_text("# Weir\n\nThe weir is opened by two wardens in spring.")
    assert sync(workspace, gate=FixedGate(workspace)).moved
    return workspace


@pytest.fixture
def reader(builder: Workspace, machine: Callable[[str], Workspace]) -> Workspace:
    """A machine that answers, and has searched already."""
    workspace = machine("reader")
    assert shown(workspace) == {"ferry.md", "weir.md"}
    return workspace


def shown(workspace: Workspace, person: str = ANN) -> set[str]:
    """Return the documents that a search shows to somebody."""
    found = workspace.retriever.search("ferry weir jetty wardens", k=10, filters=Filters(principals=(person,)))
    return {hit.uri.removeprefix("notes/") for hit in found.hits}


def said(workspace: Workspace, principals: list[str]) -> None:
    """Have the source say of all its documents who may read them, as a sync writes it down."""
    with workspace.store.lock("notes"):
        table = workspace.store.table("access", "notes")
        table.replace(table.frame.with_columns(principals=pl.lit(principals, pl.List(pl.String))))


def test_a_rule_closes_on_every_machine_whoever_makes_it(builder: Workspace, reader: Workspace) -> None:
    builder.access.rules.set(Target("document", FERRY), deny=[ANN], who="a", why="a draft")
    assert shown(reader) == {"weir.md"} and shown(reader, BOB) == {"ferry.md", "weir.md"}
    reader.access.rules.join("group:crew", [BOB], who="a")
    reader.access.rules.set(Target("document", WEIR), allow=["group:crew"], who="a", why="the crew's")
    assert shown(builder) == set() and shown(builder, BOB) == {"ferry.md", "weir.md"}
    builder.access.rules.leave("group:crew", [BOB], who="a")
    assert shown(reader, BOB) == {"ferry.md"}
    assert reader.access.rules.quarantine({FERRY: "r"}, who="a", why="odd") == 1
    assert shown(builder, BOB) == set()
    assert builder.access.rules.release([FERRY], who="a") == 1
    assert reader.access.rules.quarantine({FERRY: "s"}, who="a", why="odd again") == 1
    reader.access.rules.erase([WEIR], BOB)
    assert not {BOB, "group:crew"} & builder.access.rules.principals() and shown(builder, BOB) == {"weir.md"}
    assert [one.action for one in builder.access.rules.changes(2)] == ["quarantine", "release"]
    assert not (builder.settings.data / "access.sqlite").exists()


def test_a_search_asks_the_server_once(reader: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    rules, asked = reader.access.rules, []
    state = rules.state
    monkeypatch.setattr(rules, "state", lambda: (asked.append("state"), state())[1])
    assert shown(reader) and asked == ["state"]
    assert shown(reader, BOB) and asked == ["state"] * 2


def test_what_a_source_says_counts_where_the_folder_is_not(
    builder: Workspace, reader: Workspace, machine: Callable[[str], Workspace]
) -> None:
    said(builder, [BOB])
    assert shown(reader) == set() and shown(reader, BOB) == {"ferry.md", "weir.md"}
    said(builder, [ANN])
    assert shown(reader) == {"ferry.md", "weir.md"} and shown(reader, BOB) == set()
    assert not (reader.settings.data / "access").exists()
    documents = builder.store.read("documents", "notes").with_columns(source=pl.lit("notes"))
    assert machine("third").access.documents(documents).then([BOB]).all()  # the first thing that it is asked


def test_what_is_forgotten_is_shown_nowhere_from_when_it_is_written_down(builder: Workspace, reader: Workspace) -> None:
    now = datetime.now(UTC).isoformat()
    begun = Entry("begun", "uri", target_hash("uri", "notes/weir.md"), (WEIR,), now, "a", "a killed process began it")
    builder.suppression.add(begun)
    assert shown(reader) == {"ferry.md"}
    report = forget(builder, recognise(builder, "notes/ferry.md"))
    assert report["proven"] and shown(reader) == set()
    assert [one.doc_ids for one in reader.suppression.entries()] == [(WEIR,), (FERRY,)]
    undo(reader, reader.suppression.find("begun"))
    assert shown(builder) == shown(reader) == {"weir.md"}


def test_a_machine_that_cannot_ask_shows_nothing(builder: Workspace, reader: Workspace, server: str) -> None:
    builder.store.drop("access", "notes")
    with pytest.raises(StorageError, match=r"notes\.parquet is missing.*nothing is shown"):
        shown(reader)
    stop(server, with_pgvector())
    try:
        with pytest.raises(DatabaseUnavailable):
            shown(reader)
    finally:
        start(server, with_pgvector())


def test_what_a_folder_knew_before_holds_on_the_server(
    builder: Workspace, reader: Workspace, machine: Callable[[str], Workspace]
) -> None:
    said(builder, [ANN])
    builder.store._records.drop(("access", "notes"))  # as in a folder that knew no server
    with builder.store.lock("notes"):
        assert shown(reader, BOB) == set() and shown(reader) == {"ferry.md", "weir.md"}
    other = machine("earlier")
    other.settings.data.mkdir(exist_ok=True)
    AccessRules(FileTables(other.settings.data / "access.sqlite")).set(
        Target("document", FERRY), deny=[ANN], who="a", why="since long ago"
    )
    assert shown(machine("earlier")) == {"weir.md"} == shown(reader)
