"""E-mails: who wrote what to whom; attachments are documents of their own."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import datetime
from email import policy
from email.message import Message, MIMEPart
from email.parser import BytesParser
from email.utils import parsedate_to_datetime
from typing import Any

from rag_platform.core.errors import ExtractionError
from rag_platform.documents.extracted import Extracted, Lost, Member, losses
from rag_platform.documents.file_names import FreeNames
from rag_platform.documents.formats.markdown_writer import heading, join, paragraph
from rag_platform.documents.formats.plain_text import decode, newlines
from rag_platform.documents.times import parse_time
from rag_platform.text.cleaning import UNSPACED, clean, clean_line, count_words
from rag_platform.text.word_alignment import words_of

_SHOWN = ("From", "To", "Cc", "Date")
_WRITTEN = ("text", "multipart")
"""What a message says in words: a leaf that calls itself "multipart" lacks the marks between its parts."""
_APART = frozenset(("text/calendar", "text/directory", "text/vcard", "text/x-vcard"))
"""Texts that have a reader of their own."""
_SEALS = frozenset(("application/pgp-signature", "application/pkcs7-signature", "application/x-pkcs7-signature"))
"""Prove who wrote the message, and say nothing."""
_SIGNATURE = "-- "
"""The line above one."""
_LABELS = ("X-Gmail-Labels", "Keywords", "X-Keywords")
_STUB = 3
"""So many times the words of the plain text make the other form of a message the one that was meant to be read."""
_SAME = 0.5
"""Of the different words of that form, at least so many stand in a plain text that says the same."""
_UNSPACED = re.compile(UNSPACED)
_BROKEN = (ValueError, LookupError, TypeError, AttributeError, IndexError)
"""What the standard library's parser raises on headers that break the rules."""
_PARSER = BytesParser(policy=policy.default)
_COUNTED = re.compile(rb"\A(\d{1,12})[ \t]*\r?\n")
"""How many bytes the message has: so Apple Mail's own files begin, and end with what it knows of the message."""
_LONGEST_HEAD = 1 << 20
_HEAD = re.compile(rb".*?\r?\n(?=\r?\n)", re.DOTALL)
_CHARSET = re.compile(rb"charset=[\"']?([\w.:-]+)", re.IGNORECASE)
_NAMED_BEHIND = re.compile(
    r"^((?:From|To|Cc): *)([^<>\"(),\r\n]+?) +\(([^()<>\r\n]+)\) *(?=\r?$)", re.MULTILINE | re.IGNORECASE
)
"""``ada@example.org (Ada)``: so people were named before RFC 2822, and are in archives of mailing lists."""


def read_email(content: bytes) -> Extracted:
    """Read a message.

    Raises:
        ExtractionError: It has no headers and no text.
    """
    message = _PARSER.parsebytes(_by_the_rules(content))
    subject = _header(message, "Subject")
    bodies, members, flags, lost = _parts(message)
    if not message.keys() and not bodies:
        raise ExtractionError("no e-mail: it has no headers")
    about = "\n".join(f"{name}: {value}  " for name in _SHOWN if (value := _header(message, name)))
    lost["parts"] += len(flags)
    return Extracted(
        text=join([heading(1, subject), about, *bodies]),
        type="email",
        title=subject,
        author=_header(message, "From"),
        published_at=_date(message),
        tags=tuple(dict.fromkeys(tag for name in _LABELS for tag in re.split(r",\s*", _header(message, name)) if tag)),
        flags=flags,
        losses=losses(lost),
        members=members,
    )


def _by_the_rules(content: bytes) -> bytes:
    """Return a message without what Apple Mail writes around it, its headers in UTF-8 and names before addresses.

    Some programs write headers in the encoding of the text, and do not say so.
    """
    if counted := _COUNTED.match(content):
        content = content[counted.end() : counted.end() + int(counted[1])]
    head = _HEAD.match(content[:_LONGEST_HEAD])
    if not head:
        return content
    stated = _CHARSET.search(head[0])
    try:
        text, _ = decode(head[0], stated[1].decode() if stated else None)
    except (ExtractionError, ValueError):
        return content
    return _NAMED_BEHIND.sub(r"\1\3 <\2>", text).encode("utf-8", "replace") + content[head.end() :]


def _parts(message: MIMEPart) -> tuple[list[str], tuple[Member, ...], tuple[str, ...], Counter[Lost]]:
    """Return the texts of a message, its attachments, what could not be read, and what is not kept."""
    bodies: list[str] = []
    members: list[Member] = []
    names = FreeNames()
    flags: list[str] = []
    lost: Counter[Lost] = Counter()
    for part in _leaves(message):
        try:
            if _is_words(part):
                text, beside = _body(part)
                bodies.append(text)
                lost.update(beside)
            elif (found := _attached(part)) and found[1]:
                name = _plain(found[0] or f"part-{len(members) + 1}")
                members.append(Member(names.take(name), found[1], part.get_content_type()))
        except (*_BROKEN, ExtractionError) as error:
            flags.append(f"part not read: {error}")
    return bodies, tuple(members), tuple(flags), lost


def _attached(part: MIMEPart) -> tuple[str, bytes]:
    """Return the name of what is no words, perhaps an empty one, and its bytes."""
    if part.get_content_type() != "message/rfc822":
        return _name(part), _payload(part)
    inner = part.get_payload(0) if part.is_multipart() else None
    whole = _decoded(inner, part) if isinstance(inner, Message) else None
    return _name(part) or f"{_header(whole, 'Subject') or 'message'}.eml", whole.as_bytes() if whole else b""


def _is_words(part: MIMEPart) -> bool:
    """Return whether a part is something that the message itself says."""
    kind = part.get_content_type()
    if part.get_content_disposition() == "attachment" or _name(part) or kind in _APART:
        return False
    return part.get_content_maintype() in _WRITTEN or kind == "message/delivery-status"


def _leaves(message: MIMEPart) -> Iterator[MIMEPart]:
    """Yield the parts that hold content: the words of one of the alternatives, and what else is in the others."""
    kind = message.get_content_type()
    if kind in _SEALS:
        return
    if kind.startswith("message/") or not message.is_multipart():
        yield message
    elif kind == "multipart/alternative":
        forms = [(part, list(_leaves(part))) for part in message.iter_parts()]  # once: they may be nested deep
        said = _said(forms)
        for part, leaves in forms:
            yield from (leaf for leaf in leaves if part is said or not _is_words(leaf))
    else:
        for part in message.iter_parts():
            yield from _leaves(part)


def _said(forms: list[tuple[Any, list[Any]]]) -> Any:
    """Return which of the alternatives has the words: the plain one, unless it lacks what the other one says."""
    leaves = [(part, leaf) for part, within in forms for leaf in within if _is_words(leaf)]
    plain: MIMEPart | None = next(
        (part for part, _ in forms if part.get_content_type() == "text/plain" and _payload(part).strip()), None
    )
    rich = next((one for one in reversed(leaves) if one[1].get_content_type() == "text/html"), None)
    if rich and (plain is None or _is_stub(rough_text(plain), rough_text(rich[1]))):
        return rich[0]
    return plain if plain is not None or not leaves else leaves[-1][0]


def _is_stub(plain: str, rich: str) -> bool:
    """Return whether a plain text only says that there is another form: it is far shorter, or in other words."""
    there, told = frozenset(words_said(plain)), frozenset(words_said(rich))
    return count_words(rich) > _STUB * count_words(plain) or len(told & there) < _SAME * len(told)


def words_said(text: str) -> list[str]:
    """Return the words by which forms of a message are compared; a letter of a script without spaces is one."""
    return words_of(_UNSPACED.sub(r" \g<0> ", clean(text)))


def rough_text(part: Message) -> str:
    """Return the words of a part in HTML that people see, or those of a plain one."""
    try:
        text, _ = decode(_payload(part), part.get_content_charset())
    except (*_BROKEN, ExtractionError):
        return ""
    if part.get_content_type() == "text/plain":
        return text
    from rag_platform.documents.formats.web.fragments import parse_fragment
    from rag_platform.documents.formats.web.visible import visible_text

    return visible_text(tree) if (tree := parse_fragment(text)) is not None else ""


def _decoded(inner: Message, part: MIMEPart) -> Message:
    """Return a message within another; some programs encode it, which RFC 2046 (5.2.1) forbids, and it is no words."""
    encoding = _header(part, "Content-Transfer-Encoding").lower()
    if inner.keys() or encoding not in ("base64", "quoted-printable"):
        return inner
    inner["Content-Transfer-Encoding"] = encoding
    content = inner.get_payload(decode=True)
    return _PARSER.parsebytes(content if isinstance(content, bytes) else b"")


def _payload(part: Message) -> bytes:
    content = part.get_payload(decode=True)
    return content if isinstance(content, bytes) else b""


def _body(part: MIMEPart) -> tuple[str, Mapping[Lost, int]]:
    """Return what a part says, and what is not kept of it."""
    if part.get_content_type() == "message/delivery-status":
        told = (header for one in part.iter_parts() for header in one.items())
        return "\n".join(f"{name}: {clean_line(str(value))}  " for name, value in told), {}
    text, _ = decode(_payload(part), part.get_content_charset())
    if part.get_content_type() == "text/html":
        from rag_platform.documents.formats.web.fragments import read_fragment

        return read_fragment(text)
    if part.get_content_type() == "text/plain" and _parameter(part, "format") == "flowed":
        text = _unfolded(text, spaced=_parameter(part, "delsp") != "yes")
    return paragraph(text), {}


def _parameter(part: MIMEPart, name: str) -> str:
    return str(part.get_param(name, "")).lower()


def _unfolded(text: str, *, spaced: bool) -> str:
    """Return the paragraphs of a text whose lines end with a space where they go on (RFC 3676, 4.2).

    Args:
        text: It.
        spaced: That space is one of the text too.
    """
    lines: list[str] = []
    goes_on = ""
    for line in newlines(text).split("\n"):
        said = line.lstrip(">")
        marks, said = line[: len(line) - len(said)], said.removeprefix(" ")
        flows = said.endswith(" ") and said != _SIGNATURE
        if goes_on == f"{marks} " and said != _SIGNATURE:
            lines[-1] += said
        else:
            lines.append(f"{marks} {said}" if marks else said)
        if flows and not spaced:
            lines[-1] = lines[-1][:-1]
        goes_on = f"{marks} " if flows else ""
    return "\n".join(lines)


def _header(message: Message | None, name: str) -> str:
    try:
        return clean_line(str(message[name])) if message is not None and message[name] is not None else ""
    except _BROKEN:
        return ""


def _date(message: Message) -> datetime | None:
    """Return when a message was sent; one that does not say it, when it was received."""
    received = str((message.get_all("Received") or [""])[0]).rpartition(";")[2]
    for stated in (_header(message, "Date"), clean_line(received)):
        try:
            return parse_time(parsedate_to_datetime(stated))
        except _BROKEN:
            continue
    return None


def _name(part: MIMEPart) -> str:
    try:
        return clean_line(part.get_filename() or "")
    except _BROKEN:
        return ""


def _plain(name: str) -> str:
    """Return the last part of a file name, whatever folders it claims."""
    return re.split(r"[/\\]", name)[-1].strip(". ") or "attachment"
