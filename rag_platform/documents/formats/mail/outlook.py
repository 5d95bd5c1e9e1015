"""Messages of Outlook (msg): the properties that [MS-OXMSG] keeps as streams."""

from datetime import UTC, datetime
from io import BytesIO
from struct import unpack_from

import olefile

from rag_platform.core.errors import ExtractionError
from rag_platform.documents.extracted import Extracted, Member
from rag_platform.documents.formats.mail.email import unused
from rag_platform.documents.formats.markdown_writer import heading, join, paragraph
from rag_platform.documents.formats.plain_text import decode
from rag_platform.text.cleaning import clean_line

_SUBJECT, _BODY, _HTML, _SENDER, _ADDRESS, _TO, _CC = "0037", "1000", "1013", "0C1A", "5D01", "0E04", "0E03"
_LONG_NAME, _NAME, _DATA, _MIME = "3707", "3704", "3701", "370E"
_SENT, _RECEIVED = 0x0039, 0x0E06
_TIME = 0x0040
_EPOCH = 11_644_473_600
"""Seconds between 1601, from which Windows counts, and 1970."""
_BROKEN = (OSError, ValueError, OverflowError, IndexError, KeyError, TypeError, AttributeError)


def read_msg(content: bytes) -> Extracted:
    """Read a message; its attachments are its members.

    Raises:
        ExtractionError: It is damaged.
    """
    try:
        with olefile.OleFileIO(BytesIO(content)) as file:
            return _message(file)
    except _BROKEN as error:
        raise ExtractionError(f"damaged Outlook message: {error}") from error


def _message(file: olefile.OleFileIO) -> Extracted:
    subject, sender = clean_line(_text(file, [], _SUBJECT)), clean_line(_text(file, [], _SENDER))
    address, sent = _text(file, [], _ADDRESS), _time(file)
    sender = f"{sender} <{address}>" if address and address != sender else sender
    named = {"From": sender, "To": _text(file, [], _TO), "Cc": _text(file, [], _CC), "Date": f"{sent or ''}"}
    about = "\n".join(f"{name}: {clean_line(value)}  " for name, value in named.items() if value)
    return Extracted(
        text=join([heading(1, subject), about, _body(file)]),
        type="email",
        title=subject,
        author=sender,
        published_at=sent,
        members=tuple(_attachments(file)),
    )


def _body(file: olefile.OleFileIO) -> str:
    plain = _text(file, [], _BODY)
    if plain.strip():
        return paragraph(plain)
    markup = _stream(file, [f"__substg1.0_{_HTML}0102"])
    if not markup:
        return ""
    from rag_platform.documents.formats.web.fragments import markdown_of

    return markdown_of(decode(markup)[0])


def _attachments(file: olefile.OleFileIO) -> list[Member]:
    found: list[Member] = []
    folders = sorted({path[0] for path in file.listdir() if path[0].startswith("__attach_version1.0_#")})
    for number, folder in enumerate(folders, 1):
        content = _stream(file, [folder, f"__substg1.0_{_DATA}0102"])
        name = _text(file, [folder], _LONG_NAME) or _text(file, [folder], _NAME) or f"attachment-{number}"
        if content:
            name = clean_line(name.replace("\\", "/").rpartition("/")[2])
            found.append(
                Member(unused(name or f"attachment-{number}", found), content, _text(file, [folder], _MIME) or None)
            )
    return found


def _text(file: olefile.OleFileIO, folder: list[str], key: str) -> str:
    wide = _stream(file, [*folder, f"__substg1.0_{key}001F"])
    if wide:
        return wide.decode("utf-16-le", "replace").rstrip("\0")
    return decode(narrow)[0].rstrip("\0") if (narrow := _stream(file, [*folder, f"__substg1.0_{key}001E"])) else ""


def _stream(file: olefile.OleFileIO, path: list[str]) -> bytes:
    return file.openstream(path).read() if file.exists(path) else b""


def _time(file: olefile.OleFileIO) -> datetime | None:
    """Return when it was sent, else received: properties of fixed length are 16 bytes each, after a header of 32."""
    entries = _stream(file, ["__properties_version1.0"])
    times = {}
    for at in range(32, len(entries) - 15, 16):
        kind, key = unpack_from("<HH", entries, at)
        if kind == _TIME:
            times[key] = unpack_from("<Q", entries, at + 8)[0] / 10_000_000 - _EPOCH
    stamp = times.get(_SENT) or times.get(_RECEIVED)
    return datetime.fromtimestamp(stamp, UTC).replace(microsecond=0) if stamp else None
