"""A workspace whose raw bytes and tables lie in an object store: synced, damaged, backed up and forgotten."""

import shutil
from pathlib import Path

import pytest

from rag_platform.core.hits import Filters
from rag_platform.erasure import forget as forgetting
from rag_platform.erasure.targets import recognise
from rag_platform.operations.backup import making, restoring
from rag_platform.operations.backup.snapshot import find_snapshot
from rag_platform.operations.backup.target import open_target
from rag_platform.operations.damage.inspecting import inspect
from rag_platform.operations.damage.repairing import repair
from rag_platform.operations.doctor import diagnose
from rag_platform.pipeline.sync import sync
from rag_platform.workspace import open_workspace
from tests.pipeline.fixed_gate import FixedGate
from tests.storage.objects_server import OPTIONS, new_bucket, objects_server

pytestmark = pytest.mark.scale

EVERYONE = Filters(principals=("*",))
SOURCE = '\n[[sources]]\nid = "notes"\nkind = "folder"\npath = "notes"\nmin_words = 1\n'
STAGES = ("raw", "documents", "chunks")


@pytest.fixture(scope="module")
def endpoint():
    with objects_server() as address:
        yield address


@pytest.fixture
def shared(endpoint, tmp_path, tiny_embedder, monkeypatch):
    """A synced workspace over a bucket of its own."""
    monkeypatch.setenv("S3_KEY", OPTIONS["key"])
    monkeypatch.setenv("S3_SECRET", OPTIONS["secret"])
    options = f'endpoint_url = "{endpoint}", key = "${{S3_KEY}}", secret = "${{S3_SECRET}}"'
    scale = f'[scale]\nobjects = "{new_bucket(endpoint)}/one"\nobjects_options = {{ {options} }}\n'
    return made(tmp_path / "one", tiny_embedder, scale)


def made(home: Path, embedder, scale: str = ""):
    (home / "notes").mkdir(parents=True)
    (home / "rag.toml").write_text(scale + SOURCE)
    (home / "notes" / "a.md").write_text("# Ferry\n\nThe ferry runs from six in the morning until dusk.")
    (home / "notes" / "b.md").write_text("# Gauge\n\nA gauge is calibrated every spring by two wardens.")
    workspace = opened(home, embedder)
    synced(workspace)
    return workspace


def opened(home: Path, embedder):
    workspace = open_workspace(home)
    workspace.embedder = embedder
    return workspace


def synced(workspace):
    return sync(workspace, gate=FixedGate(workspace))


def tables(workspace):
    """Return what the stages say of the documents."""
    columns = {"raw": ["uri", "sha256"], "documents": ["doc_id", "text"], "chunks": ["chunk_id", "text_hash"]}
    return [workspace.store.read(stage, "notes").select(columns[stage]).sort(columns[stage][0]) for stage in STAGES]


def objects_of(workspace):
    return workspace.store._objects.sizes("")


def test_it_is_as_in_a_folder_and_another_machine_has_nothing_to_do(shared, tmp_path, tiny_embedder):
    folder = made(tmp_path / "two", tiny_embedder)
    assert all(one.equals(other) for one, other in zip(tables(shared), tables(folder), strict=True))
    assert (
        shared.versions.live()
        .catalog.chunks("text")["text"]
        .sort()
        .equals(folder.versions.live().catalog.chunks("text")["text"].sort())
    )
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    shutil.copytree(shared.settings.home / "notes", elsewhere / "notes")
    shutil.copyfile(shared.settings.home / "rag.toml", elsewhere / "rag.toml")
    done = synced(opened(elsewhere, tiny_embedder)).to_dict()["sources"]["notes"]
    assert (done["new"], done["changed"]) == (0, 0)
    (elsewhere / "notes" / "a.md").write_text("# Ferry\n\nThe ferry runs no more.")
    synced(opened(elsewhere, tiny_embedder))
    back = opened(shared.settings.home, tiny_embedder).store.read("documents", "notes")
    assert any("no more" in text for text in back["text"])


def test_the_copies_may_go_and_damage_there_is_found_and_mended(shared, tiny_embedder):
    for stage in (*STAGES, "embeddings"):
        shutil.rmtree(shared.settings.data / stage)
    again = opened(shared.settings.home, tiny_embedder)
    assert again.store.read("raw", "notes").height == 2 and inspect(again, deep=True) == []
    store = again.store._objects
    for name in [name for name in objects_of(again) if "/documents/" in name and name.endswith(".parquet")]:
        store.replace(name, b"damaged")
    (blob, *_) = [name for name in objects_of(again) if name.startswith("blobs/")]
    store.replace(blob, b"damaged")
    shutil.rmtree(shared.settings.data / "raw" / "blobs")
    found = inspect(again, deep=True)
    assert sorted(damage.kind for damage in found) == ["blob", "table"]
    assert all(repair(again, damage).mended for damage in found)
    synced(again)
    assert inspect(again, deep=True) == [] and again.store.read("documents", "notes").height == 2
    (told,) = [one for one in diagnose(again.settings.home) if one.what == "objects"]
    assert told.level == "ok" and "objects, " in told.found


def test_what_is_forgotten_goes_from_there_and_what_the_bucket_keeps_is_told(shared, tiny_embedder):
    report = forgetting.forget(shared, recognise(shared, "notes/a.md"))
    assert report["proven"] and report["removed"]["blobs"] == 1
    store = shared.store._objects
    assert all(b"until dusk" not in store.read(name)[0] for name in objects_of(shared))
    elsewhere = opened(shared.settings.home, tiny_embedder)
    elsewhere.store.bring_here()
    left = [path for path in shared.settings.data.rglob("*") if path.is_file() and b"until dusk" in path.read_bytes()]
    assert left == []
    storage, bucket, _ = store._opened
    storage.call_s3("put_bucket_versioning", Bucket=bucket, VersioningConfiguration={"Status": "Enabled"})
    report = forgetting.forget(shared, recognise(shared, "notes/b.md"))
    assert not report["proven"] and "keeps versions" in report["removed"]["unremoved"][0]


def test_a_backup_has_what_lies_there_and_comes_back_in_its_place(shared, tiny_embedder, tmp_path):
    target = open_target(str(tmp_path / "copies"))
    shutil.rmtree(shared.settings.data / "documents")
    making.backup(shared, target)
    before = tables(shared)
    home = shared.settings.home
    (home / "notes" / "a.md").write_text("# Ferry\n\nThe ferry runs no more.")
    synced(opened(home, tiny_embedder))
    report = restoring.restore(home, target, find_snapshot(target, None), over=True)
    again = opened(home, tiny_embedder)
    assert all(one.equals(other) for one, other in zip(tables(again), before, strict=True))
    hashes = again.store.read("raw", "notes")["sha256"]
    assert all(again.store.blobs.get(sha256) for sha256 in hashes)
    assert (Path(report.kept) / "data" / "documents" / "notes.parquet").exists()
    assert again.retriever.search("ferry", filters=EVERYONE).hits
