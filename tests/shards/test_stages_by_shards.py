"""Reading and embedding by shards: what comes out is what comes out without, and a run that is killed goes on."""

from datetime import UTC, datetime

import polars as pl
import pytest

from rag_platform.config.settings import ModelSettings
from rag_platform.core.errors import ModelError
from rag_platform.core.ids import digest
from rag_platform.core.schemas import CHUNKS, DOCUMENTS, RAW
from rag_platform.documents import raw_reader, stage
from rag_platform.documents.raw_reader import RawReader
from rag_platform.documents.stage import read_documents
from rag_platform.embeddings import sharded
from rag_platform.embeddings.runtimes import open_model
from rag_platform.embeddings.sharded import Cluster, EmbeddingWork
from rag_platform.embeddings.stage import embed_chunks
from rag_platform.embeddings.token_table import TokenTable, open_rows, passage_key, token_folders
from rag_platform.shards import ray_executor
from rag_platform.shards.local_executor import LocalExecutor
from rag_platform.shards.shard_files import ShardFiles
from rag_platform.storage.blobs import Blobs
from rag_platform.storage.tables import Store
from rag_platform.workspace import open_workspace
from tests.documents.test_stage import SOURCE
from tests.shards.noted_work import EXECUTORS, executor_of

pytestmark = pytest.mark.scale

NOW = datetime(2026, 5, 1, tzinfo=UTC)
EMPTY = pl.DataFrame(schema=DOCUMENTS)
NOTHING = pl.Series("text_hash", [], dtype=pl.String)
PAGE = "<html><head><title>Page {0}</title></head><body><nav>All pages</nav><p>{1}</p></body></html>"


@pytest.fixture(autouse=True)
def _small_shards(monkeypatch):
    monkeypatch.setattr(stage, "_SHARD", 6)
    monkeypatch.setattr(sharded, "_SHARD", 6)


@pytest.fixture
def corpus(tmp_path):
    """Make forty files: pages that share a frame, texts of which two are the same, and two that nobody can read."""
    blobs = Blobs(tmp_path / "blobs")
    said = [f"The herons of field {n} came in May." for n in range(20)]
    pages = {f"https://farm.example.org/{n}": PAGE.format(n, text) for n, text in enumerate(said)}
    texts = {f"note-{n}.md": f"# Note {n % 18}\n\nThe lamp of pier {n % 18} is red.\n" for n in range(20)}
    files = {uri: text.encode() for uri, text in (pages | texts).items()}
    files |= {"a.pdf": b"%PDF-1.4 no", "b.gif": b"GIF89a"}
    fixed = {"status": "ok", "metadata": "{}", "fetched_at": NOW}
    rows = [{"uri": uri, "sha256": blobs.put(content)} | fixed for uri, content in files.items()]
    return blobs, pl.DataFrame([{name: row.get(name) for name in RAW} for row in rows], schema=RAW)


def read(corpus, executor, **options):
    blobs, raw = corpus
    return read_documents(raw, EMPTY, blobs, SOURCE, now=NOW, executor=executor, **options)


@pytest.mark.parametrize("kind", EXECUTORS)
def test_documents_read_by_shards_are_those_read_without(corpus, tmp_path, kind):
    whole = read(corpus, LocalExecutor(2))
    by_shards = read(corpus, executor_of(kind, tmp_path / "shards"))
    for path, table in ((tmp_path / "whole", whole.table), (tmp_path / "by shards", by_shards.table)):
        table.write_parquet(path)
    assert (tmp_path / "whole").read_bytes() == (tmp_path / "by shards").read_bytes()
    assert by_shards.table.equals(whole.table) and by_shards.extracted == 42 and len(by_shards.failed) == 2
    assert len(list((tmp_path / "shards").glob("*.json"))) > 3


def test_a_killed_reading_goes_on_where_it_was(corpus, tmp_path, monkeypatch):
    executor, read_again = LocalExecutor(2, ShardFiles(tmp_path / "shards")), []

    def killed(done, _):
        if done == 30:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        read(corpus, executor, progress=killed)
    committed = sum(pl.read_parquet(path).height for path in (tmp_path / "shards").glob("*.parquet"))
    assert committed >= 6
    own = RawReader.__call__
    monkeypatch.setattr(RawReader, "__call__", lambda *given: (read_again.append(given[1]), own(*given))[1])
    resumed = read(corpus, executor)
    assert len(read_again) == 42 - committed
    assert resumed.table.equals(read(corpus, LocalExecutor(2)).table)


def test_a_reader_that_fails_as_nobody_foresaw_costs_its_document(corpus, monkeypatch):
    def broken(entry, part, *rest):
        if entry["uri"] == "note-3.md" and part.read:
            raise KeyError("nobody foresaw it")
        return own(entry, part, *rest)

    own = raw_reader.document_row
    monkeypatch.setattr(raw_reader, "document_row", broken)
    found = read(corpus, LocalExecutor(2))
    reasons = dict(found.failed)
    assert len(reasons) == 3 and "unexpected KeyError: 'nobody foresaw it'; attempt 1 of 5" in reasons["note-3.md"]


@pytest.fixture
def model(tiny_model_folder):
    """Settings of a model that every process can open."""
    return ModelSettings(name="tiny", folder=tiny_model_folder)


def passages(count=50):
    said = [f"the keeper of lamp {number} sleeps at noon" for number in range(count)]
    rows = [{"text_hash": digest(text), "header": "Lamps", "text": text, "tokens": len(text)} for text in said]
    return pl.DataFrame([{name: row.get(name) for name in CHUNKS} for row in rows], schema=CHUNKS)


def embedded(model, folder, cluster=None, **options):
    """Return the vectors of passages, and of their tokens by the hash of each text."""
    embedder, chunks = open_model(model), passages()
    tokens = TokenTable(Store(folder), embedder.fingerprint, "lamps", 2)
    made = embed_chunks(chunks, NOTHING, embedder, tokens=tokens, cluster=cluster, **options)
    rows = open_rows(token_folders(Store(folder))[0])
    return made, rows.read([passage_key(text_hash) for text_hash in chunks["text_hash"]])


@pytest.mark.parametrize("kind", EXECUTORS)
def test_vectors_made_by_shards_are_those_made_without(model, tmp_path, kind):
    here, tokens_here = embedded(model, tmp_path / "here")
    told = []
    cluster = Cluster(executor_of(kind, tmp_path / "shards"), model)
    away, tokens_away = embedded(model, tmp_path / "away", cluster, progress=lambda *done: told.append(done), block=20)
    assert away.rows.equals(here.rows) and (away.embedded, away.tokens) == (here.embedded, here.tokens)
    assert tokens_away == tokens_here and told[-1] == (50, 50)
    assert not (tmp_path / "shards").exists()


def test_an_embedding_that_is_killed_embeds_no_committed_shard_again(model, tmp_path, monkeypatch):
    cluster, again = Cluster(LocalExecutor(2, ShardFiles(tmp_path / "shards")), model), []

    def killed(done, _):
        if done == 30:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        embedded(model, tmp_path / "one", cluster, progress=killed)
    committed = sum(pl.read_parquet(path).height for path in (tmp_path / "shards").glob("*.parquet"))
    own = EmbeddingWork.__call__
    monkeypatch.setattr(EmbeddingWork, "__call__", lambda *given: (again.append(given[1]), own(*given))[1])
    resumed, _ = embedded(model, tmp_path / "one", cluster)
    assert committed >= 6 and len(again) == 50 - committed
    assert resumed.rows.equals(embedded(model, tmp_path / "two")[0].rows)


def test_a_node_with_another_model_of_that_name_ends_the_run(model, tmp_path, make_tiny_model):
    elsewhere = model.model_copy(update={"folder": make_tiny_model(tmp_path / "other", num_hidden_layers=1)})
    with pytest.raises(ModelError, match="is not that of the sync: its fingerprint is"):
        embedded(model, tmp_path / "one", Cluster(LocalExecutor(2, ShardFiles(tmp_path / "shards")), elsewhere))


def test_a_workspace_embeds_on_its_cluster_only_what_its_processors_would(tmp_path, monkeypatch, tiny_embedder):
    monkeypatch.setattr(ray_executor, "find_spec", lambda _: True)
    source = '[[sources]]\nid = "lamps"\nkind = "folder"\npath = "lamps"\n'
    for scale, runtime, elsewhere in (("local", "onnx", False), ("ray", "onnx", True), ("ray", "cuda", False)):
        (tmp_path / "rag.toml").write_text(f'[scale]\nexecutor = "{scale}"\n[model]\nruntime = "{runtime}"\n{source}')
        workspace = open_workspace(tmp_path)
        workspace.embedder = tiny_embedder
        assert (workspace.cluster("lamps", tiny_embedder) is not None) == elsewhere
