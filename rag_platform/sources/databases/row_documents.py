"""A database row -> the document it stands for: address, text, and what is known about it."""

import json
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

from pydantic import Field

from rag_platform.config.sections.sources import SourceSettings
from rag_platform.core.ids import digest
from rag_platform.core.principals import PRIVATE
from rag_platform.sources.dates import iso_utc
from rag_platform.text.row_templates import columns, fill, filled_tags, normal, readable

Row = Mapping[str, Any]


class RowSettings(SourceSettings):
    """What is made of a row. In a template, ``{column}`` stands for the row's value."""

    key: str
    """Column that identifies a row."""
    template: str
    """The document's Markdown text, a template."""
    title: str | None = None
    """Template of the title."""
    uri: str | None = None
    """Template of the address shown with a citation; default ``<kind>://<id>/<key>``."""
    author: str | None = None
    """Template of the author."""
    type: str = "row"
    """Template of what people call such a document, such as ``proposal``."""
    tags: tuple[str, ...] = ()
    """Templates such as ``status:{status}``; an empty value gives no tag, a list one for each of its values."""
    readers: tuple[str, ...] = ()
    """Templates of who may read it, such as ``group:{team}``, in place of `principals`; as `tags` they give several. A
    row that names nobody is read by nobody."""
    published_at: str | None = None
    """Column of the date."""
    updated_at: str | None = None
    """Column of the last change."""
    values: dict[str, dict[str, str]] = Field(default_factory=dict)
    """Column -> its values in any case -> one name for them; other values become lower case."""


class RowDocuments:
    """Turns rows into documents as the settings say."""

    def __init__(self, settings: RowSettings) -> None:
        self._settings = settings
        shaping = RowSettings.model_fields.keys() - SourceSettings.model_fields.keys()
        wishes = settings.model_dump(include=shaping)
        self.version = digest("row", json.dumps(wishes, sort_keys=True, ensure_ascii=False))
        """Another one, another document from the same row."""

    def needed(self) -> set[str]:
        """Name all columns that a document is made of."""
        settings = self._settings
        templates = (
            settings.template,
            settings.title,
            settings.author,
            settings.type,
            *settings.tags,
            *settings.readers,
        )
        dates = (settings.published_at, settings.updated_at)
        return self.identifying() | {*filter(None, dates), *settings.values, *_used(templates)}

    def identifying(self) -> set[str]:
        """Name the columns that a document's address is made of."""
        return {self._settings.key, *_used([self._settings.uri])}

    def key(self, row: Row) -> str:
        """Return the row's key as text; empty when it has none."""
        return key_text(row[self._settings.key])

    def uri(self, row: Row) -> str:
        """Return the document's address."""
        given = fill(self._settings.uri, self._normal(row)).strip() if self._settings.uri else ""
        return given or f"{self._settings.kind}://{self._settings.id}/{quote(self.key(row), safe='')}"

    def content(self, row: Row) -> bytes:
        """Return the document's text in UTF-8."""
        return fill(self._settings.template, self._normal(row)).encode("utf-8", "replace")

    def metadata(self, row: Row) -> dict[str, Any]:
        """Return what is known about the document; what is empty is left out."""
        settings, row = self._settings, self._normal(row)
        facts = {
            **{name: _line(getattr(settings, name), row) for name in ("type", "title", "author")},
            **{name: _date(getattr(settings, name), row) for name in ("published_at", "updated_at")},
            "tags": filled_tags(settings.tags, row),
            "principals": settings.readers and (filled_tags(settings.readers, row) or [PRIVATE]),
        }
        return {name: value for name, value in facts.items() if value}

    def _normal(self, row: Row) -> Row:
        return {**row, **{name: normal(row[name], to) for name, to in self._settings.values.items() if name in row}}


def key_text(key: Any) -> str:
    """Write a key so that no two are written the same: bytes that are no text in hexadecimal digits."""
    if isinstance(key, bytes | bytearray | memoryview):
        try:
            return bytes(key).decode("utf-8")
        except UnicodeDecodeError:
            return bytes(key).hex()
    return readable(key)


def _used(templates: Sequence[str | None]) -> set[str]:
    return {column for template in templates if template for column in columns(template)}


def _line(template: str | None, row: Row) -> str:
    return " ".join(fill(template, row).split()) if template else ""


def _date(column: str | None, row: Row) -> str | None:
    """Write a date as ISO 8601; what is none stays as it is, and the document says that it was not understood."""
    return (iso_utc(row[column]) or readable(row[column])) if column else None
