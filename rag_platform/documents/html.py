"""A page's main content as Markdown: trafilatura, then readability, then whatever is visible.

Barbaresi 2021, "Trafilatura: A Web Scraping Library and Command-Line Tool for Text Discovery and Extraction", ACL.
"""

import re

import trafilatura
from lxml.etree import LxmlError
from lxml.html import HtmlElement, document_fromstring, fromstring, tostring
from readability import Document as Readability
from readability.readability import Unparseable
from trafilatura.metadata import extract_metadata

from rag_platform.documents.cleaning import clean, clean_line, count_words
from rag_platform.documents.extracted import Extracted, moment
from rag_platform.documents.text import decode
from rag_platform.documents.visible import drop_hidden, visible_text

_META_CHARSET = re.compile(
    rb"""<(?:meta|\?xml)[^>]{0,200}?(?:charset|encoding)\s*=\s*["']?\s*([\w.:-]+)""", re.IGNORECASE
)
_PAGE = re.compile(r"<(?:!doctype|html|head|body|title|meta)\b", re.IGNORECASE)
"""What has none of these is a fragment, such as a feed's entry: all of it is content."""
_XML = re.compile(r"^\s*<\?xml[^>]*\?>")
_LONG = 250
"""Words that are enough, whatever else is on the page: listings and comments can be most of it."""
_SHORT = 60
"""Words; less than this, and a tenth of what is visible, is no main content."""
_HUGE = 2_000_000
"""Characters; the extractors take a minute for such a page, which is a book or a dump."""
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
    whole = bool(_PAGE.search(markup))
    tree = _parsed(markup, whole=whole)
    if tree is None:
        return Extracted(text="", type="html", flags=flags)
    about = _metadata(tree, uri)
    drop_hidden(tree)
    text, used = _main_content(tree) if whole else (visible_text(tree), ())
    return Extracted(
        text=text,
        type="html",
        title=_title(tree, clean_line(about.title)),
        author=clean_line(about.author),
        language=_language(tree),
        published_at=_stated(tree, _PUBLISHED) or moment(about.date),
        updated_at=_stated(tree, _UPDATED),
        flags=flags + used,
    )


def _parsed(markup: str, *, whole: bool) -> HtmlElement | None:
    """Parse a page or a fragment; None when there is nothing in it."""
    markup = _XML.sub("", markup.replace("\x00", ""))
    tree = trafilatura.load_html(markup) if whole else None  # it refuses what does not look like a page
    try:
        return document_fromstring(markup) if tree is None else tree
    except (LxmlError, ValueError):
        return None


def _main_content(tree: HtmlElement) -> tuple[str, tuple[str, ...]]:
    """Return what trafilatura finds, unless it is so little that readability or all that is visible is better."""
    visible = visible_text(tree)
    if len(visible) > _HUGE:
        return visible, ("too large to look for the main content: the whole page was taken",)
    text = clean(_trafilatura(tree))
    found, words = count_words(text), count_words(visible)
    if found >= min(_LONG, words / 2):
        return text, ()
    other = _readability(tree)
    if count_words(other) > 1.5 * found:
        text, found, used = other, count_words(other), ("main content found by readability",)
    else:
        used = ()
    if found < min(_SHORT, words / 10) or not text:
        return visible, ("no main content found: the whole page was taken",) if visible else ()
    return text, used


def _trafilatura(tree: HtmlElement) -> str:
    try:
        return trafilatura.extract(tree, output_format="markdown", include_comments=False) or ""
    except (LxmlError, ValueError, TypeError, AttributeError, IndexError, KeyError, RecursionError):
        return ""  # malformed pages break it in many ways; the next extractor has a try


def _readability(tree: HtmlElement) -> str:
    try:
        return visible_text(fromstring(Readability(tostring(tree, encoding="unicode")).summary(html_partial=True)))
    except (LxmlError, Unparseable, ValueError, TypeError, AttributeError, IndexError, KeyError, RecursionError):
        return ""


# --- what the page says about itself ----------------------------------------------------------------

_PUBLISHED = ("article:published_time", "datepublished", "dc.date.issued", "citation_publication_date")
_UPDATED = ("article:modified_time", "og:updated_time", "datemodified", "dc.date.modified")


def _metadata(tree: HtmlElement, uri: str) -> trafilatura.settings.Document:
    try:
        return extract_metadata(tree, uri or None, dict(_DATES))
    except (LxmlError, ValueError, TypeError, AttributeError, IndexError, KeyError, RecursionError):
        return trafilatura.settings.Document()


def _title(tree: HtmlElement, found: str) -> str:
    """Return the title found, unless it is a headline that the page's own <title> knows nothing of."""
    named = clean_line(" ".join(tree.xpath("//head/title[1]//text()")))
    stated = tree.xpath("//meta[@property='og:title' or @name='twitter:title']/@content")
    if found and (not named or found.casefold() in named.casefold() or any(found in clean_line(one) for one in stated)):
        return found
    return re.split(r"\s+[|–—»·]\s+|\s+-\s+", named)[0] or found or clean_line(" ".join(tree.xpath("//h1[1]//text()")))


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
