"""A Sakai course portal: its subjects, and the tools of each.

What a tool holds is asked of Sakai's entity broker (``/direct/….json``). Where that has never answered for a tool, the
tool's pages are read in the browser. A tool or subject that fails keeps what it had.
"""

import fnmatch
import json
import re
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote, urlsplit

import lxml.etree
import lxml.html

from rag_platform.core.errors import FetchError, MissingExtra, SourceError
from rag_platform.core.ports import Gone
from rag_platform.sources.http.fetcher import Denied, Missing
from rag_platform.sources.http.page_detection import PASSWORD_FIELD
from rag_platform.sources.portals.entries import Found
from rag_platform.sources.portals.sakai_pages import read_pages
from rag_platform.sources.portals.sakai_places import Subject, Tool
from rag_platform.sources.portals.sakai_tools import READERS
from rag_platform.sources.portals.session import LOGIN_PATH, Session

PER_PAGE, MOST_SUBJECTS = 50, 1000
KINDS = {
    "announcements": "announcement",
    "resources": "resource",
    "lessonbuildertool": "lesson",
    "assignment": "assignment",
    "assignment2": "assignment",
    "samigo": "quiz",
    "syllabus": "guide",
    "schedule": "calendar",
    "calendar": "calendar",
}
PERSONAL = re.compile(
    r"roster|siteinfo|site\.?setup|chat|mail|messages|gradebook|sitestats|poll|preferences|membership|dropbox|sign-?up"
    r"|search|profile|privacy|section|postem|commons|singleuser|usermembership|delegated|basiclti|dashboard"
)
"""Tools about people, or without a text: not read."""
GUIDE = re.compile(r"syllab|teaching guide|course guide|gu[ií]a docente|programa|temari", re.IGNORECASE)
PROBLEMS = (FetchError, Gone, AttributeError, TypeError, KeyError, ValueError, lxml.etree.LxmlError)
"""No answer, or JSON of another shape than ours."""
ABSENT = (Missing, Denied, Gone)
"""The broker knows no such thing, for good."""


def is_alive(session: Session) -> bool:
    """Ask Sakai who we are; where it does not say, see whether its first page is one for somebody who is logged in."""
    try:
        who = json.loads(session.fetcher.get(f"{session.settings.root}/direct/session/current.json").content)
        return bool(who.get("userId") or who.get("userEid"))
    except PROBLEMS:  # a refusal too: some shut the broker off for everybody
        pass
    try:
        page = session.fetcher.get(f"{session.settings.root}/portal")
    except Denied:
        return False
    moved = urlsplit(page.metadata.get("redirected_to", ""))
    asks = PASSWORD_FIELD.search(page.content) or LOGIN_PATH.search(moved.path)
    return not asks and b"logout" in page.content.lower()


def read(session: Session) -> Found:
    """Read all subjects that are wanted."""
    found = Found()
    for subject in _subjects(session, found):
        if _wanted(session, subject):
            _read_subject(session, subject, found)
    return found


def _subjects(session: Session, found: Found) -> list[Subject]:
    """Name the subjects: as the broker does, and as the portal's first page links to them."""
    subjects: dict[str, Subject] = {}
    problems = []
    for name in (_listed_subjects, _linked_subjects):
        try:
            for subject in name(session):
                subjects.setdefault(subject.id, subject)
        except ABSENT as error:
            problems.append(str(error))
        except PROBLEMS as error:
            problems.append(str(error))
            found.failed.append((session.settings.url, f"subjects: {error}"))
            found.complete = False
    if not subjects:
        raise SourceError(
            f"no subject was found in source {session.settings.id!r}: {'; '.join(problems) or 'the portal names none'}"
        )
    return list(subjects.values())


def _listed_subjects(session: Session) -> list[Subject]:
    root, subjects = session.settings.root, {}
    for start in range(0, MOST_SUBJECTS, PER_PAGE):
        answer = session.json(f"{root}/direct/site.json?_limit={PER_PAGE}&_start={start}")
        sites = [site for site in answer.get("site_collection", ()) if site.get("id") not in subjects]
        for site in sites:  # a server that ignores _start says the same again
            subjects[site["id"]] = Subject(root, site["id"], _title(site))
        if not sites:
            break
    return [subject for subject in subjects.values() if subject.id[0] not in "~!"]


def _linked_subjects(session: Session) -> list[Subject]:
    root = session.settings.root
    page = lxml.html.document_fromstring(session.get(f"{root}/portal").content)
    subjects = []
    for link in page.iterfind(".//a[@href]"):
        match = re.search(r"/portal/site(?:-reset)?/([^/?#~!][^/?#]*)/?(?:[?#]|$)", link.get("href"))
        if match:
            subjects.append(Subject(root, match[1], link.get("title") or link.text_content().strip() or match[1]))
    return subjects


def _title(site: dict[str, Any]) -> str:
    return str(site.get("title") or site.get("entityTitle") or site["id"])


def _wanted(session: Session, subject: Subject) -> bool:
    def named(patterns: Sequence[str]) -> bool:
        names = (subject.id.lower(), subject.title.lower())
        return any(fnmatch.fnmatchcase(name, pattern.lower()) for pattern in patterns for name in names)

    include, exclude = session.settings.include, session.settings.exclude
    return (not include or named(include)) and not named(exclude)


def _read_subject(session: Session, subject: Subject, found: Found) -> None:
    try:
        tools = _tools(session, subject, found)
    except PROBLEMS as error:
        found.failed.append((subject.url, f"its tools could not be listed: {error}"))
        found.unlisted += [subject.url, *subject.content]
        return
    for tool in tools:
        if tool.kind in session.settings.tools:
            _read_tool(session, tool, found)


def _read_tool(session: Session, tool: Tool, found: Found) -> None:
    """Read a tool through the broker or, where that has never answered for it, from its pages."""
    try:
        if not _read_entries(session, tool, found):
            read_pages(session, tool, found)
    except (*PROBLEMS, MissingExtra) as error:
        found.failed.append((tool.url, f"{tool.title} of {tool.subject.title} could not be listed: {error}"))
        found.unlisted += tool.places


def _read_entries(session: Session, tool: Tool, found: Found) -> bool:
    """Read a tool through the broker; False: it does not answer for this tool, and did not before.

    What the broker has named before stays until it answers again. On a page the same text has another address, so a
    broker that fails now and then would make it go and come back.
    """
    if tool.kind not in READERS:
        return False
    before = len(found.items)
    try:
        READERS[tool.kind](session, tool, found)
    except PROBLEMS:
        if len(found.items) > before or _has_entries(session, tool):
            raise
        return False
    return True


def _has_entries(session: Session, tool: Tool) -> bool:
    """Return whether the broker has answered for this tool before; its page is kept only when it has not."""
    if session.had_below(f"{tool.url}#"):
        return True
    files = tool.kind == "resource" and any(map(session.had_below, tool.subject.content))
    return files and not session.had_below(tool.url)


def _tools(session: Session, subject: Subject, found: Found) -> list[Tool]:
    try:
        pages = session.json(f"{subject.root}/direct/site/{quote(subject.id, safe='')}/pages.json")
    except ABSENT:
        return _linked_tools(session, subject)
    except FetchError:
        return _known_tools(session, subject, found)
    tools = [tool for page in pages for tool in page.get("tools", ())]
    named = [Tool(subject, str(tool["id"]), str(tool.get("toolId", "")), str(tool.get("title", ""))) for tool in tools]
    return [_with_kind(tool) for tool in named if not PERSONAL.search(tool.name)]


def _known_tools(session: Session, subject: Subject, found: Found) -> list[Tool]:
    """Read the menu in place of a broker that fails, unless the broker has named other tools before."""
    known, tools = session.had_below(f"{subject.url}/tool/"), _linked_tools(session, subject)
    if known and not any(session.had_below(tool.url) for tool in tools):
        raise FetchError("Sakai's entity broker does not name them now, and the menu has other addresses for them")
    if known:  # there may be more than the menu shows
        found.unlisted += [subject.url, *subject.content]
    return tools


def _linked_tools(session: Session, subject: Subject) -> list[Tool]:
    """Find the tools in the menu of the subject's page; Sakai marks each with an icon of its name."""
    page = lxml.html.document_fromstring(session.get(subject.url).content)
    tools: dict[str, Tool] = {}
    for link in page.iterfind(".//a[@href]"):
        match = re.search(r"/portal/site/[^/]+/(?:tool|page)(?:-reset)?/([\w-]+)", link.get("href"))
        marks = " ".join(element.get("class") or "" for element in link.iter())
        icon = re.search(r"icon-sakai--?([\w-]+)", marks)
        if match:
            name = icon[1].replace("-", ".") if icon else ""
            tools.setdefault(match[1], Tool(subject, match[1], name, link.text_content().strip()))
    if not tools:
        raise FetchError(f"{subject.url} names no tool")
    return [_with_kind(tool) for tool in tools.values() if not PERSONAL.search(tool.name)]


def _with_kind(tool: Tool) -> Tool:
    parts = tool.name.split(".")
    kind = next((KINDS[part] for part in parts if part in KINDS), None)
    return Tool(tool.subject, tool.id, tool.name, tool.title, kind or "page", bool(GUIDE.search(tool.title)))
