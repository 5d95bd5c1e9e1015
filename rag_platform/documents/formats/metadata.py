"""What a file says about itself: title, author, dates, language."""

import re
from datetime import UTC, datetime
from typing import Any

from rag_platform.documents.times import parse_time
from rag_platform.text.cleaning import clean_line

_PROGRAMS = frozenset(("python-docx", "openpyxl", "Un-named", "PptxGenJS", "Apache POI", "Unknown Creator"))
"""What libraries state as the author where nobody stated one."""
_TEMPLATES = frozenset(
    (
        datetime(2013, 12, 23, 23, 15, tzinfo=UTC),
        datetime(2013, 1, 27, 9, 14, 16, tzinfo=UTC),
        datetime(2013, 1, 27, 9, 15, 58, tzinfo=UTC),
    )
)
"""When the templates of python-docx and python-pptx were made and changed, which stays in what is made of them."""
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(?![A-Za-z])")


def document_metadata(
    title: str | None,
    author: str | None,
    created: object = None,
    modified: object = None,
    language: str | None = None,
) -> dict[str, Any]:
    """Return the arguments of `Extracted` for what a file says about itself, not what the library that made it says."""
    by = clean_line(author)
    return {
        "title": clean_line(title),
        "author": "" if by in _PROGRAMS else by,
        "published_at": _stated(created),
        "updated_at": _stated(modified),
        "language": code[0].lower() if (code := _LANGUAGE.match(clean_line(language))) else None,
    }


def _stated(value: object) -> datetime | None:
    found = parse_time(value)
    return None if found in _TEMPLATES else found
