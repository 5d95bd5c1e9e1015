"""Calendars (iCalendar): each appointment, task and journal entry is a section: when, where, with whom, about what."""

import quopri
import re
import warnings
from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from rag_platform.core.errors import ExtractionError
from rag_platform.documents.extracted import Extracted, Lost, losses
from rag_platform.documents.formats.contacts.occurrences import (
    every,
    moment,
    moments,
    period,
    reminders,
    repetition,
    value,
)
from rag_platform.documents.formats.markdown_writer import heading, join, paragraph
from rag_platform.documents.formats.plain_text import decode, newlines
from rag_platform.documents.formats.web.fragments import markdown_of
from rag_platform.documents.times import parse_time
from rag_platform.text.cleaning import clean_line

_KINDS = ("VEVENT", "VTODO", "VJOURNAL")
_OTHERS = ("VFREEBUSY", "VAVAILABILITY")
"""Say when somebody has time: nothing that is told in words."""
_MARK = re.compile(r"^(BEGIN|END):[ \t]*([\w-]+)[ \t]*$", re.MULTILINE | re.IGNORECASE)
_NAMES = {"VEVENT": "appointment", "VTODO": "task", "VJOURNAL": "journal entry"}
_MEETINGS = ("CONFERENCE", "X-GOOGLE-CONFERENCE", "X-MICROSOFT-SKYPETEAMSMEETINGURL")
_QUOTED = re.compile(
    r"^([\w-]+)((?:;[^:\n]*)?;(?:ENCODING=)?QUOTED-PRINTABLE[^:\n]*):((?:[^\n]*=\n)*[^\n]*)",
    re.MULTILINE | re.IGNORECASE,
)
_MARKUP = re.compile(r"</(?:p|div|span|a|b|i|u|ul|ol|li|html|table|font)>|<br ?/?>", re.IGNORECASE)
_ANSWERS = {"ACCEPTED": "accepted", "DECLINED": "declined", "TENTATIVE": "tentative"}


def read_calendar(content: bytes, *, charset: str | None = None) -> Extracted:
    """Read a calendar.

    Raises:
        ExtractionError: There is none in it.
    """
    text, flags = decode(content, charset)
    calendars, broken = _parsed(_closed(_plainly(newlines(text))))
    entries = [entry for one in calendars for entry in one.walk() if entry.name in _KINDS]
    if not calendars:
        raise ExtractionError("no calendar that can be read: no line 'BEGIN:VCALENDAR' begins a sound one")
    lost: Counter[Lost] = Counter()
    lost["entries"] = broken + sum(part.name in _OTHERS for one in calendars for part in one.walk())
    lost["entries"] += sum(part.name == "VALARM" for one in calendars for part in one.subcomponents)
    flags += () if entries else ("no appointments, tasks or journal entries in it",)
    for entry in entries:
        lost["attachments"] += sum(not str(one).startswith(("http:", "https:")) for one in every(entry, "ATTACH"))
        lost["parts"] += len(entry.errors) + sum(not repetition(one) for one in every(entry, "RRULE"))
    named = (clean_line(str(one.get(key, ""))) for one in calendars for key in ("X-WR-CALNAME", "NAME"))
    name = next(filter(None, named), "")
    single = clean_line(str(entries[0].get("SUMMARY", ""))) if len(entries) == 1 else ""
    level = 1 if len(entries) == 1 else 2
    about = [paragraph(str(one.get(key, ""))) for one in calendars for key in ("X-WR-CALDESC", "DESCRIPTION")]
    return Extracted(
        text=join([heading(1, name) if level == 2 else "", *about, *(_entry(entry, level) for entry in entries)]),
        type="calendar",
        title=single or name,
        author=_person(entries[0].get("ORGANIZER")) if len(entries) == 1 else "",
        published_at=min(_times(entries, "CREATED"), default=None) if len(entries) == 1 else None,
        updated_at=max(_times(entries, "LAST-MODIFIED"), default=None),
        kind=_NAMES[entries[0].name] if len(entries) == 1 else "calendar",
        tags=_categories(entries),
        flags=(*flags, *((f"entries: {len(entries)}",) if len(entries) > 1 else ())),
        losses=losses(lost),
    )


def _closed(text: str) -> str:
    """Return the text with an end for everything that begins: the parser drops what is cut off without a word."""
    still, open_ones = list[str](), Counter[str]()
    for mark, name in _MARK.findall(text.upper()):
        if mark == "BEGIN":
            still.append(name)
            open_ones[name] += 1
        elif open_ones[name]:
            last = ""
            while last != name:
                last = still.pop()
                open_ones[last] -= 1
    return text.rstrip() + "".join(f"\nEND:{name}" for name in reversed(still)) + "\n"


def _parsed(text: str) -> tuple[list[Any], int]:
    """Return the calendars of a text; where one breaks the parser, its entries one by one, and how many are lost."""
    from icalendar import Calendar

    with warnings.catch_warnings(action="ignore"):  # it says of some names of time zones that it guesses them
        try:
            return list(Calendar.from_ical(text, multiple=True)), 0
        except ValueError:
            read, broken = [], 0
        for entry in _entries(text):
            try:
                read += Calendar.from_ical(f"BEGIN:VCALENDAR\n{entry}\nEND:VCALENDAR\n", multiple=True)
            except ValueError:
                broken += 1
    return read, broken


def _entries(text: str) -> Iterator[str]:
    """Yield the lines of each entry, up to the next end of its kind."""
    begun: tuple[int, str] | None = None
    for found in _MARK.finditer(text):
        mark, name = found[1].upper(), found[2].upper()
        if mark == "BEGIN" and begun is None and name in _KINDS:
            begun = found.start(), name
        elif mark == "END" and begun is not None and begun[1] == name:
            yield text[begun[0] : found.end()]
            begun = None


def _entry(entry: Any, level: int) -> str:
    said = {
        "When": period(entry),
        "Instead of": moment(entry, "RECURRENCE-ID"),
        "Due": moment(entry, "DUE"),
        "Done": moment(entry, "COMPLETED"),
        "Repeats": "; ".join(filter(None, map(repetition, every(entry, "RRULE")))),
        "Except": moments(entry, "EXDATE"),
        "Also": moments(entry, "RDATE"),
        "Where": clean_line(str(entry.get("LOCATION", ""))),
        "Organiser": _person(entry.get("ORGANIZER")),
        "With": ", ".join(filter(None, map(_attendee, every(entry, "ATTENDEE")))),
        "Contact": ", ".join(clean_line(str(one)) for one in every(entry, "CONTACT")),
        "Needs": ", ".join(re.sub(r",\s*", ", ", clean_line(str(one))) for one in every(entry, "RESOURCES")),
        "Status": clean_line(str(entry.get("STATUS", ""))).lower().replace("-", " "),
        "Progress": f"{entry['PERCENT-COMPLETE']} %" if entry.get("PERCENT-COMPLETE") else "",
        "Categories": ", ".join(_categories([entry])),
        "Web": clean_line(str(entry.get("URL", ""))),
        "Meeting": ", ".join(dict.fromkeys(clean_line(str(one)) for name in _MEETINGS for one in every(entry, name))),
        "Reminder": "; ".join(reminders(entry)),
        "Attached": ", ".join(str(one) for one in every(entry, "ATTACH") if str(one).startswith(("http:", "https:"))),
    }
    about = "\n".join(f"{name}: {value}  " for name, value in said.items() if value)
    told = [str(one) for name in ("DESCRIPTION", "COMMENT") for one in every(entry, name) if str(one).strip()]
    told = told or [str(one) for one in every(entry, "X-ALT-DESC")]
    return join([heading(level, str(entry.get("SUMMARY", "")) or "Entry without a title"), about, *map(_said, told)])


def _said(text: str) -> str:
    """Return a description as Markdown: Google and Outlook write HTML."""
    return markdown_of(text) if _MARKUP.search(text) else paragraph(text)


def _plainly(text: str) -> str:
    """Return a calendar without the quoted-printable of version 1.0, which the parser does not know."""
    from icalendar import vText

    def plain(found: re.Match[str]) -> str:
        quoted = found[3].replace("=\n", "").encode("utf-8", "replace")
        charset = re.search(r"CHARSET=([\w.:-]+)", found[2], re.IGNORECASE)
        read = newlines(decode(quopri.decodestring(quoted), charset[1] if charset else None)[0])
        return f"{found[1]}:{vText(read).to_ical().decode()}"

    return _QUOTED.sub(plain, text)


def _attendee(value: Any) -> str:
    answer = _ANSWERS.get(str(getattr(value, "params", {}).get("PARTSTAT", "")).upper(), "")
    return f"{_person(value)}{f' ({answer})' if answer else ''}"


def _person(value: Any) -> str:
    if value is None:
        return ""
    name = clean_line(str(getattr(value, "params", {}).get("CN", ""))).strip("\"'")
    address = re.sub(r"^mailto:", "", clean_line(str(value)), flags=re.IGNORECASE)
    return f"{name} <{address}>" if name and address and name != address else name or address


def _categories(entries: list[Any]) -> tuple[str, ...]:
    found = (clean_line(str(one)) for entry in entries for value in every(entry, "CATEGORIES") for one in _cats(value))
    return tuple(dict.fromkeys(filter(None, found)))


def _cats(value: Any) -> Iterator[Any]:
    yield from getattr(value, "cats", [value])


def _times(entries: list[Any], name: str) -> list[datetime]:
    return [found for entry in entries if (found := parse_time(value(entry, name) or ""))]
