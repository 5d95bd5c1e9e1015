"""Files that were fetched or uploaded and of which no table holds the text."""

import gzip
import sys
from pathlib import Path

import pytest

from rag_platform.documents.sandbox import process
from rag_platform.erasure.packed_files import PackedFiles
from rag_platform.workspace import open_workspace

UNPROTECTED = """
from rag_platform.documents.sandbox import landlock
landlock.abi = lambda: 0
"""


def uploaded(home: Path, settings: str = "") -> tuple[PackedFiles, Path]:
    (home / "rag.toml").write_text(settings)
    path = home / "data" / "uploads" / "notes.md.gz"
    path.parent.mkdir(parents=True)
    path.write_bytes(gzip.compress(b"# Herons\n\nThey nest in the reeds."))
    return PackedFiles(open_workspace(home)), path


def test_a_compressed_file_is_read(tmp_path: Path) -> None:
    packed, path = uploaded(tmp_path)
    assert "nest in the reeds" in "".join(packed.texts(path)) and packed.notes() == []


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere protection is not to be had at all")
def test_where_nothing_may_be_read_unprotected_its_bytes_alone_are_looked_through(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "_START", process._START.replace("\nfrom", UNPROTECTED + "\nfrom", 1))
    packed, path = uploaded(tmp_path, '[documents]\nprotection = "required"\n')
    assert list(packed.texts(path)) == [] and packed.notes()
