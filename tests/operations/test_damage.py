"""Damage to any file of a workspace is found, told in one line, and mended without losing anything."""

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from rag_platform.core.errors import DamagedFile
from rag_platform.embeddings.onnx_embedder import OnnxEmbedder
from rag_platform.operations.damage.databases import salvage
from rag_platform.operations.damage.inspecting import inspect
from rag_platform.operations.damage.repairing import planned, repair
from rag_platform.operations.damage.scrubbing import scrub
from rag_platform.people.chats import Chats
from rag_platform.pipeline.sync import sync
from rag_platform.raw.suppression import Entry
from rag_platform.workspace import Workspace, open_workspace
from tests.index.corpora import file_of
from tests.index.releases.test_damage import DAMAGES, flip
from tests.pipeline.fixed_gate import FixedGate

QUESTION = "When is the gauge calibrated?"


def synced(workspace: Workspace) -> str:
    report = sync(workspace, gate=FixedGate(workspace))
    assert report.errors == () and report.version
    return report.version


@pytest.fixture
def workspace(tmp_path: Path, tiny_embedder: OnnxEmbedder) -> Workspace:
    (tmp_path / "rag.toml").write_text('[[sources]]\nid = "notes"\nkind = "folder"\npath = "notes"\nmin_words = 1\n')
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a.md").write_text("# Gauge\n\nThe gauge is calibrated every spring by two wardens.")
    return reopened(tmp_path, tiny_embedder)


def reopened(home: Path, embedder: OnnxEmbedder) -> Workspace:
    opened = open_workspace(home)
    opened.embedder = embedder
    return opened


def answers(workspace: Workspace) -> tuple[str, ...]:
    found = workspace.retriever.search(QUESTION, mode="lexical")
    assert "spring" in found.hits[0].text
    return found.warnings


def mended(workspace: Workspace) -> list[str]:
    """Repair everything, and return what was done; afterwards nothing may be damaged, and the question is answered."""
    found = inspect(workspace, deep=True)
    assert all(planned(damage).done.startswith("would ") for damage in found)
    done = [repair(workspace, damage) for damage in found]
    assert all(one.mended for one in done), done
    assert inspect(workspace, deep=True) == []
    assert answers(workspace) == ()
    return [one.done for one in done]


def test_a_sound_workspace_has_no_damage(workspace: Workspace) -> None:
    synced(workspace)
    workspace.journal.receipts()
    assert inspect(workspace) == inspect(workspace, deep=True) == []


def test_the_only_version_is_built_anew_of_the_same_content(workspace: Workspace, tiny_embedder: OnnxEmbedder) -> None:
    version = synced(workspace)
    broken = file_of(workspace.versions.path(version), "catalog.duckdb")
    flip(broken)
    fresh = reopened(workspace.settings.home, tiny_embedder)
    (damage,) = inspect(fresh)
    file = broken.relative_to(workspace.versions.path(version)).as_posix()
    assert damage.said == f"index/versions/{version}: {file} is not the file that was built; nothing can be answered"
    (done,) = mended(fresh)
    live = fresh.versions.live_id()
    assert live != version and live.endswith(version[-9:]) and f"{live} is live, built anew" in done
    assert fresh.versions.manifest(live)["verdict"]["passed"]
    assert [move["kind"] for move in fresh.versions.moves()] == ["promote", "repair"] and not fresh.versions.held()
    assert list((fresh.settings.data / "damaged").glob(f"*/index/versions/{version}/{file}"))


def test_the_version_before_answers_and_a_sync_goes_on(workspace: Workspace, tiny_embedder: OnnxEmbedder) -> None:
    before = synced(workspace)
    (workspace.settings.home / "notes" / "b.md").write_text("# Ferry\n\nThe ferry runs from six.")
    live = synced(workspace)
    broken = file_of(workspace.versions.path(live), "catalog.chunks")
    flip(broken)
    fresh = reopened(workspace.settings.home, tiny_embedder)
    (warning,) = answers(fresh)
    assert warning.startswith(
        f"answering from {before}, because {live} is damaged: {broken.relative_to(fresh.versions.path(live))}"
    )
    again = synced(fresh)
    assert again not in (before, live) and answers(fresh) == ()
    assert "kept in" in mended(fresh)[0]


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("name", ["documents/notes", "chunks/notes", "embeddings/*/notes", "raw/notes"])
def test_a_table_is_made_anew(
    workspace: Workspace, tiny_embedder: OnnxEmbedder, name: str, damage: Callable[[Path], None]
) -> None:
    version = synced(workspace)
    (path,) = workspace.settings.data.glob(f"{name}.parquet")
    before = path.read_bytes()
    damage(path)
    fresh = reopened(workspace.settings.home, tiny_embedder)
    assert [found.kind for found in inspect(fresh)] == ["table"]
    assert answers(fresh) == ()
    mended(fresh)
    assert name.startswith("raw") or path.read_bytes() == before
    assert synced(fresh) == version


def test_a_sync_makes_a_damaged_table_anew_but_not_what_a_source_said(workspace: Workspace) -> None:
    version = synced(workspace)
    flip(workspace.store.path("documents", "notes"))
    assert synced(workspace) == version
    flip(workspace.store.path("raw", "notes"))
    with pytest.raises(DamagedFile, match=r"raw/notes\.parquet is damaged: .*`rag repair` mends it"):
        workspace.store.read("raw", "notes")
    report = sync(workspace, gate=FixedGate(workspace))
    assert len(report.errors) >= 1 and "rag repair" in report.errors[0]
    assert workspace.versions.live_id() == version


def test_raw_bytes_are_fetched_again(workspace: Workspace) -> None:
    version = synced(workspace)
    (path,) = workspace.settings.data.glob("raw/blobs/*/*.zst")
    content = path.read_bytes()
    flip(path)
    assert [found.kind for found in inspect(workspace, deep=True)] == ["blob"]
    mended(workspace)
    assert synced(workspace) == version and path.read_bytes() == content


@pytest.mark.parametrize("name", ["CURRENT", "CANDIDATE", "log.jsonl", "pins.json", "pins.copy.json"])
@pytest.mark.parametrize("damage", DAMAGES)
def test_pointers_pins_and_the_log(workspace: Workspace, name: str, damage: Callable[[Path], None]) -> None:
    version = synced(workspace)
    workspace.versions.pin(version, "kept")
    damage(workspace.settings.data / "index" / name)
    assert inspect(workspace) != []
    mended(workspace)
    assert workspace.versions.live_id() == workspace.versions.candidate_id() == version
    assert workspace.versions.pins()[version]["why"] == "kept"
    assert synced(workspace) == version


@pytest.mark.parametrize("damage", DAMAGES)
def test_the_list_of_what_was_forgotten(workspace: Workspace, damage: Callable[[Path], None]) -> None:
    synced(workspace)
    entry = Entry("e1", "uri", "target", ("d1",), "2026-11-22T10:00:00+00:00", "ilse", "why", done_at="x")
    workspace.suppression.add(entry)
    damage(workspace.suppression.path)
    assert [found.kind for found in inspect(workspace)] == ["forgotten"]
    mended(workspace)
    assert workspace.suppression.entries() == [entry]


@pytest.mark.parametrize("page", ["header", "chats", "chats_of", "leaf"])
def test_a_database_keeps_what_can_be_read(workspace: Workspace, page: str) -> None:
    synced(workspace)
    chats = Chats(workspace.journal)
    for number in range(200):
        chats.begin(f"chat {number} " + "x" * 100, "ilse")
    path = workspace.settings.data / "app.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("pragma wal_checkpoint(truncate)")
        roots = dict(connection.execute("select name, rootpage from sqlite_master"))
    content = bytearray(path.read_bytes())
    leaf = content.index(b"chat 150 ") // 4096 + 1
    place = {"header": 3, "leaf": 4096 * (leaf - 1)}.get(page, 4096 * (roots.get(page, 1) - 1))
    content[place : place + 40] = b"\xff" * 40
    path.write_bytes(content)
    assert [found.kind for found in inspect(workspace, deep=True)] == ["database"]
    kept, _ = salvage(path, workspace.settings.data)
    assert kept.read_bytes() == content
    assert inspect(workspace, deep=True) == []
    assert len(chats.of("ilse", limit=1000)) >= {"header": 200, "chats_of": 200, "leaf": 100, "chats": 0}[page]


@pytest.mark.parametrize("break_it", [flip, Path.unlink], ids=["flip", "unlink"])
def test_token_vectors_are_made_anew(workspace: Workspace, break_it: Callable[[Path], object]) -> None:
    version = synced(workspace)
    files = {path: path.read_bytes() for path in sorted(workspace.settings.data.rglob("*.rows"))}
    for path in files:
        break_it(path)
    found = [damage for damage in inspect(workspace, deep=True) if damage.kind == "tokens"]
    assert [damage.path.split("/")[0] for damage in found] == ["embeddings", "index"]
    assert [one.kind for one in scrub(workspace)] == ["tokens"] * (0 if break_it is Path.unlink else len(files))
    mended(workspace)
    assert {path: path.read_bytes() for path in files} == files
    assert workspace.versions.open(version).verify() == []


def test_token_vectors_that_a_disk_lost_by_itself_are_mended_once_somebody_has_read_them(workspace: Workspace) -> None:
    version = synced(workspace)
    path = next(workspace.versions.path(version).rglob("*.rows"))
    sound, written = path.read_bytes(), path.stat()
    flip(path)
    os.utime(path, ns=(written.st_atime_ns, written.st_mtime_ns))
    assert inspect(workspace) == []
    assert [problem.split("/")[0] for problem in workspace.versions.open(version).verify()] == ["tokens"]
    (found,) = inspect(workspace)
    assert repair(workspace, found).mended
    assert inspect(workspace, deep=True) == []
    assert path.read_bytes() == sound
