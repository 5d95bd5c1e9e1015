"""All visible text of a page, with headings, lists and code marked as in Markdown."""

import re
from collections.abc import Iterator

from lxml.html import HtmlElement, defs

from rag_platform.text.cleaning import clean

_UNSEEN = frozenset(
    ("script", "style", "template", "noscript", "head", "iframe",
     "object", "svg", "select", "button", "textarea", "nav")
)  # fmt: skip
_BLOCKS = defs.block_tags | {"main", "figure", "figcaption", "details", "summary", "dialog", "caption", "body", "html"}
_NOT_IN_CELLS = ("table", "div", "ul", "ol", "pre", "h1", "h2", "h3", "h4", "h5", "h6")
_CELL = 300
"""Characters; a longer cell is a text that a table was made to hold in place."""
_LEADS = {f"h{level}": f"\n\n{'#' * level} " for level in range(1, 7)} | {
    "li": "\n- ",
    "tr": "\n",
    "td": " | ",
    "th": " | ",
    "br": "\n",
    "dd": "\n",
    "dt": "\n",
}


def visible_text(root: HtmlElement) -> str:
    """Return the text below an element that a reader would see, navigation and controls apart."""
    parts = [""]
    for piece in _walk(root):
        parts.append(piece.lstrip(" ") if parts[-1].endswith(("\n", " ")) else piece)
        if not parts[-1]:
            parts.pop()
    return clean("".join(parts))


def drop_hidden(root: HtmlElement) -> None:
    """Remove what a page hides from its readers, unless that is most of it and a script will show it."""
    whole = len(root.text_content())
    for node in root.xpath(".//*[@hidden or @style]"):
        if _is_hidden(node) and node.getparent() is not None and len(node.text_content()) < whole / 2:
            node.drop_tree()


def _walk(root: HtmlElement) -> Iterator[str]:
    """Yield the pieces of text in order; without recursion, for pages nest without end."""
    stack: list[HtmlElement | str] = [root]
    while stack:
        node = stack.pop()
        if isinstance(node, str):
            yield node
            continue
        if node is not root and node.tail:
            stack.append(_spaced(node.tail))
        if not isinstance(node.tag, str) or node.tag in _UNSEEN:
            continue
        if node.tag == "pre":
            yield f"\n\n```\n{node.text_content()}\n```\n\n"
            continue
        if node.tag == "table" and _is_data(node):
            yield f"\n\n{_markdown(node)}\n\n"
            continue
        block = node.tag in _BLOCKS
        yield _LEADS.get(node.tag, "\n\n" if block else "")
        stack.append("\n\n" if block and node.tag not in ("li", "tr", "td", "th", "dd", "dt") else "")
        stack.extend(reversed(node))
        stack.append(_spaced(node.text or ""))


def _is_data(table: HtmlElement) -> bool:
    """Return whether a table holds data, not a page's layout: a few words in each cell, no blocks of their own."""
    rows = table.xpath(".//tr")
    if len(rows) < 2 or len(rows[0]) < 2 or any(True for _ in table.iterdescendants(*_NOT_IN_CELLS)):
        return False
    return all(len(cell.text_content()) <= _CELL for cell in table.iterdescendants("td", "th"))


def _markdown(table: HtmlElement) -> str:
    rows = [[_cell(cell) for cell in row.xpath("./td | ./th")] for row in table.xpath(".//tr")]
    width = max(len(row) for row in rows)
    lines = [f"| {' | '.join(row + [''] * (width - len(row)))} |" for row in rows if row]
    caption = _spaced(" ".join(table.xpath("./caption//text()"))).strip()
    return "\n".join([*([caption, ""] if caption else []), lines[0], "|" + " --- |" * width, *lines[1:]])


def _cell(cell: HtmlElement) -> str:
    return _spaced(" ".join(cell.itertext())).strip().replace("|", "\\|")


def _spaced(text: str) -> str:
    return re.sub(r"\s+", " ", text)


def _is_hidden(node: HtmlElement) -> bool:
    style = node.get("style", "").replace(" ", "").lower()
    return "hidden" in node.attrib or "display:none" in style or "visibility:hidden" in style
