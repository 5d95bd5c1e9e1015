"""The list of what was forgotten and must not be read again: hashes and ids only, never an address or a text."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, get_args

import polars as pl

from rag_platform.access.permission import Listed
from rag_platform.config.sections.sources import SourceSettings
from rag_platform.core.errors import DamagedFile, NotFound, StorageError
from rag_platform.core.ids import digest, document_id
from rag_platform.core.ports import Listing, Source
from rag_platform.raw.delegating_source import DelegatingSource
from rag_platform.storage.atomic import write_bytes
from rag_platform.storage.hashed.sealed import sealed_line, unsealed_lines
from rag_platform.storage.hashed.table_files import set_aside
from rag_platform.storage.relational.shared_records import FORGOTTEN, SharedRecords

Kind = Literal["uri", "source", "principal"]
KINDS: tuple[Kind, ...] = get_args(Kind)


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that was forgotten."""

    id: str
    kind: Kind
    target: str
    """`target_hash` of what was named."""
    doc_ids: tuple[str, ...]
    """The documents that were removed; they are not read again, whatever becomes of their source."""
    at: str
    who: str
    why: str
    done_at: str | None = None
    """None: it was begun, and whoever comes next finishes it."""
    undone_at: str | None = None
    """Since when it may be read again."""


def target_hash(kind: Kind, name: str) -> str:
    """Return what stands in the list for a name."""
    return digest("forgotten", kind, name)


class Suppression:
    """The list, as it stands in its file: one JSON document a line, replaced whole.

    With `records`, all machines have one list; the file of each is a copy, and what it alone knows counts as well.
    """

    def __init__(self, path: Path, records: SharedRecords | None = None) -> None:
        self.path, self._records = path, records

    def entries(self) -> list[Entry]:
        """Return all entries, oldest first; `StorageError` when the file is damaged: nothing is read in doubt."""
        if self._records is None:
            return self._in_file()
        return _joined(self._in_file(), _entries_of(self._records.get(FORGOTTEN)))

    def _in_file(self) -> list[Entry]:
        try:
            content = self.path.read_bytes()
        except FileNotFoundError:
            if self._twin.exists():
                raise self._damaged("it is missing") from None
            return []
        found, damaged = unsealed_lines(content)
        if damaged:
            raise self._damaged(f"{len(damaged)} of its lines are not what was written")
        entries = list(map(_entry, found))
        if self._twin.exists() and len(unsealed_lines(self._twin.read_bytes())[0]) > len(entries):
            raise self._damaged("lines of it are missing")
        return entries

    @property
    def _twin(self) -> Path:
        return self.path.with_suffix(".copy.jsonl")

    def _damaged(self, why: str) -> StorageError:
        return DamagedFile(self.path, f"{why}, and without it what was forgotten would be read again")

    def mend(self, data: Path) -> str:
        """Write the list anew from all that is left of it, of its twin and of the reports; say what came of it."""
        known: dict[str, Entry] = {}
        for report in sorted((data / "forgotten").glob("*.json")):
            told = json.loads(report.read_bytes())
            named = {field.name: told.get(field.name) for field in fields(Entry)} | {"done_at": told["finished_at"]}
            known[told["id"]] = _entry(named)
        for path in (self._twin, self.path):
            if path.exists():
                known |= {entry.id: entry for entry in map(_entry, unsealed_lines(path.read_bytes())[0])}
        kept = f"; the damaged one is kept in {set_aside(self.path, data)}" if self.path.exists() else ""
        self.write(sorted(known.values(), key=lambda entry: entry.at))
        return f"it holds {len(known)} entries again{kept}"

    def unfinished(self) -> list[Entry]:
        """Return the entries whose removal was begun and not finished."""
        return [entry for entry in self.entries() if not entry.done_at and not entry.undone_at]

    def find(self, beginning: str) -> Entry:
        """Return the entry whose id begins so."""
        found = [entry for entry in self.entries() if beginning and entry.id.startswith(beginning)]
        if len(found) != 1:
            known = ", ".join(entry.id for entry in self.entries()) or "none"
            raise NotFound(f"{len(found)} entries have an id that begins with {beginning!r}; known: {known}")
        return found[0]

    def add(self, entry: Entry) -> None:
        """Write an entry down, before anything is removed."""
        self._put(entry)

    def finish(self, entry: Entry) -> None:
        """Note that all has been removed."""
        self._put(replace(entry, done_at=datetime.now(UTC).isoformat()))

    def undo(self, entry: Entry) -> None:
        """Let the next sync read it again."""
        self._put(replace(entry, undone_at=datetime.now(UTC).isoformat()))

    def rule(self) -> "Rule":
        """Return what must not be read."""
        active = [entry for entry in self.entries() if not entry.undone_at]
        by_kind = {kind: frozenset(entry.target for entry in active if entry.kind == kind) for kind in KINDS}
        doc_ids = frozenset(doc_id for entry in active for doc_id in entry.doc_ids)
        return Rule(doc_ids, by_kind["source"], by_kind["principal"])

    def _put(self, entry: Entry) -> None:
        self.write(_joined(self.entries(), [entry]))

    def write(self, entries: Sequence[Entry]) -> None:
        """Replace the whole list; what other machines have added since stays."""
        if self._records:  # first, so that no machine shows what was forgotten
            self._records.change(FORGOTTEN, lambda known: _lines(_joined(_entries_of(known), entries)))
        self._keep(entries)

    def bring_here(self) -> None:
        """Have the file tell what other machines have added."""
        if self._records:
            self._keep(self.entries())

    def _keep(self, entries: Sequence[Entry]) -> None:
        for path in (self.path, self._twin):
            write_bytes(path, _lines(entries))


def _joined(known: Iterable[Entry], newer: Iterable[Entry]) -> list[Entry]:
    """Return the entries of both, oldest first; of one that is in both, the newer state."""
    return sorted({entry.id: entry for entry in (*known, *newer)}.values(), key=lambda entry: entry.at)


def _lines(entries: Iterable[Entry]) -> bytes:
    return b"".join(sealed_line(asdict(entry)) + b"\n" for entry in entries)


def _entries_of(lines: bytes | None) -> list[Entry]:
    found, damaged = unsealed_lines(lines or b"")
    if damaged:
        raise StorageError("the list of what was forgotten in [scale] database is damaged: nothing is shown without it")
    return [*map(_entry, found)]


def _entry(named: Mapping[str, Any]) -> Entry:
    return replace(Entry(**named), doc_ids=tuple(named["doc_ids"]))


Forgotten = Callable[..., bool]
"""Given an address and, if they are its own, who may read what is there: was it forgotten?"""


@dataclass(frozen=True, slots=True)
class Rule:
    """What must not be read."""

    doc_ids: frozenset[str]
    sources: frozenset[str]
    principals: frozenset[str]

    def __bool__(self) -> bool:
        return bool(self.doc_ids or self.sources or self.principals)

    def forgotten(self, source: SourceSettings) -> Forgotten:
        """Return the test of whether an address of a source was forgotten, given who may read what is there.

        Nobody named means whoever may read the source.
        """
        everything = target_hash("source", source.id) in self.sources
        if everything or not self:  # of most workspaces nothing was forgotten, and no address need be hashed
            return lambda _uri, _principals=(): everything

        def was_forgotten(uri: str, principals: Iterable[str] = ()) -> bool:
            return document_id(source.id, uri) in self.doc_ids or self.nobody_left(principals or source.principals)

        return was_forgotten

    def nobody_left(self, principals: Iterable[str]) -> bool:
        """Return whether everyone who may read this has been forgotten."""
        readers = {target_hash("principal", principal) for principal in principals}
        return bool(readers) and readers <= self.principals


class SuppressingSource(DelegatingSource):
    """A source without what was forgotten; counts what it left out."""

    def __init__(self, source: Source, forgotten: Forgotten) -> None:
        super().__init__(source)
        self._forgotten = forgotten
        self.left_out = 0

    def list(self) -> Listing:
        """Name what there is and was not forgotten."""
        listing = self._source.list()
        kept = [item for item in listing.items if not self._forgotten(item.uri, readers_of(item.metadata))]
        self.left_out = len({item.uri for item in listing.items} - {item.uri for item in kept})
        failed = [(uri, reason) for uri, reason in listing.failed if not self._forgotten(uri)]
        return replace(listing, items=kept, failed=failed)

    def remembered(self, raw: pl.DataFrame) -> pl.DataFrame:
        """Return the rows of a raw table that were not forgotten."""
        rows = raw.select("uri", "metadata").iter_rows()
        kept = [not self._forgotten(uri, readers_of(metadata)) for uri, metadata in rows]
        return raw.filter(pl.Series(kept, dtype=pl.Boolean))


def readers_of(metadata: Mapping[str, Any] | str | None) -> tuple[str, ...]:
    """Return who may read an item, if its source says so of the item itself; metadata may be JSON."""
    principals = _metadata(metadata).get("principals")
    return tuple(principals) if isinstance(principals, list | tuple) else ()


def listed(metadata: str | None) -> Listed:
    """Return what a raw row's metadata says of who may read it."""
    return Listed(readers_of(metadata), str(_metadata(metadata).get("collection") or ""))


def _metadata(metadata: Mapping[str, Any] | str | None) -> Mapping[str, Any]:
    if isinstance(metadata, str):
        try:
            metadata = json.loads(metadata)
        except ValueError:
            return {}
    return metadata if isinstance(metadata, Mapping) else {}
