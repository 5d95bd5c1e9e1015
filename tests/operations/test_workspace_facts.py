"""What a workspace takes on the disk, what its runs cost, and what failed in its sources."""

import json
from pathlib import Path

import polars as pl
import pytest

from rag_platform.core.errors import VersionError
from rag_platform.core.schemas import DOCUMENTS, RAW
from rag_platform.monitoring.cost_ledger import CostLedger
from rag_platform.monitoring.spending import by_day, by_run
from rag_platform.operations.status.disk_usage import PARTS, stage_sizes, version_sizes
from rag_platform.operations.status.failed_documents import failures
from rag_platform.sources.files.folder import FolderSource
from tests.evals.workspaces import SmallWorkspace
from tests.index.corpora import document


@pytest.fixture
def workspace(tmp_path):
    return SmallWorkspace(tmp_path)


def test_a_version_and_data_are_measured_to_the_byte(workspace):
    version = workspace.build(document("a.md", "Herons wade at dusk."))
    workspace.versions.promote(version, why="test", who="user:ilse")
    (one,) = version_sizes(workspace)
    files = [path for path in workspace.versions.path(version).rglob("*") if path.is_file()]
    assert one.live and one.bytes == sum(path.stat().st_size for path in files)
    assert set(one.parts) == set(PARTS) and all(one.parts[name] for name in ("vectors", "words", "catalog"))
    (workspace.settings.data / "app.sqlite").write_bytes(b"x" * 10)
    (workspace.settings.data / "app.sqlite-wal").write_bytes(b"x" * 5)
    stages = stage_sizes(workspace.settings.data)
    assert stages["app.sqlite"] == 15 and stages["index"] >= one.bytes
    assert stage_sizes(Path("/nonexistent")) == {}


def test_who_moves_the_live_version_is_named_in_the_log(workspace):
    first, second = (workspace.build(document("a.md", text)) for text in ("Herons wade.", "Herons fly."))
    workspace.versions.promote(first, why="a", who="user:ilse@example.org")
    workspace.versions.promote(second, why="b")
    workspace.versions.rollback(why="c", who="user:asha@example.org")
    who = [move["who"] for move in workspace.versions.moves()]
    assert who[0] == "user:ilse@example.org" and who[2] == "user:asha@example.org" and who[1] not in ("", who[0])
    with pytest.raises(VersionError):
        workspace.versions.rollback(first, why="again", who="user:ilse@example.org")


def test_the_ledger_is_summed_by_run_and_by_day_whatever_was_torn(tmp_path):
    costs = CostLedger(tmp_path / "ledger.jsonl")
    for run, source, stage, counts in (
        ("r1", "docs", "fetch", {"seen": 5, "new": 2, "unchanged": 3}),
        ("r1", "wiki", "fetch", {"seen": 1, "new": 1}),
        ("r1", "docs", "embed", {"embedded": 7, "reused": 4, "tokens": 90}),
        ("r2", None, "index", {"versions": 1}),
    ):
        costs.record(run_id=run, source=source, stage=stage, seconds=1.5, bytes_written=10, counts=counts)
    with costs.path.open("ab") as file:
        file.write(b'\n{"at": "2026-0')
    table = by_run(costs.path)
    assert table["run"].to_list() == ["r2", "r1", "r1"]
    fetch, embed = (table.filter(pl.col("stage") == stage).row(0, named=True) for stage in ("fetch", "embed"))
    assert (fetch["sources"], fetch["seen"], fetch["made"], fetch["reused"], fetch["seconds"]) == (2, 6, 3, 3, 3.0)
    assert (embed["made"], embed["reused"], embed["tokens"], embed["bytes"]) == (7, 4, 90, 10)
    assert dict(by_day(costs.path).select("stage", "seconds").iter_rows()) == {"embed": 1.5, "fetch": 3.0, "index": 1.5}
    assert by_run(costs.path, 1)["run"].to_list() == ["r2"]
    assert by_run(tmp_path / "none.jsonl").is_empty() and by_day(tmp_path / "none.jsonl").is_empty()


def test_failures_are_told_to_those_who_may_read_and_counted_for_others(workspace):
    source = FolderSource(id="docs", kind="folder", path=Path())
    workspace.settings = workspace.settings.model_copy(update={"sources": (source,)})
    secret = {"uri": "pay.pdf", "status": "failed", "reason": "no text", "principals": ["group:hr"]}
    broken = {"uri": "menu.pdf", "status": "failed", "reason": "not a PDF", "principals": ["*"]}
    fine = {"uri": "ok.md", "status": "ok", "principals": ["*"]}
    about = {"revision": "r", "collection": "default", "type": "pdf"}
    rows = [row | about | {"doc_id": row["uri"], "raw_uri": row["uri"]} for row in (secret, broken, fine)]
    workspace.store.write("documents", "docs", pl.DataFrame(rows, schema=DOCUMENTS))
    unfetched = {"uri": "far.html", "status": "failed", "reason": "404", "metadata": json.dumps({})}
    workspace.store.write("raw", "docs", pl.DataFrame([unfetched], schema=RAW))
    found = failures(workspace, "docs", ())
    assert {(one.uri, one.stage) for one in found.shown} == {("menu.pdf", "read"), ("far.html", "fetch")}
    assert found.more == 0
    assert len(failures(workspace, "docs", ("group:hr",)).shown) == 3
    assert failures(workspace, "docs", (), limit=1).more == 1
