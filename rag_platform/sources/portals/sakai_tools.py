"""What Sakai's entity broker says of one tool -> entries. The shapes differ between versions, so little is assumed."""

import html
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote, urljoin

from rag_platform.core.errors import FetchError
from rag_platform.core.ids import digest
from rag_platform.sources.portals.entries import Entry, File, Found, attachments, moment, readable, same_host
from rag_platform.sources.portals.sakai_places import Tool
from rag_platform.sources.portals.session import Session

MOST_ANNOUNCEMENTS = 5000
DEEPEST = 12
"""Levels of pages within a lesson."""


def read_announcements(session: Session, tool: Tool, found: Found) -> None:
    """Read announcements: by default Sakai gives only a few recent ones."""
    entries = _collection(session, tool, f"announcement/site/{{}}.json?n={MOST_ANNOUNCEMENTS}&d=36500", "announcement")
    for one in entries:
        found.add(
            Entry(
                tool.uri("announcement", one.get("announcementId") or one["id"]),
                "announcement",
                _title(one),
                one.get("body") or "",
                author=one.get("createdByDisplayName"),
                published_at=moment(one.get("createdOn")),
                updated_at=_changed(one),
                files=attachments(one.get("attachments"), tool.url),
            ),
            [tool.subject.title],
        )
    if len(entries) >= MOST_ANNOUNCEMENTS:
        found.unlisted.append(tool.url)


def read_resources(session: Session, tool: Tool, found: Found) -> None:
    """Read the files of Resources; a link to elsewhere becomes a short page."""
    for one in _collection(session, tool, "content/site/{}.json", "content"):
        url = urljoin(tool.url, str(one.get("url") or ""))
        if one.get("type") == "collection" or one.get("resourceType") == "folder" or url.endswith("/"):
            continue
        title = one.get("title") or one.get("name") or url.rpartition("/")[2]
        created, changed_at = moment(one.get("createdDate")), _changed(one)
        if one.get("webLinkUrl") or one.get("type") == "text/url" or not same_host(url, tool.url):
            link = html.escape(str(one.get("webLinkUrl") or url))
            body = f'<p>{one.get("description") or ""}</p>\n<p><a href="{link}">{link}</a></p>'
            uri = tool.uri("link", one.get("resourceId") or one.get("entityId") or url)
            entry = Entry(
                uri,
                "resource",
                title,
                body,
                author=one.get("author"),
                published_at=created,
                updated_at=changed_at,
            )
            found.add(entry, [tool.subject.title])
            continue
        changed = one.get("modifiedDate") or one.get("lastModified")
        mark = digest(str(changed), str(one.get("size")), str(one.get("version"))) if changed else None
        kind = one.get("mimeType") or one.get("type")
        file = File(url, title, mark, kind, one.get("author"), published_at=created, updated_at=changed_at)
        found.add_file(file, [tool.subject.title])


def read_lessons(session: Session, tool: Tool, found: Found) -> None:
    """Read each lesson with the pages inside it."""
    for one in _collection(session, tool, "lessons/site/{}.json", "lessons"):
        number = one["id"]
        uri = tool.uri("lesson", number)
        try:
            lesson = session.json(f"{tool.subject.root}/direct/lessons/lesson/{quote(str(number), safe='')}.json")
        except FetchError as error:
            found.failed.append((uri, str(error)))
            found.unlisted += tool.subject.content
            continue
        files: list[File] = []
        body = "\n".join(_lesson(lesson, tool, files, 2))
        title = str(one.get("lessonTitle") or lesson.get("name") or number)
        entry = Entry(
            uri,
            "lesson",
            title,
            body,
            published_at=moment(lesson.get("releaseDate") or one.get("releaseDate")),
            updated_at=_changed(one) or _changed(lesson),
            files=files,
        )
        found.add(entry, [tool.subject.title])


def _lesson(node: dict[str, Any], tool: Tool, files: list[File], level: int) -> Iterator[str]:
    """Write a lesson page: texts, names of what is linked, questions, and the pages inside it."""
    for part in node.get("contentsList") or ():
        name, text = part.get("name") or "", part.get("html") or ""
        if "contentsList" in part and level < DEEPEST:
            yield f"<h{min(level, 6)}>{html.escape(name)}</h{min(level, 6)}>"
            yield from _lesson(part, tool, files, level + 1)
        elif "<" in text:  # elsewhere this field holds a media type
            yield text
        elif name:
            yield f"<p>{html.escape(name)}</p>"
        if part.get("description"):
            yield f"<p>{part['description']}</p>"
        if part.get("questionText"):
            answers = "".join(f"<li>{answer.get('text') or ''}</li>" for answer in part.get("answersList") or ())
            yield f"<p>{part['questionText']}</p><ul>{answers}</ul>"
        if str(part.get("sakaiId") or "").startswith(("/group/", "/attachment/", "/private/", "/user/")):
            named = {"url": part["sakaiId"], "name": name or None, "type": part.get("contentType")}
            files += attachments([named], tool.url)


def read_assignments(session: Session, tool: Tool, found: Found) -> None:
    """Read assignments with their dates."""
    for one in _collection(session, tool, "assignment/site/{}.json", "assignment"):
        opens, due, closes = (
            moment(one.get(f"{name}Time")) or moment(one.get(f"{name}TimeString")) for name in ("open", "due", "close")
        )
        facts = {"Opens": readable(opens), "Due": readable(due), "Closes": readable(closes)}
        entry = Entry(
            tool.uri("assignment", one.get("id") or one["entityId"]),
            "assignment",
            _title(one),
            one.get("instructions") or "",
            facts,
            one.get("creatorDisplayName") or one.get("authorLastModified"),
            opens,
            _changed(one),
            attachments(one.get("attachments"), tool.url),
        )
        found.add(entry, [tool.subject.title])


def read_quizzes(session: Session, tool: Tool, found: Found) -> None:
    """Read what is known of tests before one takes them: title, dates, description."""
    for one in _collection(session, tool, "sam_pub/context/{}.json", "sam_pub"):
        opens, due, closes = (moment(one.get(name)) for name in ("startDate", "dueDate", "retractDate"))
        entry = Entry(
            tool.uri("quiz", one.get("publishedAssessmentId") or one["id"]),
            "quiz",
            _title(one),
            one.get("description") or one.get("comments") or "",
            {"Opens": readable(opens), "Due": readable(due), "Closes": readable(closes)},
            one.get("createdBy"),
            opens,
            _changed(one),
            attachments(one.get("attachments"), tool.url),
        )
        found.add(entry, [tool.subject.title])


def read_guide(session: Session, tool: Tool, found: Found) -> None:
    """Read the syllabus: one object with items or, in other versions, a collection."""
    answer = session.json(_address(tool, "syllabus/site/{}.json"))
    whole = answer.get("syllabus_collection", answer) if isinstance(answer, dict) else answer
    for syllabus in whole if isinstance(whole, list) else [whole]:
        if url := syllabus.get("redirectUrl"):
            link = html.escape(str(url))
            body = f'<p><a href="{link}">{link}</a></p>'
            found.add(Entry(tool.uri("guide", "link"), "guide", tool.title or "Syllabus", body), [tool.subject.title])
        for one in syllabus.get("items") or ([syllabus] if "data" in syllabus else ()):
            title = str(one.get("title") or one.get("itemTitle") or tool.title)
            body = one.get("data") or one.get("asset") or one.get("body") or ""
            files = attachments(one.get("attachments"), tool.url)
            uri = tool.uri("guide", one.get("id") or one.get("order") or title)
            found.add(Entry(uri, "guide", title, body, updated_at=_changed(one), files=files), [tool.subject.title])


def read_calendar(session: Session, tool: Tool, found: Found) -> None:
    """Read the calendar from last year to next year as one page."""
    year = datetime.now(UTC).year
    path = f"calendar/site/{{}}.json?firstDate={year - 1}-01-01&lastDate={year + 1}-12-31"
    events = sorted(
        (moment(one.get("firstTime")) or "", _title(one), str(one.get("type") or ""), str(one.get("description") or ""))
        for one in _collection(session, tool, path, "calendar")
    )
    if events:
        rows = (
            f"<tr><td>{readable(at) or ''}</td>{_cells(title, kind)}<td>{text}</td></tr>"
            for at, title, kind, text in events
        )
        head = "<tr><th>Begins</th><th>Event</th><th>Kind</th><th>Description</th></tr>"
        body = f"<table>{head}\n" + "\n".join(rows) + "</table>"
        title = f"{tool.title or 'Calendar'}: {tool.subject.title}"
        found.add(Entry(tool.uri("calendar", "all"), "calendar", title, body), [tool.subject.title])


READERS: dict[str, Callable[[Session, Tool, Found], None]] = {
    "announcement": read_announcements,
    "resource": read_resources,
    "lesson": read_lessons,
    "assignment": read_assignments,
    "quiz": read_quizzes,
    "guide": read_guide,
    "calendar": read_calendar,
}


def _address(tool: Tool, path: str) -> str:
    return f"{tool.subject.root}/direct/{path.format(quote(tool.subject.id, safe=''))}"


def _collection(session: Session, tool: Tool, path: str, name: str) -> list[dict[str, Any]]:
    answer = session.json(_address(tool, path))
    entries = answer.get(f"{name}_collection") if isinstance(answer, dict) else answer
    if not isinstance(entries, list):
        raise FetchError(f"{_address(tool, path)} has no list {name}_collection")
    return [entry for entry in entries if isinstance(entry, dict)]


def _title(one: dict[str, Any]) -> str:
    return str(one.get("title") or one.get("entityTitle") or "")


def _changed(one: dict[str, Any]) -> str | None:
    names = ("modifiedDate", "lastModified", "lastModifiedDate", "timeLastModified", "modifiedOn")
    return next(filter(None, (moment(one.get(name)) for name in names)), None)


def _cells(*texts: str) -> str:
    return "".join(f"<td>{html.escape(text)}</td>" for text in texts)
