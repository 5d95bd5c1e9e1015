"""What reading returns: a document, the documents of one raw file, a page as a picture."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, get_args

Lost = Literal[
    "text boxes",
    "notes",
    "comments",
    "headers and footers",
    "links",
    "pages",
    "pages without text",
    "images without text",
    "figures",
    "diagrams",
    "charts",
    "formulas",
    "uncalculated formulas",
    "tables",
    "rows",
    "cells",
    "hidden sheets",
    "hidden text",
    "form fields",
    "annotations",
    "attachments",
    "embedded objects",
    "macros",
    "media",
    "characters",
    "entries",
    "parts",
]
"""What a reader can see in a file and not keep, in the order in which it is told."""
LOSSES: tuple[Lost, ...] = get_args(Lost)

ARCHIVES = ("7z", "rar", "tar", "zip")
"""Files packed together, for storing or sending."""
CHATS = ("chat", "slack", "whatsapp")
"""Exports of conversations."""
CONTAINERS = (*ARCHIVES, *CHATS, "enex", "mbox", "notion")
"""Formats without a text of their own."""
HOLDERS = (*CONTAINERS, "email", "msg")
"""Formats whose files may hold documents that are readable by others, or forgotten."""


@dataclass(frozen=True, slots=True)
class Loss:
    """Something that the file has and the text does not."""

    what: Lost
    count: int
    """At least 1."""


def losses(found: Mapping[Lost, int]) -> tuple[Loss, ...]:
    """Return what was lost, in the order of `LOSSES`; what was not is left out."""
    return tuple(Loss(what, found[what]) for what in LOSSES if found.get(what, 0) > 0)


@dataclass(frozen=True, slots=True)
class Member:
    """A file within a file: of an archive, or attached to a message."""

    path: str
    """As the archive names it; "/" between folders."""
    content: bytes = b""
    content_type: str | None = None
    problem: str | None = None
    """Why there is no content."""
    flags: tuple[str, ...] = ()
    """What was noticed of it."""


@dataclass(frozen=True, slots=True)
class Extracted:
    """Text and what the document says about itself."""

    text: str
    type: str
    """Its format: "markdown", "html", "pdf", "text" …"""
    title: str = ""
    author: str = ""
    language: str | None = None
    """What the document declares, an ISO 639 code; None: nothing."""
    published_at: datetime | None = None
    """Aware, in UTC."""
    updated_at: datetime | None = None
    pages: tuple[int, ...] = ()
    """Offset in `text` at which each page starts; empty: no pages."""
    page_labels: tuple[str, ...] = ()
    """What the pages are called, such as "iv"; empty: by their numbers."""
    pictures: tuple[tuple[int, bytes], ...] = ()
    """(number from 0, PNG) of pages whose text is missing or doubtful, for the vision model."""
    kind: str = ""
    """What the document calls itself: "note", "proposal" …"""
    owner: str = ""
    tags: tuple[str, ...] = ()
    private: bool = False
    """It says that nobody but its owner shall read it."""
    flags: tuple[str, ...] = ()
    """What was noticed while reading."""
    losses: tuple[Loss, ...] = ()
    """What the file has and `text` does not: see `losses`. What becomes a member is not lost."""
    converter: str = ""
    """The program that made what was read; empty: the file itself was read."""
    members: Iterable[Member] = ()
    """Documents within this one, one at a time; each is read by itself."""


@dataclass(frozen=True, slots=True)
class Part:
    """A document of a raw file, or why it could not be read."""

    path: str
    """Within the file, with `unpacking.INSIDE` before each archive's paths; empty: the file itself."""
    read: Extracted | None
    reason: str | None = None
    stopped: bool = False
    """Its reader died or passed a limit, which at another time it may not."""
    converter: str = ""
    """The program that may read it, where no reader does; of what was read, `read` tells it."""

    @property
    def needs(self) -> str:
        """The converter on which it depends whether and how it is read; empty: on none."""
        return self.read.converter if self.read else self.converter


@dataclass(frozen=True, slots=True)
class RenderedPage:
    """A picture of a page or an image."""

    picture: bytes
    """WebP."""
    width: int
    """Pixels."""
    height: int
    page: int
    """From 0."""
    pages: int
    boxes: tuple[tuple[float, float, float, float], ...] = ()
    """Where the words to mark are, as shares of width and height: x0, top, x1, bottom."""
