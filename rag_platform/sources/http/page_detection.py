"""What a fetched thing is: a page, or a form that asks for a password in place of one."""

import re

from rag_platform.core.ports import Fetched

PASSWORD_FIELD = re.compile(rb"<input\b[^>]*\btype\s*=\s*[\"']?password", re.IGNORECASE)
_HTML = re.compile(r"\s*(?:text/html|application/xhtml\+xml)", re.IGNORECASE)


def is_html(content_type: str | None) -> bool:
    """Return whether a server calls it a page."""
    return _HTML.match(content_type or "") is not None


def asks_for_login(fetched: Fetched) -> bool:
    """Return whether a page is a form that asks for a password."""
    return is_html(fetched.content_type) and PASSWORD_FIELD.search(fetched.content) is not None
