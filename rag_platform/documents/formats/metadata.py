"""What a file says about itself: title, author, dates, language."""

import re
from typing import Any

from rag_platform.documents.times import parse_time
from rag_platform.text.cleaning import clean_line

_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(?![A-Za-z])")


def document_metadata(
    title: str | None,
    author: str | None,
    created: object = None,
    modified: object = None,
    language: str | None = None,
) -> dict[str, Any]:
    """Return the arguments of `Extracted` for what a file says about itself."""
    return {
        "title": clean_line(title),
        "author": clean_line(author),
        "published_at": parse_time(created) if created else None,
        "updated_at": parse_time(modified) if modified else None,
        "language": code[0].lower() if (code := _LANGUAGE.match(clean_line(language))) else None,
    }
