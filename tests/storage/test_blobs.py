"""Raw bytes are kept once, and what is read is what was written."""

from pathlib import Path

import pytest

from rag_platform.core.errors import StorageError
from rag_platform.storage.blobs import Blobs


def test_blobs_are_kept_once_and_checked(tmp_path: Path) -> None:
    blobs = Blobs(tmp_path)
    sha256 = blobs.put(b"bytes")
    assert blobs.get(blobs.put(b"bytes")) == b"bytes"
    assert len([path for path in tmp_path.rglob("*") if path.is_file()]) == 1
    other = blobs.put(b"others")
    blobs.path(sha256).write_bytes(blobs.path(other).read_bytes())
    with pytest.raises(StorageError, match="other bytes than its name says"):
        blobs.get(sha256)
    blobs.path(sha256).write_bytes(b"rubbish")
    with pytest.raises(StorageError, match="damaged"):
        blobs.get(sha256)
    with pytest.raises(StorageError, match="sync their source again"):
        blobs.get("0" * 64)
