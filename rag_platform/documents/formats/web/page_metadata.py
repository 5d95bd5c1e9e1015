"""What a page says about itself: title, author, dates, language, direction of its text."""

import re
from dataclasses import dataclass
from datetime import datetime

import trafilatura
from htmldate import find_date
from htmldate.extractors import MONTHS
from lxml.etree import LxmlError
from lxml.html import HtmlElement
from trafilatura.metadata import extract_metadata

from rag_platform.documents.times import parse_time
from rag_platform.text.cleaning import clean_line

_LATEST = "2100-01-01"
_DATES = {"extensive_search": False, "original_date": True, "max_date": _LATEST}
_YEAR = "-01-01"
"""How htmldate writes a year alone, which may be that of a copyright."""
_MONTHS = frozenset(name.casefold() for names in MONTHS for name in names)
_BROKEN = (LxmlError, ValueError, TypeError, AttributeError, IndexError, KeyError, RecursionError)
"""What malformed pages make the libraries raise."""
_PUBLISHED = ("article:published_time", "datepublished", "dc.date.issued", "citation_publication_date")
_UPDATED = ("article:modified_time", "og:updated_time", "datemodified", "dc.date.modified")
RIGHT_TO_LEFT = "text runs from right to left"


@dataclass(frozen=True, slots=True)
class Facts:
    """What is not stated is empty or None."""

    title: str
    author: str
    language: str | None
    """ISO 639 code."""
    published_at: datetime | None
    """Aware, in UTC."""
    updated_at: datetime | None
    flags: tuple[str, ...]


def page_facts(tree: HtmlElement, uri: str = "") -> Facts:
    """Read a page's metadata: <meta>, JSON-LD, microdata, else what trafilatura finds."""
    about = _metadata(tree, uri)
    right_to_left = any(value.lower() == "rtl" for value in tree.xpath("//html/@dir | //body/@dir"))
    return Facts(
        title=_title(tree, clean_line(about.title)),
        author=_author(tree, clean_line(about.author)),
        language=_language(tree),
        published_at=_stated(tree, _PUBLISHED) or parse_time(about.date or _shown_date(tree, uri)),
        updated_at=_stated(tree, _UPDATED),
        flags=(RIGHT_TO_LEFT,) if right_to_left else (),
    )


def _metadata(tree: HtmlElement, uri: str) -> trafilatura.settings.Document:
    try:
        return extract_metadata(tree, uri or None, dict(_DATES))
    except _BROKEN:
        return trafilatura.settings.Document()


def _shown_date(tree: HtmlElement, uri: str) -> str | None:
    """Return a date that stands anywhere on a page that states none; a year alone is no date."""
    try:
        found = find_date(tree, extensive_search=True, original_date=True, url=uri or None, max_date=_LATEST)
    except _BROKEN:
        return None
    return None if not found or found.endswith(_YEAR) else str(found)


def _title(tree: HtmlElement, found: str) -> str:
    """Return the title found, unless it is a headline that the page's own <title> knows nothing of."""
    named = clean_line(" ".join(tree.xpath("//head/title[1]//text()")))
    stated = tree.xpath("//meta[@property='og:title' or @name='twitter:title']/@content")
    if found and (not named or found.casefold() in named.casefold() or any(found in clean_line(one) for one in stated)):
        return found
    return re.split(r"\s+[|–—»·]\s+|\s+-\s+", named)[0] or found or clean_line(" ".join(tree.xpath("//h1[1]//text()")))


def _author(tree: HtmlElement, found: str) -> str:
    """Name each author once: pages state them in several places, some in capitals.

    A month before a number is no part of a name: in "Asha Rai March 3, 2024" the date begins with it.
    """
    names = {name.casefold(): name for name in reversed(found.split("; "))}
    shown = clean_line(tree.text_content()) if any(map(_month, names)) else ""
    dated = {key for key, name in names.items() if _month(key) and re.search(rf"{re.escape(name)}\W{{0,3}}\d", shown)}
    return "; ".join(name.rpartition(" ")[0] if key in dated else name for key, name in reversed(names.items()))


def _month(name: str) -> bool:
    return name.rpartition(" ")[2].casefold() in _MONTHS


def _language(tree: HtmlElement) -> str | None:
    """Return the declared language: ``<html lang>``, else Open Graph's locale."""
    for value in (
        *tree.xpath("/html/@lang | /html/@xml:lang | //html/@lang"),
        *tree.xpath("//meta[@property='og:locale']/@content"),
    ):
        code = re.match(r"[A-Za-z]{2,3}(?![A-Za-z])", value.strip())
        if code:
            return code[0].lower()
    return None


def _stated(tree: HtmlElement, names: tuple[str, ...]) -> datetime | None:
    """Return the time that the page's own metadata states: <meta>, microdata or JSON-LD."""
    for name in names:
        for node in tree.xpath("//meta[@content] | //time[@itemprop and @datetime]"):
            keys = (node.get("property"), node.get("name"), node.get("itemprop"))
            if name in (key.lower() for key in keys if key):
                found = parse_time(node.get("content") or node.get("datetime"))
                if found:
                    return found
    for script in tree.xpath("//script[contains(@type, 'ld+json')]/text()"):
        for name in names:
            stated = re.search(rf'"{name}"\s*:\s*"([^"]+)"', script, re.IGNORECASE)
            if stated and (found := parse_time(stated[1])):
                return found
    return None
