"""What a workspace takes on the disk: the folder data/ by stage, and each version of the index by part."""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rag_platform.index.vectors.spaces import stored_spaces
from rag_platform.workspace import Workspace

PARTS = ("vectors", "words", "catalog", "other")
"""Of a version: vectors and their graphs, the lexical index, texts and lineage, what describes it."""


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
    """Bytes of each of `PARTS`."""

    @property
    def bytes(self) -> int:
        """Of all its parts."""
        return sum(self.parts.values())


def version_sizes(workspace: Workspace) -> list[VersionSize]:
    """Measure each version, the newest first; one whose manifest is damaged has no details."""
    versions = workspace.versions
    live = versions.live_id()
    return [
        VersionSize(
            id=manifest["id"],
            live=manifest["id"] == live,
            documents=manifest["counts"]["documents"],
            chunks=manifest["counts"]["chunks"],
            models=_models(manifest),
            parts=_parts(versions.path(manifest["id"])),
        )
        for manifest in reversed(versions.manifests())
    ]


def stage_sizes(folder: Path) -> dict[str, int]:
    """Return bytes by what lies in data/, the largest first; SQLite's own files count with theirs."""
    found: dict[str, int] = {}
    for entry in _entries(folder):
        name = entry.name.removesuffix("-wal").removesuffix("-shm")
        size = sum(_files(Path(entry.path))) if entry.is_dir(follow_symlinks=False) else _size(entry)
        found[name] = found.get(name, 0) + size
    return dict(sorted(found.items(), key=lambda one: (-one[1], one[0])))


def _models(manifest: Mapping[str, Any]) -> tuple[str, ...]:
    models = {space.fingerprint: space.model for space in stored_spaces(manifest)}
    return tuple(f"{model['name']} ({model['dimension']})" for model in models.values())


def _parts(folder: Path) -> dict[str, int]:
    parts = dict.fromkeys(PARTS, 0)
    for entry in _entries(folder):
        if entry.is_dir(follow_symlinks=False):
            part, size = ("words" if entry.name in ("lexical", "postings") else "other"), sum(_files(Path(entry.path)))
        else:
            beginning = entry.name.split(".")[0].split("-")[0]
            part, size = (beginning if beginning in PARTS else "other"), _size(entry)
        parts[part] += size
    return parts


def _files(folder: Path) -> Iterator[int]:
    for entry in _entries(folder):
        if entry.is_dir(follow_symlinks=False):
            yield from _files(Path(entry.path))
        else:
            yield _size(entry)


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except OSError:  # it went while we were looking
        return []


def _size(entry: os.DirEntry[str]) -> int:
    try:
        return entry.stat(follow_symlinks=False).st_size
    except OSError:
        return 0
