"""The messages of a conversation -> documents: who wrote what, when, and in answer to whom."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby

from rag_platform.documents.extracted import Member
from rag_platform.documents.formats.markdown_writer import front_matter, heading, join, paragraph
from rag_platform.text.cleaning import clean_line

DAY, MONTH = "%Y-%m-%d", "%Y-%m"
_UNSAFE = re.compile(r"[^\w.-]+")
_LINK = re.compile(r"\[([^\[\]]*)\]\([^()\s]*\)")
_LONGEST_TITLE = 80


@dataclass(frozen=True, slots=True)
class Message:
    """What somebody wrote; times are those that the export states."""

    id: str
    time: datetime | None
    author: str
    """Empty: the program itself."""
    text: str
    """Markdown."""
    answers: str = ""
    """The id of the message that it answers, or of the one that began its thread."""
    files: tuple[str, ...] = ()
    """Names of what was attached."""


def documents_of(
    name: str, messages: Iterable[Message], *, folder: str = "", period: str = DAY, tags: tuple[str, ...] = ()
) -> Iterator[Member]:
    """Yield the documents of a conversation: its threads, then what stands by itself, by day or month.

    Args:
        name: What the conversation is called.
        messages: In any order.
        folder: Before the name of each document.
        period: `DAY` or `MONTH`.
        tags: Of each document.
    """
    told = [one for one in messages if one.text.strip() or one.files]
    told.sort(key=lambda one: (one.time.timestamp() if one.time else 0.0, len(one.id), one.id))  # ids are numbers
    root = _roots(told)
    known = {one.id: one for one in told}
    threads: dict[str, list[Message]] = {}
    for one in told:
        threads.setdefault(root(one.id), []).append(one)
    for first, thread in threads.items():
        if len(thread) > 1:
            title = f"{name}: {_beginning(thread[0].text)}"
            text = join(_said(one, known, "%Y-%m-%d %H:%M") for one in thread)
            yield _document(f"{folder}thread-{safe(first)}.md", title, text, thread, tags)
    alone = [thread[0] for thread in threads.values() if len(thread) == 1]
    for when, group in groupby(alone, lambda one: f"{one.time:{period}}" if one.time else "undated"):
        some = list(group)
        text = join(_days(some, known, level=2 if period == MONTH else 0))
        yield _document(f"{folder}{when}.md", f"{name}, {when}", text, some, tags)


def safe(name: str) -> str:
    """Return a name that can stand in an address."""
    return _UNSAFE.sub("-", name).strip("-.")[:100] or "unnamed"


def _roots(messages: list[Message]) -> Callable[[str], str]:
    """Return what finds the message that began the thread of another; answers to what is not there begin one."""
    above = {one.id: one.answers for one in messages if one.answers and one.answers != one.id}

    def root(one: str) -> str:
        seen = set()
        while one in above and one not in seen:
            seen.add(one)
            one = above[one]
        return min(seen) if one in seen else one  # messages that answer each other

    return root


def _days(messages: list[Message], known: dict[str, Message], level: int) -> Iterator[str]:
    for day, group in groupby(messages, lambda one: f"{one.time:%Y-%m-%d}" if one.time else ""):
        if level:
            yield heading(level, day)
        yield from (_said(one, known, "%H:%M") for one in group)


def _said(message: Message, known: dict[str, Message], form: str) -> str:
    """Return a message with its author, its time and whom it answers."""
    asked = known.get(message.answers)
    to = f", to {asked.author}" if asked and asked.author and asked.author != message.author else ""
    when = f" ({message.time:{form}})" if message.time else ""
    files = "".join(f"\n\nAttached: {clean_line(file)}" for file in message.files)
    who = f"**{message.author}**{when}{to}: " if message.author else ""
    return f"{who}{paragraph(message.text)}{files}".strip()


def _document(path: str, title: str, text: str, messages: list[Message], tags: tuple[str, ...]) -> Member:
    times = [one.time.isoformat() for one in messages if one.time]
    about = {
        "title": title,
        "author": ", ".join(dict.fromkeys(one.author for one in messages if one.author))[:500],
        "type": "chat",
        "tags": list(tags),
        "created": times[0] if times else "",
        "updated": times[-1] if times else "",
    }
    return Member(path, f"{front_matter(about)}{text}\n".encode("utf-8", "replace"), "text/markdown")


def _beginning(text: str) -> str:
    """Return the first words of a message, for a title."""
    line = clean_line(re.sub(r"[*_`#>\[\]]+", " ", _LINK.sub(r"\1", text)))
    return line if len(line) <= _LONGEST_TITLE else line[:_LONGEST_TITLE].rsplit(" ", 1)[0] + " …"
