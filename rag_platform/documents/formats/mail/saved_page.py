"""Pages that a browser saved as one file (MHTML, RFC 2557): a message of page, frames and pictures."""

import re
from dataclasses import replace
from email.message import Message
from email.parser import BytesParser

from rag_platform.documents.extracted import Extracted, losses
from rag_platform.documents.formats.mail.email import read_email, rough_text
from rag_platform.text.cleaning import count_words

_PARSER = BytesParser()
_HEAD = re.compile(rb".*?\r?\n\r?\n", re.DOTALL)
_SAVED = re.compile(rb"^(?:Snapshot-Content-Location:|From:\s*\W?Saved by |X-MAF-)", re.IGNORECASE | re.MULTILINE)
"""What Chromium, Internet Explorer, old Opera and Firefox's extension write above the page."""
_FRAME = 60
"""Words of a frame that is more than an advertisement or a button."""


def is_saved_page(content: bytes) -> bool:
    """Return whether a message is a page that a browser saved."""
    head = _HEAD.match(content[:8192])
    return bool(head and _SAVED.search(head[0]))


def read_saved_page(content: bytes, *, uri: str = "", comments: bool = False) -> Extracted:
    """Read a saved page as the page that it is; what holds no page is read as an e-mail.

    Args:
        content: The file.
        uri: Its address, where the page says nothing of its own.
        comments: Keep what readers wrote below it.

    Raises:
        ExtractionError: It has no headers and no text.
    """
    message = _PARSER.parsebytes(content)
    pages = [part for part in message.walk() if part.get_content_type() in ("text/html", "application/xhtml+xml")]
    if not pages:
        return read_email(content)
    from rag_platform.documents.formats.web.html import read_html

    page = _root(message, pages)
    address = message.get("Snapshot-Content-Location") or page.get("Content-Location") or uri
    read = read_html(_payload(page), uri=str(address).strip(), charset=page.get_content_charset(), comments=comments)
    frames = sum(count_words(rough_text(part)) >= _FRAME for part in pages if part is not page)
    lost = {loss.what: loss.count for loss in read.losses} | {"embedded objects": frames}  # those without text are told
    return replace(read, losses=losses(lost))


def _root(message: Message, pages: list[Message]) -> Message:
    """Return the part that is the page: the one that the message names, else the first."""
    start = message.get_param("start")
    return next((part for part in pages if start and part.get("Content-ID") == start), pages[0])


def _payload(part: Message) -> bytes:
    content = part.get_payload(decode=True)
    return content if isinstance(content, bytes) else b""
