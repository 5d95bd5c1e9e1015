"""Files of many parts (Office, OpenDocument, EPUB): a ZIP file read within limits, its XML without outside parts."""

import io
import posixpath
import zipfile
import zlib
from collections import Counter
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

from lxml import etree

from rag_platform.core.errors import ExtractionError
from rag_platform.documents.extracted import Lost, losses
from rag_platform.documents.formats.metadata import document_metadata
from rag_platform.documents.formats.xml_tree import local, parse_xml

MOST = 256 << 20
"""Bytes that are unpacked of one file, whatever its parts declare."""
MOST_PARTS = 50_000
_STEP = 1 << 20
_MEDIA = frozenset(("aac", "avi", "m4a", "m4v", "mov", "mp3", "mp4", "mpeg", "mpg", "ogg", "wav", "webm", "wma", "wmv"))
_BROKEN = (zipfile.BadZipFile, zlib.error, OSError, EOFError, ValueError, NotImplementedError, RuntimeError)


@dataclass(frozen=True, slots=True)
class Link:
    """A relationship of one part to another."""

    target: str
    """The part's name, or an address outside."""
    kind: str
    """The last word of its type, such as "image" or "comments"."""


class Package:
    """The parts of a file.

    Raises:
        ExtractionError: It is no ZIP file, or one with too many parts.
    """

    def __init__(self, content: bytes) -> None:
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(content))
        except _BROKEN as error:
            raise ExtractionError(f"damaged file: {error}") from error
        self.names = frozenset(self._zip.namelist())
        if len(self.names) > MOST_PARTS:
            raise ExtractionError(f"{len(self.names)} parts in one file; at most {MOST_PARTS} are read")
        self.damaged: dict[str, str] = {}
        """Parts beside the main one that could not be read, and why."""
        self._left = MOST

    def read(self, name: str) -> bytes:
        """Return a part's bytes.

        Raises:
            ExtractionError: It is missing, damaged, encrypted, or unpacks to more than `MOST` with those before it.
        """
        taken = bytearray()
        try:
            with self._zip.open(name) as part:
                while step := part.read(_STEP):
                    taken += step
                    if len(taken) > self._left:
                        self._left = 0  # nothing more is unpacked of such a file
                        raise ExtractionError(f"unpacks to more than {MOST >> 20} MiB: a decompression bomb")
        except KeyError as error:
            raise ExtractionError(f"damaged file: its part {name!r} is missing") from error
        except _BROKEN as error:
            raise ExtractionError(f"damaged file: {name!r} cannot be unpacked: {error}") from error
        self._left -= len(taken)
        return bytes(taken)

    def xml(self, name: str) -> etree._Element:
        """Return a part's root element.

        Raises:
            ExtractionError: As `read`, and when it is no XML.
        """
        return parse_xml(self.read(name), name)

    def beside(self, name: str) -> etree._Element:
        """Return the root element of a part without which the document can be read.

        A damaged one costs no more than itself: it is noted in `damaged`, and an empty element takes its place.
        """
        try:
            return self.xml(name)
        except ExtractionError as error:
            self.damaged[name] = str(error)
            return etree.Element("damaged")

    def links(self, name: str) -> dict[str, Link]:
        """Return a part's relationships by their id; none when it has no list of them, or a damaged one."""
        folder, base = posixpath.split(name)
        listing = posixpath.join(folder, "_rels", f"{base}.rels")
        if listing not in self.names:
            return {}
        found = {}
        for item in self.beside(listing):
            target, outside = item.get("Target") or "", item.get("TargetMode") == "External"
            place = target if outside else self.place(name, target)
            found[item.get("Id") or ""] = Link(place, (item.get("Type") or "").rpartition("/")[2])
        return found

    def place(self, name: str, target: str) -> str:
        """Return the name of the part that an address in another leads to, which counts from that one's folder."""
        return posixpath.normpath(posixpath.join("/", posixpath.dirname(name), unquote(target))).lstrip("/")

    def linked(self, name: str, kind: str) -> list[str]:
        """Return the parts that a part has of a kind."""
        return [link.target for link in self.links(name).values() if link.kind == kind and link.target in self.names]


def unread(package: Package) -> Counter[Lost]:
    """Count the parts of an Office file that no reader keeps."""
    kinds = (_kind_of(name.lower()) for name in package.names)
    return Counter(kind for kind in kinds if kind)


def _kind_of(name: str) -> Lost | None:
    if posixpath.basename(name) == "vbaproject.bin":
        return "macros"
    return "media" if name.rpartition(".")[2] in _MEDIA and "/media/" in name else None


def told(package: Package, lost: Counter[Lost], *flags: str) -> dict[str, Any]:
    """Return the flags and the losses of a file whose parts have all been read, as arguments of `Extracted`."""
    lost["parts"] += len(package.damaged)
    damaged = (f"damaged part left out: {name}" for name in package.damaged)
    return {"flags": (*flags, *damaged), "losses": losses(lost)}


def properties(package: Package) -> dict[str, Any]:
    """Return what an Office file says about itself, as arguments of `Extracted`."""
    part = next(iter(package.linked("", "core-properties")), "docProps/core.xml")
    if part not in package.names:
        return {}
    stated = {local(item): (item.text or "").strip() for item in package.beside(part)}
    return document_metadata(
        stated.get("title"),
        stated.get("creator"),
        stated.get("created"),
        stated.get("modified"),
        stated.get("language"),
    )
