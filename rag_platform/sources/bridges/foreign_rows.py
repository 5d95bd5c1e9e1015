"""Rows as other libraries give them -> items, whatever their columns are called."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from rag_platform.core.errors import SourceError
from rag_platform.core.ids import digest
from rag_platform.core.ports import Item
from rag_platform.sources.bridges.settings import BridgeSettings
from rag_platform.sources.databases.row_documents import Row, RowDocuments
from rag_platform.sources.dates import iso_utc
from rag_platform.text.row_templates import readable

KEY, ADDRESS, TEXT = "_key", "_address", "_text"
"""Columns that every row is given: what identifies it, its address if that is one on the web, and all that it says."""
TYPE, TAGS = "_type", "_tags"
"""What a row says of itself in columns of these names, for a source that takes them."""
COLUMNS = {
    "title": ("title", "page_title", "subject", "name", "file_name"),
    "author": ("author", "authors", "creator", "user_name", "username", "from"),
    "published_at": ("published_at", "published", "created_at", "creation_date", "created_time", "created", "date"),
    "updated_at": (
        *("updated_at", "updated", "last_modified_date", "last_modified", "modified_at", "modification_date"),
        *("last_edited_time", "edited_at"),
    ),
}
"""Where the settings name no column: the first of these that a row has."""


class ForeignRows:
    """Makes items of rows, as the settings say or the columns' names suggest."""

    def __init__(self, settings: BridgeSettings, *, kinds: bool = False) -> None:
        """Prepare for rows of a source; `kinds`: their columns `type` and `tags` count where the settings name none."""
        given = {name: getattr(settings, name) for name in COLUMNS}
        guessed = {name: name_of(name) for name, value in given.items() if value is None}
        templates = {name: column if name.endswith("_at") else f"{{{column}}}" for name, column in guessed.items()}
        suggested = {
            "key": KEY,
            "uri": settings.uri or f"{{{ADDRESS}}}",
            "template": settings.template or f"{{{TEXT}}}",
        }
        stated = {"type": f"{{{TYPE}}}", "tags": (f"{{{TAGS}}}",)} if kinds else {}
        stated = {name: template for name, template in stated.items() if name not in settings.model_fields_set}
        self._type = settings.type
        self._settings = settings.model_copy(update={**templates, **suggested, **stated})
        self._documents = RowDocuments(self._settings)
        self._own = {KEY, ADDRESS, TEXT, TYPE, TAGS, *guessed.values()}
        self._unseen = self._documents.needed() - self._own
        self._columns: dict[str, None] = {}
        self.version = self._documents.version

    def uri(self, row: Row, key: str) -> str:
        """Return the address of a row, by its key."""
        return self._documents.uri(self._completed(row, key))

    def metadata(self, row: Row, key: str) -> dict[str, Any]:
        """Return what a row says of a document."""
        return self._documents.metadata(self._completed(row, key))

    def item(self, row: Row, key: str) -> Item:
        """Return a row as an item that carries its text."""
        self._columns |= dict.fromkeys(row)
        completed = self._completed(row, key)
        self._unseen -= {name for name in self._unseen if completed[name] is not None}
        content, metadata = self._documents.content(completed), self._documents.metadata(completed)
        mark = digest(content.decode(), json.dumps(metadata, sort_keys=True, ensure_ascii=False))
        return Item(self._documents.uri(completed), mark, metadata, content)

    def refuse_unknown_columns(self) -> None:
        """Raise `SourceError` when the settings name a column in which none of the rows has a value."""
        if self._unseen and self._columns:
            raise SourceError(
                f"source {self._settings.id!r}: no row has a value in {', '.join(sorted(self._unseen))}; the columns "
                f"are {', '.join(self._columns)}. Nothing was changed"
            )

    def _completed(self, row: Row, key: str) -> dict[str, Any]:
        """Add the columns that every row has, and those inside of others: ``user.name`` is `name` in `user`."""
        address = key if key.startswith(("http://", "https://")) else ""
        own = {KEY: key, ADDRESS: address, TEXT: row.get("text") or _all_of(row)}
        own |= {TYPE: row.get("type") or self._type, TAGS: row.get("tags")}
        guessed = {name_of(name): _first(row, name) for name in COLUMNS}
        inner = {name: _inside(row, name) for name in self._documents.needed() - self._own if name not in row}
        return {**inner, **row, **own, **guessed}


def name_of(fact: str) -> str:
    """Return the column in which a row is given what is guessed of it."""
    return f"_{fact}"


def key_of(row: Row, columns: Iterable[str]) -> str:
    """Return what identifies a row; empty when one of the columns is."""
    parts = [readable(_inside(row, column)) for column in columns]
    return "/".join(parts) if all(parts) else ""


def _first(row: Row, fact: str) -> Any:
    for column in COLUMNS[fact]:
        value = row.get(column)
        if value and not isinstance(value, Mapping) and (not fact.endswith("_at") or iso_utc(value)):
            return value
    return None


def _inside(row: Row, name: str) -> Any:
    if name in row:
        return row[name]
    value: Any = row
    for part in name.split("."):
        value = value.get(part) if isinstance(value, Mapping) else None
    return value


def _all_of(row: Row) -> str:
    """Write every column that says something on lines of their own."""
    said = ((name, readable(value).strip()) for name, value in row.items() if not name.startswith("_dlt"))
    return "\n\n".join(f"**{name}**: {text}" for name, text in said if text)
