"""The scrub reads every file in turn, a part a day: what nobody opens is found damaged within the days promised."""

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from math import ceil
from pathlib import Path

import polars as pl
import pytest

from rag_platform.embeddings.onnx_embedder import OnnxEmbedder
from rag_platform.operations.damage import scrubbing
from rag_platform.operations.damage.inspecting import inspect
from rag_platform.operations.damage.repairing import repair
from rag_platform.operations.damage.scrub_record import read_record
from rag_platform.operations.damage.scrubbing import scrub
from rag_platform.pipeline.sync import sync
from rag_platform.storage.hashed import table_files
from rag_platform.storage.user_cache import file_state
from rag_platform.workspace import Workspace, open_workspace
from tests.index.releases.test_damage import flip
from tests.pipeline.fixed_gate import FixedGate

DAY = timedelta(days=1)
START = datetime(2026, 3, 1, tzinfo=UTC)


@pytest.fixture
def workspace(tmp_path: Path, tiny_embedder: OnnxEmbedder, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    monkeypatch.setattr(scrubbing, "_MB", 1000)  # a small workspace has the same shape
    (tmp_path / "rag.toml").write_text(
        '[[sources]]\nid = "notes"\nkind = "folder"\npath = "notes"\nmin_words = 1\n[health]\nscrub_mb = 250\n'
    )
    (tmp_path / "notes").mkdir()
    for number in range(6):
        (tmp_path / "notes" / f"{number}.md").write_text(f"# Note {number}\n\nThe gauge is read each spring.")
    opened = open_workspace(tmp_path)
    opened.embedder = tiny_embedder
    assert sync(opened, gate=FixedGate(opened)).errors == ()
    opened.journal.receipts()
    return opened


def unseen(workspace: Workspace, path: Path) -> None:
    """Flip a byte as a bad disk does: the system says of the file what it said before."""
    before = file_state(path)
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 0x04
    path.write_bytes(content)
    for notes in (*workspace.settings.data.rglob("checked.json"), *workspace.settings.data.rglob(".sums/*.json")):
        said, says = (json.dumps(state)[1:-1] for state in (before, file_state(path)))
        shared, shares = (", ".join(one.split(", ")[:4]) for one in (said, says))  # of a file that versions share
        notes.write_text(notes.read_text().replace(said, says).replace(shared, shares))


def part_days(workspace: Workspace) -> int:
    files = [workspace.settings.data / name for name in scrubbing._files(workspace)]
    return ceil(sum(path.stat().st_size for path in files) / 250_000)


@pytest.mark.parametrize(
    "name",
    ["raw/blobs/??/*.zst", "chunks/notes.parquet", "raw/notes.parquet", "index/versions/*/segments/*/catalog.chunks"],
)
def test_damage_to_a_file_that_nobody_opens_is_found_in_the_days_promised(workspace: Workspace, name: str) -> None:
    days = part_days(workspace)
    assert days > 1
    for day in range(days + 2):  # somewhere in a turn
        assert scrub(workspace, START + day * DAY) == []
    path = min(workspace.settings.data.glob(name))
    unseen(workspace, path)
    assert inspect(workspace) == []
    found = [scrub(workspace, START + (days + 2 + day) * DAY) for day in range(days)]
    (damage,) = {one for part in found for one in part}
    assert damage.path in path.as_posix() and inspect(workspace) == [damage]
    assert repair(workspace, damage).mended
    assert inspect(workspace) == []
    scrub(workspace, START + 3 * days * DAY)
    assert read_record(workspace.settings.data).found == {}


def test_every_file_is_read_and_it_is_known_since_when(workspace: Workspace) -> None:
    days = part_days(workspace)
    assert days > 1 and read_record(workspace.settings.data).whole_since is None
    for day in range(2 * days + 1):
        scrub(workspace, START + day * DAY)
    since = read_record(workspace.settings.data).whole_since
    assert since and START < datetime.fromisoformat(since) <= START + 2 * days * DAY


def test_a_table_that_is_replaced_while_it_is_read_is_not_called_damaged(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, hashed = workspace.store.path("chunks", "notes"), table_files.file_sha256
    frame, replaced = pl.read_parquet(path), []

    def replaced_first(read: Path) -> str:
        if read == path and not replaced:
            replaced.append(read)
            with table_files.table_write(path) as beside:
                frame.head(1).write_parquet(beside)
        return hashed(read)

    monkeypatch.setattr(table_files, "file_sha256", replaced_first)
    for day in range(part_days(workspace) + 1):
        assert scrub(workspace, START + day * DAY) == []
    assert replaced and inspect(workspace, deep=True) == []


def test_a_killed_scrub_goes_on_where_it_was(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    look: Callable[..., object] = scrubbing._look
    seen: list[str] = []

    def killed(opened: Workspace, name: str) -> object:
        if len(seen) == 5:
            raise KeyboardInterrupt
        seen.append(name)
        return look(opened, name)

    monkeypatch.setattr(scrubbing, "_SAVE", 1)
    monkeypatch.setattr(scrubbing, "_look", killed)
    monkeypatch.setattr(scrubbing, "_MB", 10**9)
    with pytest.raises(KeyboardInterrupt):
        scrub(workspace, START)
    assert read_record(workspace.settings.data).due(START)
    first, seen = seen, []
    with pytest.raises(KeyboardInterrupt):
        scrub(workspace, START)
    assert len(first) == len(seen) == 5 and not {*first} & {*seen}


def test_it_is_due_once_a_day_and_also_when_the_clock_went_back(workspace: Workspace) -> None:
    data = workspace.settings.data
    assert read_record(data).due(START)
    scrub(workspace, START)
    assert not read_record(data).due(START + timedelta(hours=23))
    assert read_record(data).due(START + DAY) and read_record(data).due(START - timedelta(hours=1))
    flip(data / "scrub.json")
    assert read_record(data).due(START)
