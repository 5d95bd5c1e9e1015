"""What a workspace takes on the disk: the folder data/ by stage, and each version of the index by part."""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rag_platform.index.segments import SEGMENTS
from rag_platform.index.vectors.spaces import stored_spaces
from rag_platform.workspace import Workspace

PARTS = ("vectors", "words", "catalog", "other")
"""Of a version: vectors and their graphs, the lexical index, texts and lineage, what describes it."""
_WORDS = ("lexical", "postings", "vocabulary")


@dataclass(frozen=True, slots=True)
class VersionSize:
    """A version on the disk."""

    id: str
    live: bool
    documents: int
    chunks: int
    models: tuple[str, ...]
    """The models of its vector spaces, as name and dimension."""
    parts: Mapping[str, int]
    """Bytes of each of `PARTS`, without those of files that a newer version has too."""

    @property
    def bytes(self) -> int:
        """Of all its parts."""
        return sum(self.parts.values())


def version_sizes(workspace: Workspace) -> list[VersionSize]:
    """Measure each version, the newest first; one whose manifest is damaged has no details."""
    versions = workspace.versions
    live, seen = versions.live_id(), set[tuple[int, int]]()
    return [
        VersionSize(
            id=manifest["id"],
            live=manifest["id"] == live,
            documents=manifest["counts"]["documents"],
            chunks=manifest["counts"]["chunks"],
            models=_models(manifest),
            parts=_parts(versions.path(manifest["id"]), seen),
        )
        for manifest in reversed(versions.manifests())
    ]


def stage_sizes(folder: Path) -> dict[str, int]:
    """Return bytes by what lies in data/, the largest first; SQLite's own files count with theirs."""
    found, seen = dict[str, int](), set[tuple[int, int]]()
    for entry in _entries(folder):
        name = entry.name.removesuffix("-wal").removesuffix("-shm")
        size = sum(size for _, size in _files(entry, seen))
        found[name] = found.get(name, 0) + size
    return dict(sorted(found.items(), key=lambda one: (-one[1], one[0])))


def _models(manifest: Mapping[str, Any]) -> tuple[str, ...]:
    models = {space.fingerprint: space.model for space in stored_spaces(manifest)}
    return tuple(f"{model['name']} ({model['dimension']})" for model in models.values())


def _parts(folder: Path, seen: set[tuple[int, int]]) -> dict[str, int]:
    parts = dict.fromkeys(PARTS, 0)
    for entry in _entries(folder):
        for path, size in _files(entry, seen):
            parts[_part(path.relative_to(folder).parts)] += size
    return parts


def _part(names: Sequence[str]) -> str:
    """Return to which part of a version the file at this path belongs."""
    own = names[2:] if names[0] == SEGMENTS else names
    beginning = own[0].split(".")[0].split("-")[0]
    return "words" if beginning in _WORDS else beginning if beginning in PARTS else "other"


def _files(entry: os.DirEntry[str], seen: set[tuple[int, int]]) -> Iterator[tuple[Path, int]]:
    """Yield each file with its bytes, 0 for one that is among those `seen`, under whatever name."""
    if entry.is_dir(follow_symlinks=False):
        for inner in _entries(Path(entry.path)):
            yield from _files(inner, seen)
        return
    try:
        stat = Path(entry.path).lstat()  # an entry's own has no inode where Windows runs
    except OSError:
        return
    name = (stat.st_dev, stat.st_ino)
    yield Path(entry.path), 0 if name in seen else stat.st_size
    seen.add(name)


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except OSError:  # it went while we were looking
        return []
