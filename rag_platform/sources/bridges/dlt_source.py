"""Any source of dlt: a REST API by declaration, tables, files, dlt's verified sources, or one of your own.

dlt reads in a process of its own; its cursors, and what else it keeps in its state, are kept beside the raw table, and
go on only when all that was read is in it. So a sync that is killed reads again, and loses nothing.
"""

import base64
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from rag_platform.config.source_kinds import Context
from rag_platform.config.variables import Variables
from rag_platform.core.errors import FetchError, SourceError
from rag_platform.core.ids import digest
from rag_platform.core.ports import Fetched, Gone, Item, Listing, Validators
from rag_platform.sources.bridges.dlt_settings import DltSource
from rag_platform.sources.bridges.foreign_rows import ForeignRows, key_of
from rag_platform.sources.bridges.library_process import PROGRAMS, LibraryProcess
from rag_platform.sources.bridges.saved_state import STATES, SavedState
from rag_platform.sources.databases.cursors import BYTES_TOGETHER, Outcome, Waiting
from rag_platform.sources.databases.sql import CONTENT_TYPE
from rag_platform.sources.dates import iso_utc

_Read = tuple[dict[str, Item], list[tuple[str, str]]]
"""Items by uri, and (uri, reason) of rows that are none."""


class Dlt:
    """Lists what dlt reads: all there is, or what came since the last time."""

    def __init__(self, settings: DltSource, context: Context) -> None:
        variables = Variables(context.environ or os.environ, context.secrets)
        self._settings = settings
        self._process = LibraryProcess(PROGRAMS / "read_dlt.py", "dlt", settings, context.home, variables)
        self._last = context.last
        self._rows = ForeignRows(settings)
        self._saved = SavedState(_place(context.home, settings.id), self._version(), context.last)
        self._files = Waiting()
        self._began: str | None = None
        self._reached: str | None = None
        self._read: list[tuple[bool, str]] = []
        """(known before, uri) of what is in the table once this has settled."""
        self._lost = False
        self._gone: set[str] = set()

    def list(self) -> Listing:
        """Read the resource; rows without a key are among `failed`, and rows that dlt calls deleted are gone."""
        self._began, self._lost, rows, files, about = self._saved.read(), False, [], [], {}
        for message in self._ask():
            if "row" in message:
                rows.append(message["row"])
            elif "file" in message:
                files.append(message["file"])
            else:
                about = message
        items, failed = self._items(rows, about)
        items |= {item.uri: item for item in map(self._file, files)}
        urls = {self._uri_of(file): file["url"] for file in files}
        sizes = {self._uri_of(file): file["size"] or 0 for file in files}
        self._files = Waiting(urls, sizes, min(BYTES_TOGETHER, self._settings.max_bytes // 2))
        self._reached, self._lost = about["state"], bool(failed)
        known = (uri for uri in items if uri not in self._gone and self._last(uri))
        self._read = [(True, uri) for uri in islice(known, 1)]
        if not self._began and not self._read:  # the first reading
            self._rows.refuse_unknown_columns()
        return Listing(list(items.values()), complete=self._whole(about), failed=failed, expect=self._files.expect)

    def fetch(self, item: Item, validators: Validators) -> Fetched:  # noqa: ARG002  dlt's cursors tell what changed
        """Return a row's text, or read a file."""
        if item.uri in self._gone:
            raise Gone(f"{item.uri}: dlt says that it was deleted")
        fetched = Fetched(item.content, CONTENT_TYPE) if item.content is not None else self._file_read(item.uri)
        self._read.append((self._last(item.uri) is not None, item.uri))
        return fetched

    def restart(self) -> None:
        """Read from the beginning at the next listing."""
        self._saved.forget()

    def settled(self) -> None:
        """Go on from here at the next listing, unless something could not be read."""
        if self._reached and self._read and not self._lost:
            self._saved.write(self._reached, min(self._read)[1])  # one that is new, if any: no older table has it

    def _items(self, rows: Sequence[Mapping[str, Any]], about: Mapping[str, Any]) -> _Read:
        columns = [self._settings.key] if self._settings.key else about["key"]
        if rows and not columns:
            raise SourceError(
                f"source {self._settings.id!r}: nothing says what identifies a row; set `key` to one of its columns: "
                f"{', '.join(rows[0])}. Nothing was changed"
            )
        items: dict[str, Item] = {}
        failed, self._gone = [], set()
        for number, row in enumerate(rows, start=1):
            key = key_of(row, columns)
            if not key:
                failed.append((f"dlt://{self._settings.id}/row {number}", f"{', '.join(columns)} is null"))
            elif (deleted := about["deleted"]) and row.get(deleted):
                self._delete(self._rows.uri(row, key), items)
            else:
                item = self._rows.item(row, key)
                items[item.uri] = item  # of several states of a row the last one counts
                self._gone.discard(item.uri)
        return items, failed

    def _delete(self, uri: str, items: dict[str, Item]) -> None:
        items.pop(uri, None)
        if self._last(uri):
            items[uri] = Item(uri)
            self._gone.add(uri)

    def _whole(self, about: Mapping[str, Any]) -> bool:
        if self._settings.whole is not None:
            return self._settings.whole
        return not about["state"] or (not self._began and bool(about["cursors_only"]))

    def _uri_of(self, file: Mapping[str, Any]) -> str:
        return f"dlt://{self._settings.id}/{file['path'] or file['url']}"

    def _file(self, file: Mapping[str, Any]) -> Item:
        known = {"title": file["name"], "updated_at": iso_utc(file["updated_at"])}
        mark = f"{file['updated_at']} {file['size']}" if file["updated_at"] else None
        return Item(self._uri_of(file), mark, {name: value for name, value in known.items() if value})

    def _file_read(self, uri: str) -> Fetched:
        outcome = self._files.take(uri, self._read_files)
        if isinstance(outcome, str):
            self._lost = True
            raise FetchError(outcome)
        return outcome

    def _read_files(self, wanted: Mapping[str, Any]) -> dict[str, Outcome]:
        """Read files by their addresses; for each, its bytes or why it could not be read."""
        try:
            read = {message["of"]: message for message in self._ask(list(wanted.values())) if "of" in message}
        except SourceError as error:
            return dict.fromkeys(wanted, str(error))
        return {uri: _outcome(read.get(url)) for uri, url in wanted.items()}

    def _ask(self, wanted: Sequence[str] | None = None) -> Iterator[dict[str, Any]]:
        named = ("source", "resource", "key")
        request = {name: getattr(self._settings, name) for name in named}
        return self._process.ask({**request, "state": self._began, "wanted": wanted})

    def _version(self) -> str:
        """Return what changes when the same rows would become other documents, or others be read."""
        settings = self._settings.model_dump(mode="json", include={"source", "resource", "incremental", "arguments"})
        return digest(self._rows.version, self._settings.key, json.dumps(settings, sort_keys=True))


def _outcome(read: Mapping[str, Any] | None) -> Outcome:
    if read is None:
        return "the file went while the source was read"
    return read["failed"] if "failed" in read else Fetched(base64.b64decode(read["content"]))


def _place(home: Path, source_id: str) -> Path:
    return home / "data" / STATES / f"{source_id}.json"
