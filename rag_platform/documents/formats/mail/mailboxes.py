"""Mailboxes (mbox): each conversation is a document, with who answered whom; so is each attachment."""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from email.utils import parseaddr
from itertools import pairwise

from rag_platform.core.errors import ExtractionError
from rag_platform.documents.extracted import Extracted, Lost, Member, losses
from rag_platform.documents.file_names import FreeNames
from rag_platform.documents.formats.mail.email import read_email, words_said
from rag_platform.documents.formats.markdown_writer import heading, join

THREAD = "application/x-mail-thread"
"""The media type of messages that answer each other, one after the other as in a mailbox."""
_QUOTED = re.compile(rb"^>(>*From )", re.MULTILINE)
_DIGITS = 5
"""Of a message's number: its address is to stay when the mailbox grows."""
_START = re.compile(rb"^From [^\r\n]*\d{4}\r?\n(?=[!-9;-~]+:)", re.MULTILINE)
_HEADERS = re.compile(rb"^(message-id|in-reply-to|references):(.*(?:\n[ \t].*)*)", re.MULTILINE | re.IGNORECASE)
_ID = re.compile(rb"<[^<>\s]+>")
_REPLY = re.compile(r"^(?:(?:re|aw|fw|fwd|wg|antw|sv|vs|tr|rif|odp)(?:\[\d+\])?\s*:\s*)+", re.IGNORECASE)
_QUOTE = re.compile(r"^(?:\s*>)+\s?")
_BELOW = re.compile(
    r"^(?:\\?[-_]{3,}+[^\n]*\n++)?[^\w\n>]*(?:From|Von|De|Da|Van|Från|Fra|Lähettäjä|Od|От|差出人|发件人)[^\w\n]*[:：][^\n]*\n"
    r"(?:(?![^\S\n]*\n)[^\n]*\n){1,8}?"
    r"[^\w\n>]*(?:Subject|Betreff|Objet|Asunto|Oggetto|Onderwerp|Assunto|Ämne|Emne|Aihe|Temat|Тема|件名|主题)[^\w\n]*[:：].*$",
    re.MULTILINE | re.IGNORECASE,
)
"""What Outlook writes above a message that it quotes without marks, in many languages."""
_RUN = 3
"""Words in a row that are looked for among those said before: a program may have broken the lines elsewhere."""
_MOST_TOGETHER = 500
"""Messages of one conversation that make one document; more than that is a list under one subject."""


def read_mbox(content: bytes) -> Extracted:
    """Read a mailbox: its conversations are its members, named by the number of their first message.

    Raises:
        ExtractionError: There is no message in it.
    """
    messages = _messages(content)
    if not messages:
        raise ExtractionError("no mailbox: no line 'From … ' begins a message")
    threads = _threads([_ids(message) for message in messages])
    members = tuple(_member(thread, messages) for thread in threads)
    flags = (
        f"messages: {len(messages)}",
        *((f"conversations: {len(threads)}",) if len(threads) < len(messages) else ()),
    )
    return Extracted(text="", type="mbox", flags=flags, members=members)


def read_thread(content: bytes) -> Extracted:
    """Read messages that answer each other: one below the other, without the lines that they repeat.

    Raises:
        ExtractionError: There is no message in it.
    """
    raw = _messages(content)
    ids = [_ids(message) for message in raw]
    told = sorted(
        ((read_email(message), own, above) for message, (own, above) in zip(raw, ids, strict=True)),
        key=lambda one: one[0].published_at.timestamp() if one[0].published_at else 0.0,
    )
    if not told:
        raise ExtractionError("no conversation: no line 'From … ' begins a message")
    first, last, people = told[0][0], told[-1][0], {own: read.author for read, own, _ in told}
    subject, said, seen = _REPLY.sub("", first.title), [], set[tuple[str, ...]]()
    members: list[Member] = []
    names = FreeNames()
    lost: Counter[Lost] = Counter()
    for read, _, above in told:
        asked = next((people[one] for one in reversed(above) if one in people), "")
        said += [heading(2, _headline(read.author, read.published_at, asked)), _new_lines(read, seen)]
        members += [replace(one, path=names.take(one.path)) for one in read.members]
        lost.update({one.what: one.count for one in read.losses})
    return Extracted(
        text=join([heading(1, subject), *said]),
        type="email",
        title=subject,
        author=first.author,
        published_at=first.published_at,
        updated_at=last.published_at,
        kind="conversation",
        tags=tuple(dict.fromkeys(tag for read, _, _ in told for tag in read.tags)),
        flags=(f"messages: {len(told)}", *dict.fromkeys(flag for read, _, _ in told for flag in read.flags)),
        losses=losses(lost),
        members=members,
    )


def _messages(content: bytes) -> list[bytes]:
    starts = list(_START.finditer(content))
    ends = [*(start.start() for start in starts[1:]), len(content)]
    return [_QUOTED.sub(rb"\1", content[one.end() : end]) for one, end in zip(starts, ends, strict=False)]


def _member(thread: list[int], messages: list[bytes]) -> Member:
    name = f"{thread[0] + 1:0{_DIGITS}}.eml"
    if len(thread) == 1:
        return Member(name, messages[thread[0]], "message/rfc822")
    whole = b"\n".join(
        b"From - Thu Jan  1 00:00:00 1970\n" + re.sub(rb"^(>*From )", rb">\1", messages[one], flags=re.MULTILINE)
        for one in thread
    )
    return Member(name, whole, THREAD)


def _ids(message: bytes) -> tuple[bytes, list[bytes]]:
    """Return a message's id, and those of the messages that it answers, the nearest last."""
    end = re.search(rb"\r?\n\r?\n", message)
    own, above = b"", [b""]
    for name, value in _HEADERS.findall(message[: end.start() if end else len(message)]):
        found = _ID.findall(value)
        if name.lower() == b"message-id":
            own = found[0] if found else b""
        else:  # In-Reply-To names the nearest, References the way to it
            above = above + found if name.lower() == b"in-reply-to" else [*found, *above]
    return own, [one for one in above if one]


def _threads(ids: list[tuple[bytes, list[bytes]]]) -> list[list[int]]:
    """Return the numbers of the messages of each conversation: what names the same message, there or not, is one."""
    leader: dict[bytes, bytes] = {}

    def lead(one: bytes) -> bytes:
        while (above := leader.setdefault(one, one)) != one:
            leader[one] = one = leader[above]
        return one

    named = [own or b"number %d" % number for number, (own, _) in enumerate(ids)]
    for own, (_, above) in zip(named, ids, strict=True):
        for one in above:
            leader[lead(one)] = lead(own)
    groups: dict[bytes, list[int]] = {}
    for number, own in enumerate(named):
        groups.setdefault(lead(own), []).append(number)
    return sorted(part for group in groups.values() for part in _parted(group))


def _parted(group: list[int]) -> Iterable[list[int]]:
    return [group] if len(group) <= _MOST_TOGETHER else [[one] for one in group]


def _headline(author: str, time: datetime | None, asked: str) -> str:
    when = f", {time:%Y-%m-%d %H:%M}" if time else ""
    return f"{_name(author)}{when}{f', in answer to {_name(asked)}' if asked else ''}"


def _name(person: str) -> str:
    name, address = parseaddr(person)
    return name or address or person or "Somebody"


def _new_lines(read: Extracted, seen: set[tuple[str, ...]]) -> str:
    """Return a message without its subject, and without what it quotes and was said in one before it."""
    text = read.text.partition("\n")[2] if read.text.startswith("# ") else read.text
    heads = list(_BELOW.finditer(text))
    own, *below = (text[at:end] for at, end in pairwise([0, *(head.start() for head in heads), len(text)]))
    kept = [line for line in own.split("\n") if not (_QUOTE.match(line) and _is_said(line, seen))]
    for head, quoted in zip(heads, below, strict=True):
        lines = quoted.removeprefix(head[0]).split("\n")
        new = [line for line in lines if not line.strip() or not _is_said(line, seen)]
        kept += [head[0], *new] if any(map(str.strip, new)) else []
    words = words_said(text)
    seen.update(run for size in range(1, _RUN + 1) for run in _runs(words, size))
    return "\n".join(kept).strip()


def _is_said(line: str, seen: set[tuple[str, ...]]) -> bool:
    words = words_said(line)
    return all(run in seen for run in _runs(words, min(len(words), _RUN)))


def _runs(words: list[str], size: int) -> Iterable[tuple[str, ...]]:
    return zip(*(words[at:] for at in range(size)), strict=False)
