"""A file while its bytes arrive: written beside, counted, hashed, and entered only when it is whole."""

import hashlib
import json
import os
import secrets
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rag_platform.core.errors import TooLarge
from rag_platform.sources.uploads.checking import checked_names
from rag_platform.sources.uploads.records import File
from rag_platform.storage.atomic import explaining_full_disk
from rag_platform.text.cleaning import clean_line


class Receiver:
    """Takes the bytes of one file; until `keep`, they belong to nobody."""

    def __init__(
        self, folder: Path, name: str, source: str, max_bytes: int, enter: Callable[[dict[str, Any], Path], File]
    ) -> None:
        """Begin a file.

        Args:
            folder: the collection's, which bears its id.
            name: the file's.
            source: the source's id.
            max_bytes: of the file.
            enter: given the file's row and where its bytes are, enters it.
        """
        self.name = name
        self._source = source
        self._max_bytes = max_bytes
        self._enter = enter
        self._collection = folder.name
        self._path = folder / f".{secrets.token_hex(8)}.new"
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._file = self._path.open("xb")
        self._hash = hashlib.sha256()
        self._size = 0

    def write(self, piece: bytes) -> None:
        """Take the next bytes; `TooLarge` as soon as there are too many."""
        self._size += len(piece)
        most = self._max_bytes
        if self._size > most:
            raise TooLarge(
                f"{self.name} has more than {most:,} bytes",
                f"at most max_bytes = {most:,}",
                f"Split it, or raise `max_bytes` of source {self._source!r} in rag.toml.",
            )
        with explaining_full_disk(self._path):
            self._file.write(piece)
        self._hash.update(piece)

    def keep(
        self, *, title: str = "", content_type: str | None = None, tags: Sequence[str] = (), who: str = ""
    ) -> File:
        """Enter the file, whole and on the disk."""
        row = {
            "collection": self._collection,
            "name": self.name,
            "sha256": self._hash.hexdigest(),
            "size": self._size,
            "content_type": clean_line(content_type) or None,
            "title": clean_line(title)[:500],
            "tags": json.dumps(checked_names("tags", tags), ensure_ascii=False),
            "added_by": who,
            "added_at": datetime.now(UTC).isoformat(),
        }
        with explaining_full_disk(self._path):
            self._file.flush()
            os.fsync(self._file.fileno())
        return self._enter(row, self._path)

    def close(self) -> None:
        """Let go of what was not kept."""
        self._file.close()
        self._path.unlink(missing_ok=True)
