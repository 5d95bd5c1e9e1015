"""The pages of a Sakai tool for which the entity broker has no answer, read in the browser."""

import html
import re
from dataclasses import dataclass

from rag_platform.core.errors import FetchError
from rag_platform.core.ports import Gone, Item
from rag_platform.core.urls import canonical
from rag_platform.sources.browser.browser import Visit
from rag_platform.sources.portals.entries import File, Found, links, text_mark
from rag_platform.sources.portals.sakai_places import Tool
from rag_platform.sources.portals.session import Session

MOST_PAGES, DEEPEST = 100, 2
FRAME = "iframe.portletMainIframe, iframe[name^=Main], .Mrphs-toolBody iframe"
CONTENT = ".portletMainWrap, .Mrphs-toolBody, .portletBody, #content, main, [role=main]"


@dataclass(frozen=True, slots=True)
class _Content:
    title: str
    html: str


def read_pages(session: Session, tool: Tool, found: Found) -> None:
    """Read the tool's first page and, within the tool, where its links lead; files are named, to be fetched later.

    Raises:
        FetchError: the first page cannot be read.
    """
    waiting, seen = [(tool.url, 0)], {tool.url}
    while waiting:
        url, depth = waiting.pop(0)
        try:
            page = session.page(url, _content)
        except (FetchError, Gone) as error:
            if depth == 0:
                raise
            found.failed.append((url, str(error)))
            found.unlisted += tool.places
            continue
        kind = "guide" if tool.is_guide else tool.kind
        found.items.setdefault(url, _item(url, kind, page, tool))
        for link in links(page.html, url):
            if link in seen:
                continue
            seen.add(link)
            if "/access/content/" in link:
                found.add_file(File(link, link.rpartition("/")[2]), [tool.subject.title])
            elif depth < DEEPEST and len(seen) <= MOST_PAGES and _is_within(link, tool):
                waiting.append((link, depth + 1))


def _is_within(link: str, tool: Tool) -> bool:
    path = re.sub(r"^https?://[^/]+", "", link)
    return re.match(rf"/portal/(site/[^/]+/)?tool(-reset)?/{re.escape(tool.id)}(?![\w-])", path) is not None


def _content(visit: Visit) -> _Content:
    """Take what a tool shows: in a frame of its own in older versions, in the page itself in newer ones."""
    frame = visit.page.query_selector(FRAME)
    inside = frame.content_frame() if frame else None
    if inside is not None:
        inside.wait_for_load_state("domcontentloaded")
        base, text, title = inside.url, inside.content(), inside.title()
    else:
        part = visit.page.query_selector(CONTENT)
        text = part.evaluate("element => element.outerHTML") if part else visit.page.content()
        base, title = visit.page.url, visit.page.title()
    return _Content(title.strip(), _absolute(text, base))


def _absolute(text: str, base: str) -> str:
    """Make links absolute: those of a frame do not start where the page does."""

    def replaced(match: re.Match[str]) -> str:
        try:
            return match[1] + html.escape(canonical(html.unescape(match[2]), base)) + match[3]
        except ValueError:
            return match[0]

    return re.sub(r"""(\bhref\s*=\s*["'])([^"'#][^"']*)(["'])""", replaced, text, flags=re.IGNORECASE)


def _item(url: str, kind: str, page: _Content, tool: Tool) -> Item:
    title = page.title or f"{tool.title}: {tool.subject.title}"
    whole = f"<!doctype html>\n<html><head><meta charset='utf-8'><title>{html.escape(title)}</title></head>\n<body>"
    content = f"{whole}{page.html}</body></html>".encode("utf-8", "replace")
    facts = {"type": kind, "title": title, "tags": [tool.subject.title]}
    return Item(url, text_mark(content), facts, content)
