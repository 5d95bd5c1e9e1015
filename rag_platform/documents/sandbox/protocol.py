"""What passes between a reader's process and its owner.

It is JSON: a process that a hostile file may have taken over must not be able to send anything that runs code, as
unpickling would. A request is ``{"uri", "options", "limits"}`` and one of:

- ``"content_type", "type", "done", "spent"``: read the file. Replies: ``{"begun": path}`` before each part and
  the part itself.
- ``"path", "unpack"``: take out a file within it. One reply: ``{"content"}``.
- ``"path", "render": {"page", "words", "figure"}``: draw a page. One reply: the fields of `RenderedPage`.

Its bytes follow as a message of their own. ``{"problem"}`` replaces a reply, ``{"alive": true}`` may come before any,
``{"end": true}`` is the last. Before the first request comes ``{"held"}``: what `confinement.enter` returned. A reader
that needs the program tesseract asks with ``{"tesseract": {"languages", "picture"}}``, and waits for ``{"tsv"}`` or
``{"problem"}``; one that needs a converter with ``{"convert": {"content", "suffix"}}``, and waits for ``{"converted",
"code", "seconds"}`` or ``{"problem", "seconds"}``.
"""

import base64
from dataclasses import asdict, fields
from datetime import datetime
from typing import Any

from rag_platform.documents.extracted import LOSSES, Extracted, Loss, Part, RenderedPage
from rag_platform.documents.options import Limits, Options

Message = dict[str, Any]

OUT_OF_MEMORY = 75
"""Exit code of a reader to which the system gave no more memory."""

_DATES = ("published_at", "updated_at")
_TEXTS = ("text", "type", "title", "author", "kind", "owner", "converter")
_LISTS = ("flags", "tags", "page_labels")
_FIELDS = [field.name for field in fields(Extracted) if field.name != "members"]


def request(options: Options, limits: Limits, **content: Any) -> Message:
    """Return a request."""
    return {"options": asdict(options), "limits": asdict(limits)} | content


def options_of(message: Message) -> tuple[Options, Limits]:
    """Return the options and limits of a request."""
    return Options(**message["options"]), Limits(**message["limits"])


def part_message(part: Part) -> Message:
    """Return a part as a reply."""
    if part.read is None:
        return {"path": part.path, "read": None, "reason": part.reason, "converter": part.converter}
    values = {name: getattr(part.read, name) for name in _FIELDS}
    dates = {name: values[name].isoformat() if values[name] else None for name in _DATES}
    pictures = [(number, encoded(picture)) for number, picture in part.read.pictures]
    losses = [(loss.what, loss.count) for loss in part.read.losses]
    return {"path": part.path, "read": values | dates | {"pictures": pictures, "losses": losses}}


def part_of(reply: Message) -> Part:
    """Return the part that a reply holds.

    Raises:
        ValueError, KeyError, TypeError: it holds none, because a file has taken the reader over.
    """
    read = reply["read"]
    if read is None:
        return Part(_text(reply["path"]), None, _text(reply["reason"]), converter=_text(reply["converter"]))
    given: dict[str, Any] = {name: _text(read[name]) for name in _TEXTS}
    given |= {name: tuple(map(_text, read[name])) for name in _LISTS}
    given |= {name: _moment(read[name]) if read[name] else None for name in _DATES}
    given["language"] = read["language"] and _text(read["language"])
    given["private"] = bool(read["private"])
    given["pages"] = _pages(read["pages"])
    given["pictures"] = tuple((int(number), decoded(picture)) for number, picture in read["pictures"])
    given["losses"] = tuple(Loss(LOSSES[LOSSES.index(what)], _number(count)) for what, count in read["losses"])
    return Part(_text(reply["path"]), Extracted(**given))


def _text(value: Any) -> str:
    """Return a text that can be stored: half a surrogate pair cannot."""
    if not isinstance(value, str):
        raise TypeError(f"expected a text, got {type(value).__name__}")
    value.encode()
    return value


def _number(value: Any) -> int:
    """Return a count that can be stored."""
    if not isinstance(value, int) or not 0 < value < 1 << 62:
        raise ValueError(f"expected a count, got {value!r}")
    return value


def _moment(value: str) -> datetime:
    found = datetime.fromisoformat(value)
    if found.tzinfo is None:
        raise ValueError(f"{value} has no time zone")
    return found


def _pages(given: Any) -> tuple[int, ...]:
    """Return offsets that can be stored; empty last pages may lie behind the end of the text."""
    if not all(isinstance(one, int) and 0 <= one < 1 << 62 for one in given) or list(given) != sorted(given):
        raise ValueError("pages begin one after the other")
    return tuple(given)


def page_message(page: RenderedPage) -> Message:
    """Return a page as a reply."""
    return asdict(page) | {"picture": encoded(page.picture)}


def page_of(reply: Message) -> RenderedPage:
    """Return the page that a reply holds."""
    boxes = tuple(tuple(box) for box in reply["boxes"])
    return RenderedPage(**reply | {"picture": decoded(reply["picture"]), "boxes": boxes})


def encoded(content: bytes) -> str:
    """Return bytes as a value of JSON."""
    return base64.b64encode(content).decode("ascii")


def decoded(value: str) -> bytes:
    """Return the bytes that `encoded` was given."""
    return base64.b64decode(value)
