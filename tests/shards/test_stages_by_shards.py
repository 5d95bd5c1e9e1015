"""Reading and embedding by shards: what comes out is what comes out without, and a run that is killed goes on."""

from datetime import UTC, datetime

import polars as pl
import pytest

from rag_platform.core.schemas import DOCUMENTS, RAW
from rag_platform.documents import raw_reader, stage
from rag_platform.documents.raw_reader import RawReader
from rag_platform.documents.stage import read_documents
from rag_platform.shards.local_executor import LocalExecutor
from rag_platform.shards.shard_files import ShardFiles
from rag_platform.storage.blobs import Blobs
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
