"""Messages of Outlook (msg): the properties that [MS-OXMSG] keeps as streams."""

import struct
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.message import EmailMessage
from email.utils import format_datetime
from io import BytesIO
from struct import unpack_from

import olefile

from rag_platform.core.errors import ExtractionError
from rag_platform.documents.extracted import Extracted, Lost, Member, losses
from rag_platform.documents.file_names import FreeNames
from rag_platform.documents.formats.markdown_writer import heading, join, paragraph
from rag_platform.documents.formats.plain_text import decode
from rag_platform.documents.formats.rich_text.packed_bodies import unpacked
from rag_platform.text.cleaning import clean_line

_SUBJECT, _BODY, _HTML, _RICH = "0037", "1000", "1013", "1009"
_SENDERS, _ADDRESSES = ("0C1A", "0042"), ("5D01", "0C1F", "0065")
_TO, _CC = "0E04", "0E03"
_LONG_NAME, _NAME, _DATA, _MIME, _SHOWN_NAME = "3707", "3704", "3701", "370E", "3001"
_CODE_PAGE, _TIMES = 0x3FFD, (0x0039, 0x0E06, 0x3007)
"""When it was sent, received, made."""
_NUMBER, _TIME = 0x0003, 0x0040
_EPOCH = 11_644_473_600
"""Seconds between 1601, from which Windows counts, and 1970."""
_DEEPEST = 20
_HEADERS = (32, 24)
"""Bytes before the properties of fixed length: of a message, and of one within another."""
_BROKEN = (OSError, ValueError, OverflowError, IndexError, KeyError, TypeError, AttributeError, struct.error)


@dataclass(slots=True)
class _Mail:
    """A message: its text, and the files that came with it."""

    subject: str
    sender: str
    to: str
    cc: str
    sent: datetime | None
    body: str
    members: list[Member] = field(default_factory=list)
    names: FreeNames = field(default_factory=FreeNames)
    lost: Counter[Lost] = field(default_factory=Counter)


def read_msg(content: bytes) -> Extracted:
    """Read a message; its attachments, messages among them, are its members.

    Raises:
        ExtractionError: It is damaged.
    """
    try:
        with olefile.OleFileIO(BytesIO(content)) as file:
            mail = _Storage(file, []).mail()
    except _BROKEN as error:
        raise ExtractionError(f"damaged Outlook message: {error}") from error
    named = {"From": mail.sender, "To": mail.to, "Cc": mail.cc, "Date": f"{mail.sent or ''}"}
    about = "\n".join(f"{name}: {value}  " for name, value in named.items() if value)
    return Extracted(
        text=join([heading(1, mail.subject), about, mail.body]),
        type="email",
        title=mail.subject,
        author=mail.sender,
        published_at=mail.sent,
        losses=losses(mail.lost),
        members=tuple(mail.members),
    )


class _Storage:
    """A message or an attachment: a folder of properties within the file."""

    def __init__(self, file: olefile.OleFileIO, path: Sequence[str]) -> None:
        self._file, self._path = file, list(path)
        self._fixed = self._properties()

    def mail(self) -> _Mail:
        """Return the message that this storage holds."""
        name, address = (self._first(keys) for keys in (_SENDERS, _ADDRESSES))
        sender = f"{name} <{address}>" if "@" in address and address != name else name
        to, cc = (clean_line(self._text(key)) for key in (_TO, _CC))
        mail = _Mail(clean_line(self._text(_SUBJECT)), sender, to, cc, self._sent(), self._body())
        children = {path[len(self._path)] for path in self._file.listdir() if path[: len(self._path)] == self._path}
        for folder in sorted(one for one in children if one.lower().startswith("__attach_version1.0_#")):
            _Storage(self._file, [*self._path, folder])._attach(mail)
        return mail

    def _attach(self, mail: _Mail) -> None:
        """Add this attachment to the message, or count it."""
        number = len(mail.members) + 1
        content = self._stream(f"__substg1.0_{_DATA}0102")
        names = (clean_line(self._text(key).replace("\\", "/").rpartition("/")[2]) for key in (_LONG_NAME, _NAME))
        name, kind = next(filter(None, names), ""), self._text(_MIME) or None
        inner = [*self._path, f"__substg1.0_{_DATA}000D"]
        if not content and self._file.exists(inner):
            if len(inner) > _DEEPEST or not self._file.exists([*inner, "__properties_version1.0"]):
                mail.lost["embedded objects"] += 1
                return
            within = _Storage(self._file, inner).mail()
            mail.lost += within.lost
            content, kind = _as_email(within), "message/rfc822"
            name = f"{clean_line(self._text(_SHOWN_NAME)) or within.subject or f'message-{number}'}.eml"
        if content:
            name = mail.names.take(name or f"attachment-{number}")
            mail.members.append(Member(name, content, kind))
        else:
            mail.lost["attachments"] += 1

    def _body(self) -> str:
        plain = self._text(_BODY)
        if plain.strip():
            return paragraph(plain)
        markup = self._stream(f"__substg1.0_{_HTML}0102") or self._text(_HTML).encode()
        if markup:
            from rag_platform.documents.formats.web.fragments import markdown_of

            return markdown_of(_decoded(markup, self._charset))
        rich = self._stream(f"__substg1.0_{_RICH}0102")
        return _rich_text(rich) if rich else ""

    def _first(self, keys: Sequence[str]) -> str:
        return next((value for key in keys if (value := clean_line(self._text(key)))), "")

    def _text(self, key: str) -> str:
        wide = self._stream(f"__substg1.0_{key}001F")
        if wide:
            return wide.decode("utf-16-le", "replace").rstrip("\0")
        return _decoded(self._stream(f"__substg1.0_{key}001E"), self._charset)

    def _stream(self, name: str) -> bytes:
        path = [*self._path, name]
        return self._file.openstream(path).read() if self._file.get_type(path) == olefile.STGTY_STREAM else b""

    @property
    def _charset(self) -> str | None:
        page = self._fixed.get((_NUMBER, _CODE_PAGE), 0) & 0xFFFFFFFF
        return f"cp{page}" if page else None

    def _sent(self) -> datetime | None:
        stamp = next((stamp for key in _TIMES if (stamp := self._fixed.get((_TIME, key)))), None)
        return datetime.fromtimestamp(stamp / 10_000_000 - _EPOCH, UTC).replace(microsecond=0) if stamp else None

    def _properties(self) -> dict[tuple[int, int], int]:
        """Return the properties of fixed length, 16 bytes each after a header, by their type and id."""
        entries = self._stream("__properties_version1.0")
        places = range(_HEADERS[bool(self._path)], len(entries) - 15, 16)
        return {unpack_from("<HH", entries, at): unpack_from("<Q", entries, at + 8)[0] for at in places}


def _decoded(content: bytes, charset: str | None) -> str:
    """Return text of 8 bits, which a NUL ends; what is no text is read all the same, for the rest of the message."""
    content = content.rstrip(b"\0")
    try:
        return decode(content, charset)[0]
    except ExtractionError:
        return content.decode("cp1252", "replace")


def _rich_text(packed: bytes) -> str:
    from rag_platform.documents.formats.rich_text.reader import read_rtf

    try:
        return read_rtf(unpacked(packed)).text
    except (ExtractionError, *_BROKEN):  # its subject and its attachments are worth having
        return ""


def _as_email(mail: _Mail) -> bytes:
    """Write a message within another as an e-mail, with its attachments."""
    made = EmailMessage()
    for name, value in (("Subject", mail.subject), ("From", mail.sender), ("To", mail.to), ("Cc", mail.cc)):
        if value:
            made[name] = value
    if mail.sent:
        made["Date"] = format_datetime(mail.sent)
    made.set_content(mail.body or "\n")
    for member in mail.members:
        kind, _, subtype = (member.content_type or "application/octet-stream").partition("/")
        made.add_attachment(member.content, maintype=kind, subtype=subtype or "octet-stream", filename=member.path)
    return made.as_bytes()
