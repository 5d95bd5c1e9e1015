"""Calendars: when, where, with whom; what is broken costs itself alone."""

import pytest

from rag_platform.core.errors import ExtractionError
from rag_platform.documents.extracted import Loss
from rag_platform.documents.reading.extraction import extract

MEETING = """BEGIN:VEVENT
UID:1
SUMMARY:Plans for the gar
 den
DTSTART;TZID=Europe/Berlin:20260305T100000
DTEND;TZID=Europe/Berlin:20260305T113000
LOCATION:Greenhouse\\, room 2
ORGANIZER;CN=Ada Byron:mailto:ada@x.org
ATTENDEE;CN="Ben";PARTSTAT=ACCEPTED:mailto:ben@x.org
ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:cy@x.org
CATEGORIES:garden,plans
RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH;UNTIL=20260601T000000Z
CREATED:20260101T080000Z
LAST-MODIFIED:20260102T080000Z
DESCRIPTION:Bring seeds.\\n\\nAnd gloves.
END:VEVENT
"""
TASK = "BEGIN:VTODO\nSUMMARY:Water the fern\nDUE;VALUE=DATE:20260310\nSTATUS:NEEDS-ACTION\nEND:VTODO\n"
HOLIDAY = "BEGIN:VEVENT\nSUMMARY:Holiday\nDTSTART;VALUE=DATE:20260501\nDTEND;VALUE=DATE:20260504\nEND:VEVENT\n"


def calendar(*entries: str) -> bytes:
    return ("BEGIN:VCALENDAR\nVERSION:2.0\nX-WR-CALNAME:Team\n" + "".join(entries) + "END:VCALENDAR\n").encode()


def test_an_appointment_says_when_where_with_whom_and_about_what():
    read = extract(calendar(MEETING).replace(b"\n", b"\r\n"), uri="a.ics")
    assert read.text == (
        "# Plans for the garden\n\n"
        "When: Thursday 2026-03-05 10:00 (Europe/Berlin) to 11:30\n"
        "Repeats: every 2 weeks on Monday, Thursday, until 2026-06-01\n"
        "Where: Greenhouse, room 2\n"
        "Organiser: Ada Byron <ada@x.org>\n"
        "With: Ben <ben@x.org> (accepted), cy@x.org\n"
        "Categories: garden, plans\n\nBring seeds.\n\nAnd gloves."
    )
    assert (read.type, read.kind, read.title) == ("calendar", "appointment", "Plans for the garden")
    assert (read.author, read.tags) == ("Ada Byron <ada@x.org>", ("garden", "plans"))
    assert (read.published_at.day, read.updated_at.day) == (1, 2)


def test_what_is_called_off_who_is_asked_and_what_an_alarm_says_is_kept():
    more = """EXDATE;TZID=Europe/Berlin:20260319T100000,20260402T100000
RDATE;VALUE=DATE:20260320
CONTACT:Cy\\, by telephone
RESOURCES:SPADES,BUCKETS
BEGIN:VALARM
ACTION:DISPLAY
DESCRIPTION:Take the key of the shed
END:VALARM
BEGIN:VALARM
ACTION:DISPLAY
DESCRIPTION:Plans for the garden
END:VALARM
"""
    text = extract(calendar(MEETING.replace("DESCRIPTION", f"{more}DESCRIPTION", 1)), uri="a.ics").text
    assert "Except: Thursday 2026-03-19 10:00 (Europe/Berlin), Thursday 2026-04-02 10:00 (Europe/Berlin)\n" in text
    assert "Also: Friday 2026-03-20\n" in text and "Contact: Cy, by telephone\nNeeds: SPADES, BUCKETS\n" in text
    assert "Reminder: Take the key of the shed\n" in text


def test_a_calendar_of_several_entries_has_a_section_for_each():
    read = extract(calendar(MEETING, TASK, HOLIDAY), uri="a", content_type="text/calendar; charset=utf-8")
    assert read.title == "Team" and read.flags == ("entries: 3",)
    assert [line for line in read.text.split("\n") if line.startswith("#")] == [
        "# Team", "## Plans for the garden", "## Water the fern", "## Holiday",
    ]  # fmt: skip
    assert "Due: Tuesday 2026-03-10\nStatus: needs action" in read.text
    assert "When: Friday 2026-05-01 to Sunday 2026-05-03" in read.text  # the end that is written is excluded


def test_what_is_broken_is_counted_and_costs_nothing_else():
    wrong = MEETING.replace("20260305T100000", "soon").replace("FREQ=WEEKLY", "FREQ=NEVER")
    read = extract(calendar(wrong, TASK), uri="a.ics")
    assert "Where: Greenhouse" in read.text and "Water the fern" in read.text
    assert read.losses == (Loss("parts", 2),)


def test_an_entry_that_breaks_the_parser_is_lost_alone():
    zone = "BEGIN:VTIMEZONE\nTZID:X\nBEGIN:STANDARD\nTZOFFSETTO:+5744\nEND:STANDARD\nEND:VTIMEZONE\n"
    read = extract(calendar(zone, MEETING, TASK), uri="a.ics")
    assert "Bring seeds." in read.text and "Water the fern" in read.text


def test_a_calendar_that_is_cut_off_keeps_what_it_has():
    assert "Water the fern" in extract(calendar(MEETING, TASK)[:-30], uri="a.ics").text


def test_an_attached_file_and_free_times_are_said_as_lost():
    entry = TASK.replace("END:VTODO", "ATTACH;ENCODING=BASE64;VALUE=BINARY:aGVsbG8=\nEND:VTODO")
    read = extract(calendar(entry, "BEGIN:VFREEBUSY\nUID:2\nEND:VFREEBUSY\n"), uri="a.ics")
    assert set(read.losses) == {Loss("attachments", 1), Loss("entries", 1)}


def test_what_is_no_calendar_says_so():
    with pytest.raises(ExtractionError, match="no calendar"):
        extract(b"hello", uri="a.ics")


def told(entry: str) -> dict[str, str]:
    lines = extract(calendar(entry), uri="a.ics").text.split("\n")
    return dict(line.rstrip().split(": ", 1) for line in lines if ": " in line)


def test_how_often_when_instead_and_when_somebody_is_reminded():
    alarm = "BEGIN:VALARM\nTRIGGER{}\nDESCRIPTION:Reminder\nEND:VALARM\n"
    weekly = (
        f"RECURRENCE-ID:20260306T080000Z\n{alarm.format(':-PT15M')}BEGIN:VALARM\nTRIGGER;RELATED=END:P1D\nEND:VALARM\n"
    )
    said = told(MEETING.replace("UID", f"{weekly}UID", 1))
    assert (said["Instead of"], said["Reminder"]) == (
        "Friday 2026-03-06 08:00 (UTC)", "15 minutes before the start; 1 day after the end",
    )  # fmt: skip
    for rule, words in {
        "FREQ=MONTHLY;BYDAY=TU,WE;BYSETPOS=-1": "every month on the last of Tuesday, Wednesday",
        "FREQ=YEARLY;BYMONTHDAY=5;BYMONTH=3,4": "every year on day 5 in March, April",
        "FREQ=MONTHLY;BYDAY=-1FR;COUNT=3": "every month on last Friday, 3 times",
    }.items():
        assert told(HOLIDAY.replace("SUMMARY", f"RRULE:{rule}\nSUMMARY"))["Repeats"] == words


def test_a_task_says_how_far_it_is_and_an_unknown_time_zone_is_named():
    task = TASK.replace("DUE;VALUE=DATE:20260310", 'DUE;TZID="Mill Time":20260310T090000\nPERCENT-COMPLETE:40')
    assert told(task) | {"Due": "Tuesday 2026-03-10 09:00 (Mill Time)", "Progress": "40 %"} == told(task)
    assert extract(calendar(task), uri="a.ics").kind == "task"


def test_a_description_in_html_is_read_as_such():
    html = HOLIDAY.replace("END:VEVENT", "DESCRIPTION:<p>See <b>this</b>\\, please</p>\nEND:VEVENT")
    other = HOLIDAY.replace("END:VEVENT", "DESCRIPTION: \\n\nX-ALT-DESC;FMTTYPE=text/html:<p>Keys</p>\nEND:VEVENT")
    assert extract(calendar(html), uri="a.ics").text.endswith("\n\nSee **this**, please")
    assert extract(calendar(other), uri="a.ics").text.endswith("\n\nKeys")


def test_a_calendar_of_version_1_is_read():
    old = (
        "BEGIN:VCALENDAR\r\nVERSION:1.0\r\nBEGIN:VEVENT\r\nDTSTART:20260305T090000\r\nRRULE:W1 MO #0\r\n"
        "SUMMARY;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BChle, alt\r\n"
        "DESCRIPTION;ENCODING=QUOTED-PRINTABLE:Keys=0D=0A=\r\nand light\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
    )
    read = extract(old.encode(), uri="a.vcs")
    assert read.text == "# Mühle, alt\n\nWhen: Thursday 2026-03-05 09:00\n\nKeys\nand light"
    assert read.losses == (Loss("parts", 1),)  # how often, which it says in its own way


def test_a_calendar_without_entries_says_why_it_is_empty():
    alarm = "BEGIN:VALARM\nTRIGGER;VALUE=DATE-TIME:20260305T100000Z\nDESCRIPTION:Open\nEND:VALARM\n"
    read = extract(calendar(alarm), uri="a.ics")
    assert read.flags == ("no appointments, tasks or journal entries in it",) and read.losses == (Loss("entries", 1),)
