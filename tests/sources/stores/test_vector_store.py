"""What other systems have indexed, written by themselves and read here; documents come back whole."""

import json
import math
import os
import pickle
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import httpx
import polars as pl
import pyarrow
import pyarrow.parquet
import pytest
import sqlalchemy
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from rag_platform.cli import app
from rag_platform.config.source_kinds import Context, open_source, settings_of
from rag_platform.core.errors import SettingsError, SourceError
from rag_platform.core.ports import Validators
from rag_platform.sources.stores import qdrant
from rag_platform.sources.stores.joined_passages import documents_of
from rag_platform.sources.stores.pickles import PickleRefused, unfolded_size, unpickled
from rag_platform.sources.stores.recognising import format_of
from rag_platform.sources.stores.stored_records import Opening
from tests.loopback import LoopbackHandler, LoopbackServer, free_port, running
from tests.rag_commands import run_rag

pytestmark = pytest.mark.filterwarnings("ignore")  # of the other systems' own libraries

LONG = " ".join(f"Sentence {number} of the harbour guide tells something of its own." for number in range(40))


def opened(home, form, place, **given):
    table = {"id": "old", "kind": "store", "format": form, "place": str(place), "fetch": {"allow_private": True}}
    return open_source(settings_of({**table, **given}), Context(home, environ={"KEY": "s3cret"}))


def texts(home, form, place, **given):
    source = opened(home, form, place, **given)
    listing = source.list()
    assert not listing.failed
    assert listing.complete
    return {item.uri: source.fetch(item, Validators()).content.decode() for item in listing.items}


def recognised(home, place):
    table = {"id": "old", "kind": "store", "format": "jsonl", "place": str(place), "fetch": {"allow_private": True}}
    return format_of(
        Opening(settings_of(table), home, open_source(settings_of(table), Context(home))._opening.variables)
    )


def pieces(text, size=300, overlap=60):
    return [(start, text[start : start + size]) for start in range(0, len(text) - overlap, size - overlap)]


# --- Chroma -------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def chroma(tmp_path_factory):
    """A folder that Chroma wrote: a document in overlapping passages, one that was changed, one that was deleted."""
    chromadb = pytest.importorskip("chromadb")
    folder = tmp_path_factory.mktemp("chroma") / "db"
    notes = chromadb.PersistentClient(str(folder)).create_collection("notes")
    cut = pieces(LONG)
    notes.add(
        ids=[f"g{start}" for start, _ in cut],
        documents=[text for _, text in cut],
        metadatas=[{"source": "guide/harbour.md", "author": "Ada", "start_index": start} for start, _ in cut],
        embeddings=[[1.0, 0.0]] * len(cut),
    )
    page = {"source": "https://example.org/herons", "title": "Herons"}
    notes.add(
        ids=["h", "x"], documents=["Herons nest.", "gone"], metadatas=[page, {"n": 1}], embeddings=[[0.0, 1.0]] * 2
    )
    notes.update(ids=["h"], documents=["Herons nest on the red cliff."], embeddings=[[0.0, 1.0]])
    notes.delete(ids=["x"])
    return folder


HARBOUR = {"store://old/guide%2Fharbour.md": LONG, "https://example.org/herons": "Herons nest on the red cliff."}


def test_chroma_gives_its_documents_back_whole(chroma, tmp_path):
    assert texts(tmp_path, "chroma", chroma) == HARBOUR
    listed = {item.uri: item.metadata for item in opened(tmp_path, "chroma", chroma).list().items}
    assert listed["https://example.org/herons"]["title"] == "Herons"
    assert listed["store://old/guide%2Fharbour.md"]["author"] == "Ada"


def test_a_server_of_chroma_gives_the_same(chroma, tmp_path, monkeypatch):
    from rag_platform.sources.stores import chroma as reading

    monkeypatch.setattr(reading, "TOGETHER", 3)
    program = "import sys; from chromadb.cli.cli import app; sys.argv[0] = 'chroma'; app()"
    port = free_port()
    arguments = ["run", "--path", str(chroma), "--host", "127.0.0.1", "--port", str(port)]
    with (tmp_path / "log").open("w") as log:
        server = subprocess.Popen([sys.executable, "-c", program, *arguments], stdout=log, stderr=log)
    try:
        address = f"http://127.0.0.1:{port}"
        wait_for(f"{address}/api/v2/heartbeat", server)
        assert recognised(tmp_path, address) == "chroma"
        assert texts(tmp_path, "chroma", address) == HARBOUR
    finally:
        server.kill()
        server.wait()


def wait_for(address, server):
    until = time.monotonic() + 240
    while time.monotonic() < until and server.poll() is None:
        try:
            return httpx.get(address, trust_env=False).raise_for_status()
        except httpx.HTTPError:
            time.sleep(0.05)
    raise AssertionError(f"{address} does not answer; exit code {server.poll()}")


def test_of_several_collections_one_is_to_be_named(chroma, tmp_path):
    import chromadb

    chromadb.PersistentClient(str(chroma)).get_or_create_collection("empty")
    with pytest.raises(SourceError, match="several collections; set `name` to one of: empty, notes"):
        opened(tmp_path, "chroma", chroma).list()
    with pytest.raises(SourceError, match="there is no collection 'nots'"):
        opened(tmp_path, "chroma", chroma, name="nots").list()
    assert texts(tmp_path, "chroma", chroma, name="notes") == HARBOUR
    chromadb.PersistentClient(str(chroma)).delete_collection("empty")


# --- Qdrant -------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def points():
    models = pytest.importorskip("qdrant_client").models
    given = [
        (1, {"page_content": "Herons nest on the red cliff.", "metadata": {"source": "https://example.org/herons"}}),
        (2, {"text": "The ferry leaves at noon.", "title": "Ferry"}),
        ("5c56c793-69f3-4fbf-87e6-c4bf54c28c26", {"content": "Lamps burn red.", "meta": {"file_path": "lamps.md"}}),
    ]
    return [models.PointStruct(id=key, vector=[1.0, 0.0], payload=payload) for key, payload in given]


POINTS = {
    "https://example.org/herons": "Herons nest on the red cliff.",
    "store://old/2": "The ferry leaves at noon.",
    "store://old/lamps.md": "Lamps burn red.",
}


def filled(client, points):
    from qdrant_client import models

    client.create_collection("notes", vectors_config=models.VectorParams(size=2, distance=models.Distance.DOT))
    client.upsert("notes", points)
    return client


def test_a_folder_of_qdrant_is_read(points, tmp_path):
    from qdrant_client import QdrantClient

    filled(QdrantClient(path=str(tmp_path / "points")), points).close()
    assert recognised(tmp_path, "points") == "qdrant"
    assert texts(tmp_path, "qdrant", "points") == POINTS


class QdrantServer(LoopbackServer):
    """Speaks Qdrant's protocol over HTTP, answered by Qdrant's own client in its local mode."""

    def __init__(self, client):
        super().__init__(_QdrantAnswers)
        self.client, self.keys = client, set()


class _QdrantAnswers(LoopbackHandler):
    def do_GET(self):
        names = [{"name": one.name} for one in self.server.client.get_collections().collections]
        if self.path == "/collections":
            self.result({"collections": names})
        else:
            self.result({"title": "qdrant", "version": "1.20.0"})

    def do_POST(self):
        wanted = json.loads(self.body())
        self.server.keys.add(self.headers.get("api-key"))
        assert self.path.split("?")[0] == "/collections/notes/points/scroll"
        given = {"limit": wanted["limit"], "offset": wanted.get("offset"), "with_payload": True}
        found, following = self.server.client.scroll("notes", **given)
        points = [json.loads(one.model_dump_json()) for one in found]
        self.result({"points": points, "next_page_offset": following})

    def result(self, found):
        self.answer({"result": found, "status": "ok", "time": 0.0})


def test_a_server_of_qdrant_is_read_page_by_page(points, tmp_path, monkeypatch):
    from qdrant_client import QdrantClient

    monkeypatch.setattr(qdrant, "TOGETHER", 2)
    with running(QdrantServer(filled(QdrantClient(":memory:"), points))) as server:
        address = server.address
        real = QdrantClient(address, check_compatibility=False, trust_env=False)
        assert len(real.scroll("notes", limit=9)[0]) == 3, "the protocol is not the one that Qdrant's client speaks"
        real.close()
        assert recognised(tmp_path, address) == "qdrant"
        assert texts(tmp_path, "qdrant", address, headers={"api-key": "${KEY}"}) == POINTS
        assert "s3cret" in server.keys


# --- LanceDB, LlamaIndex, LangChain -------------------------------------------------------------------


@pytest.mark.slow
def test_a_table_of_lancedb_is_read(tmp_path):
    lancedb = pytest.importorskip("lancedb")
    rows = [
        {"id": "a", "text": "The ferry leaves at noon.", "vector": [1.0, 0.0], "metadata": {"source": "ferry.md"}},
        {"id": "b", "text": "Herons nest.", "vector": [0.0, 1.0], "metadata": {"source": "birds.md"}},
    ]
    lancedb.connect(str(tmp_path / "lance")).create_table("notes", rows)
    assert recognised(tmp_path, "lance") == "lancedb"
    found = texts(tmp_path, "lancedb", "lance")
    assert found == {"store://old/ferry.md": "The ferry leaves at noon.", "store://old/birds.md": "Herons nest."}
    numbered = [{"id": number, "text": f"passage {number}", "vector": [1.0, 0.0]} for number in range(2)]
    lancedb.connect(str(tmp_path / "numbered")).create_table("notes", numbered)
    assert texts(tmp_path, "lancedb", "numbered") == {"store://old/0": "passage 0", "store://old/1": "passage 1"}


def test_what_llamaindex_has_persisted_comes_back_to_the_letter(tmp_path):
    from llama_index.core import Document, StorageContext
    from llama_index.core.schema import NodeRelationship, TextNode

    document = Document(text=LONG, metadata={"file_path": "/srv/guide/harbour.md", "file_name": "harbour.md"})
    source = {NodeRelationship.SOURCE: document.as_related_node_info()}
    nodes = [
        TextNode(text=text, start_char_idx=at, metadata=document.metadata, relationships=source)
        for at, text in pieces(LONG, overlap=5)
    ]
    storage = StorageContext.from_defaults()
    storage.docstore.add_documents([*nodes[::2], *nodes[1::2]])
    storage.persist(str(tmp_path / "storage"))
    assert recognised(tmp_path, "storage") == "llamaindex"
    assert texts(tmp_path, "llamaindex", "storage") == {"store://old/%2Fsrv%2Fguide%2Fharbour.md": LONG}


@pytest.fixture
def langchain_documents():
    from langchain_core.documents import Document
    from langchain_text_splitters import RecursiveCharacterTextSplitter

    splitter = RecursiveCharacterTextSplitter(chunk_size=200, chunk_overlap=80)
    return splitter.split_documents([Document(page_content=LONG, metadata={"source": "https://example.org/guide"})])


def test_what_langchain_has_dumped_comes_back_to_the_letter(langchain_documents, tmp_path):
    from langchain_core.embeddings import DeterministicFakeEmbedding
    from langchain_core.vectorstores import InMemoryVectorStore

    store = InMemoryVectorStore(DeterministicFakeEmbedding(size=4))
    store.add_documents(langchain_documents)
    store.dump(str(tmp_path / "store.json"))
    assert recognised(tmp_path, "store.json") == "langchain"
    assert texts(tmp_path, "langchain", "store.json") == {"https://example.org/guide": LONG}


def test_what_langchain_keeps_beside_faiss_is_read_without_running_it(langchain_documents, tmp_path):
    from langchain_community.docstore.in_memory import InMemoryDocstore

    known = {f"k{number}": document for number, document in enumerate(langchain_documents)}
    (tmp_path / "faiss").mkdir()
    stored = pickle.dumps((InMemoryDocstore(known), dict(enumerate(known))))
    (tmp_path / "faiss" / "index.pkl").write_bytes(stored)
    assert recognised(tmp_path, "faiss") == "faiss"
    assert texts(tmp_path, "faiss", "faiss") == {"https://example.org/guide": LONG}
    assert opened(tmp_path, "faiss", "faiss").list().items[0].metadata["type"] == "document"


class Hostile:
    def __reduce__(self):
        return os.system, ("touch ran",)


def test_a_hostile_pickle_runs_nothing(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "index.pkl").write_bytes(pickle.dumps((Hostile(), {0: "k"})))
    with pytest.raises(SourceError, match="was not written by LangChain's FAISS"):
        opened(tmp_path, "faiss", "index.pkl").list()
    assert not Path("ran").exists()


# --- tables and files ---------------------------------------------------------------------------------


def test_a_pickle_takes_no_memory_for_what_it_only_says_it_has():
    limits = "import resource; resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))"
    code = f"{limits}\nfrom rag_platform.sources.stores.pickles import unpickled\nprint(unpickled({_REMEMBERS!r}))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert ran.stdout.strip() == "None", ran.stderr


def _twofold(item, levels):
    """Return the signs of a pair of twice a pair of twice …, each of which is put down once."""
    return item + b"2\x86" * levels  # DUP, TUPLE2


def test_what_a_pickle_points_to_twice_costs_nothing_twice():
    for keyed in (b"}" + _twofold(b"N", 64) + b"Ns.", b"\x8f(" + _twofold(b"N", 64) + b"\x90."):
        assert len(unpickled(b"\x80\x04" + keyed)) == 1  # a key, or a member of a set, of 2^64 values
    assert unfolded_size(unpickled(b"\x80\x04" + _twofold(b"N", 64) + b".")) > 2**64
    assert unfolded_size(unpickled(b"\x80\x04]\x94h\x00a.")) == math.inf  # a list that holds itself
    assert unfolded_size(unpickled(b"\x80\x04" + b"]" * 200 + b"a" * 199 + b".")) == math.inf
    assert unfolded_size({"text": "four", "tags": ["ab"]}) == 8 + 2 * 12 + 12 + 8 + 10


@pytest.mark.parametrize(
    "refused",
    [
        b"cx\nY\n(" + b"N" * 65 + b"t\x81.",
        b"cx\nY\n(" + b"N" * 65 + b"tR.",
        b"\x8b\x04\x00\x00\x00\x01\x01\x01\x01.",
        b"\x96\x04\x00\x00\x00\x00\x00\x00\x00aaaa.",
    ],
    ids=["arguments", "arguments of a function", "a number of any size", "memory of any size"],
)
def test_what_a_pickle_needs_for_no_document_is_refused(refused):
    with pytest.raises(PickleRefused):
        unpickled(b"\x80\x05" + refused)


def test_a_store_is_not_read_whose_rows_are_small_only_where_they_lie(tmp_path):
    tags = ["a"]
    for _ in range(64):
        tags = [tags, tags]
    folder = tmp_path / "qdrant" / "collection" / "notes"
    folder.mkdir(parents=True)
    with sqlite3.connect(folder / "storage.sqlite") as connection:
        connection.execute("create table points (point blob)")
        point = SimpleNamespace(id=1, payload={"document": "Herons nest.", "tags": tags})
        connection.execute("insert into points values (?)", [pickle.dumps(point)])
    with pytest.raises(SourceError, match="more than max_bytes"):
        opened(tmp_path, "qdrant", "qdrant").list()


_REMEMBERS = b"\x80\x04Nr\xff\xff\xff\x07."  # its 134 millionth value


def test_a_table_of_pgvector_is_read(postgres, tmp_path):
    engine = sqlalchemy.create_engine(postgres, poolclass=sqlalchemy.NullPool)
    with engine.begin() as connection:
        connection.exec_driver_sql("drop schema if exists memory cascade; create schema memory")
        there = connection.exec_driver_sql("select 1 from pg_available_extensions where name = 'vector'").all()
        connection.exec_driver_sql("drop type if exists vector cascade")
        kind = "create extension if not exists vector" if there else "create type vector as (x real)"
        connection.exec_driver_sql(kind)
        columns = "id uuid default gen_random_uuid(), document text, cmetadata jsonb, embedding vector"
        connection.exec_driver_sql(f"create table memory.langchain_pg_embedding ({columns})")
        connection.exec_driver_sql(
            "insert into memory.langchain_pg_embedding (document, cmetadata) values "
            "('Herons nest.', '{\"source\": \"https://example.org/herons\"}'), "
            '(\'The ferry leaves.\', \'{"source": "ferry.md", "a:b": 1}\')'
        )
    assert recognised(tmp_path, postgres) == "pgvector"
    found = texts(tmp_path, "pgvector", postgres, name="memory.langchain_pg_embedding")
    assert found == {"https://example.org/herons": "Herons nest.", "store://old/ferry.md": "The ferry leaves."}
    with engine.begin() as connection:
        connection.exec_driver_sql("drop schema memory cascade")


def test_beir_json_lines_and_parquet_are_read(tmp_path):
    rows = [{"_id": "d1", "title": "Ferry", "text": "It leaves at noon."}, {"_id": "d2", "text": "Herons nest."}]
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    for name, file in (("beir", "corpus.jsonl"), ("lines", "part-1.jsonl")):
        (tmp_path / name).mkdir()
        (tmp_path / name / file).write_text(lines)
    (tmp_path / "hub" / "data").mkdir(parents=True)
    table = pyarrow.Table.from_pylist([{**row, "embedding": [0.5, 0.5]} for row in rows])
    pyarrow.parquet.write_table(table, tmp_path / "hub" / "data" / "train-00000-of-00001.parquet")
    for name, form in (("beir", "beir"), ("lines", "jsonl"), ("hub", "parquet")):
        assert recognised(tmp_path, name) == form
        found = texts(tmp_path, form, name)
        assert found == {"store://old/d1": "It leaves at noon.", "store://old/d2": "Herons nest."}
        assert opened(tmp_path, form, name).list().items[0].metadata["title"] == "Ferry"


def test_rows_keep_their_type_and_tags_unless_the_settings_say_others(tmp_path):
    known = {"type": "proposal", "tags": ["a", "b, c"]}
    rows = [{"_id": "d1", "text": "It leaves.", **known}, {"_id": "d2", "text": "On."}]
    (tmp_path / "notes.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    first, second = (item.metadata for item in opened(tmp_path, "jsonl", "notes.jsonl").list().items)
    assert (first["type"], first["tags"]) == ("proposal", ["a", "b, c"])
    assert (second["type"], "tags" in second) == ("document", False)
    given = opened(tmp_path, "jsonl", "notes.jsonl", type="note", tags=["x:{text}"]).list().items[0].metadata
    assert (given["type"], given["tags"]) == ("note", ["x:It leaves."])


def test_what_cannot_be_read_is_said_with_its_place(tmp_path):
    (tmp_path / "notes.jsonl").write_text('{"text": "a"}\nnonsense\n')
    with pytest.raises(SourceError, match=r"notes.jsonl, line 2: expected a JSON object"):
        opened(tmp_path, "jsonl", "notes.jsonl").list()
    with pytest.raises(SourceError, match=r"there is no .*none; expected the store's file or folder in `place`"):
        opened(tmp_path, "chroma", "none").list()
    (tmp_path / "notes.xyz").write_text("?")
    with pytest.raises(SettingsError, match=r"nothing tells whose store .*; name it with --format: chroma, qdrant"):
        recognised(tmp_path, "notes.xyz")


def test_whatever_lies_where_a_store_should_is_an_error_of_the_source(tmp_path):
    (tmp_path / "latin.jsonl").write_bytes(b'{"text": "caf\xe9"}\n')
    (tmp_path / "docstore.json").write_text('{"docstore/data": ["a"]}')
    (tmp_path / "dump.json").write_text('{"a": 1}')
    for form, place in (("jsonl", "latin.jsonl"), ("llamaindex", "docstore.json"), ("langchain", "dump.json")):
        with pytest.raises(SourceError, match=f"it is not what {form} writes"):
            opened(tmp_path, form, place).list()
    (tmp_path / "long.jsonl").write_text('{"text": "' + "a" * 2000)
    with pytest.raises(SourceError, match="line 1 has more than max_bytes = 1000"):
        opened(tmp_path, "jsonl", "long.jsonl", max_bytes=1000).list()


def test_a_server_that_names_a_further_page_for_ever_ends(tmp_path, monkeypatch):
    monkeypatch.setattr(qdrant, "ask", lambda *_: {"result": _ENDLESS})
    assert texts(tmp_path, "qdrant", "http://127.0.0.1:1") == {}


_ENDLESS = {"collections": [{"name": "notes"}], "points": [], "next_page_offset": 7}


def test_a_key_never_stands_in_the_file(tmp_path):
    with pytest.raises(ValueError, match=r"expected api-key = '\$\{secret:NAME\}'"):
        opened(tmp_path, "qdrant", "http://127.0.0.1:1", headers={"api-key": "s3cret"})
    given = ["--home", str(tmp_path), "import", "http://127.0.0.1:1", "--header", "api-key=s3cret"]
    ran = CliRunner().invoke(app, given)
    assert isinstance(ran.exception, SettingsError) and "s3cret" not in ran.output + str(ran.exception)


def test_a_store_with_more_than_the_limits_is_not_read(tmp_path):
    (tmp_path / "notes.jsonl").write_text('{"text": "one two"}\n' * 50)
    with pytest.raises(SourceError, match="more than max_rows = 3"):
        opened(tmp_path, "jsonl", "notes.jsonl", max_rows=3).list()
    (tmp_path / "known.jsonl").write_text(json.dumps({"text": "one", "vector": [0.25] * 99, "topic": "x"}) + "\n")
    (tmp_path / "dump.json").write_text(json.dumps({"a": {"text": "one", "metadata": {"topic": "x" * 500}}}))
    pl.DataFrame({"text": ["one"] * 9, "topic": ["x" * 500] * 9}).write_parquet(tmp_path / "t.parquet")
    within = [(50, "notes.jsonl", "jsonl"), (1, "known.jsonl", "jsonl"), (1, "dump.json", "langchain")]
    for count, name, form in (*within, (9, "t.parquet", "parquet")):
        limit = {"max_bytes": 400}
        with pytest.raises(SourceError, match="more than max_bytes = 400"):
            opened(tmp_path, form, name, group="", **limit).list()
        assert len(opened(tmp_path, form, name, group="", max_bytes=9000).list().items) == count


# --- passages and documents ---------------------------------------------------------------------------


def test_the_settings_say_what_makes_a_document(tmp_path):
    rows = [{"_id": str(n), "text": f"part {n} of it", "topic": "birds", "source": "a.md"} for n in range(2)]
    (tmp_path / "notes.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert len(texts(tmp_path, "jsonl", "notes.jsonl")) == 1
    assert len(texts(tmp_path, "jsonl", "notes.jsonl", group="")) == 2
    assert [*texts(tmp_path, "jsonl", "notes.jsonl", group="topic")] == ["store://old/birds"]


def test_only_what_a_whole_document_repeats_is_left_out():
    whole = {"_id": "d", "text": "One. Two.", "uri": "a.md"}
    held, more = ({"_id": text, "text": text, "document_id": "d"} for text in ("Two.", "Three."))
    found = documents_of([held, whole, more], None)
    assert {key: row["text"] for key, row in found.items()} == {"a.md": "One. Two.", "d": "Three."}
    first = {"_id": "d", "text": "One. Two.", "doc_id": "d"}  # is a passage too
    assert documents_of([first, {**first, "_id": "e", "text": "Two."}], None)["d"]["text"] != "One. Two."


def test_a_document_may_be_number_nought(tmp_path):
    rows = [{"_id": str(n), "text": f"part {n} of it", "page_of": n // 2 * 5} for n in range(4)]
    (tmp_path / "notes.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert [*texts(tmp_path, "jsonl", "notes.jsonl", group="page_of")] == ["store://old/0", "store://old/5"]


def test_a_column_that_is_no_address_makes_no_document(tmp_path):
    rows = [{"_id": str(n), "text": "a b c", "source": "our wiki"} for n in range(3)]
    assert len(documents_of(rows, None)) == 3


@settings(max_examples=40, deadline=None)
@given(st.text(alphabet="ab \n", min_size=1, max_size=300), st.integers(1, 40), st.integers(0, 39))
def test_passages_that_know_their_place_give_the_document_to_the_letter(text, size, overlap):
    step = max(1, size - min(overlap, size - 1))
    rows = [
        {"_id": str(at), "text": text[at : at + size], "doc_id": "d", "start_index": at}
        for at in range(0, len(text), step)
    ]
    assert documents_of(reversed(rows), None)["d"]["text"] == text


# --- one command --------------------------------------------------------------------------------------


@pytest.mark.slow
def test_one_command_makes_a_store_searchable_and_the_next_reads_only_what_changed(model_folder, tmp_path):
    (tmp_path / "home").mkdir()
    corpus = tmp_path / "corpus.jsonl"
    corpus.write_text(json.dumps({"_id": "d1", "text": "The ferry to the island leaves at noon."}) + "\n")
    assert model_folder  # of the default model
    home = ("--home", str(tmp_path / "home"))
    (tmp_path / "home" / "rag.toml").write_text("")
    done = run_rag(*home, "import", str(corpus), "--id", "notes", "--collection", "guide", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["sources"]["notes"]["new"] == 1
    found = json.loads(run_rag(*home, "search", "ferry island", "--json").stdout)
    assert found["hits"][0]["collection"] == "guide"
    with corpus.open("a") as file:
        file.write(json.dumps({"_id": "d2", "text": "Herons nest on the red cliff."}) + "\n")
    again = json.loads(run_rag(*home, "sync", "--json").stdout)["sources"]["notes"]
    assert (again["new"], again["unchanged"]) == (1, 1)
