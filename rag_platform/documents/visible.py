"""All visible text of a page, with headings, lists and code marked as in Markdown."""

import re
from collections.abc import Iterator

from lxml.html import HtmlElement, defs

_UNSEEN = frozenset(
    (
        "script",
        "style",
        "template",
        "noscript",
        "head",
        "iframe",
        "object",
        "svg",
        "select",
        "button",
        "textarea",
        "nav",
    )
)
_BLOCKS = defs.block_tags | {"main", "figure", "figcaption", "details", "summary", "dialog", "caption", "body", "html"}
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
    return re.sub(r"[ \t]*\n[ \t]*", "\n", "".join(_walk(root)))


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
        if not isinstance(node.tag, str) or node.tag in _UNSEEN or _is_hidden(node):
            continue
        if node.tag == "pre":
            yield f"\n\n```\n{node.text_content()}\n```\n\n"
            continue
        block = node.tag in _BLOCKS
        yield _LEADS.get(node.tag, "\n\n" if block else "")
        stack.append("\n\n" if block and node.tag not in ("li", "tr", "td", "th", "dd", "dt") else "")
        stack.extend(reversed(node))
        stack.append(_spaced(node.text or ""))


def _spaced(text: str) -> str:
    return re.sub(r"\s+", " ", text)


def _is_hidden(node: HtmlElement) -> bool:
    style = node.get("style", "").replace(" ", "").lower()
    return "hidden" in node.attrib or "display:none" in style or "visibility:hidden" in style
