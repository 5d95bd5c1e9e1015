"""Formulas of web pages, as Markdown has them: in TeX where the page tells it, else made of its MathML."""

import re

from lxml.html import HtmlElement

from rag_platform.documents.formats.markdown_writer import matrix
from rag_platform.documents.formats.web.visible import empty
from rag_platform.text.cleaning import clean_line

_AROUND = re.compile(r"(?:^|\s)(?:katex(?:-display)?|mwe-math-element\S*|MathJax\S*)(?=\s|$)")
"""Classes of what draws a formula that is also there in MathML: KaTeX, MediaWiki, MathJax."""
_LEVELS = 5
"""At most so many elements stand between such a class and the formula."""
_INVISIBLE = dict.fromkeys(range(0x2061, 0x2065))
"""Signs of a product, an application or a list that nobody sees."""


def write_formulas(tree: HtmlElement) -> None:
    """Put a text in place of each formula, also where it is hidden because a picture of it is shown."""
    for script in tree.xpath("//script[starts-with(@type, 'math/tex')]"):  # MathJax 2, and what it has drawn before it
        while (drawn := script.getprevious()) is not None and _AROUND.search(drawn.get("class") or "") and len(drawn):
            empty(drawn)
        _write(script, script.text or "", block="display" in script.get("type"))
    for formula in list(tree.iter("math")):
        drawn = _drawn(formula)
        if drawn is tree or drawn.getroottree().getroot() is not tree.getroottree().getroot():
            continue  # it was written with another one
        block = formula.get("display") == "block" or "display" in (drawn.get("class") or "").split("-")
        _write(drawn, _tex(formula), block=block)


def _drawn(formula: HtmlElement) -> HtmlElement:
    """Return the element that shows a formula: itself, or what is drawn in its place."""
    found = node = formula
    for _ in range(_LEVELS):
        node = node.getparent()
        if node is None:
            break
        if node.tag == "mjx-container" or _AROUND.search(node.get("class") or ""):
            found = node
    return found


def _write(node: HtmlElement, tex: str, *, block: bool) -> None:
    tex = clean_line(tex)  # a tree can hold control characters that it cannot be given
    empty(node)
    if tex:
        node.tag, node.text = ("div", f"$${tex}$$") if block else ("span", f"${tex}$")


def _tex(formula: HtmlElement) -> str:
    told = (note.text or "" for note in formula.iter("annotation") if "tex" in (note.get("encoding") or "").lower())
    return next(told, "") or formula.get("alttext") or _node(formula)


def _node(node: HtmlElement) -> str:
    if not isinstance(node.tag, str) or node.tag.startswith("annotation"):
        return ""
    if not len(node):
        return (node.text or "").translate(_INVISIBLE).strip()
    if node.tag == "mtable":
        return matrix(map(_node, row) for row in node)
    parts = [_node(part) for part in node]
    form = _FORMS.get(node.tag)
    if form and len(parts) == form.count("{}"):
        return form.format(*parts)
    return rf"\sqrt{{{''.join(parts)}}}" if node.tag == "msqrt" else "".join(parts)


_FORMS = {
    "mfrac": r"\frac{{{}}}{{{}}}",
    "msup": "{}^{{{}}}",
    "msub": "{}_{{{}}}",
    "msubsup": "{}_{{{}}}^{{{}}}",
    "munder": "{}_{{{}}}",
    "mover": "{}^{{{}}}",
    "munderover": "{}_{{{}}}^{{{}}}",
}
