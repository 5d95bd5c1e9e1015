"""An e-mail that came in: who asks what, or why it is not answered.

A sender is whom the own server's Authentication-Results (RFC 8601) say that DMARC (RFC 7489) passed for: anybody can
write any name into From. What programs send is never answered (RFC 3834), so that no two programs write to each other
for ever.
"""

import re
from dataclasses import dataclass
from email import message_from_bytes, policy
from email.headerregistry import Address
from email.message import EmailMessage

from rag_platform.config.sections.chat_apps import MailSettings
from rag_platform.text.cleaning import clean_line

LONGEST = 1_000_000
"""Bytes of an e-mail that is read."""
LONGEST_TEXT = 100_000
"""Characters of what somebody wrote that are read."""
LONGEST_HEADER = 5000
"""Characters of a header of the own server that are read."""
_HEADER = 20_000
"""Characters of any header: the library takes minutes for one that is ten times as long."""
_END_OF_HEAD = re.compile(rb"\r?\n\r?\n|\r\r")
_HEADERS = re.compile(rb"(?:[^\r\n]|[\r\n]+[ \t])+")
_OF_PARTS = re.compile(rb"content-(?:type|disposition)[ \t]*:(?:[^\r\n]|[\r\n]+[ \t])*", re.IGNORECASE)
_LISTS = ("list-id", "list-post", "list-help", "list-unsubscribe", "list-owner", "list-archive", "mailing-list")
_PROGRAMS = ("x-auto-response-suppress", "x-autoreply", "x-autorespond", "x-auto-reply-from", "feedback-id", "x-loop")
_NOBODY = re.compile(r"(mailer-daemon|postmaster|no-?reply|do-?not-?reply|bounces?|root|daemon|listserv)([+.-].*)?")
_QUOTED = re.compile(r"\s*>|-- ?$|_{8,}|-{3,} ?\w[\w ]* ?-{3,}|(From|Von|De|Da): .*@|(On|Am|Le|El|Il) .{8,}:$")
_ASIDE = re.compile(r'\([^()]*\)|"[^"]*"')
"""Comments and quoted texts of a header: what a sender chose may stand there."""
_RESULT = re.compile(r"\s*dmarc\s*=\s*(\w+)\s(?:.*\s)?header\.from\s*=\s*(\S+)\s*")


class NotAnswered(Exception):
    """Says why an e-mail gets no answer."""


@dataclass(frozen=True, slots=True)
class Question:
    """What somebody asks."""

    sender: str
    """Their address, in lower case."""
    name: str
    message_id: str
    references: tuple[str, ...]
    """The e-mails that it answers, the newest first."""
    subject: str
    text: str


def read_question(content: bytes, settings: MailSettings) -> Question:
    """Return who asks what.

    Raises:
        NotAnswered: a program sent it, or nobody vouches for its sender, or it asks nothing.
    """
    try:
        _refuse_long_headers(content)
        message = message_from_bytes(content, policy=policy.default)
        sender, name = _sender(message)
        _refuse_programs(message, sender, settings)
        _refuse_unproven(message, sender, settings)
        subject = clean_line(str(message["subject"] or ""))
        text = _asked(message) or re.sub(r"^((re|aw|fwd?|wg)\s*:\s*)+", "", subject, flags=re.IGNORECASE)
        ids = _ids(message, "in-reply-to") + _ids(message, "references")[::-1]
        own = _ids(message, "message-id")
    except NotAnswered:
        raise
    except Exception as error:  # whatever the library makes of what strangers write
        raise NotAnswered(f"it cannot be read: {type(error).__name__}") from error
    if not text or not own:
        raise NotAnswered("it asks nothing" if own else "it has no Message-ID")
    return Question(sender, name, own[0], tuple(dict.fromkeys(ids)), subject, text)


def _refuse_long_headers(content: bytes) -> None:
    head = _END_OF_HEAD.split(content, maxsplit=1)[0]
    of_parts = _OF_PARTS.findall(content)
    if any(len(header) > _HEADER for header in (*_HEADERS.findall(head), *of_parts)):
        raise NotAnswered(f"a header has more than {_HEADER} characters")


def _sender(message: EmailMessage) -> tuple[str, str]:
    given = message.get_all("from", [])
    addresses: tuple[Address, ...] = given[0].addresses if len(given) == 1 else ()
    if len(addresses) != 1 or not addresses[0].domain:
        raise NotAnswered("it is not of one sender")
    addresses[0].addr_spec.encode()  # an address that is no text at all cannot be written to
    return addresses[0].addr_spec.lower(), addresses[0].display_name or addresses[0].addr_spec


def _refuse_programs(message: EmailMessage, sender: str, settings: MailSettings) -> None:
    submitted = str(message["auto-submitted"] or "no").partition(";")[0].strip().lower()
    precedence = str(message["precedence"] or "").strip().lower()
    returned = str(message["return-path"] or "<x>").strip()
    if submitted != "no" or precedence in ("bulk", "list", "junk", "auto_reply") or returned == "<>":
        raise NotAnswered("a program sent it")
    if any(name in message for name in _LISTS):
        raise NotAnswered("it came over a mailing list")
    if any(name in message for name in _PROGRAMS) or message.get_content_type() == "multipart/report":
        raise NotAnswered("a program sent it")
    if _NOBODY.fullmatch(sender.partition("@")[0]) or sender == (settings.address or "").lower():
        raise NotAnswered(f"nobody reads at {sender}")


def _refuse_unproven(message: EmailMessage, sender: str, settings: MailSettings) -> None:
    domain = sender.rpartition("@")[2]
    if settings.domains and domain not in settings.domains:
        raise NotAnswered(f"{domain} is none of [mail] domains")
    for header in message.get_all("authentication-results", []):
        host, _, results = str(header).partition(";")
        if host.split()[:1] == [settings.authenticated_by]:
            # Of the own server's headers, the newest: those below may have come with the e-mail.
            if _results(results) == [("pass", domain)]:
                return
            break
    raise NotAnswered(f"{settings.authenticated_by} does not vouch for {sender} (DMARC)")


def _results(header: str) -> list[tuple[str, str]]:
    """Return what DMARC came to, and for which domain."""
    plain = header[:LONGEST_HEADER]
    while plain != (less := _ASIDE.sub(" ", plain)):
        plain = less
    found = [_RESULT.fullmatch(one.lower()) for one in plain.split(";") if one.lower().split("=")[0].strip() == "dmarc"]
    return [(one[1], one[2]) if one else ("", "") for one in found]


def _asked(message: EmailMessage) -> str:
    """Return what somebody wrote, up to what they quote and to their signature."""
    part = message.get_body(("plain", "html"))
    said = part.get_content()[:LONGEST_TEXT] if part is not None else ""
    if part is not None and part.get_content_type() == "text/html":
        from rag_platform.documents.formats.web.fragments import markdown_of

        said = markdown_of(said)
    lines: list[str] = []
    for line in said.splitlines():
        if _QUOTED.match(line):
            break
        lines.append(line)
    return " ".join(" ".join(lines).split())


def _ids(message: EmailMessage, name: str) -> list[str]:
    return re.findall(r"<[^<>\s]{1,500}>", str(message[name] or ""))
