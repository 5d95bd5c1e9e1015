"""What a workspace was at a moment: a list of its files, kept beside their content."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import zstandard

from rag_platform.core.errors import NotFound, StorageError
from rag_platform.operations.backup.target import Target

FORMAT = 1
SNAPSHOTS = "snapshots"


@dataclass(frozen=True, slots=True)
class CopiedFile:
    """A file of a snapshot."""

    path: str
    """In the workspace, with slashes."""
    size: int
    mtime_ns: int
    """Of sources' files it decides whether they are read again."""
    pieces: tuple[str, ...]
    """SHA-256 of each, in their order."""
    state: tuple[int, ...] = ()
    """What changes when the file is written to (`file_state`); empty where only its content tells."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A workspace at a moment."""

    id: str
    """Begins with the moment, so ids are in the order of time."""
    began_at: str
    made_at: str
    home: str
    release: str
    """Of the platform that made it."""
    live: str | None
    versions: tuple[str, ...]
    left_out: tuple[str, ...]
    """What of the workspace is not in it, and why."""
    files: tuple[CopiedFile, ...]

    @property
    def bytes(self) -> int:
        """Of all files."""
        return sum(file.size for file in self.files)

    def summary(self) -> dict[str, Any]:
        """Return what a list says of it."""
        return {
            "id": self.id,
            "made_at": self.made_at,
            "home": self.home,
            "release": self.release,
            "live": self.live,
            "versions": list(self.versions),
            "files": len(self.files),
            "bytes": self.bytes,
            "left_out": list(self.left_out),
        }


def write_snapshot(target: Target, snapshot: Snapshot) -> None:
    """Write a snapshot; from then on it counts."""
    content = json.dumps({"format": FORMAT, **asdict(snapshot)}, ensure_ascii=False, separators=(",", ":"))
    target.write(_name(snapshot.id), zstandard.compress(content.encode("utf-8", "surrogateescape")))


def snapshot_ids(target: Target) -> list[str]:
    """Name the snapshots, oldest first."""
    names = (name.rpartition("/")[2] for name in target.sizes(SNAPSHOTS))
    return sorted(name.removesuffix(".json.zst") for name in names if name.endswith(".json.zst"))


def read_snapshot(target: Target, snapshot_id: str) -> Snapshot:
    """Read a snapshot; `StorageError` when it is damaged, or a newer release made it."""
    try:
        content = json.loads(zstandard.decompress(target.read(_name(snapshot_id))).decode("utf-8", "surrogateescape"))
        made = content.pop("format")
        if made != FORMAT:
            raise StorageError(
                f"the backup {snapshot_id} in {target.place} has the form {made}; this release reads {FORMAT}. It was "
                f"made by release {content.get('release')}: restore it with that one or a later one"
            )
        files = tuple(
            CopiedFile(**one | {"pieces": tuple(one["pieces"]), "state": tuple(one["state"])})
            for one in content.pop("files")
        )
        versions, missing = tuple(content.pop("versions")), tuple(content.pop("left_out"))
        return Snapshot(**content, versions=versions, left_out=missing, files=files)
    except FileNotFoundError:
        raise NotFound(f"there is no backup {snapshot_id!r} in {target.place}") from None
    except (zstandard.ZstdError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise StorageError(f"the list of the backup {snapshot_id} in {target.place} is damaged: {error}") from error


def find_snapshot(target: Target, beginning: str | None) -> Snapshot:
    """Return the snapshot whose id begins so; None: the newest."""
    ids = snapshot_ids(target)
    found = ids[-1:] if beginning is None else [one for one in ids if one.startswith(beginning)]
    if len(found) != 1:
        raise NotFound(
            f"{len(found)} backups in {target.place} have an id that begins with {beginning or ''!r}; known: "
            f"{', '.join(ids) or 'none'}"
        )
    return read_snapshot(target, found[0])


def remove_snapshot(target: Target, snapshot_id: str) -> None:
    """Remove the list; content that no other one names is nobody's then."""
    target.delete(_name(snapshot_id))


def pieces_of(snapshots: Iterable[Snapshot]) -> set[str]:
    """Return the hashes of all content of these."""
    return {piece for snapshot in snapshots for file in snapshot.files for piece in file.pieces}


def known_files(snapshots: Sequence[Snapshot], home: str) -> dict[str, CopiedFile]:
    """Return the files of the newest snapshot of that workspace, by path."""
    last = next((one for one in reversed(snapshots) if one.home == home), None)
    return {file.path: file for file in last.files} if last else {}


def _name(snapshot_id: str) -> str:
    return f"{SNAPSHOTS}/{snapshot_id}.json.zst"
