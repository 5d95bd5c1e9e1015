"""Tables and blobs are replaced whole or not at all."""

import errno
import os
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

from rag_platform.core.errors import StorageError, WorkspaceBusy
from rag_platform.core.schemas import RAW
from rag_platform.storage.hashed import table_files
from rag_platform.storage.tables import Store


def _raw(*uris: str) -> pl.DataFrame:
    return pl.DataFrame([{"uri": uri, "status": "ok"} for uri in uris], schema=RAW)


def test_a_table_comes_back_as_it_was_written(tmp_path: Path) -> None:
    stored = Store(tmp_path)
    assert stored.read("raw", "docs").is_empty()
    stored.write("raw", "docs", _raw("a", "b"))
    assert stored.read("raw", "docs").equals(_raw("a", "b"))
    assert stored.sources("raw") == ["docs"]
    stored.drop("raw", "docs")
    assert stored.sources("raw") == []


def test_a_damaged_table_is_told_with_its_path(tmp_path: Path) -> None:
    stored = Store(tmp_path)
    stored.write("raw", "docs", _raw("a"))
    stored.path("raw", "docs").write_bytes(b"PAR1 not a table")
    with pytest.raises(StorageError, match=r"docs\.parquet is damaged: it is not what was written"):
        stored.read("raw", "docs")


def test_a_table_that_is_written_while_it_is_checked_is_not_damaged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored = Store(tmp_path)
    stored.write("raw", "docs", _raw("a"))
    os.utime(stored.path("raw", "docs"), (1, 1))  # so that it is read again
    sums = table_files.file_sha256

    def meanwhile(path: Path) -> str:
        monkeypatch.setattr(table_files, "file_sha256", sums)
        stored.write("raw", "docs", _raw("a", "b"))
        return sums(path)

    monkeypatch.setattr(table_files, "file_sha256", meanwhile)
    assert table_files.table_problem(stored.path("raw", "docs")) is None
    assert stored.read("raw", "docs").height == 2


def test_a_full_disk_is_told_and_the_old_file_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stored = Store(tmp_path)
    stored.write("raw", "docs", _raw("a"))

    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(StorageError, match=r"no space left to write .*docs.*untouched"):
        stored.write("raw", "docs", _raw("a", "b"))
    monkeypatch.undo()
    assert stored.read("raw", "docs").height == 1


def test_a_lock_keeps_a_second_writer_out_and_goes_with_its_process(tmp_path: Path) -> None:
    stored = Store(tmp_path)
    code = (
        "from pathlib import Path; from rag_platform.storage.tables import Store\n"
        f"with Store(Path({str(tmp_path)!r})).lock('docs'): print('held', flush=True); input()"
    )
    root = Path(__file__).parents[2]
    with subprocess.Popen(
        [sys.executable, "-c", code], cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(WorkspaceBusy, match=f"process {holder.pid} is writing 'docs'"), stored.lock("docs"):
            pass
        with stored.lock("news"):
            pass
        holder.kill()
        holder.wait()
    with stored.lock("docs"):
        pass


def test_a_table_that_has_not_changed_is_not_written_again(tmp_path: Path) -> None:
    store = Store(tmp_path)
    table = store.table("chunks", "one")
    table.replace(table.frame)
    assert store.sources("chunks") == ["one"], "an empty table is written once, so that its source is known"
    written = store.written
    store.table("chunks", "one").replace(table.frame)
    assert store.written == written
    changed = pl.DataFrame([{"chunk_id": "a"}], schema={"chunk_id": pl.String})
    table.replace(changed)
    assert store.written > written
    assert table.frame is changed
