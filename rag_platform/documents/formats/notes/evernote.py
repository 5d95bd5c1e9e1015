"""Exports of Evernote (enex): each note is a document, and each file in it."""

import base64
import binascii
import io
import re
from collections.abc import Iterable, Iterator
from typing import Any

from lxml import etree

from rag_platform.core.errors import ExtractionError
from rag_platform.documents.extracted import Extracted, Member
from rag_platform.documents.file_names import FreeNames
from rag_platform.documents.formats.archives.zip_and_tar import member
from rag_platform.documents.formats.markdown_writer import front_matter, join
from rag_platform.documents.formats.web.fragments import markdown_of
from rag_platform.documents.options import Limits
from rag_platform.text.cleaning import clean_line

_MEDIA = re.compile(r"<en-media\b([^<>]*)>(?:\s*</en-media>)?")
_HASH = re.compile(r"\bhash\s*=\s*[\"']([0-9a-fA-F]{32})")
_TODO = re.compile(r"<en-todo\b([^<>]*)>(?:\s*</en-todo>)?")
_ITEM = re.compile(r"<li\b([^<>]*)>\s*+(?:<div[^<>]*>)?")
_TICKED = re.compile(r"--en-checked:\s*+(true|false)")
_SECRET = re.compile(r"<en-crypt\b[^<>]*>(?:[^<]*</en-crypt>)?")
_FOLDERS = str.maketrans({"/": "-", "\\": "-"})


def read_evernote(content: bytes, *, limits: Limits) -> Extracted:
    """Open an export; its notes, and the files in them, are its members.

    Raises:
        ExtractionError: It is no export.
    """
    if b"<en-export" not in content[:4096]:
        raise ExtractionError("no export of Evernote: it does not begin with <en-export>")
    return Extracted(text="", type="enex", title="Evernote", members=_members(content, limits))


def _members(content: bytes, limits: Limits) -> Iterator[Member]:
    names = FreeNames()
    notes = etree.iterparse(
        io.BytesIO(content), tag="note", huge_tree=True, recover=True, resolve_entities=False, no_network=True,
        load_dtd=False,
    )  # fmt: skip
    try:
        for _, note in notes:
            title = clean_line(note.findtext("title")) or "Untitled note"
            named = names.take(f"{title.translate(_FOLDERS)[:120]}.md")
            files = list(_files(note, named.removesuffix(".md"), limits))
            yield _note(note, title, named, {mark: file.path.rpartition("/")[2] for mark, file in files})
            yield from (file for _, file in files)
            note.clear()
    except etree.XMLSyntaxError as error:
        raise ExtractionError(f"the rest of the export is damaged: {error}") from error


def _note(note: Any, title: str, path: str, files: dict[str, str]) -> Member:
    secret = note.find("content[@encoding]") is not None  # the whole note is encrypted
    markup = "" if secret else note.findtext("content") or ""
    secrets = secret + len(_SECRET.findall(markup))
    text = markdown_of(_readable(markup, files))
    tasks = [f"- [{'x' if task.findtext('taskStatus') == 'completed' else ' '}] {clean_line(task.findtext('title'))}"
             for task in note.iterfind("task")]  # fmt: skip
    source = clean_line(note.findtext("note-attributes/source-url"))
    about = {
        "title": title,
        "author": clean_line(note.findtext("note-attributes/author")),
        "created": (note.findtext("created") or "").strip(),
        "updated": (note.findtext("updated") or "").strip(),
        "type": "note",
        "tags": [clean_line(tag.text) for tag in note.iterfind("tag")],
    }
    body = join([f"Source: {source}" if source else "", text, "\n".join(tasks)])
    flags = (f"encrypted passages left out: {secrets}",) if secrets else ()
    return Member(path, f"{front_matter(about)}{body}\n".encode("utf-8", "replace"), "text/markdown", flags=flags)


def _readable(markup: str, files: dict[str, str]) -> str:
    """Return a note's markup as HTML: boxes to tick, and the names of its files where they stand."""

    def shown(found: re.Match[str]) -> str:
        mark = _HASH.search(found[1])
        return f"[{files.get(mark[1].lower(), 'a file') if mark else 'a file'}]"

    def item(found: re.Match[str]) -> str:
        ticked = _TICKED.search(found[1])
        return f"{found[0]}[{'x' if ticked[1] == 'true' else ' '}] " if ticked else found[0]

    def box(found: re.Match[str]) -> str:
        return "[x] " if re.search(r"checked\s*=\s*[\"']true", found[1]) else "[ ] "

    before, begins, note = _ITEM.sub(item, markup).partition("<en-note")
    return _SECRET.sub("", _TODO.sub(box, _MEDIA.sub(shown, begins + note if begins else before)))


def _files(note: Any, folder: str, limits: Limits) -> Iterable[tuple[str, Member]]:
    """Yield the files of a note, with the hash by which its text names them."""
    import hashlib

    names = FreeNames()
    for number, resource in enumerate(note.iterfind("resource"), 1):
        try:
            content = base64.b64decode(resource.findtext("data") or "")
        except (binascii.Error, ValueError):
            content = b""
        name = clean_line(resource.findtext("resource-attributes/file-name")) or f"file-{number}"
        path = names.take(f"{folder}/{name.translate(_FOLDERS)}")
        kind = clean_line(resource.findtext("mime")) or None
        found = member(path, content, limits)
        if not found.problem:
            found = (
                Member(path, content, kind) if content else Member(path, problem="it is empty or damaged in the export")
            )
        yield hashlib.md5(content, usedforsecurity=False).hexdigest(), found
