"""Any reader of LlamaHub: the packages ``llama-index-readers-*``.

A reader that lists its resources is asked for that list, and only for those resources that changed; what it does not
list any more was deleted. Of any other reader all documents are loaded at each reading, and nothing tells whether that
is all there is: nothing is deleted because it is absent, unless the settings say `whole`.
"""

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePath
from typing import Any

from rag_platform.config.source_kinds import Context
from rag_platform.config.variables import Variables
from rag_platform.core.errors import FetchError, SourceError
from rag_platform.core.ids import digest
from rag_platform.core.ports import Fetched, Item, Listing, Validators
from rag_platform.sources.bridges.foreign_rows import COLUMNS, ForeignRows, key_of
from rag_platform.sources.bridges.library_process import PROGRAMS, LibraryProcess
from rag_platform.sources.bridges.llamahub_settings import LlamaHubSource
from rag_platform.sources.databases.cursors import Outcome, Waiting
from rag_platform.sources.databases.sql import CONTENT_TYPE
from rag_platform.text.row_templates import columns

ADDRESSES = ("url", "URL", "page_url", "source_url", "link", "permalink")
"""Metadata that is an address, before a reader's own id."""
IDENTIFYING = (
    *((name,) for name in (*ADDRESSES, "id", "file_path", "page_id", "message_id")),
    ("folder_path", "file_name"),
)
"""What identifies a document where the settings do not say: the first of these that it has."""

_Read = tuple[list[Item], list[tuple[str, str]]]
"""Items, and (uri, reason) of documents that are none."""
_Parts = dict[str, list[Mapping[str, Any]]]


class LlamaHub:
    """Lists a reader's documents or resources."""

    def __init__(self, settings: LlamaHubSource, context: Context) -> None:
        variables = Variables(context.environ or os.environ, context.secrets)
        self._settings = settings
        self._process = LibraryProcess(PROGRAMS / "read_llamahub.py", "llamahub", settings, context.home, variables)
        self._last = context.last
        self._home = context.home.resolve()
        self._rows = ForeignRows(settings)
        self._waiting = Waiting()

    def list(self) -> Listing:
        """Name the documents; those without text or without anything that identifies them are among `failed`."""
        rows, resources, lists = [], {}, False
        for message in self._process.ask(self._request()):
            if "row" in message:
                rows.append(message["row"])
            elif "resource" in message:
                resources[self._uri_of(message["resource"])] = message
            else:
                lists = message["lists"]
        self._waiting = Waiting({uri: message["resource"] for uri, message in resources.items()})
        items, failed = self._documents(rows)
        items += [self._resource(uri, message["about"]) for uri, message in resources.items()]
        if not lists and not any(self._last(item.uri) for item in items):  # the first reading
            self._rows.refuse_unknown_columns()
        whole = lists if self._settings.whole is None else self._settings.whole
        return Listing(items, complete=whole, failed=failed, expect=self._waiting.expect)

    def fetch(self, item: Item, validators: Validators) -> Fetched:  # noqa: ARG002  the listing's mark has decided
        """Return a document's text, or load a resource."""
        if item.content is not None:
            return Fetched(item.content, CONTENT_TYPE)
        outcome = self._waiting.take(item.uri, self._load)
        if isinstance(outcome, str):
            raise FetchError(outcome)
        dates = {name: date for name, date in item.metadata.items() if name.endswith("_at")}
        return replace(outcome, metadata={**outcome.metadata, **dates})  # a list has the time, a document often the day

    def _documents(self, rows: Iterable[Mapping[str, Any]]) -> _Read:
        parts: _Parts = {}
        failed = []
        for number, row in enumerate(rows, start=1):
            if key := self._key(row):
                parts.setdefault(key, []).append(row)
            else:
                failed.append((f"llamahub://{self._settings.id}/document {number}", self._nameless(row)))
        if failed and not parts:
            raise SourceError(f"source {self._settings.id!r} could not be read: {failed[0][1]}. Nothing was changed")
        joined = {key: _joined(rows) for key, rows in parts.items()}
        failed += [(self._rows.uri(row, key), "it has no text") for key, row in joined.items() if not row["text"]]
        return [self._rows.item(row, key) for key, row in joined.items() if row["text"]], failed

    def _key(self, row: Mapping[str, Any]) -> str:
        return next((key for names in self._identifying() if (key := key_of(row, names))), "")

    def _identifying(self) -> Iterable[Sequence[str]]:
        if self._settings.key:
            return [[self._settings.key]]
        return [columns(self._settings.uri)] if self._settings.uri else IDENTIFYING

    def _nameless(self, row: Mapping[str, Any]) -> str:
        named = ", ".join(name for name in row if name not in ("text", "id")) or "none"
        return f"nothing identifies it from one reading to the next; set `key` or `uri` by its metadata: {named}"

    def _resource(self, uri: str, about: Mapping[str, Any]) -> Item:
        """Return a resource as an item, with a mark where what is known of it has a date."""
        known = self._rows.metadata({"file_name": PurePath(uri).name, **about}, uri)
        dated = any(about.get(name) for name in COLUMNS["updated_at"])
        return Item(uri, digest(self._rows.version, repr(sorted(about.items()))) if dated else None, known)

    def _uri_of(self, resource: str) -> str:
        inside = PurePath(resource)
        if inside.is_relative_to(self._home):  # wherever the workspace lies
            resource = inside.relative_to(self._home).as_posix()
        return f"llamahub://{self._settings.id}/{resource.lstrip('/')}"

    def _load(self, wanted: Mapping[str, Any]) -> dict[str, Outcome]:
        """Load resources; for each, its text or why it could not be loaded."""
        rows: _Parts = {}
        failed: dict[str, str] = {}
        try:
            for message in self._process.ask(self._request(list(wanted.values()))):
                if "row" in message:
                    rows.setdefault(message["of"], []).append(message["row"])
                elif "failed" in message:
                    failed[message["of"]] = message["failed"]
        except SourceError as error:
            return dict.fromkeys(wanted, str(error))
        return {
            uri: failed.get(resource) or self._loaded(uri, rows.get(resource, ())) for uri, resource in wanted.items()
        }

    def _loaded(self, uri: str, rows: Iterable[Mapping[str, Any]]) -> Outcome:
        row = _joined(rows)
        item = self._rows.item(row, uri)
        return Fetched(item.content or b"", CONTENT_TYPE, metadata=item.metadata) if row["text"] else "it has no text"

    def _request(self, wanted: Sequence[str] | None = None) -> dict[str, Any]:
        return {"reader": self._settings.reader, "wanted": wanted}


def _joined(rows: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the parts of one document, such as its pages, as one row: what is known is what is known of the first."""
    parts = list(rows)
    text = "\n\n".join(str(part["text"]).strip() for part in parts).strip()
    return {**(parts[0] if parts else {}), "text": text}
