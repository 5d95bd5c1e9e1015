"""A version in its folder, opened for reading: the default engine of versions, `ports.VersionReader`."""

import contextlib
import os
from pathlib import Path

import duckdb

from rag_platform.core.errors import VersionError
from rag_platform.core.ports.version_ports import Read
from rag_platform.index.catalog.attached import AttachedTables
from rag_platform.index.catalog.passages import Passages
from rag_platform.index.lexical import LexicalIndex
from rag_platform.index.reading import explaining_damage
from rag_platform.index.releases.version_files import (
    built_files,
    damaged,
    damaged_files,
    file_states,
    read_manifest,
    state_of,
)
from rag_platform.index.segments import LEXICAL, LIST, listed, shared_segments
from rag_platform.index.vectors.hnsw import VectorIndex
from rag_platform.index.vectors.joined import JoinedVectors
from rag_platform.index.vectors.spaces import open_reference
from rag_platform.index.vectors.stored_tokens import StoredTokens, open_tokens, token_problems

FORMAT = "6"
"""Of the files of a version that this release writes and reads; it is part of a version's id."""


class EmbeddedVersion:
    """The files of a version, mapped into memory. Safe to ask from many threads."""

    def __init__(self, folder: Path, *, exact_below: int) -> None:
        self.folder = folder
        self.manifest = read_manifest(folder)
        if self.manifest["format"] != FORMAT:
            raise VersionError(
                f"{folder} has the format {self.manifest['format']!r}; this release reads {FORMAT!r}. Sync, which "
                "builds a version of today's format, or use the release that built it"
            )
        self._exact_below = exact_below
        self._states = file_states(folder, self.manifest["files"])
        self._paths = {name: folder / name for name in self._states}
        self._refuse_damage()
        try:
            self.reference = open_reference(folder)
            with explaining_damage(folder / LIST):
                segments = listed(folder)
            self.tables, self.passages = AttachedTables(folder, segments), Passages(segments)
            self.segments = [segment.folder for segment in segments]
            """Their folders, in the order of their rows."""
            self.words = LexicalIndex.of_folders([folder / LEXICAL for folder in self.segments], self.passages.living)
        except (ValueError, OSError, duckdb.Error) as error:
            raise damaged(folder, f"it cannot be opened ({error})") from error

    def _refuse_damage(self) -> None:
        """Check the files before any is opened: usearch, and what is mapped into memory, end the process otherwise.

        Files that were found sound are not read again while nobody has written to them; docs/decisions/0026 tells what
        that leaves to `verify`.
        """
        if problems := damaged_files(self.folder, self.manifest["files"]):
            raise damaged(self.folder, "; ".join(problems))

    @property
    def intact(self) -> bool:
        """Whether nobody has written to its files since it was opened; it takes microseconds."""
        return all(state_of(self._paths[name]) == state for name, state in self._states.items())

    @property
    def size(self) -> int:
        """Bytes of its files, those too that it shares with other versions."""
        return sum(path.stat().st_size for path in self.folder.rglob("*") if path.is_file())

    def vectors(self, file: str, dimension: int) -> JoinedVectors:
        """Open the vectors of a space, in as many segments as have some."""
        try:
            parts = [
                VectorIndex(
                    segment / file, exact_below=self._exact_below, living=self.passages.living.living_keys(place)
                )
                for place, segment in enumerate(self.segments)
                if (segment / file).exists()  # of the first versions of a space, its segments alone have it
            ]
        except (ValueError, OSError) as error:
            raise damaged(self.folder, f"it cannot be opened ({error})") from error
        return JoinedVectors(parts, dimension, exact_below=self._exact_below)

    def tokens(self, fingerprint: str) -> StoredTokens | None:
        """Open the token vectors of a model; None: it has none."""
        return open_tokens(self.folder, self.manifest, fingerprint)

    def read_ahead(self) -> None:
        """Ask the system to have its files in memory; where it cannot be asked, they are read when they are needed."""
        if not hasattr(os, "posix_fadvise"):
            return
        for name in self.manifest["files"]:
            with contextlib.suppress(OSError), (self.folder / name).open("rb") as file:
                os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_WILLNEED)

    def problems(self, read: Read) -> list[str]:
        """Say which files are not those that were built: of "all", of "new" segments, or of those that "changed"."""
        expected, proven = self.manifest["files"], shared_segments(self.manifest) if read == "new" else ()
        added = [f"{name} was not built with it" for name in built_files(self.folder) if name not in expected]
        found = damaged_files(self.folder, expected, thorough=read != "changed", proven=proven)
        return found + added + token_problems(self.folder, thorough=read == "all")
