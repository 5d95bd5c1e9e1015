"""What a WebDAV server says of a folder and of what lies in it (RFC 4918)."""

from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

from lxml import etree

PROPERTIES = b"""<?xml version="1.0"?>
<d:propfind xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns"><d:prop><d:resourcetype/><d:getetag/><d:getlastmodified/>
<d:getcontentlength/><d:getcontenttype/><oc:fileid/><oc:owner-id/></d:prop></d:propfind>"""
"""The body of a PROPFIND."""
_DAV = "{DAV:}"
_FILE_ID, _OWNER = "{http://owncloud.org/ns}fileid", "{http://owncloud.org/ns}owner-id"


@dataclass(frozen=True, slots=True)
class Resource:
    """A file or a folder."""

    path: str
    """On the server, percent-decoded, without a slash at its end."""
    folder: bool
    etag: str | None
    modified: str | None
    size: int | None
    content_type: str | None
    file_id: str | None
    """What Nextcloud, ownCloud and their like call it, whatever its path."""
    owner: str | None = None
    """The user of Nextcloud or ownCloud whose file it is."""
    refused: str | None = None
    """Why the server says nothing of it, not even whether it is a folder."""


def resources(content: bytes) -> Iterator[Resource]:
    """Yield what an answer speaks of; ValueError when it is no answer to a PROPFIND."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
    try:
        root = etree.fromstring(content, parser)
    except etree.XMLSyntaxError as error:
        raise ValueError(f"the answer is no XML: {error}") from error
    if root.tag != f"{_DAV}multistatus":
        raise ValueError(f"the answer begins with <{root.tag}>; expected <multistatus> of WebDAV")
    for one in root.iter(f"{_DAV}response"):
        if path := _path(one.findtext(f"{_DAV}href") or ""):
            yield _resource(path, one)


def _path(href: str) -> str:
    """Return the path of a reference, whatever host it names: the files of another are not read."""
    path = unquote(urlsplit(href.strip()).path)
    return "" if ".." in path.split("/") else path.rstrip("/") or "/"


def _resource(path: str, response: etree._Element) -> Resource:
    known: dict[str, etree._Element] = {}
    for group in response.iter(f"{_DAV}propstat"):
        if " 200" in (group.findtext(f"{_DAV}status") or " 200"):
            known |= {prop.tag: prop for part in group.iter(f"{_DAV}prop") for prop in part}
    kind = known.get(f"{_DAV}resourcetype")

    def text(name: str) -> str | None:
        found = known.get(name)
        return (found.text or "").strip() or None if found is not None else None

    size = text(f"{_DAV}getcontentlength") or ""
    return Resource(
        path,
        kind is not None and kind.find(f"{_DAV}collection") is not None,
        text(f"{_DAV}getetag"),
        text(f"{_DAV}getlastmodified"),
        int(size) if size.isdecimal() else None,
        text(f"{_DAV}getcontenttype"),
        text(_FILE_ID),
        text(_OWNER),
        None if known else _status(response),
    )


def _status(response: etree._Element) -> str:
    found = response.findtext(f"{_DAV}status") or response.findtext(f"{_DAV}propstat/{_DAV}status")
    return f"the server says {(found or 'nothing').strip()!r} of it"
