"""Files are replaced whole or not at all, and each library's word for a full disk is understood."""

import errno
import os
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import duckdb
import polars as pl
import pytest

from rag_platform.core.errors import StorageError
from rag_platform.storage import atomic
from rag_platform.storage.atomic import atomic_write, explaining_full_disk, link_or_copy, write_bytes


def test_a_write_that_fails_leaves_the_old_file_and_nothing_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("old")
    with pytest.raises(RuntimeError), atomic_write(path) as beside:
        beside.write_text("half")
        raise RuntimeError
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_threads_that_write_one_file_at_once_all_succeed(tmp_path: Path) -> None:
    path = tmp_path / "file"
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda number: write_bytes(path, f"{number:03}".encode() * 1000), range(400)))
    content = path.read_text()
    assert content == content[:3] * 1000, "one of the contents, whole"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    "error",
    [
        OSError(errno.EDQUOT, "Disk quota exceeded"),
        pl.exceptions.ComputeError("parquet: underlying IO error: No space left on device (os error 28)"),
        duckdb.IOException('Could not write file "x": No space left on device'),
        ValueError("An IO error occurred: 'No space left on device (os error 28)'"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_each_librarys_word_for_a_full_disk_is_understood(tmp_path: Path, error: Exception) -> None:
    with pytest.raises(StorageError, match="no space left to write"), explaining_full_disk(tmp_path / "file"):
        raise error


def test_a_library_that_says_nothing_is_believed_only_when_the_disk_is_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(RuntimeError, match="Failed to serialize"), explaining_full_disk(tmp_path / "file"):
        raise RuntimeError("Failed to serialize into stream")
    monkeypatch.setattr(atomic.shutil, "disk_usage", lambda path: shutil._ntuple_diskusage(10, 10, 0))
    with pytest.raises(StorageError, match="no space left"), explaining_full_disk(tmp_path / "file"):
        raise RuntimeError("Failed to serialize into stream")


def test_a_copy_in_the_place_of_a_link_has_reached_the_disk(tmp_path, monkeypatch) -> None:
    def refused(*_: object) -> None:
        raise OSError("this disk has no links")

    flushed = []
    monkeypatch.setattr(os, "fsync", lambda descriptor: flushed.append(os.fstat(descriptor).st_ino))
    (tmp_path / "a").write_bytes(b"content")
    link_or_copy(tmp_path / "a", tmp_path / "linked")
    assert (tmp_path / "linked").samefile(tmp_path / "a") and not flushed
    monkeypatch.setattr(os, "link", refused)
    link_or_copy(tmp_path / "a", tmp_path / "copied")
    assert (tmp_path / "copied").read_bytes() == b"content"
    assert flushed == [(tmp_path / "copied").stat().st_ino] != [(tmp_path / "a").stat().st_ino]
