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
