"""A page, or a fragment of one, to Markdown: its encoding, its main content, and what it says about itself."""

import re
from html import unescape

import trafilatura
from lxml.etree import LxmlError, strip_tags
from lxml.html import HtmlElement, document_fromstring

from rag_platform.documents.extracted import Extracted, losses
from rag_platform.documents.formats.plain_text import decode
from rag_platform.documents.formats.web.article import main_content, without_headline
from rag_platform.documents.formats.web.embedded_media import left_out
from rag_platform.documents.formats.web.mathml import write_formulas
from rag_platform.documents.formats.web.page_metadata import page_facts
from rag_platform.documents.formats.web.visible import drop_hidden, empty, visible_text
from rag_platform.text.cleaning import clean

_META_CHARSET = re.compile(
    rb"""<(?:meta|\?xml)[^>]{0,200}?(?:charset|encoding)\s*=\s*["']?\s*([\w.:-]+)""", re.IGNORECASE
)
_PAGE = re.compile(r"<(?:!doctype|html|head|body|title|meta)\b", re.IGNORECASE)
"""What has none of these is a fragment, such as a feed's entry: all of it is content."""
_XML = re.compile(r"^\s*<\?xml[^>]*\?>")
_JOINERS = {"\u200c": "\U00010600", "\u200d": "\U00010601"}
"""With what Nepali, Persian and emoji are spelt -> letters of Linear A: the extractors drop what is not printable."""
_JOINER = re.compile("(?<=[\u0590-\U0010ffff])(?:\u200c|\u200d|&(?:zwnj|zwj|#820[45]|#[xX]200[cCdD]);)")
_FLAT = ("u", "sup", "sub", "small", "ins", "font", "big", "tt")
"""Marks that Markdown lacks; an extractor would write them as tags amid the text."""


_DEEP = f"boolean({'/*' * 250})"
"""Beyond 256 elements within each other the parser drops what follows."""
_WRAPPERS = re.compile(
    r"</?(?:a|abbr|b|big|blockquote|center|cite|code|dd|div|dl|em|font|i|ins|li|ol|section|small|span|strong|su[bp]"
    r"|table|t[bdhr]|tbody|tt|u|ul)\b[^<>]*>",
    re.IGNORECASE,
)
_ANCHORS = frozenset(("", "#", "\u00b6", "\u00a7", "\U0001f517", "\u200b", "\uf0c1"))
"""What manuals show beside a heading, to link to it."""


def read_html(content: bytes, *, uri: str = "", charset: str | None = None, comments: bool = False) -> Extracted:
    """Read a page or a fragment of one; the headline that is its title is not repeated in the text.

    Args:
        content: Its bytes.
        uri: Its address.
        charset: What the server said; else what the page declares.
        comments: Keep what readers wrote below it.

    Raises:
        ExtractionError: The bytes are no text.
    """
    declared = _META_CHARSET.search(content[:4096])
    markup, flags = decode(content, charset or (declared[1].decode("ascii") if declared else None))
    whole = bool(_PAGE.search(markup))
    markup = _JOINER.sub(_letter, markup)
    tree = _parsed(markup, whole=whole)
    if tree is not None and tree.xpath(_DEEP):
        tree, flags = _parsed(_WRAPPERS.sub("\n", markup), whole=whole), (*flags, "nested too deep: read as plain text")
    if tree is None:
        return Extracted(text="", type="html", flags=flags)
    facts = page_facts(tree, uri)
    write_formulas(tree)
    drop_hidden(tree)
    _flatten(tree)
    text, used = main_content(tree, language=facts.language, comments=comments) if whole else (visible_text(tree), ())
    return Extracted(
        text=_joined(without_headline(clean(text), facts.title) if whole else text),
        type="html",
        title=_joined(facts.title),
        author=_joined(facts.author),
        language=facts.language,
        published_at=facts.published_at,
        updated_at=facts.updated_at,
        flags=flags + used + facts.flags,
        losses=losses(left_out(tree, whole=whole)),
    )


def _parsed(markup: str, *, whole: bool) -> HtmlElement | None:
    """Parse a page or a fragment; None when there is nothing in it."""
    markup = _XML.sub("", markup.replace("\x00", ""))
    tree = trafilatura.load_html(markup) if whole else None  # it refuses what does not look like a page
    try:
        return document_fromstring(markup) if tree is None else tree
    except (LxmlError, ValueError):
        return None


def _letter(joiner: re.Match[str]) -> str:
    return _JOINERS[unescape(joiner[0])]


def _joined(text: str) -> str:
    for joiner, letter in _JOINERS.items():
        text = text.replace(letter, joiner)
    return text


def _flatten(tree: HtmlElement) -> None:
    """Turn the marks that Markdown lacks into plain text; a power of a number stays one: 10^6."""
    for link in tree.xpath("//a[starts-with(@href, '#')]"):
        if link.text_content().strip() in _ANCHORS:
            empty(link)
    for listing in list(tree.iter("table")):
        _unnumber(listing)
    for node in tree.iter(*_FLAT):
        if node.tag == "sup" and re.fullmatch(r"[-\u2212+]?\d+", node.text or "") and _before(node)[-1:].isdigit():
            node.text = f"^{node.text}"
    strip_tags(tree, *_FLAT)  # all at once: one by one, each would cost time by what stands beside it


def _unnumber(listing: HtmlElement) -> None:
    """Replace a table that holds code beside the numbers of its lines by the code."""
    blocks = list(listing.iter("pre"))
    code = [block for block in blocks if not re.fullmatch(r"[\d\s]*", block.text_content())]
    if len(blocks) == 2 and len(code) == 1 and listing.getparent() is not None:
        code[0].tail = listing.tail
        listing.getparent().replace(listing, code[0])


def _before(node: HtmlElement) -> str:
    """Return the text right before an element."""
    previous = node.getprevious()
    return (node.getparent().text if previous is None else previous.tail or previous.text) or ""
