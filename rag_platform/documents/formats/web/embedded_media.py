"""What stands amid a page's text and is no text: frames, films, drawings."""

from collections import Counter
from collections.abc import Iterator

from lxml.html import HtmlElement

from rag_platform.documents.extracted import Lost
from rag_platform.documents.formats.web.visible import UNSEEN

_KINDS: dict[str, Lost] = {
    **dict.fromkeys(("iframe", "object", "embed"), "embedded objects"),
    **dict.fromkeys(("video", "audio"), "media"),
    **dict.fromkeys(("svg", "canvas"), "diagrams"),
}


def left_out(root: HtmlElement, *, whole: bool) -> Counter[Lost]:
    """Count what is seen below an element and not kept.

    Args:
        root: A page without what is not its content, or a fragment of one.
        whole: It is a page: what stands before its first text and behind its last one is no part of the content.
    """
    found, waiting, begun = Counter[Lost](), Counter[Lost](), not whole
    for kind in _met(root):
        if kind:
            waiting[kind] += begun
        else:
            begun = True
            found.update(waiting)
            waiting.clear()
    return found if whole else found + waiting


def _met(root: HtmlElement) -> Iterator[Lost | None]:
    """Yield in the page's order the kind of each thing that is left out, and None for words."""
    stack = [(root, False)]
    while stack:
        node, left = stack.pop()
        text = node.tail if left else None
        if not left:
            if kind := _kind(node):
                yield kind
            stack += [(node, True)] if node is not root else []
            if isinstance(node.tag, str) and node.tag not in UNSEEN and node.tag not in _KINDS:
                stack.extend((child, False) for child in reversed(node))
                text = node.text
        if _has_words(text):
            yield None


def _kind(node: HtmlElement) -> Lost | None:
    """Return what an element is counted as: a drawing without words is an icon, a frame of a point a counter."""
    kind = _KINDS.get(node.tag) if isinstance(node.tag, str) else None
    if node.tag == "svg" and not any(_has_words(part.text) for part in node.iter("text", "tspan")):
        return None
    return None if node.get("width") in ("0", "1") or node.get("height") in ("0", "1") else kind


def _has_words(text: str | None) -> bool:
    return any(map(str.isalnum, text or ""))
