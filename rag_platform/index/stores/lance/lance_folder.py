"""The tables below an address: of a folder, or of a bucket of S3 and of what speaks its protocol."""

import hashlib
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

import duckdb

from rag_platform.core.errors import DamagedVersion, MissingExtra, RagError, StorageError

_CACHES = {"index_cache_size_bytes": 1 << 30, "metadata_cache_size_bytes": 1 << 28}
"""Of what is read of indexes and of tables' own descriptions; Lance takes six and one gigabytes by itself."""
_ROWS = (1 << 31) - 1
"""Of a file, at most: in a table of one file, which all of ours are, a row's address is its place."""
_DIGITS = 32
"""Of a hash."""
_GONE = ("not found", "no such file")


class LanceFolder:
    """Tables by name, such as ``segments/0123/chunks``. Safe to ask from many threads."""

    def __init__(self, address: str, options: Mapping[str, str]) -> None:
        """Take an address, an absolute path or ``s3://bucket/prefix``, and Lance's own options for it.

        Raises:
            MissingExtra: Lance is not installed.
        """
        try:
            import lance
            from lance.file import LanceFileSession
        except ImportError as error:
            raise MissingExtra("pylance", "lance", "[scale] store = 'lance'") from error
        self.address, self._lance = address.rstrip("/"), cast(Any, lance)
        self._options = dict(options)
        if self._options.get("aws_endpoint", "").startswith("http://"):
            self._options["allow_http"] = "true"
        self._session = self._lance.Session(**_CACHES)
        with self.explaining():
            self._files = LanceFileSession(self.address, storage_options=self._options)

    @property
    def is_remote(self) -> bool:
        """Whether each look at it is a request that is paid for."""
        return "://" in self.address

    def opened(self, name: str) -> Any:
        """Open a table as it is now, as a `LanceDataset`."""
        with self.explaining():
            return self._lance.dataset(self._path(name), storage_options=self._options, session=self._session)

    def write(self, name: str, rows: Any, before: Any = None) -> Any:
        """Write a table, `rows` anything of Arrow's, and return it.

        `before`: the opened table that is replaced whole; `StorageError` when it is not the newest any more.
        """
        with self.explaining():
            return self._lance.write_dataset(
                rows,
                self._path(name) if before is None else before,
                mode="create" if before is None else "overwrite",
                max_rows_per_file=_ROWS,
                storage_options=self._options,
                session=self._session,
            )

    def folders(self, name: str) -> list[str]:
        """Name what is directly below a folder."""
        with self.explaining():
            found = self._files.list_with_delimiter(name).common_prefixes
        return sorted(path.rstrip("/").rpartition("/")[2] for path in found)

    def digests(self, name: str) -> dict[str, tuple[int, str]]:
        """Read all files below a folder: the bytes of each and their hash, by its name in the folder."""
        with self.explaining():
            return {path.removeprefix(f"{name}/"): self._digest(path) for path in sorted(self._files.list(name))}

    def delete(self, name: str) -> None:
        """Delete all files below a folder; it is no table any more from the first of them on."""
        with self.explaining():
            if not self.is_remote:
                shutil.rmtree(Path(self.address) / name)
                return
            for path in self._files.list(name):
                self._files.delete_file(path)

    @contextmanager
    def explaining(self) -> Iterator[None]:
        """Say in words what goes wrong: what is not there any more is `DamagedVersion`, the rest `StorageError`."""
        try:
            yield
        except RagError:
            raise
        except (OSError, ValueError, RuntimeError, duckdb.Error) as error:
            said = str(error).split(", /")[0][:300]  # Lance adds the line of its code
            if not self.is_remote and not Path(self.address).is_dir():
                raise StorageError(
                    f"there is no folder {self.address}, as [scale] lance says: mount it, or make it"
                ) from error
            if any(word in said.lower() for word in _GONE):
                raise DamagedVersion(f"the version is not in {self.address} any more ({said})") from error
            raise StorageError(
                f"the tables in {self.address} could not be read or written: {said}; check [scale] lance, "
                "lance_options and the rights of its key"
            ) from error

    def _path(self, name: str) -> str:
        return f"{self.address}/{name}.lance"

    def _digest(self, path: str) -> tuple[int, str]:
        with self._at_hand(path) as file, file.open("rb") as content:
            told = hashlib.file_digest(content, "blake2b")
            return content.tell(), told.hexdigest()[:_DIGITS]

    @contextmanager
    def _at_hand(self, path: str) -> Iterator[Path]:
        """Give a file of this machine with the content of one below the address."""
        if not self.is_remote:
            yield Path(self.address) / path
            return
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(folder) / "copy"
            self._files.download_file(path, str(copy))
            yield copy
