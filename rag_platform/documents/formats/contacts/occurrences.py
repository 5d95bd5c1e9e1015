"""When an entry of a calendar is, how often, and when somebody is reminded of it, in words (RFC 5545)."""

from collections.abc import Iterator
from datetime import date, datetime, timedelta
from typing import Any

from rag_platform.text.cleaning import clean_line

_UNITS = {"DAILY": "day", "WEEKLY": "week", "MONTHLY": "month", "YEARLY": "year", "HOURLY": "hour"}
_DAYS = {
    "MO": "Monday", "TU": "Tuesday", "WE": "Wednesday", "TH": "Thursday", "FR": "Friday", "SA": "Saturday",
    "SU": "Sunday",
}  # fmt: skip
_PLACES = {"1": "first", "2": "second", "3": "third", "4": "fourth", "-1": "last", "-2": "second to last"}
_LENGTHS = (("week", 604_800), ("day", 86_400), ("hour", 3_600), ("minute", 60), ("second", 1))
_REMINDER = frozenset(("reminder", "this is an event reminder", "alarm", "description"))
"""What programs write into every alarm."""


def period(entry: Any) -> str:
    """Return when an entry begins and ends."""
    start, end = value(entry, "DTSTART"), value(entry, "DTEND")
    duration = value(entry, "DURATION")
    if end is None and isinstance(duration, timedelta) and start is not None:
        end = start + duration
    if end is not None and not isinstance(end, datetime) and not isinstance(start, datetime):
        end = None if start is None or end - start <= timedelta(days=1) else end - timedelta(days=1)  # it is excluded
    begins = moment(entry, "DTSTART")
    if start is None or end is None or end == start:
        return begins
    same = isinstance(start, datetime) and isinstance(end, datetime) and start.date() == end.date()
    return f"{begins} to {f'{end:%H:%M}' if same else _moment(end, _zone(entry, 'DTEND'))}"


def moment(entry: Any, name: str) -> str:
    """Return a day or a time with its weekday and, where it states one, its time zone."""
    return _moment(value(entry, name), _zone(entry, name))


def moments(entry: Any, name: str) -> str:
    """Return the days and times of a property that lists them."""
    listed = (one for part in every(entry, name) for one in getattr(part, "dts", ()))
    return ", ".join(filter(None, (_moment(getattr(one, "dt", None)) for one in listed)))


def repetition(rule: Any) -> str:
    """Return how often something repeats; nothing, where the rule does not say it."""
    named, times = str((rule.get("FREQ") or [""])[0]), int((rule.get("INTERVAL") or [1])[0])
    if not named:
        return ""
    unit = _UNITS.get(named, named.lower())
    said = f"every {unit}" if times == 1 else f"every {times} {unit}s"
    places = [_PLACES.get(str(one), str(one)) for one in rule.get("BYSETPOS") or []]
    days = [f"{place} " * bool(place) + _DAYS.get(day, day) for place, day in map(_day, rule.get("BYDAY") or [])]
    days += [f"day {one}" if int(one) > 0 else f"day {one} from its end" for one in rule.get("BYMONTHDAY") or []]
    said += f" on the {' and '.join(places)} of" if places else " on" if days else ""
    said += f" {', '.join(days)}" if days else ""
    months = [f"{date(2000, int(one), 1):%B}" for one in rule.get("BYMONTH") or [] if str(one).isdecimal()]
    said += f" in {', '.join(months)}" if months else ""
    said += f", {rule['COUNT'][0]} times" if rule.get("COUNT") else ""
    return said + (f", until {until:%Y-%m-%d}" if isinstance(until := (rule.get("UNTIL") or [None])[0], date) else "")


def reminders(entry: Any) -> Iterator[str]:
    """Yield when alarms are given and what they say, unless the entry says it too."""
    told = {clean_line(str(entry.get(name, ""))).lower() for name in ("SUMMARY", "DESCRIPTION")} | _REMINDER
    for alarm in entry.walk("VALARM"):
        said = dict.fromkeys(clean_line(str(alarm.get(name, ""))) for name in ("SUMMARY", "DESCRIPTION"))
        words = ", ".join(text for text in said if text and text.lower() not in told)
        if given := ": ".join(filter(None, (_given(alarm), words))):
            yield given


def every(entry: Any, name: str) -> list[Any]:
    """Return the values of a property that can be read."""
    found = entry.get(name)
    values = [] if found is None else found if isinstance(found, list) else [found]
    return [one for one in values if one.__class__.__name__ != "vBroken"]


def value(entry: Any, name: str) -> Any:
    """Return a date, a time or a length; None where there is none that can be read."""
    return getattr(next(iter(every(entry, name)), None), "dt", None)


def _moment(found: Any, zone: str = "") -> str:
    if isinstance(found, datetime):
        zone = getattr(found.tzinfo, "key", None) or (found.tzname() if found.tzinfo else "") or zone
        return f"{found:%A %Y-%m-%d %H:%M}{f' ({zone})' if zone else ''}"
    return f"{found:%A %Y-%m-%d}" if isinstance(found, date) else ""


def _zone(entry: Any, name: str) -> str:
    """Return the name of a time zone that the parser does not know."""
    return str(getattr(next(iter(every(entry, name)), None), "params", {}).get("TZID", "")).strip('"')


def _given(alarm: Any) -> str:
    """Return when an alarm is given: at a time, or so long before or after the entry begins or ends."""
    stated = value(alarm, "TRIGGER")
    if not isinstance(stated, timedelta):
        return _moment(stated)
    seconds = abs(int(stated.total_seconds()))
    length, unit = next(((seconds // size, name) for name, size in _LENGTHS if seconds and not seconds % size), (0, ""))
    at = "end" if str(every(alarm, "TRIGGER")[0].params.get("RELATED", "")).upper() == "END" else "start"
    order = "before" if stated.total_seconds() < 0 else "after"
    return f"{length} {unit}{'s' * (length > 1)} {order} the {at}" if length else f"at the {at}"


def _day(stated: Any) -> tuple[str, str]:
    """Return the place and the day of a rule's "-1FR": the last Friday."""
    place, day = str(stated)[:-2].lstrip("+"), str(stated)[-2:]
    return _PLACES.get(place, place), day
