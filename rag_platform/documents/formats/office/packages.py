"""Files of many parts (Office, OpenDocument, EPUB): a ZIP file read within limits, its XML without outside parts."""

import io
import posixpath
import re
import zipfile
import zlib
from dataclasses import dataclass
from urllib.parse import unquote

from lxml import etree

from rag_platform.core.errors import ExtractionError
from rag_platform.documents.times import parse_time
from rag_platform.text.cleaning import clean_line

MOST = 256 << 20
"""Bytes that are unpacked of one file, whatever its parts declare."""
MOST_PARTS = 50_000
_STEP = 1 << 20
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(?![A-Za-z])")
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

    def links(self, name: str) -> dict[str, Link]:
        """Return a part's relationships by their id; none when it has no list of them."""
        folder, base = posixpath.split(name)
        listing = posixpath.join(folder, "_rels", f"{base}.rels")
        if listing not in self.names:
            return {}
        found = {}
        for item in self.xml(listing):
            target, outside = item.get("Target") or "", item.get("TargetMode") == "External"
            place = target if outside else posixpath.normpath(posixpath.join("/", folder, unquote(target))).lstrip("/")
            found[item.get("Id") or ""] = Link(place, (item.get("Type") or "").rpartition("/")[2])
        return found

    def linked(self, name: str, kind: str) -> list[str]:
        """Return the parts that a part has of a kind."""
        return [link.target for link in self.links(name).values() if link.kind == kind and link.target in self.names]


def parse_xml(content: bytes, name: str) -> etree._Element:
    """Read XML: entities stay unresolved, nothing is loaded, depth and size of a text are bounded by the parser.

    Raises:
        ExtractionError: It is no XML.
    """
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, remove_comments=True)
    try:
        root = etree.fromstring(content, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise ExtractionError(f"{name} is no well-formed XML: {error}") from error
    if root is None:
        raise ExtractionError(f"{name} is empty")
    return root


def local(element: etree._Element) -> str:
    """Return an element's name without its namespace; "" for what is no element, such as an entity."""
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def attribute(element: etree._Element | None, name: str, default: str = "") -> str:
    """Return an attribute by its name without a namespace."""
    if element is not None:
        for key, value in element.attrib.items():
            if key.rpartition("}")[2] == name:
                return value
    return default


def child(element: etree._Element | None, *path: str) -> etree._Element | None:
    """Return the first descendant along a path of names, or None."""
    for name in path:
        element = next((one for one in element if local(one) == name), None) if element is not None else None
    return element


def every(element: etree._Element | None, name: str) -> list[etree._Element]:
    """Return the descendants of a name."""
    return list(element.iter(f"{{*}}{name}")) if element is not None else []


def properties(package: Package) -> dict:
    """Return what an Office file says about itself, as arguments of `Extracted`."""
    part = next(iter(package.linked("", "core-properties")), "docProps/core.xml")
    if part not in package.names:
        return {}
    try:
        said = {local(item): (item.text or "").strip() for item in package.xml(part)}
    except ExtractionError:
        return {}
    return about(
        said.get("title"), said.get("creator"), said.get("created"), said.get("modified"), said.get("language")
    )


def about(
    title: str | None,
    author: str | None,
    created: object = None,
    modified: object = None,
    language: str | None = None,
) -> dict:
    """Return the arguments of `Extracted` for what a file says about itself."""
    return {
        "title": clean_line(title),
        "author": clean_line(author),
        "published_at": parse_time(created) if created else None,
        "updated_at": parse_time(modified) if modified else None,
        "language": code[0].lower() if (code := _LANGUAGE.match(clean_line(language))) else None,
    }
