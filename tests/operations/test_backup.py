"""A backup is restored, and the same questions give the same hits; it costs what changed; nothing breaks it."""

import json
import shutil
import sqlite3
import threading
import uuid
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from rag_platform.core.errors import NotFound, SettingsError, StorageError, WorkspaceBusy
from rag_platform.core.hits import Filters
from rag_platform.embeddings.onnx_embedder import OnnxEmbedder
from rag_platform.erasure import forget as forgetting
from rag_platform.erasure.targets import recognise
from rag_platform.operations.alerts.alerting import outbox_of
from rag_platform.operations.backup import making, restoring
from rag_platform.operations.backup.contents import files_of
from rag_platform.operations.backup.snapshot import find_snapshot, snapshot_ids
from rag_platform.operations.backup.target import Folder, Remote, Target, open_target
from rag_platform.people.tokens import Tokens
from rag_platform.pipeline.sync import sync
from rag_platform.storage.swapping import READY
from rag_platform.workspace import Workspace, open_workspace
from tests.pipeline.fixed_gate import FixedGate
from tests.sources import s3_server

QUESTION = "When does the ferry run?"
SETTINGS = """
[[sources]]
id = "notes"
kind = "folder"
path = "notes"
min_words = 1

[[sources]]
id = "drop"
kind = "upload"
min_words = 1
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "home"
    (folder / "notes").mkdir(parents=True)
    (folder / "rag.toml").write_text(SETTINGS)
    (folder / "secrets.toml").write_text("key = 'in the clear'")
    (folder / "notes" / "a.md").write_text("# Ferry\n\nThe ferry runs from six in the morning until dusk.")
    (folder / "notes" / "b.md").write_text("# Gauge\n\nA gauge is calibrated every spring by two wardens.")
    return folder


@pytest.fixture
def built(home: Path, tiny_embedder: OnnxEmbedder) -> Workspace:
    opened = opened_at(home, tiny_embedder)
    opened.collections().create("Letters")
    opened.collections().add("letters", "c.md", [b"# Keys\n\nKeys go back to the warden at nine."])
    synced(opened)
    opened.answerer.ask(QUESTION)
    return opened


@pytest.fixture
def target(tmp_path: Path) -> Target:
    return open_target(str(tmp_path / "copies"))


def opened_at(home: Path, embedder: OnnxEmbedder) -> Workspace:
    opened = open_workspace(home)
    opened.embedder = embedder
    return opened


def synced(workspace: Workspace):
    return sync(workspace, gate=FixedGate(workspace))


def seen(workspace: Workspace):
    """Return what people get of a workspace."""
    hits = workspace.retriever.search(QUESTION).hits
    receipts = [(one.id, one.answer, one.version) for one in workspace.journal.receipts(-1)]
    return [(hit.chunk_id, hit.text, round(hit.score, 5)) for hit in hits], receipts, workspace.versions.moves()


def test_what_is_restored_elsewhere_gives_the_same_and_has_nothing_to_do(
    built: Workspace, target: Target, tmp_path: Path, tiny_embedder: OnnxEmbedder
) -> None:
    report = making.backup(built, target)
    before = seen(built)
    built.settings.home.rename(tmp_path / "gone")
    elsewhere = tmp_path / "another" / "place"
    assert restoring.restore(elsewhere, target, find_snapshot(target, None)).kept is None
    there = opened_at(elsewhere, tiny_embedder)
    assert seen(there) == before and there.versions.live().verify() == []
    assert not (elsewhere / "secrets.toml").exists() and any("secrets.toml" in one for one in report.left_out)
    done = synced(there)
    assert (done.version, done.moved) == (report.live, False)
    assert all(not counts["new"] and not counts["changed"] for counts in done.to_dict()["sources"].values())
    assert [file.name for file in there.collections().files()] == ["c.md"]


def test_a_second_backup_costs_what_changed(built: Workspace, target: Target) -> None:
    first = making.backup(built, target)
    second = making.backup(built, target)
    assert first.new_bytes > 50_000 and second.new_bytes < first.new_bytes / 20
    assert making.verify(target) == {first.id: [], second.id: []}


def test_what_sources_can_have_again_is_not_copied(tmp_path: Path) -> None:
    for name in ("caches/notes/pack", "raw/notes.parquet"):
        (tmp_path / "data" / name).parent.mkdir(parents=True)
        (tmp_path / "data" / name).write_bytes(b"")
    assert files_of(tmp_path) == ["data/raw/notes.parquet"]


def test_old_ones_go_with_what_nothing_else_names(built: Workspace, target: Target) -> None:
    first = making.backup(built, target)
    (built.settings.home / "notes" / "a.md").write_text("# Ferry\n\nThe ferry does not run at all.")
    synced(built)
    second = making.backup(built, target, keep=1)
    assert second.removed == (first.id,) and snapshot_ids(target) == [second.id]
    assert making.verify(target) == {second.id: []}
    named = {piece for file in find_snapshot(target, None).files for piece in file.pieces}
    assert len(target.sizes("objects")) == len(named)


def test_one_that_is_killed_leaves_the_earlier_ones_and_goes_on(
    built: Workspace, target: Target, tmp_path: Path
) -> None:
    first = making.backup(built, target)
    (built.settings.home / "notes" / "a.md").write_text("# Ferry\n\nThe ferry does not run at all.")
    synced(built)

    class Killed(Folder):
        left = 5

        def write(self, name: str, content: bytes) -> None:
            Killed.left -= 1
            if Killed.left < 0:
                raise KeyboardInterrupt
            super().write(name, content)

    with pytest.raises(KeyboardInterrupt):
        making.backup(built, Killed(target.folder))
    assert making.verify(target) == {first.id: []}
    assert making.verify(target) | {making.backup(built, target).id: []} == making.verify(target)


def test_damage_of_a_backup_is_found_and_not_restored(built: Workspace, target: Folder, tmp_path: Path) -> None:
    made = making.backup(built, target)
    whole = next(file for file in find_snapshot(target, None).files if file.path.endswith("catalog.duckdb"))
    path = next(target.folder.rglob(f"{whole.pieces[0]}.zst"))
    path.write_bytes(path.read_bytes()[:-9] + b"overwrite")
    (problem,) = making.verify(target)[made.id]
    assert "catalog.duckdb" in problem and "damaged" in problem
    with pytest.raises(StorageError, match="damaged"):
        restoring.restore(tmp_path / "new", target, find_snapshot(target, None))
    assert not (tmp_path / "new" / "rag.toml").exists()


def test_a_workspace_is_not_overwritten_unless_asked_and_then_kept(
    built: Workspace, target: Target, tiny_embedder: OnnxEmbedder
) -> None:
    home, before = built.settings.home, seen(built)
    making.backup(built, target)
    (home / "notes" / "a.md").write_text("# Ferry\n\nThe ferry does not run at all.")
    synced(built)
    changed = seen(built)
    with pytest.raises(SettingsError, match="--replace"):
        restoring.restore(home, target, find_snapshot(target, None))
    with built.store.lock("index"), pytest.raises(WorkspaceBusy):
        restoring.restore(home, target, find_snapshot(target, None), over=True)
    assert seen(opened_at(home, tiny_embedder)) == changed
    report = restoring.restore(home, target, find_snapshot(target, None), over=True)
    assert seen(opened_at(home, tiny_embedder)) == before
    assert "does not run" in (Path(report.kept) / "notes" / "a.md").read_text()


def test_the_same_backup_is_restored_twice_and_both_times_what_was_there_is_kept(
    built: Workspace, target: Target
) -> None:
    home = built.settings.home
    making.backup(built, target)
    for text in ("one", "two"):
        (home / "notes" / "a.md").write_text(text)
        report = restoring.restore(home, target, find_snapshot(target, None), over=True)
        assert (Path(report.kept) / "notes" / "a.md").read_text() == text


def test_an_exchange_that_was_killed_is_finished_by_whoever_comes(
    built: Workspace, target: Target, tiny_embedder: OnnxEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, before = built.settings.home, seen(built)
    making.backup(built, target)
    real, calls = restoring.os.replace, []

    def killed(source, goal):
        if READY in str(source) and "content" in str(source) and not str(goal).endswith(".json"):
            calls.append(goal)
            if len(calls) == 2:
                raise KeyboardInterrupt
        real(source, goal)

    monkeypatch.setattr("rag_platform.storage.swapping.os.replace", killed)
    with pytest.raises(KeyboardInterrupt):
        restoring.restore(home, target, find_snapshot(target, None), over=True)
    monkeypatch.undo()
    assert seen(opened_at(home, tiny_embedder)) == before
    assert not (home / READY).exists()


def test_no_pointer_names_a_version_that_is_not_there(
    built: Workspace, target: Target, tmp_path: Path, tiny_embedder: OnnxEmbedder
) -> None:
    """Publish, remove and ask while copies are made; each of them must be whole."""
    home, stop, failed = built.settings.home, threading.Event(), []

    def publish() -> None:
        other, number = opened_at(home, tiny_embedder), 0
        try:
            while not stop.is_set():
                number += 1
                (home / "notes" / "a.md").write_text(f"# Ferry\n\nThe ferry number {number} runs until dusk.")
                synced(other)
                other.versions.gc(1)
                other.answerer.ask(QUESTION)
        except BaseException as error:  # noqa: BLE001
            failed.append(error)

    thread = threading.Thread(target=publish)
    thread.start()
    try:
        made = [making.backup(built, target) for _ in range(4)]
    finally:
        stop.set()
        thread.join()
    assert not failed
    for one in made:
        there = tmp_path / one.id
        restoring.restore(there, target, find_snapshot(target, one.id))
        opened = opened_at(there, tiny_embedder)
        assert opened.versions.live().id == one.live and opened.versions.live().verify() == []
        assert all(opened.versions.path(receipt.version) for receipt in opened.journal.receipts(-1))


def test_what_was_forgotten_since_does_not_come_back(
    built: Workspace, target: Target, tiny_embedder: OnnxEmbedder, tmp_path: Path
) -> None:
    made = making.backup(built, target)
    version = made.live
    forgetting.forget(built, recognise(built, "notes/a.md"))
    with pytest.raises(StorageError, match="forgotten"):
        restoring.restore_version(built, target, find_snapshot(target, None), version)
    report = restoring.restore(built.settings.home, target, find_snapshot(target, None), over=True)
    there = opened_at(built.settings.home, tiny_embedder)
    assert len(report.forgotten_again) == 1
    everyone = Filters(principals=("*",))
    assert all(hit.uri != "notes/a.md" for hit in there.retriever.search(QUESTION, filters=everyone).hits)
    synced(there)
    assert "notes/a.md" not in there.versions.live().documents()["uri"].to_list()
    shutil.rmtree(report.kept)
    left = [path for path in built.settings.data.rglob("*") if path.is_file() and b"until dusk" in path.read_bytes()]
    assert left == []


def test_a_restore_opens_nothing_that_was_closed_since(
    built: Workspace, target: Target, tiny_embedder: OnnxEmbedder
) -> None:
    tokens = Tokens(built.journal)
    given = {name: tokens.create(name) for name in ("kept", "revoked")}
    making.backup(built, target)
    tokens.revoke("revoked")
    with sqlite3.connect(built.settings.data / "access.sqlite") as connection:
        connection.execute("create table if not exists decided_since (what)")
    restoring.restore(built.settings.home, target, find_snapshot(target, None), over=True)
    there = Tokens(opened_at(built.settings.home, tiny_embedder).journal)
    assert there.holder(given["kept"]) and there.holder(given["revoked"]) is None
    with sqlite3.connect(built.settings.data / "access.sqlite") as connection:
        assert connection.execute("select count(*) from decided_since").fetchone() == (0,)


def test_one_version_comes_back(built: Workspace, target: Target) -> None:
    made = making.backup(built, target)
    (built.settings.home / "notes" / "a.md").write_text("# Ferry\n\nThe ferry does not run at all.")
    synced(built)
    with pytest.raises(StorageError, match="already"):
        restoring.restore_version(built, target, find_snapshot(target, None), made.live)
    built.versions.remove(made.live)
    restoring.restore_version(built, target, find_snapshot(target, None), made.live)
    assert built.versions.open(made.live).verify() == []


def test_versions_are_not_removed_while_they_are_copied(built: Workspace) -> None:

    (built.settings.home / "notes" / "a.md").write_text("# Ferry\n\nThe ferry does not run at all.")
    synced(built)
    (built.settings.home / "notes" / "a.md").write_text("# Ferry\n\nNow it does.")
    synced(built)
    with built.versions.kept_for_copying():
        assert built.versions.gc(1) == []
    assert len(built.versions.gc(1)) == 1


@pytest.fixture(params=["memory", "s3"])
def storage(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Target]:
    """A target in some storage."""
    if request.param == "memory":
        yield Remote(f"memory://copies-{tmp_path.name}", {})
        return
    with s3_server.serving() as server:
        server.bucket.key, server.bucket.page = None, 50
        yield Remote("s3://shelf/copies", {"endpoint_url": server.address, "key": "reader", "secret": "x"})


def test_it_goes_to_any_storage(storage: Target, built: Workspace, tmp_path: Path, tiny_embedder: OnnxEmbedder) -> None:
    first, second = making.backup(built, storage), making.backup(built, storage, keep=1)
    assert second.removed == (first.id,) and second.new_bytes < first.new_bytes / 20
    assert making.verify(storage) == {second.id: []}
    restoring.restore(tmp_path / "new", storage, find_snapshot(storage, None))
    assert seen(opened_at(tmp_path / "new", tiny_embedder)) == seen(built)


def test_what_a_newer_release_made_is_refused(built: Workspace, target: Folder) -> None:
    import zstandard

    made = making.backup(built, target)
    path = target.folder / "snapshots" / f"{made.id}.json.zst"
    content = json.loads(zstandard.decompress(path.read_bytes()))
    path.write_bytes(zstandard.compress(json.dumps(content | {"format": 2}).encode()))
    with pytest.raises(StorageError, match="this release reads 1"):
        find_snapshot(target, None)
    with pytest.raises(NotFound, match="known"):
        find_snapshot(target, "2001")
    assert replace(made).id  # the report itself is plain data
    with sqlite3.connect(built.settings.data / "app.sqlite") as connection:
        assert connection.execute("select count(*) from receipts").fetchone()[0] == 1


# --- app data in PostgreSQL ------------------------------------------------------------------------------


@pytest.fixture
def shared(home: Path, postgres: str, tiny_embedder: OnnxEmbedder) -> Workspace:
    """A workspace whose chats, receipts and tokens lie in PostgreSQL."""
    pytest.importorskip("psycopg")
    scale = f'[scale]\ndatabase = "{postgres}"\nschema_name = "b{uuid.uuid4().hex[:12]}"\n'
    (home / "rag.toml").write_text(scale + SETTINGS)
    opened = opened_at(home, tiny_embedder)
    synced(opened)
    return opened


def rows_of(workspace: Workspace) -> dict[str, list[str]]:
    """Return every row that a workspace has in its database, by table."""
    found = {}
    for schema in workspace.server_tables():
        with schema.reading() as connection:
            names = connection.execute("select tablename from pg_tables where schemaname = ?", (schema.schema,))
            for (name,) in names.fetchall():
                rows = connection.execute(f"select * from {name}").fetchall()
                found[f"{schema.schema}.{name}"] = sorted(str(dict(zip(row.keys(), row, strict=True))) for row in rows)
    return found


def test_app_data_in_postgres_is_in_the_backup_and_comes_back(
    shared: Workspace, target: Target, tiny_embedder: OnnxEmbedder, tmp_path: Path
) -> None:
    receipt = shared.answerer.ask(QUESTION).receipt_id
    chat = shared.chats.begin("The ferry", "ann")
    shared.chats.say(chat, "user", QUESTION)
    shared.feedback.give(receipt, good=True, principal="ann")
    shared.attachments.add(chat, "a.txt", [], "ann")
    outbox_of(shared).forget(["late"])
    tokens = Tokens(shared.journal)
    given = {name: tokens.create(name) for name in ("kept", "revoked")}
    before = rows_of(shared)
    report = making.backup(shared, target)
    assert not any("PostgreSQL" in one for one in report.left_out)
    assert not (shared.settings.data / "app.sqlite").exists()

    tokens.revoke("revoked")
    shared.chats.delete(chat, "ann")
    done = restoring.restore(shared.settings.home, target, find_snapshot(target, None), over=True)
    there = opened_at(shared.settings.home, tiny_embedder)
    assert there.versions.live_id() == report.live
    after = rows_of(there)
    changed = {name.rpartition(".")[2] for name in before if before[name] != after[name]}
    assert changed == {"tokens"} and not (shared.settings.data / "app.sqlite").exists()
    assert Tokens(there.journal).holder(given["kept"]) and Tokens(there.journal).holder(given["revoked"]) is None
    assert there.attachments.add(chat, "b.txt", [], "ann") and there.chats.begin("After", "ann")
    assert any("kept there as schema" in one for one in done.left_out)

    elsewhere = tmp_path / "elsewhere"
    said = restoring.restore(elsewhere, target, find_snapshot(target, None)).left_out
    assert any("it stays" in one and "data/app.sqlite" in one for one in said)
    assert (elsewhere / "data" / "app.sqlite").exists()
    assert "After" in [one.title for one in there.chats.of("ann")], "another's rows are not replaced"


@pytest.mark.parametrize("elsewhere", [False, True], ids=["here", "by another machine"])
def test_what_was_forgotten_since_does_not_come_back_into_postgres(
    shared: Workspace, target: Target, everything_in, elsewhere: bool
) -> None:
    shared.answerer.ask(QUESTION)
    making.backup(shared, target)
    forgetting.forget(shared, recognise(shared, "notes/a.md"))
    for file in shared.settings.data.glob("forgotten*.jsonl") if elsewhere else ():
        file.unlink()
    restoring.restore(shared.settings.home, target, find_snapshot(target, None), over=True)
    again = open_workspace(shared.settings.home)
    assert "until dusk" not in everything_in(again.journal._database)
    assert "until dusk" not in "".join(again.store.read("documents", "notes")["text"])
