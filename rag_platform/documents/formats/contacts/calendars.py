"""Calendars (iCalendar): each appointment, task and journal entry is a section: when, where, with whom, about what."""

import re
import warnings
from collections import Counter
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from typing import Any

from rag_platform.core.errors import ExtractionError
from rag_platform.documents.extracted import Extracted, Lost, losses
from rag_platform.documents.formats.markdown_writer import heading, join, paragraph
from rag_platform.documents.formats.plain_text import decode, newlines
from rag_platform.documents.times import parse_time
from rag_platform.text.cleaning import clean_line

_KINDS = ("VEVENT", "VTODO", "VJOURNAL")
_OTHERS = ("VFREEBUSY", "VAVAILABILITY")
"""Say when somebody has time: nothing that is told in words."""
_MARK = re.compile(r"^(BEGIN|END):[ \t]*([\w-]+)[ \t]*$", re.MULTILINE | re.IGNORECASE)
_UNITS = {"DAILY": "day", "WEEKLY": "week", "MONTHLY": "month", "YEARLY": "year", "HOURLY": "hour"}
_DAYS = {
    "MO": "Monday", "TU": "Tuesday", "WE": "Wednesday", "TH": "Thursday", "FR": "Friday", "SA": "Saturday",
    "SU": "Sunday",
}  # fmt: skip
_ANSWERS = {"ACCEPTED": "accepted", "DECLINED": "declined", "TENTATIVE": "tentative"}


def read_calendar(content: bytes, *, charset: str | None = None) -> Extracted:
    """Read a calendar.

    Raises:
        ExtractionError: There is none in it.
    """
    text, flags = decode(content, charset)
    calendars, broken = _parsed(_closed(newlines(text)))
    entries = [entry for one in calendars for entry in one.walk() if entry.name in _KINDS]
    if not calendars:
        raise ExtractionError("no calendar that can be read: no line 'BEGIN:VCALENDAR' begins a sound one")
    lost: Counter[Lost] = Counter()
    lost["entries"] = broken + sum(part.name in _OTHERS for one in calendars for part in one.walk())
    for entry in entries:
        lost["attachments"] += sum(not str(one).startswith(("http:", "https:")) for one in _every(entry, "ATTACH"))
        lost["parts"] += len(entry.errors)
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
        kind="appointment" if len(entries) == 1 else "calendar",
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
        "When": _when(entry),
        "Due": _moment(_value(entry, "DUE")),
        "Done": _moment(_value(entry, "COMPLETED")),
        "Repeats": "; ".join(map(_rule, _every(entry, "RRULE"))),
        "Except": _moments(entry, "EXDATE"),
        "Also": _moments(entry, "RDATE"),
        "Where": clean_line(str(entry.get("LOCATION", ""))),
        "Organiser": _person(entry.get("ORGANIZER")),
        "With": ", ".join(filter(None, map(_attendee, _every(entry, "ATTENDEE")))),
        "Contact": ", ".join(clean_line(str(one)) for one in _every(entry, "CONTACT")),
        "Needs": ", ".join(re.sub(r",\s*", ", ", clean_line(str(one))) for one in _every(entry, "RESOURCES")),
        "Status": clean_line(str(entry.get("STATUS", ""))).lower().replace("-", " "),
        "Categories": ", ".join(_categories([entry])),
        "Web": clean_line(str(entry.get("URL", ""))),
        "Reminder": "; ".join(_reminders(entry)),
        "Attached": ", ".join(str(one) for one in _every(entry, "ATTACH") if str(one).startswith(("http:", "https:"))),
    }
    about = "\n".join(f"{name}: {value}  " for name, value in said.items() if value)
    texts = [paragraph(str(one)) for name in ("DESCRIPTION", "COMMENT") for one in _every(entry, name)]
    return join([heading(level, str(entry.get("SUMMARY", "")) or "Entry without a title"), about, *texts])


def _reminders(entry: Any) -> Iterator[str]:
    """Yield what alarms say, unless the entry says it too."""
    told = {clean_line(str(entry.get(name, ""))) for name in ("SUMMARY", "DESCRIPTION")}
    for alarm in entry.walk("VALARM"):
        said = dict.fromkeys(clean_line(str(alarm.get(name, ""))) for name in ("SUMMARY", "DESCRIPTION"))
        yield from (text for text in said if text and text not in told)


def _when(entry: Any) -> str:
    start, end = _value(entry, "DTSTART"), _value(entry, "DTEND")
    duration = _value(entry, "DURATION")
    if end is None and isinstance(duration, timedelta) and start is not None:
        end = start + duration
    if end is not None and not isinstance(end, datetime) and not isinstance(start, datetime):
        end = None if start is None or end - start <= timedelta(days=1) else end - timedelta(days=1)  # it is excluded
    if start is None or end is None or end == start:
        return _moment(start)
    same = isinstance(start, datetime) and isinstance(end, datetime) and start.date() == end.date()
    return f"{_moment(start)} to {f'{end:%H:%M}' if same else _moment(end)}"


def _moment(value: Any) -> str:
    """Return a day or a time with its weekday and, where it states one, its time zone."""
    if isinstance(value, datetime):
        zone = getattr(value.tzinfo, "key", None) or (value.tzname() if value.tzinfo else "")
        return f"{value:%A %Y-%m-%d %H:%M}{f' ({zone})' if zone else ''}"
    return f"{value:%A %Y-%m-%d}" if isinstance(value, date) else ""


def _rule(rule: Any) -> str:
    """Return how often something repeats, in words."""
    named, every = str((rule.get("FREQ") or [""])[0]), int((rule.get("INTERVAL") or [1])[0])
    unit = _UNITS.get(named, named.lower())
    said = f"every {unit}" if every == 1 else f"every {every} {unit}s"
    days = [f"{place} " * bool(place) + _DAYS.get(day, day) for place, day in map(_day, rule.get("BYDAY") or [])]
    said += f" on {', '.join(days)}" if days else ""
    said += f", {rule['COUNT'][0]} times" if rule.get("COUNT") else ""
    return said + (f", until {until:%Y-%m-%d}" if isinstance(until := (rule.get("UNTIL") or [None])[0], date) else "")


def _day(value: Any) -> tuple[str, str]:
    """Return the place and the day of a rule's "-1FR": the last Friday."""
    place, day = str(value)[:-2].lstrip("+"), str(value)[-2:]
    return {"1": "first", "2": "second", "3": "third", "4": "fourth", "-1": "last"}.get(place, place), day


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
    found = (clean_line(str(one)) for entry in entries for value in _every(entry, "CATEGORIES") for one in _cats(value))
    return tuple(dict.fromkeys(filter(None, found)))


def _cats(value: Any) -> Iterator[Any]:
    yield from getattr(value, "cats", [value])


def _every(entry: Any, name: str) -> list[Any]:
    """Return the values of a property that can be read."""
    found = entry.get(name)
    values = [] if found is None else found if isinstance(found, list) else [found]
    return [value for value in values if value.__class__.__name__ != "vBroken"]


def _moments(entry: Any, name: str) -> str:
    """Return the days and times of a property that lists them."""
    listed = (one for value in _every(entry, name) for one in getattr(value, "dts", ()))
    return ", ".join(filter(None, (_moment(getattr(one, "dt", None)) for one in listed)))


def _value(entry: Any, name: str) -> Any:
    """Return a date, a time or a length; None where there is none that can be read."""
    return getattr(next(iter(_every(entry, name)), None), "dt", None)


def _times(entries: list[Any], name: str) -> list[datetime]:
    return [found for entry in entries if (found := parse_time(_value(entry, name) or ""))]
