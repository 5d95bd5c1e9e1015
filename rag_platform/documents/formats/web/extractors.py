"""What four extractors take for a page's main content: each by another method, so that they err on different pages.

- trafilatura, balanced and strict: rules for the names and places of elements (Barbaresi 2021, "Trafilatura: A Web
  Scraping Library and Command-Line Tool for Text Discovery and Extraction", ACL).
- readability: the element whose paragraphs score best.
- jusText: length, function words and links of each paragraph, and of its neighbours (Pomikálek 2011, "Removing
  Boilerplate and Duplicate Content from Web Corpora", Masaryk University).
"""

import re
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import trafilatura
from lxml.etree import LxmlError
from lxml.html import HtmlElement, fromstring
from readability import Document as Readability
from readability.readability import Unparseable
from trafilatura.baseline import basic_cleaning
from trafilatura.external import try_justext

from rag_platform.documents.formats.web.visible import visible_text

_BROKEN = (LxmlError, Unparseable, ValueError, TypeError, AttributeError, IndexError, KeyError, RecursionError)
"""What malformed pages make the extractors raise; the others have a word."""
_ESCAPE = re.compile(r"(```.*?```|`[^`\n]*`)|\\([_*\[\]~<>`])", re.DOTALL)


def opinions(tree: HtmlElement, language: str | None) -> list[str]:
    """Return the main content of a page as each extractor sees it, in lines; what fails finds nothing.

    Args:
        tree: The page; it stays as it is.
        language: Of its text, an ISO 639 code: jusText knows the function words of a hundred.
    """
    page = deepcopy(tree)
    for node in page.xpath("//style | //svg | //template | //comment() | //script[not(contains(@type, 'ld+json'))]"):
        if node.getparent() is not None:
            node.drop_tree()  # each extractor copies all of it, and then throws this away
    return [_tried(extractor, page, language) for extractor in (_balanced, _strict, _readability, _justext)]


def whole_text(tree: HtmlElement) -> str:
    """Return trafilatura's text as Markdown: it also reads what stands in the page's metadata alone."""
    found = _tried(lambda page, _: _trafilatura(page, output_format="markdown"), tree, None)
    return _ESCAPE.sub(lambda match: match[1] or match[2], found)  # a\_name is found by nobody


def comments_of(tree: HtmlElement) -> str:
    """Return the readers' comments below a page, in lines."""
    return _tried(lambda page, _: getattr(trafilatura.bare_extraction(page, fast=True), "comments", ""), tree, None)


def _tried(extractor: Callable[[HtmlElement, str | None], str | None], tree: HtmlElement, language: str | None) -> str:
    try:
        return extractor(tree, language) or ""
    except _BROKEN:
        return ""


def _trafilatura(tree: HtmlElement, **options: Any) -> str | None:
    found: str | None = trafilatura.extract(tree, include_comments=False, fast=True, **options)
    return found


def _balanced(tree: HtmlElement, _: str | None) -> str | None:
    return _trafilatura(tree)


def _strict(tree: HtmlElement, _: str | None) -> str | None:
    return _trafilatura(tree, favor_precision=True)


class _Cleaned(Readability):  # type: ignore[misc]  # untyped
    """Readability of a page without scripts: to look for them in each attribute takes longer than to find the text."""

    def _parse(self, input: HtmlElement) -> HtmlElement:  # noqa: A002 (the library's name)
        self.encoding = "utf-8"
        return input


def _readability(tree: HtmlElement, _: str | None) -> str:
    return visible_text(fromstring(_Cleaned(deepcopy(tree)).summary(html_partial=True)))


def _justext(tree: HtmlElement, language: str | None) -> str:
    return "\n".join(try_justext(basic_cleaning(deepcopy(tree)), None, language).itertext())
