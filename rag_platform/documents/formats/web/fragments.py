"""HTML that is content from end to end (a chapter, an e-mail, a cell's output) -> Markdown."""

import re
from collections import Counter
from typing import Any

from lxml import html as lxml_html
from lxml.etree import LxmlError, strip_tags
from markdownify import MarkdownConverter

from rag_platform.documents.extracted import Lost
from rag_platform.documents.formats.web.embedded_media import left_out
from rag_platform.documents.formats.web.mathml import write_formulas
from rag_platform.documents.formats.web.visible import drop_hidden, visible_text

_DROPPED = ("script", "style", "head", "title", "template", "noscript", "svg", "object", "iframe", "form", "button")
_XML = re.compile(r"^\s*<\?xml[^>]*\?>")
_EMPHASIS = ("b", "strong", "i", "em", "del", "s")
_WITHIN = "within-a-word"
_JOINED = re.compile(r"\w\w")
_DEEPEST = 150
"""Elements within each other; deeper markup is read as its words."""


class _Converter(MarkdownConverter):
    def convert_img(self, node: Any, text: str, parent_tags: set[str]) -> str:  # noqa: ARG002 (the library's signature)
        alternative = " ".join((node.attrs.get("alt") or "").split())
        return f"![{alternative}]" if alternative else ""

    def convert_video(self, node: Any, text: str, parent_tags: set[str]) -> str:  # noqa: ARG002
        return text  # what stands in its place; the library links to the film without a word

    def convert_a(self, node: Any, text: str, parent_tags: set[str]) -> str:
        if "://" not in (node.attrs.get("href") or ""):
            return text  # a place within the file leads nowhere from here
        return str(super().convert_a(node, text, parent_tags))  # type: ignore[misc]  # its stub lacks it


_CONVERTER = _Converter(
    heading_style="ATX",
    bullets="-",
    strip=[*_DROPPED],
    escape_underscores=False,
    escape_asterisks=False,
    autolinks=False,
)


def markdown_of(markup: str) -> str:
    """Return the visible content of HTML as Markdown; none of it is taken for furniture."""
    return read_fragment(markup)[0]


def read_fragment(markup: str) -> tuple[str, Counter[Lost]]:
    """Return what `markdown_of` does, and count what is seen beside it and not kept."""
    if (tree := parse_fragment(markup)) is None:
        return "", Counter()
    write_formulas(tree)
    drop_hidden(tree)
    lost = left_out(tree, whole=False)
    return _markdown(tree), lost


def parse_fragment(markup: str) -> lxml_html.HtmlElement | None:
    """Return the root element of HTML; None: there is none."""
    try:
        return lxml_html.document_fromstring(_XML.sub("", markup))
    except (LxmlError, ValueError):
        return None


def _markdown(tree: lxml_html.HtmlElement) -> str:
    for node in tree.xpath("|".join(f"//{name}" for name in _DROPPED)):
        if node.getparent() is not None:
            node.drop_tree()
    while joined := [node for node in tree.iter(*_EMPHASIS) if _is_within_word(node)]:
        for node in joined:  # search would take its marks for the ends of words
            node.tag = _WITHIN
        strip_tags(tree, _WITHIN)  # all at once: `drop_tag` takes the longer the more siblings there are
    if _depth(tree) > _DEEPEST:
        return visible_text(tree)
    return _CONVERTER.convert(lxml_html.tostring(tree, encoding="unicode")).strip()


def _is_within_word(node: lxml_html.HtmlElement) -> bool:
    """Return whether an emphasis begins or ends where no word does."""
    before, inside = node.getprevious(), node.text_content()
    above = node.getparent().text if before is None else before.tail
    return bool(
        _JOINED.fullmatch((above or "")[-1:] + inside[:1]) or _JOINED.fullmatch(inside[-1:] + (node.tail or "")[:1])
    )


def _depth(tree: lxml_html.HtmlElement) -> int:
    deepest, level = 0, [tree]
    while level and deepest <= _DEEPEST:
        level = [part for node in level for part in node]
        deepest += 1
    return deepest
