"""What the embeddings stage keeps of passages' tokens, after a kill, and after damage."""

from pathlib import Path

import polars as pl
import pytest

from rag_platform.core.ids import digest
from rag_platform.embeddings.token_table import TokenTable, erase_tokens, token_folders
from rag_platform.storage.hashed.row_files import INDEX
from rag_platform.storage.tables import Store

HASHES = [digest(name) for name in ("kept", "forgotten")]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return the folder of a table of two passages."""
    TokenTable(Store(tmp_path), "model", "docs", 2).replace(HASHES, {HASHES[0]: b"kept", HASHES[1]: b"forgotten"})
    return token_folders(Store(tmp_path))[0]


def said(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in folder.glob("*.rows"))


def test_what_is_not_needed_is_erased(tmp_path: Path, folder: Path) -> None:
    erase_tokens(Store(tmp_path), HASHES[:1])
    assert said(folder) == b"kept"


def test_files_that_a_killed_process_left_are_erased(tmp_path: Path, folder: Path) -> None:
    (folder / f"{'0' * 32}.rows").write_bytes(b"of nobody")
    erase_tokens(Store(tmp_path), HASHES)
    assert sorted(said(folder)) == sorted(b"keptforgotten")


def test_nothing_is_left_beside_a_damaged_index(tmp_path: Path, folder: Path) -> None:
    (folder / INDEX).write_bytes(b"damaged")
    erase_tokens(Store(tmp_path), HASHES[:1])
    assert said(folder) == b""


def test_what_another_process_wrote_meanwhile_is_kept(tmp_path: Path, folder: Path) -> None:
    mine, theirs = (TokenTable(Store(tmp_path), "model", "docs", 2) for _ in range(2))
    new, newer = digest("new"), digest("newer")
    assert mine.lacks(pl.Series([new])).all()
    theirs.replace([*HASHES, new], {new: b"new"})
    mine.reread()
    mine.replace([*HASHES, new, newer], {newer: b"newer"})
    assert not TokenTable(Store(tmp_path), "model", "docs", 2).lacks(pl.Series([*HASHES, new, newer])).any()


@pytest.mark.parametrize("content", [None, b"cut"])
def test_passages_of_a_lost_file_are_made_anew(tmp_path: Path, folder: Path, content: bytes | None) -> None:
    (path,) = folder.glob("*.rows")
    path.unlink()
    if content:
        path.write_bytes(content)
    table = TokenTable(Store(tmp_path), "model", "docs", 2)
    assert table.lacks(pl.Series(HASHES)).to_list() == [True, True]
    table.replace(HASHES, {HASHES[0]: b"again"})
    assert TokenTable(Store(tmp_path), "model", "docs", 2).lacks(pl.Series(HASHES)).to_list() == [False, True]
