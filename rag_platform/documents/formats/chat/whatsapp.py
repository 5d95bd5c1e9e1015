"""Exports of WhatsApp: a text file whose lines begin with a time and a name, as the phone's language writes them."""

import re
from datetime import datetime
from itertools import pairwise

from rag_platform.core.errors import ExtractionError
from rag_platform.documents.extracted import Extracted, Loss
from rag_platform.documents.file_names import stem_of
from rag_platform.documents.formats.chat.conversation import MONTH, Message, documents_of
from rag_platform.documents.formats.plain_text import decode, newlines

_START = (
    r"\ufeff?(\[)?(\d{1,4})([./-])\s?(\d{1,2})\3\s?(\d{1,4})[.,\u060c]*[ \u00a0\u202f]([^\d\n:]{0,12}?)"
    r"(\d{1,2})[:.](\d\d)(?:[:.]\d\d)?"
    r"(?:[ \u00a0\u202f]?([AaPp](?=\.?[ \u00a0\u202f]?[Mm])|[\u0635\u0645])(?:\.?[ \u00a0\u202f]?[Mm]\.?)?)?"
    r"(?(1)\]|(?: -|:)) "
)
_LINE = re.compile(_START + r"(?:([^:\n]{1,100}):(?: |$))?(.*)", re.DOTALL)
_LEVEL = re.compile(r"(?:.*[. \]])?(?:trace|debug|info|notice|warn(?:ing)?|error|critical|fatal)\]?", re.IGNORECASE)
"""What stands in the place of a name in the log of a program."""
_DIRECTIONS = dict.fromkeys((0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)))
"""Marks of the direction of writing, which in Arabic stand between the numbers of a date."""
_AFTERNOON = ("下午", "晚上", "午後", "오후", "PM")
"""Words before the time that say so."""
_ATTACHED = re.compile(r"(?:<[^<>:\n]{1,20}: ?([^<>\n]+?) ?>|([\w-]+\.\w{2,5}) \([^()\n]{1,30}\))")
_OMITTED = re.compile(r"<[^<>:\n]{1,40}>|[\w ]{1,30} (?:omitted|weggelassen)")
_NAME = re.compile(
    r"^_?(?:WhatsApp[ _-]?Chat|\w+ (?:d[eoi]l? )?WhatsApp|chat$)[ _-]*(?:(?:with|mit|con|com|avec|met|med|z|-) )?",
    re.IGNORECASE,
)
_HEAD, _FIRST = 4096, 20
"""Bytes and lines by which an export is known."""
_LEAST = 2
"""Of these, lines that begin with a time."""

_Read = tuple[tuple[int, int, int], int, int, str, str]
"""The numbers of a date, hour, minute, author, text."""
_ORDERS: dict[str, tuple[int, int, int]] = {"day first": (2, 1, 0), "month first": (2, 0, 1), "year first": (0, 1, 2)}
"""Where year, month and day stand."""


def is_whatsapp(content: bytes) -> bool:
    """Return whether the first line of a text and others begin with a time and, some of them, a name.

    One such line begins many a note.
    """
    lines = content[:_HEAD].decode("utf-8", "ignore").translate(_DIRECTIONS).splitlines()[:_FIRST]
    found = [one for line in lines if (one := _LINE.match(line))]
    if len(found) < _LEAST or not _LINE.match(lines[0]) or any(_LEVEL.fullmatch(one[10] or "") for one in found):
        return False
    return any(one[10] for one in found)


def read_whatsapp(content: bytes, *, uri: str, charset: str | None = None) -> Extracted:
    """Open an export; its documents are the months of the conversation.

    Args:
        content: The text file.
        uri: Its name says with whom the conversation is.
        charset: Its encoding, if that is known.

    Raises:
        ExtractionError: No line begins with a time.
    """
    text, flags = decode(content, charset)
    lines = _lines(newlines(text).translate(_DIRECTIONS))
    if not lines:
        raise ExtractionError("no export of WhatsApp: no line begins with a time and a name")
    order, sure = _order([line[0] for line in lines])
    said = [line for line in lines if not _OMITTED.fullmatch(line[4].strip())]
    omitted = len(lines) - len(said)
    messages = [_message(number, line, order) for number, line in enumerate(said)]
    name = _NAME.sub("", stem_of(uri)).strip(" _-") or "WhatsApp"
    return Extracted(
        text="",
        type="whatsapp",
        title=name,
        flags=(*flags, *(() if sure else (f"dates read with the {order}: nothing in the file says which it is",))),
        members=tuple(documents_of(name, messages, period=MONTH)),
        losses=(Loss("media", omitted),) if omitted else (),
    )


def _message(number: int, line: _Read, order: str) -> Message:
    text = line[4].strip()
    attached = _ATTACHED.match(text)
    files = (attached[1] or attached[2],) if attached else ()
    return Message(
        f"{number:07}", _time(line, order), line[3], text[attached.end() :] if attached else text, files=files
    )


def _lines(text: str) -> list[_Read]:
    """Return the messages; a line without a time goes on with the one before."""
    read: list[tuple[re.Match[str], list[str]]] = []
    for line in text.split("\n"):
        if found := _LINE.match(line):
            read.append((found, [found[11]]))
        elif read:
            read[-1][1].append(line)
    return [_line(found, "\n".join(lines)) for found, lines in read]


def _line(found: re.Match[str], text: str) -> _Read:
    date = (int(found[2]), int(found[4]), int(found[5]))
    half = found[9] or ("p" if found[6].strip() in _AFTERNOON else None)
    return date, _hour(int(found[7]), half), int(found[8]), found[10] or "", text


def _hour(hour: int, half: str | None) -> int:
    return hour if half is None else hour % 12 + 12 * (half in "pP\u0645")


def _order(dates: list[tuple[int, int, int]]) -> tuple[str, bool]:
    """Return in which order the numbers of all dates stand, and whether that is sure.

    Of the orders in which every date exists, it is the one in which the conversation never goes back in time.
    """
    fits = [name for name in _ORDERS if all(_date(one, name) for one in dates)]
    ahead = [name for name in fits if _backwards(dates, name) == min(_backwards(dates, one) for one in fits)]
    return (ahead[0], len(ahead) == 1) if ahead else ("day first", False)


def _backwards(dates: list[tuple[int, int, int]], order: str) -> int:
    days = [found for one in dates if (found := _date(one, order))]
    return sum(after < before for before, after in pairwise(days))


def _date(numbers: tuple[int, int, int], order: str) -> datetime | None:
    year, month, day = (numbers[at] for at in _ORDERS[order])
    if order == "year first" and year < 100:  # a year of two digits stands last
        return None
    try:
        return datetime(year + 2000 if year < 100 else year, month, day)
    except ValueError:
        return None


def _time(line: _Read, order: str) -> datetime | None:
    day = _date(line[0], order)
    return day.replace(hour=min(line[1], 23), minute=min(line[2], 59)) if day else None
