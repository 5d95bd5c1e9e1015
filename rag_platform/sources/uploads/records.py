"""A collection and its files."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Collection:
    """Files that belong together, and who may read them."""

    id: str
    """Its name in addresses and filters: lower-case letters, digits, hyphens."""
    source: str
    title: str
    description: str
    language: str | None
    """Of its texts, where they do not tell it themselves."""
    principals: tuple[str, ...]
    """Who may read its documents."""
    owner: str
    created_at: datetime
    files: int
    bytes: int


@dataclass(frozen=True, slots=True)
class File:
    """A file as it was uploaded."""

    collection: str
    name: str
    uri: str
    """``<source>/<collection>/<name>``."""
    sha256: str
    size: int
    """Bytes."""
    content_type: str | None
    title: str
    """As the uploader calls it; empty: the document's own."""
    tags: tuple[str, ...]
    added_by: str
    added_at: datetime
    revision: int
    """From 1; a file of the same name with other bytes is the next."""
