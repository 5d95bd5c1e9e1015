"""Any site behind a login: the pages that links lead to, on the portal's own host."""

from urllib.parse import urlsplit

from rag_platform.core.errors import FetchError
from rag_platform.core.ports import Fetched, Gone, Item
from rag_platform.core.urls import canonical, shown
from rag_platform.sources.http.fetcher import Denied
from rag_platform.sources.http.page_detection import PASSWORD_FIELD
from rag_platform.sources.portals.entries import File, Found, is_file, links, same_host, text_mark
from rag_platform.sources.portals.session import LOGIN_PATH, Session
from rag_platform.sources.web.patterns import matches_address


def is_alive(session: Session) -> bool:
    """Ask for the portal's first page, and see whether it is one for somebody who is logged in."""
    settings = session.settings
    try:
        page = session.fetcher.get((settings.start or (settings.url,))[0])
    except Denied:
        return False
    moved = page.metadata.get("redirected_to", "")
    if moved and (not same_host(moved, settings.root) or LOGIN_PATH.search(urlsplit(moved).path)):
        return False
    if settings.logged_in:
        return settings.logged_in.encode() in page.content
    return not PASSWORD_FIELD.search(page.content)


def read(session: Session) -> Found:
    """Follow links from the first pages; a page that fails hides what it leads to, so then nothing counts as gone."""
    settings, found = session.settings, Found()
    waiting = [(canonical(url), 0) for url in settings.start or (settings.url,)]
    seen = {url for url, _ in waiting}
    while waiting:
        url, depth = waiting.pop(0)
        if len(found.items) >= settings.limit:
            found.complete = False
            break
        if is_file(url):
            found.add_file(File(url), (), type="file")
            continue
        try:
            text = _add(session, found, url)
        except (FetchError, Gone) as error:
            found.failed.append((url, str(error)))
            found.complete = False
            continue
        for link in links(text, url) if depth < settings.depth else ():
            if link not in seen and _wanted(session, link):
                seen.add(link)
                waiting.append((link, depth + 1))
    return found


def _add(session: Session, found: Found, url: str) -> str:
    """Read a page, and return its HTML; what is no page is fetched later."""
    page: Fetched = session.page(url) if session.settings.javascript else session.get(url)
    moved = page.metadata.get("redirected_to")
    uri = canonical(moved) if moved else url
    if not same_host(uri, session.settings.root):
        raise FetchError(f"{shown(url)} leads away, to {shown(uri)}")
    if "html" not in (page.content_type or ""):
        found.add_file(File(uri), (), type="file")
        return ""
    found.items.setdefault(uri, Item(uri, text_mark(page.content), {"type": "page"}, page.content))
    return page.content.decode("utf-8", "replace")


def _wanted(session: Session, url: str) -> bool:
    settings = session.settings
    included = not settings.include or matches_address(url, settings.include)
    return included and not matches_address(url, settings.exclude) and not LOGIN_PATH.search(urlsplit(url).path)
