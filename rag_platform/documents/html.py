"""A page's main content as Markdown: trafilatura, then readability, then whatever is visible.

Barbaresi 2021, "Trafilatura: A Web Scraping Library and Command-Line Tool for Text Discovery and Extraction", ACL.
"""

import re

import trafilatura
from lxml.etree import LxmlError, ParserError
from lxml.html import HtmlElement, fromstring
from readability import Document as Readability
from readability.readability import Unparseable
from trafilatura.metadata import extract_metadata

from rag_platform.documents.cleaning import clean, clean_line, count_words
from rag_platform.documents.extracted import Extracted, moment
from rag_platform.documents.text import decode
from rag_platform.documents.visible import visible_text

_META_CHARSET = re.compile(
    rb"""<(?:meta|\?xml)[^>]{0,200}?(?:charset|encoding)\s*=\s*["']?\s*([\w.:-]+)""", re.IGNORECASE
)
_ENOUGH = 0.1
"""Less than this share of the page's visible words is no main content: another extractor has a try."""
_SHORT = 60
"""Words; a longer text is enough whatever the share: listings and comments can be most of a page."""
_DATES = {
    "extensive_search": False,
    "original_date": True,
    "max_date": "2100-01-01",
}  # no guess from any number in the text


def read_html(content: bytes, *, uri: str = "", charset: str | None = None) -> Extracted:
    """Read a page or a fragment of one.

    Raises:
        ExtractionError: The bytes are no text.
    """
    declared = _META_CHARSET.search(content[:4096])
    markup, flags = decode(content, charset or (declared[1].decode("ascii") if declared else None))
    tree = trafilatura.load_html(markup) if markup.strip() else None
    if tree is None:
        return Extracted(text=_unmarked(markup), type="html", flags=flags)
    text, used = _main_content(tree, markup)
    about = _metadata(tree, uri)
    return Extracted(
        text=text,
        type="html",
        title=clean_line(about.title) or _title(tree),
        author=clean_line(about.author),
        language=_language(tree),
        published_at=_stated(tree, _PUBLISHED) or moment(about.date),
        updated_at=_stated(tree, _UPDATED),
        flags=flags + used,
    )


def _main_content(tree: HtmlElement, markup: str) -> tuple[str, tuple[str, ...]]:
    """Return the text of the first extractor that finds enough, and a flag when it was not the first."""
    visible = clean(visible_text(tree))
    words = count_words(visible)
    for name, extractor in (("trafilatura", _trafilatura), ("readability", _readability)):
        text = clean(extractor(tree, markup))
        found = count_words(text)
        if found >= min(_SHORT, words) or (text and found >= _ENOUGH * words):
            return text, () if name == "trafilatura" else (f"main content found by {name}",)
    return visible, ("no main content found: the whole page was taken",) if visible else ()


def _trafilatura(tree: HtmlElement, markup: str) -> str:  # noqa: ARG001 (one signature for both extractors)
    try:
        return trafilatura.extract(tree, output_format="markdown", include_comments=False) or ""
    except (LxmlError, ValueError, TypeError, AttributeError, IndexError, KeyError, RecursionError):
        return ""  # malformed pages break it in many ways; the next extractor has a try


def _readability(tree: HtmlElement, markup: str) -> str:  # noqa: ARG001
    try:
        return visible_text(fromstring(Readability(markup).summary(html_partial=True)))
    except (LxmlError, Unparseable, ValueError, TypeError, AttributeError, IndexError, KeyError, RecursionError):
        return ""


def _unmarked(markup: str) -> str:
    return "" if re.fullmatch(r"\s*(<[^>]*>\s*)*", markup[:10_000]) else re.sub(r"<[^>]*>", " ", markup)


# --- what the page says about itself ----------------------------------------------------------------

_PUBLISHED = ("article:published_time", "datepublished", "dc.date.issued", "citation_publication_date")
_UPDATED = ("article:modified_time", "og:updated_time", "datemodified", "dc.date.modified")


def _metadata(tree: HtmlElement, uri: str) -> trafilatura.settings.Document:
    try:
        return extract_metadata(tree, uri or None, dict(_DATES))
    except (LxmlError, ParserError, ValueError, TypeError, AttributeError, IndexError, KeyError, RecursionError):
        return trafilatura.settings.Document()


def _title(tree: HtmlElement) -> str:
    found = tree.xpath("//h1 | //title | //h2")
    return clean_line(found[0].text_content()) if found else ""


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


def _stated(tree: HtmlElement, names: tuple[str, ...]) -> object:
    """Return the time that the page's own metadata states: <meta>, microdata or JSON-LD."""
    for name in names:
        for node in tree.xpath("//meta[@content] | //time[@itemprop and @datetime]"):
            keys = (node.get("property"), node.get("name"), node.get("itemprop"))
            if name in (key.lower() for key in keys if key):
                found = moment(node.get("content") or node.get("datetime"))
                if found:
                    return found
    for script in tree.xpath("//script[contains(@type, 'ld+json')]/text()"):
        for name in names:
            found = re.search(rf'"{name}"\s*:\s*"([^"]+)"', script, re.IGNORECASE)
            if found and moment(found[1]):
                return moment(found[1])
    return None
