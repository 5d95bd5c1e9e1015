"""Exports of Notion (ZIP): its pages and databases, whose properties become what a document says of itself."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import UTC, datetime

from rag_platform.documents.extracted import Extracted, Member
from rag_platform.documents.formats.archives.zip_and_tar import read_archive
from rag_platform.documents.formats.markdown_writer import front_matter
from rag_platform.documents.options import Limits

_NAME = re.compile(r" [0-9a-f]{32}(?:_all)?\.(?:md|html|csv)$")
_BOX = re.compile(rb"<div class=[\"']checkbox checkbox-(on|off)[\"']>\s*</div>")
"""Of something to do, which only the style shows to be done."""
_PROPERTIES = re.compile(r"\A\ufeff?# (.+)\n\n((?:[^\n:]{1,80}: .*\n)+)(?:\n|\Z)")
_DATES = ("%B %d, %Y %I:%M %p", "%B %d, %Y", "%d/%m/%Y %H:%M", "%Y/%m/%d %H:%M")
_CREATED, _UPDATED = ("created", "created time", "date created", "date"), ("last edited time", "last edited", "updated")
_AUTHOR, _TAGS = ("created by", "author", "authors"), ("tags", "tag", "category", "categories")


def is_notion(names: Iterable[str]) -> bool:
    """Return whether the files of an archive are named as Notion names its pages: most have its ids."""
    files = [name for name in names if name.endswith((".md", ".html", ".csv")) and name != "index.html"]
    return bool(files) and sum(bool(_NAME.search(name)) for name in files) > len(files) / 2


def read_notion(content: bytes, *, limits: Limits) -> Extracted:
    """Open an export; its pages, databases and files are its members.

    Raises:
        ExtractionError: It is damaged.
    """
    archive = read_archive(content, type="zip", limits=limits)
    return replace(archive, type="notion", title="Notion", members=_members(archive.members, content))


def _members(members: Iterable[Member], content: bytes) -> Iterator[Member]:
    """Yield the members; of a database, which is there twice, the one with all columns."""
    import io
    import zipfile

    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        whole = {name.replace("_all.csv", ".csv") for name in archive.namelist() if name.endswith("_all.csv")}
    for member in members:
        if member.path in whole:
            continue
        if member.path.endswith(".html"):
            yield replace(member, content=_BOX.sub(_ticked, member.content))
        else:
            yield _with_properties(member) if member.path.endswith(".md") and member.content else member


def _ticked(box: re.Match[bytes]) -> bytes:
    return b"[x] " if box[1] == b"on" else b"[ ] "


def _with_properties(page: Member) -> Member:
    """Return a page with its title, dates, author and tags as front matter; the properties stay in the text too."""
    text = page.content.decode("utf-8", "replace").replace("\r\n", "\n")
    found = _PROPERTIES.match(text)
    if not found:
        return page
    known = {key.strip().lower(): value for key, _, value in (line.partition(":") for line in found[2].splitlines())}
    about = {
        "title": found[1].strip(),
        "author": _first(known, _AUTHOR),
        "created": _date(_first(known, _CREATED)),
        "updated": _date(_first(known, _UPDATED)),
        "tags": [tag.strip() for tag in _first(known, _TAGS).split(",") if tag.strip()],
    }
    return replace(page, content=f"{front_matter(about)}{text}".encode())


def _first(known: dict[str, str], names: Iterable[str]) -> str:
    return next((known[name].strip() for name in names if known.get(name, "").strip()), "")


def _date(value: str) -> str:
    for form in _DATES:
        try:
            return datetime.strptime(value.partition(" →")[0], form).replace(tzinfo=UTC).isoformat()
        except ValueError:
            continue
    return value if re.match(r"\d{4}-\d\d-\d\d", value) else ""
