"""All visible text of a page, with headings, lists, tables, quotes and code marked as in Markdown."""

import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice

from lxml.html import HtmlElement, defs

from rag_platform.text.cleaning import clean

UNSEEN = frozenset(
    ("script", "style", "template", "noscript", "head", "iframe",
     "object", "svg", "select", "button", "textarea", "nav")
)  # fmt: skip
"""Elements of which a reader sees no text, or controls and navigation alone."""
BLOCKS = defs.block_tags | {"main", "figure", "figcaption", "details", "summary", "dialog", "caption", "body", "html"}
"""Elements that begin a new line."""
_NOT_IN_CELLS = ("table", "div", "ul", "ol", "pre", "h1", "h2", "h3", "h4", "h5", "h6")
_CELL = 300
"""Characters; a longer cell is a text that a table was made to hold in place."""
_FILLED = 20
"""Cells of a table for each that it was given, at most; else its rows stay short: it would grow with its square."""
_QUOTE, _UNQUOTE = "\x02", "\x03"
"""Lines where a quote begins and ends, until its lines are marked."""


class _Mark(str):
    """What is written before an item, a heading or a row, if it has words; an empty one ends it."""

    __slots__ = ()


_LEADS = {f"h{level}": _Mark(f"\n\n{'#' * level} ") for level in range(1, 7)} | {
    "blockquote": f"\n\n{_QUOTE}\n",
    "tr": "\n",
    "br": "\n",
    "dd": "\n",
    "dt": "\n",
}
_ENDS = {"blockquote": f"\n{_UNQUOTE}\n\n"} | dict.fromkeys(("li", "tr", "td", "th", "dd", "dt"), "")
_DEEPEST_LIST = 8
"""Lists within each other that are indented."""


def visible_text(root: HtmlElement) -> str:
    """Return the text below an element that a reader would see, navigation and controls apart."""
    parts, marks = [""], [-1]
    for piece in _walk(root):
        bare = marks[-1] == len(parts) - 1  # nothing stands behind the last mark yet
        if isinstance(piece, _Mark) and not piece:
            marks.pop()
            if bare:
                parts.pop()
        elif follows := _following(piece, parts[-1], bare=bare):
            parts.append(follows)
            marks += [len(parts) - 1] if isinstance(piece, _Mark) else []
    text = "".join(parts)
    return clean(_quoted(text) if _QUOTE in text else text)


def drop_hidden(root: HtmlElement) -> None:
    """Remove what a page hides from its readers, unless that is most of it and a script will show it."""
    whole = len(root.text_content())
    for node in root.xpath(".//*[@hidden or @style]"):
        if _is_hidden(node) and len(node.text_content()) < whole / 2:
            empty(node)


def empty(node: HtmlElement) -> None:
    """Take out an element with all that is in it, and leave its place, in time that does not depend on its siblings."""
    node.clear(keep_tail=True)
    node.tag = "span"


def _following(piece: str, last: str, *, bare: bool) -> str:
    """Return a piece without the space that what stands before it makes needless."""
    if bare and _QUOTE not in piece:  # whose mark is a line of its own
        return piece.lstrip()
    return piece.lstrip(" ") if last.endswith(("\n", " ")) else piece


def _walk(root: HtmlElement) -> Iterator[str]:
    """Yield the pieces of text in order; without recursion, for pages nest without end."""
    stack: list[HtmlElement | str] = [root]
    items: Counter[HtmlElement] = Counter()
    while stack:
        node = stack.pop()
        if isinstance(node, str):
            yield node
            continue
        if node is not root and node.tail:
            stack.append(_spaced(node.tail))
        if not isinstance(node.tag, str) or node.tag in UNSEEN:
            continue
        if node.tag == "pre":
            yield f"\n\n```\n{node.text_content()}\n```\n\n"
            continue
        if node.tag == "table" and is_data_table(node):
            yield f"\n\n{_markdown(node)}\n\n"
            continue
        lead = _lead(node, items)
        yield lead
        stack.append(_ENDS.get(node.tag, "\n\n" if _is_apart(node) else ""))
        stack += [_Mark()] if isinstance(lead, _Mark) else []
        stack.extend(reversed(node))
        stack.append(_spaced(node.text or ""))


def _lead(node: HtmlElement, items: Counter[HtmlElement]) -> str:
    """Return what is written before the text of an element."""
    if node.tag == "li":
        return _item(node, items)
    if node.tag in ("td", "th"):
        between = " | " if node.getprevious() is not None else _Mark(" | ")
        return "\n\n" if any(child.tag in BLOCKS for child in node) else between
    return _LEADS.get(node.tag, "\n\n" if _is_apart(node) else "")


def _is_apart(node: HtmlElement) -> bool:
    """Return whether empty lines stand around an element: not around a list within another."""
    return node.tag in BLOCKS and not (node.tag in ("ul", "ol") and node.getparent().tag == "li")


def _item(node: HtmlElement, items: Counter[HtmlElement]) -> str:
    """Return the mark before an item of a list: its number or a dash, indented below the item that it belongs to."""
    above = [one.getparent() for one in islice(node.iterancestors("li"), _DEEPEST_LIST)]
    indent = sum(3 if parent is not None and parent.tag == "ol" else 2 for parent in above)
    holder = node.getparent()
    if holder is None or holder.tag != "ol":
        return _Mark(f"\n{' ' * indent}- ")
    start = holder.get("start", "1")
    items[holder] += 1
    first = int(start) if re.fullmatch("[0-9]{1,6}", start) else 1
    return _Mark(f"\n{' ' * indent}{first + items[holder] - 1}. ")


def _quoted(text: str) -> str:
    """Mark the lines of quotes with ``>``."""
    depth, lines = 0, []
    for line in re.sub(f"(?<={_QUOTE}\n)\\s+|\\s+(?=\n{_UNQUOTE})", "", re.sub(r"\n{3,}", "\n\n", text)).split("\n"):
        if line in (_QUOTE, _UNQUOTE):
            depth += 1 if line == _QUOTE else -1
        else:
            lines.append(f"{'> ' * depth}{line}".rstrip())
    return "\n".join(lines)


def is_data_table(table: HtmlElement) -> bool:
    """Return whether a table holds data, not a page's layout: a few words in each cell, no blocks of their own."""
    rows = table.xpath(".//tr")
    names = rows[0].xpath("./td | ./th") if len(rows) > 1 else ()
    if len(names) < 2 or any(True for _ in table.iterdescendants(*_NOT_IN_CELLS)):
        return False
    return all(len(cell.text_content()) <= _CELL for cell in table.iterdescendants("td", "th"))


def _markdown(table: HtmlElement) -> str:
    rows = [[_line(cell).replace("|", "\\|") for cell in row.xpath("./td | ./th")] for row in table.xpath(".//tr")]
    width = max(len(row) for row in rows)
    least = 0 if width * len(rows) > _FILLED * (sum(map(len, rows)) + width) else width
    lines = [f"| {' | '.join(row + [''] * (least - len(row)))} |" for row in rows if row]
    caption = " ".join(map(_line, table.xpath("./caption")))
    return "\n".join([*([caption, ""] if caption else []), lines[0], "|" + " --- |" * width, *lines[1:]])


def _line(node: HtmlElement) -> str:
    """Return the text within an element on one line; only what begins a line of its own is set apart."""
    return _spaced("".join(islice(_walk(node), 1, None))).strip()  # the first piece leads to the element itself


def _spaced(text: str) -> str:
    return re.sub(r"\s+", " ", text)


def _is_hidden(node: HtmlElement) -> bool:
    style = node.get("style", "").replace(" ", "").lower()
    return "hidden" in node.attrib or "display:none" in style or "visibility:hidden" in style
