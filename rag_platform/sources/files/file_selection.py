"""Which of many files are read, and what they are by their names."""

import mimetypes
import os
import re
from pathlib import PurePosixPath
from urllib.parse import quote

from pydantic import Field

from rag_platform.config.sections.sources import SourceSettings
from rag_platform.sources.files.globs import matches
from rag_platform.sources.files.rules import FileRule

TYPES = mimetypes.MimeTypes()  # its built-in table only: the machine's own would make results differ
for suffix, kind in {
    ".adoc": "text/asciidoc",
    ".asciidoc": "text/asciidoc",
    ".docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    ".epub": "application/epub+zip",
    ".jsonl": "application/jsonl",
    ".md": "text/markdown",
    ".markdown": "text/markdown",
    ".odp": "application/vnd.oasis.opendocument.presentation",
    ".ods": "application/vnd.oasis.opendocument.spreadsheet",
    ".odt": "application/vnd.oasis.opendocument.text",
    ".pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    ".rst": "text/x-rst",
    ".vtt": "text/vtt",
    ".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    ".yaml": "application/yaml",
    ".yml": "application/yaml",
}.items():
    TYPES.add_type(kind, suffix)


class Selection(SourceSettings):
    """Which of many files are read."""

    include: tuple[str, ...] = ("**/*",)
    """Glob patterns of the files to read."""
    exclude: tuple[str, ...] = ()
    max_bytes: int = Field(200_000_000, gt=0)
    rules: tuple[FileRule, ...] = ()
    """What is said of files by where they lie."""


def wanted(path: str, settings: Selection) -> bool:
    """Return whether a file is read, by its path in the source; its folders are checked before."""
    return matches(path, settings.include) and not matches(path, settings.exclude)


def chosen(path: str, settings: Selection) -> bool:
    """Return whether a file is read whose folders were not checked: hidden ones are not, nor what is below them."""
    folders = [folder.as_posix() for folder in PurePosixPath(path).parents][:-1]
    hidden = any(part.startswith(".") for part in path.split("/"))
    return not hidden and wanted(path, settings) and not any(matches(one, settings.exclude) for one in folders)


def readable(path: str) -> str:
    """Return a path of a file system as text: bytes that are no UTF-8 are percent-encoded."""
    text = os.fsencode(path).decode("utf-8", "surrogateescape")
    return re.sub(r"[\udc80-\udcff]", lambda found: quote(found[0].encode("utf-8", "surrogateescape")), text)
