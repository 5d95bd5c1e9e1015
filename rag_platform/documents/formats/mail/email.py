"""E-mails: who wrote what to whom; attachments are documents of their own."""

import re
from collections.abc import Iterator
from datetime import datetime
from email import policy
from email.message import Message, MIMEPart
from email.parser import BytesParser
from email.utils import parsedate_to_datetime

from rag_platform.core.errors import ExtractionError
from rag_platform.documents.extracted import Extracted, Member, losses
from rag_platform.documents.file_names import FreeNames
from rag_platform.documents.formats.markdown_writer import heading, join, paragraph
from rag_platform.documents.formats.plain_text import decode
from rag_platform.documents.times import parse_time
from rag_platform.text.cleaning import clean_line

_SHOWN = ("From", "To", "Cc", "Date")
_WRITTEN = ("text", "multipart")
"""What a message says in words: a leaf that calls itself "multipart" lacks the marks between its parts."""
_BROKEN = (ValueError, LookupError, TypeError, AttributeError, IndexError)
"""What the standard library's parser raises on headers that break the rules."""
_PARSER = BytesParser(policy=policy.default)


def read_email(content: bytes) -> Extracted:
    """Read a message.

    Raises:
        ExtractionError: It has no headers and no text.
    """
    message = _PARSER.parsebytes(content)
    subject = _header(message, "Subject")
    bodies, members, flags = _parts(message)
    if not message.keys() and not bodies:
        raise ExtractionError("no e-mail: it has no headers")
    about = "\n".join(f"{name}: {value}  " for name in _SHOWN if (value := _header(message, name)))
    return Extracted(
        text=join([heading(1, subject), about, *bodies]),
        type="email",
        title=subject,
        author=_header(message, "From"),
        published_at=_date(message),
        flags=flags,
        losses=losses({"parts": len(flags)}),
        members=members,
    )


def _parts(message: MIMEPart) -> tuple[list[str], tuple[Member, ...], tuple[str, ...]]:
    """Return the texts of a message, its attachments, and what could not be read."""
    bodies: list[str] = []
    members: list[Member] = []
    names = FreeNames()
    flags: list[str] = []
    for part in _leaves(message):
        name = _name(part)
        try:
            if part.get_content_type() == "message/rfc822":
                inner = part.get_payload(0) if part.is_multipart() else None
                whole = _decoded(inner, part) if isinstance(inner, Message) else None
                payload = whole.as_bytes() if whole else b""
                name = name or f"{_header(whole, 'Subject') or 'message'}.eml"
            else:
                payload = _payload(part)
            if part.get_content_disposition() == "attachment" or name or part.get_content_maintype() not in _WRITTEN:
                if payload:
                    name = _plain(name or f"part-{len(members) + 1}")
                    members.append(Member(names.take(name), payload, part.get_content_type()))
            else:
                bodies.append(_body(part, payload))
        except (*_BROKEN, ExtractionError) as error:
            flags.append(f"part not read: {error}")
    return bodies, tuple(members), tuple(flags)


def _leaves(message: MIMEPart) -> Iterator[MIMEPart]:
    """Yield the parts that hold content: of alternatives the plainest."""
    kind = message.get_content_type()
    if kind == "message/rfc822" or not message.is_multipart():
        yield message
    elif kind == "multipart/alternative":
        parts = list(message.iter_parts())
        plain = [part for part in parts if part.get_content_type() == "text/plain" and _payload(part).strip()]
        for part in plain[:1] or parts[-1:]:
            yield from _leaves(part)
    else:
        for part in message.iter_parts():
            yield from _leaves(part)


def _decoded(inner: Message, part: MIMEPart) -> Message:
    """Return a message within another; some programs encode it, which RFC 2046 (5.2.1) forbids, and it is no words."""
    encoding = _header(part, "Content-Transfer-Encoding").lower()
    if inner.keys() or encoding not in ("base64", "quoted-printable"):
        return inner
    inner["Content-Transfer-Encoding"] = encoding
    content = inner.get_payload(decode=True)
    return _PARSER.parsebytes(content if isinstance(content, bytes) else b"")


def _payload(part: MIMEPart) -> bytes:
    content = part.get_payload(decode=True)
    return content if isinstance(content, bytes) else b""


def _body(part: MIMEPart, payload: bytes) -> str:
    text, _ = decode(payload, part.get_content_charset())
    if part.get_content_type() == "text/html":
        from rag_platform.documents.formats.web.fragments import markdown_of

        return markdown_of(text)
    return paragraph(text)


def _header(message: Message | None, name: str) -> str:
    try:
        return clean_line(str(message[name])) if message is not None and message[name] is not None else ""
    except _BROKEN:
        return ""


def _date(message: Message) -> datetime | None:
    try:
        return parse_time(parsedate_to_datetime(_header(message, "Date")))
    except _BROKEN:
        return None


def _name(part: MIMEPart) -> str:
    try:
        return clean_line(part.get_filename() or "")
    except _BROKEN:
        return ""


def _plain(name: str) -> str:
    """Return the last part of a file name, whatever folders it claims."""
    return re.split(r"[/\\]", name)[-1].strip(". ") or "attachment"
