"""The stages' tables in an object store: immutable files, and for each table an object that names the present one.

That object is compared and swapped. A file has a name of its own for each write, so that whoever reads an older one is
never given half of two. This machine's files are copies, known by the name that they had there.
"""

import json
import secrets
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from rag_platform.core.errors import DamagedFile, StorageError
from rag_platform.core.ports import Locks
from rag_platform.storage.atomic import file_sha256, write_bytes
from rag_platform.storage.hashed.table_files import forget_table, previous_table, table_problem, table_write
from rag_platform.storage.objects.object_store import ObjectStore, Overtaken
from rag_platform.storage.objects.shared_blobs import FOLDER as BLOBS
from rag_platform.storage.objects.shared_blobs import SharedBlobs
from rag_platform.storage.relational.shared_records import SharedRecords
from rag_platform.storage.tables import Store

SHARED = ("raw", "documents", "chunks", "embeddings")
"""The stages whose tables lie there; who may read what stays beside the rules of people."""
_FOLDER = "tables"
_NOTES = ".shared"
MARKER = f"raw/{_NOTES}.json"
"""The file of data that says to which address all that lies there was handed over."""
_ROUNDS = 5
"""Attempts to read a table that others replace meanwhile."""
_NOTHING = b"{}"
"""What stands for a table that was removed: the object stays, so that its removal too is compared and swapped."""


@dataclass(frozen=True, slots=True)
class Present:
    """Which file a table is now."""

    object: str
    sha256: str
    written_at: str
    by: str


class SharedStore(Store):
    """The tables of a workspace that several machines write."""

    def __init__(
        self, folder: Path, locks: Locks | None, objects: ObjectStore, *, records: SharedRecords | None = None
    ) -> None:
        super().__init__(folder, locks, records=records)
        self._objects = objects
        self._local = threading.local()
        self._renewed = False
        self.blobs: SharedBlobs = SharedBlobs(folder / "raw" / "blobs", objects, self.handed_over)

    @property
    def _marks(self) -> dict[tuple[str, str], str | None]:
        """The marks of what this thread has read or written last: what its writes begin from."""
        known: dict[tuple[str, str], str | None] = self._local.__dict__.setdefault("marks", {})
        return known

    def here(self, stage: str, source: str) -> Path:
        """Return this machine's file of a table, after it was fetched if another machine has written it."""
        path = self.path(stage, source)
        if not _is_shared(stage):
            return path
        for _ in range(_ROUNDS):
            present = self._present(stage, source)
            if present is None:
                if self.handed_over():
                    self._forget(stage, source)
                return path
            if self._noted(stage, source) == present.object and path.exists() and not table_problem(path):
                return path
            if self._fetch(stage, source, present):
                return path
        raise DamagedFile(f"{self._objects.address}/{_pointer(stage, source)}", "the object that it names is missing")

    @contextmanager
    def rewriting(self, stage: str, source: str) -> Iterator[Path]:
        """Give a file to write, which takes the place of the table's there and here."""
        if not _is_shared(stage):
            with super().rewriting(stage, source) as beside:
                yield beside
            return
        if (stage, source) not in self._marks:
            self._present(stage, source)
        with super().rewriting(stage, source) as beside:
            yield beside
            published = self._publish(stage, source, beside)
        self._note(stage, source, published)

    def drop(self, stage: str, source: str) -> None:
        """Remove a table, there and here."""
        self.locks.assure()
        if _is_shared(stage) and (present := self._present(stage, source)):
            self._swap(stage, source, _NOTHING)
            self._objects.delete(present.object)
        self._forget(stage, source)

    def sources(self, stage: str) -> list[str]:
        """Name the sources that have a table of this stage."""
        if not _is_shared(stage):
            return super().sources(stage)
        begins = f"{_FOLDER}/{stage}/"
        named = {
            name.removeprefix(begins).removesuffix(".json")
            for name, size in self._objects.sizes(begins.rstrip("/")).items()
            if name.endswith(".json") and size > len(_NOTHING)
        }
        there = {name for name in named if "/" not in name}
        return sorted(there | (set() if self.handed_over() else {*super().sources(stage)}))

    def stages(self, below: str) -> list[str]:
        """Name the stages below one that is a group of them."""
        begins = f"{_FOLDER}/{below}/"
        named = (name.removeprefix(begins) for name in self._objects.sizes(begins.rstrip("/")))
        return sorted({f"{below}/{name.partition('/')[0]}" for name in named if "/" in name} | {*super().stages(below)})

    def bring_here(self) -> None:
        """Fetch all tables and all raw bytes."""
        for stage, source in self._all():
            self.here(stage, source)
        for sha256 in self.blobs.hashes():
            self.blobs.file(sha256)

    def damages(self) -> Iterator[tuple[str, str, str]]:
        """Yield (stage, source, what is wrong) of each table whose object is not what was written."""
        for stage, source in self._all():
            present = self._present(stage, source)
            try:
                if present and not self._fetch(stage, source, present) and self._present(stage, source) == present:
                    yield stage, source, f"{present.object} is missing in {self._objects.address}"
            except DamagedFile as error:
                yield stage, source, str(error)

    def there(self) -> tuple[int, int]:
        """Return how many objects there are, and their bytes."""
        sizes = self._objects.sizes(_FOLDER) | self._objects.sizes(BLOBS)
        return len(sizes), sum(sizes.values())

    def is_copy(self, stage: str) -> bool:
        """Return whether the files of a stage are copies."""
        return _is_shared(stage)

    def out_of_reach(self) -> list[str]:
        """Say what keeps things that were removed, and cannot be told to let go."""
        try:
            kept = self._objects.keeps_versions()
        except StorageError as error:
            return [f"whether the bucket keeps versions of what was removed is not known: {error}"]
        told = f"the bucket of {self._objects.address} keeps versions of what was removed: remove them there"
        return [told] if kept else []

    def take_over(self) -> None:
        """Put the files that lie here in the place of what the object store has; nobody may be writing."""
        own = super().sources  # a comprehension has no `super` of this object
        here = {(stage, source) for stage in self._own_stages() for source in own(stage)}
        for stage, source in self._all():
            if (stage, source) not in here:
                self.drop(stage, source)
        for stage, source in sorted(here):
            self._present(stage, source)
            self._note(stage, source, self._publish(stage, source, self.path(stage, source)))
        self._end_handing_over()

    def sweep(self) -> None:
        """Remove the files that no table names: those of killed writers. Nobody may be writing."""
        named = {present.object for stage, source in self._all() if (present := self._present(stage, source))}
        for name in self._objects.sizes(_FOLDER):
            if name.endswith(".parquet") and name not in named:
                self._objects.delete(name)

    @contextmanager
    def lock(self, name: str) -> Iterator[None]:
        """Hold the writer's lock; the first that does hands over what only this machine has."""
        with super().lock(name):
            if not self.handed_over():
                self._hand_over()
            elif not self._renewed:
                self._renew()
            self._renewed = True
            yield

    # --- handing over -----------------------------------------------------------------------------------

    def handed_over(self) -> bool:
        """Return whether the object store has all tables and bytes that lie here, so that what it lacks is gone."""
        try:
            return bool(json.loads(self._marker.read_bytes())["address"] == self._objects.address)
        except (OSError, ValueError, KeyError):
            return False

    @property
    def _marker(self) -> Path:
        return self.folder / MARKER

    def _hand_over(self) -> None:
        """Give the object store what lies here: `StorageError` where it has another table of the same name."""
        for stage in self._own_stages():
            for source in super().sources(stage):
                self._hand_over_table(stage, source)
        self._end_handing_over()

    def _renew(self) -> None:
        """Let no copy be older than what lies there, so that what other machines have forgotten is not here."""
        self.blobs.trim()
        for stage in self._own_stages():
            for source in super().sources(stage):
                with suppress(DamagedFile):  # whoever reads it is told
                    self.here(stage, source)

    def _end_handing_over(self) -> None:
        self.blobs.hand_over()
        write_bytes(self._marker, json.dumps({"address": self._objects.address}).encode())

    def _own_stages(self) -> list[str]:
        return [*SHARED[:-1], *super().stages(SHARED[-1])]

    def _hand_over_table(self, stage: str, source: str) -> None:
        path = self.path(stage, source)
        if table_problem(path) or not path.exists():
            return
        present = self._present(stage, source)
        if present and present.sha256 != file_sha256(path):
            raise StorageError(
                f"{self._objects.address} has another table {stage} of {source!r} than {self.folder}, whose it never "
                "was. Give [scale] objects a prefix of its own, or move the folder of data aside"
            )
        self._note(stage, source, present or self._publish(stage, source, path))

    # --- one table --------------------------------------------------------------------------------------

    def _present(self, stage: str, source: str) -> Present | None:
        """Return which file a table is now, and keep the mark that says so."""
        found = self._objects.read(_pointer(stage, source))
        self._marks[stage, source] = found[1] if found else None
        named = json.loads(found[0]) if found else {}
        return Present(**named) if named else None

    def _fetch(self, stage: str, source: str, present: Present) -> bool:
        """Replace this machine's file by the present one; returns whether that was there."""
        path = self.path(stage, source)
        path.parent.mkdir(parents=True, exist_ok=True)
        beside = path.with_name(f".{path.name}.{secrets.token_hex(8)}.new")
        try:
            if not self._objects.download(present.object, beside):
                return False
            if file_sha256(beside) != present.sha256:
                raise DamagedFile(f"{self._objects.address}/{present.object}", "it is not what was written")
            with table_write(path) as fetched:
                beside.replace(fetched)
        finally:
            beside.unlink(missing_ok=True)
        previous_table(path).unlink(missing_ok=True)  # it is not what was there before another machine wrote
        self._note(stage, source, present)
        return True

    def _publish(self, stage: str, source: str, file: Path) -> Present:
        """Make a file the present one, unless the table was written by another machine since it was read here."""
        before = self._objects.read(_pointer(stage, source))
        sha256 = file_sha256(file)
        name = f"{_FOLDER}/{stage}/{source}/{sha256[:16]}-{secrets.token_hex(8)}.parquet"
        present = Present(name, sha256, datetime.now(UTC).isoformat(), socket.gethostname())
        self._objects.upload(name, file)
        try:
            self._swap(stage, source, json.dumps(asdict(present)).encode())
        except StorageError:
            self._objects.delete(name)
            raise
        if before and (old := json.loads(before[0]).get("object")):
            self._objects.delete(old)
        return present

    def _swap(self, stage: str, source: str, content: bytes) -> None:
        mark = self._marks.get((stage, source))
        try:
            self._marks[stage, source] = self._objects.write(_pointer(stage, source), content, mark)
        except Overtaken:
            del self._marks[stage, source]
            raise StorageError(
                f"another machine has written the table {stage} of {source!r} since it was read here; nothing was "
                "written over it. Run again: what it wrote is read first"
            ) from None

    def _all(self) -> list[tuple[str, str]]:
        stages = (*SHARED[:-1], *self.stages(SHARED[-1]))
        return [(stage, source) for stage in stages for source in self.sources(stage)]

    def _noted(self, stage: str, source: str) -> str | None:
        try:
            return str(json.loads(self._note_file(stage, source).read_bytes())["object"])
        except (OSError, ValueError, KeyError):
            return None

    def _note(self, stage: str, source: str, present: Present) -> None:
        write_bytes(self._note_file(stage, source), json.dumps(asdict(present)).encode())

    def _note_file(self, stage: str, source: str) -> Path:
        return self.folder / stage / _NOTES / f"{source}.json"

    def _forget(self, stage: str, source: str) -> None:
        forget_table(self.path(stage, source))
        self._note_file(stage, source).unlink(missing_ok=True)


def _is_shared(stage: str) -> bool:
    return stage.partition("/")[0] in SHARED


def _pointer(stage: str, source: str) -> str:
    return f"{_FOLDER}/{stage}/{source}.json"
