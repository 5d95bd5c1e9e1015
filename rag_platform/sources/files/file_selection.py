"""Which of many files are read, and what they are by their names."""

import mimetypes

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
