"""A page's main content as Markdown: trafilatura, then readability, then whatever is visible.

Barbaresi 2021, "Trafilatura: A Web Scraping Library and Command-Line Tool for Text Discovery and Extraction", ACL.
What points elsewhere is pruned first, as Kohlschütter et al. 2010 do by link density ("Boilerplate Detection using
Shallow Text Features", WSDM): a paragraph that is one link is a pointer, not a sentence of the article.
"""

import re

import trafilatura
from lxml.etree import LxmlError
from lxml.html import HtmlElement, fromstring, tostring
from readability import Document as Readability
from readability.readability import Unparseable

from rag_platform.documents.formats.web.visible import visible_text
from rag_platform.text.cleaning import clean, count_words

_LONG = 250
"""Words that are enough, whatever else is on the page: listings and comments can be most of it."""
_SHORT = 60
"""Words; less than this, and a tenth of what is visible, is no main content."""
_HUGE = 2_000_000
"""Characters; the extractors take a minute for such a page, which is a book or a dump."""
SCRIPTED = "no text without its scripts: javascript = true has a browser read it"
_LINKED = 0.7
"""Share of a block's letters within links from which it only points elsewhere."""
_POINTERS = 1 / 3
"""Share of a page's letters up to which pointers are pruned: beyond, the page is a list of links and they are it."""
_ESCAPE = re.compile(r"(```.*?```|`[^`\n]*`)|\\([_*\[\]~<>`])", re.DOTALL)
_BROKEN = (LxmlError, Unparseable, ValueError, TypeError, AttributeError, IndexError, KeyError, RecursionError)
"""What malformed pages make the extractors raise; the next one has a try."""


def main_content(tree: HtmlElement) -> tuple[str, tuple[str, ...]]:
    """Return what trafilatura finds, unless it is so little that readability or all that is visible is better.

    The second value says which of them it was, when it was not the first.
    """
    visible = visible_text(tree)
    if not visible and tree.find(".//script") is not None:
        text = _trafilatura(tree)  # an article in JSON-LD, or "please enable JavaScript"
        return (text, ()) if count_words(text) >= _SHORT else ("", (SCRIPTED,))
    if len(visible) > _HUGE:
        return visible, ("too large to look for the main content: the whole page was taken",)
    pointers = _pointers(tree)
    text = _without_pointers(_trafilatura(tree), pointers)
    found, words = count_words(text), count_words(visible)
    used: tuple[str, ...] = ()
    if found >= min(_LONG, words / 2):
        return text, ()
    other = _without_pointers(_readability(tree), pointers)
    if count_words(other) > 1.5 * found and (found < _SHORT or _holds(other, text)):
        text, found, used = other, count_words(other), ("main content found by readability",)
    if found < min(_SHORT, words / 10) or not text:
        return visible, ("no main content found: the whole page was taken",) if visible else ()
    return text, used


def _holds(whole: str, part: str) -> bool:
    """Return whether most lines of one text are in the other, which is then more of the same and not something else."""
    lines, whole = [_letters(line) for line in part.split("\n") if line.strip()], _letters(whole)
    return sum(line in whole for line in lines) > len(lines) / 2


def without_headline(text: str, title: str) -> str:
    """Return the text without its first line when that is the title, which has a column of its own."""
    first, _, rest = text.partition("\n")
    return rest.lstrip("\n") if rest.strip() and _letters(first) == _letters(title) != "" else text


def _letters(line: str) -> str:
    return re.sub(r"[\W_]+", " ", line).casefold().strip()


def _trafilatura(tree: HtmlElement) -> str:
    try:
        found = trafilatura.extract(tree, output_format="markdown", include_comments=False, fast=True) or ""
    except _BROKEN:
        return ""
    return _ESCAPE.sub(lambda match: match[1] or match[2], found)  # a\_name is found by nobody


def _readability(tree: HtmlElement) -> str:
    try:
        return visible_text(fromstring(Readability(tostring(tree, encoding="unicode")).summary(html_partial=True)))
    except _BROKEN:
        return ""


# --- what points elsewhere --------------------------------------------------------------------------


def _without_pointers(text: str, pointers: frozenset[str]) -> str:
    """Return the text without the lines that point elsewhere."""
    return clean("\n".join(line for line in text.split("\n") if not pointers or _letters(line) not in pointers))


def _pointers(tree: HtmlElement) -> frozenset[str]:
    """Return the letters of the paragraphs, headings and lists that consist of links, unless they are the page."""
    found = [node for node in tree.iter("p", "h2", "h3", "h4", "h5", "h6", "ul") if _is_linked(node)]
    lines = [line for node in found for line in ([node] if node.tag != "ul" else node.iter("li"))]
    if sum(_length(line) for line in lines) > _POINTERS * _length(tree):
        return frozenset()
    return frozenset(_letters(line.text_content()) for line in lines) - {""}


def _is_linked(node: HtmlElement) -> bool:
    linked = sum(_length(link) for link in node.iter("a") if link.get("href"))
    return bool(linked) and linked >= _LINKED * _length(node)


def _length(node: HtmlElement) -> int:
    return sum(len(text.strip()) for text in node.itertext())
