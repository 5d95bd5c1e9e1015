"""XML of documents (DocBook, JATS, DITA, TEI) -> Markdown: titles as headings, tables, lists; other XML: its words.

One without any has its attributes, each element's on a line.
"""

import re
from collections.abc import Iterator

from lxml import etree

from rag_platform.documents.extracted import Extracted, Lost, losses
from rag_platform.documents.formats.markdown_writer import code, heading, inline, join, paragraph, table
from rag_platform.documents.formats.metadata import document_metadata
from rag_platform.documents.formats.web.fragments import markdown_of
from rag_platform.documents.formats.xml_tree import attribute, child, every, local, parse_xml

_TITLES = frozenset(("title", "head", "article-title"))
_PARAGRAPHS = frozenset(("p", "para", "simpara", "formalpara", "ab", "l", "shortdesc"))
_CODE = frozenset(
    ("programlisting", "screen", "literallayout", "codeblock", "code-block", "pre", "preformat", "synopsis")
)
_LISTS = frozenset(("itemizedlist", "orderedlist", "variablelist", "list", "ul", "ol", "def-list", "simplelist"))
_ITEMS = frozenset(("listitem", "varlistentry", "list-item", "li", "item", "def-item", "member"))
_ROWS = frozenset(("row", "tr"))
_SILENT = frozenset(
    ("journal-meta", "article-id", "permissions", "history", "script", "style",
     "article-categories", "pub-date", "counts", "contrib",
     "volume", "issue", "fpage", "lpage", "elocation-id", "funding-group", "custom-meta-group", "self-uri", "teiHeader",
     "title-group")
)  # fmt: skip
"""What catalogues need: of whom and when is in a document's own fields."""
_ABOUT = frozenset(("info", "bookinfo", "articleinfo", "chapterinfo", "sectioninfo"))
"""DocBook's account of a document, which is such a catalogue but for `_TOLD`."""
_TOLD = frozenset(("abstract", "keywordset", "legalnotice", "subtitle"))
_KEYWORDS = frozenset(("kwd-group", "keywordset"))
_PICTURES = frozenset(("graphic", "inline-graphic", "imagedata"))
_INLINE = frozenset(
    ("b", "bold", "i", "italic", "emphasis", "sub", "sup", "xref", "link", "ulink", "ext-link", "code", "literal",
     "phrase",
     "quote", "command", "filename", "citetitle", "hi", "ref", "styled-content", "sc", "underline", "monospace", "term",
     "inline-formula", "firstterm", "option", "parameter", "function", "replaceable", "uri", "email", "span", "a")
)  # fmt: skip
_APART = _TITLES | _PARAGRAPHS | {"label", "caption", "fig", "figure", "disp-formula"}
"""No part of the word that stands before them, also amid a paragraph."""
_DEEPEST = 200
_MARKUP = re.compile(r"</(?:p|div|a|b|em|strong|ul|ol|li|h[1-6]|table|span|blockquote)>|<br ?/?>", re.IGNORECASE)
"""HTML within an element as its text, as in feeds and exports of blogs."""


def read_xml(content: bytes) -> Extracted:
    """Read XML; HTML that calls itself XML is read as HTML.

    Raises:
        ExtractionError: It is not well-formed.
    """
    root = parse_xml(content.lstrip(b" \t\r\n"), "the file")  # many a feed begins with an empty line
    if local(root) == "html":
        from rag_platform.documents.formats.web.html import read_html

        return read_html(content)
    title = _first(root, "article-title") or _first(root, "title")
    known = document_metadata(title, _authors(root), _date(root))
    blocks = list(_blocks(root, 1, 0))
    lead = heading(1, title)
    shown = join(blocks) or paragraph(_attributes(root))
    text = shown if not lead or shown.startswith(lead) else join([lead, shown])
    lost: dict[Lost, int] = {"figures": sum(local(one) in _PICTURES for one in root.iter("{*}*"))}
    return Extracted(text=text, type="xml", losses=losses(lost), **known)


def _blocks(element: etree._Element, level: int, depth: int) -> Iterator[str]:
    name = local(element)
    if not name or name in _SILENT:
        return
    if depth > _DEEPEST:
        yield paragraph(" ".join(" ".join(element.itertext("{*}*")).split()))
    elif name in _TITLES:
        yield heading(level, _words(element))
    elif name == "outline":
        yield "\n".join(_outline(element, 0))
    elif name in _CODE:
        yield code("".join(element.itertext()), attribute(element, "language"))
    elif name in _LISTS:
        yield "\n".join(_items(element, 0))
    elif name in ("table", "informaltable", "tgroup") and any(local(one) in _ROWS for one in element.iter("{*}*")):
        yield from (f"{_words(one)}" for one in element if local(one) in (*_TITLES, "caption"))
        yield _table(element)
    elif name in _PARAGRAPHS or not len(element) or _is_mixed(element):
        yield from _paragraph(element, level, depth)
    else:
        yield from _group(element, level, depth)


def _group(element: etree._Element, level: int, depth: int) -> Iterator[str]:
    """Yield what stands in an element that holds others."""
    name, titled = local(element), any(local(one) in _TITLES for one in element)
    if name in _KEYWORDS:
        words = (_words(one) for one in element if local(one) not in _TITLES)
        yield paragraph(f"Keywords: {', '.join(filter(None, words))}")
        return
    inner = level + 1 if titled and element.getparent() is not None and name not in _ABOUT else level
    if name == "abstract" and inner == level:
        yield heading(level + 1, "Abstract")
    for one in element:
        if name not in _ABOUT or local(one) in _TOLD:
            yield from _blocks(one, inner, depth + 1)


def _outline(element: etree._Element, depth: int) -> Iterator[str]:
    """Yield an entry of an outline (OPML), which has its words in attributes, and those below it."""
    address = attribute(element, "htmlUrl") or attribute(element, "url") or attribute(element, "xmlUrl")
    words = " ".join((attribute(element, "text") or attribute(element, "title")).split())
    note = " ".join(attribute(element, "_note").split())
    if words or address:
        yield f"{'    ' * depth}- {f'[{words or address}]({address})' if address else words}{note and f': {note}'}"
    for one in element:
        if local(one) == "outline":
            yield from _outline(one, min(depth + 1, 10))


def _attributes(root: etree._Element) -> str:
    """Return what an XML says that has no text at all, as records of attributes have: a line for each element."""
    told = ([f"{etree.QName(key).localname}: {value}" for key, value in one.items()] for one in root.iter("{*}*"))
    return "\n".join(", ".join(pairs) for pairs in told if pairs)


def _paragraph(element: etree._Element, level: int, depth: int) -> Iterator[str]:
    """Yield a paragraph's words; a list, table or code within it follows them."""
    within = [
        one for one in element if local(one) in _LISTS | _CODE or local(one) in ("table", "informaltable", "table-wrap")
    ]
    said = element.text or ""
    yield (
        markdown_of(said)
        if not len(element) and _MARKUP.search(said)
        else paragraph(_words(element, frozenset(within)))
    )
    for one in within:
        yield from _blocks(one, level, depth + 1)


def _is_mixed(element: etree._Element) -> bool:
    """Return whether there are words beside an element's children, or all of these are inline elements."""
    if (element.text or "").strip() or any((one.tail or "").strip() for one in element):
        return True
    return all(local(one) in _INLINE for one in element)


def _words(element: etree._Element, skipped: frozenset[etree._Element] = frozenset()) -> str:
    parts = [element.text or ""]
    for one in element:
        if one not in skipped:
            words = _words(one) if local(one) else ""
            parts.append(f" {words} " if local(one) in _APART else words)
        parts.append(one.tail or "")
    return " ".join("".join(parts).split())


def _items(element: etree._Element, depth: int) -> Iterator[str]:
    ordered = local(element) in ("orderedlist", "ol") or attribute(element, "list-type") == "order"
    for count, item in enumerate((one for one in element if local(one) in _ITEMS), 1):
        lists = [one for one in item if local(one) in _LISTS]
        yield f"{'    ' * depth}{f'{count}.' if ordered else '-'} {_words(item, frozenset(lists))}"
        for one in lists:
            yield from _items(one, min(depth + 1, 10))


def _table(element: etree._Element) -> str:
    rows = (one for one in element.iter("{*}row", "{*}tr"))
    return table([[inline([_words(cell)]) for cell in row if local(cell)] for row in rows])


def _first(root: etree._Element, name: str) -> str:
    return next((words for one in every(root, name) if (words := _words(one))), "")


def _authors(root: etree._Element) -> str:
    people = [one for one in every(root, "contrib") if attribute(one, "contrib-type", "author") == "author"]
    people = people or every(root, "author")[:20]
    names = []
    for one in people:
        given = _first(one, "given-names") or _first(one, "firstname")
        names.append(f"{given} {_first(one, 'surname')}".strip() or _first(one, "personname") or _words(one))
    return ", ".join(filter(None, names))


def _date(root: etree._Element) -> str:
    found = next(iter(every(root, "pub-date")), None)
    if found is None:
        return next((one.text or "" for one in every(root, "pubdate")), "")
    parts = [
        (part.text or "").strip() if (part := child(found, name)) is not None else ""
        for name in ("year", "month", "day")
    ]
    return "-".join(value.zfill(2) if re.fullmatch(r"\d+", value) else "01" for value in parts)
