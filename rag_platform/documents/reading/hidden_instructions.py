"""Instructions where people do not see them: in invisible characters, in what a page hides, in Base64."""

import base64
import binascii
import re
from collections.abc import Iterator

from lxml import etree
from lxml.html import HtmlElement, document_fromstring

from rag_platform.text.instructions.injection import instructs

_TAGS = re.compile(r"(?<![\U0001f3f4\U000e0020-\U000e007e])[\U000e0020-\U000e007e]{4,}")
"""Invisible copies of the ASCII characters; after a black flag they make the flag of a region."""
_SELECTORS = re.compile(r"[\ufe00-\ufe0f\U000e0100-\U000e01ef]{8,}")
"""Invisible variants of the character before; one of 256 after another, they are bytes."""
_BASE64 = re.compile(r"(?<![\w+/=])[A-Za-z0-9+/]{32,4000}={0,2}(?![\w+/=])")
_MOST_BASE64 = 200
_COLOUR = re.compile(r"(?<![-\w])(background(?:-color)?|color)\s*:\s*([^;!]+)")
_INVISIBLE_STYLE = re.compile(
    r"(?<![-\w])(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|opacity\s*:\s*0?\.?0+(?![.\d])|"
    r"font-size\s*:\s*(?:0|0?\.\d+|1)(?:px|pt|em|rem|%)?\s*(?:;|!|$)|(?:left|top|right|text-indent|margin-left)\s*:\s*-\d{4,}|"
    r"(?:max-)?(?:width|height)\s*:\s*0(?:px)?\s*(?:;|!|$)|clip\s*:\s*rect\(0|color\s*:\s*transparent)",
    re.IGNORECASE,
)
_TEXT_ATTRIBUTES = ("alt", "title", "aria-label", "content", "value", "placeholder")
"""Attributes whose text a page may not show and a reader of the page may still take up."""


def hidden_instructions(content: bytes, text: str, *, html: bool = False) -> Iterator[tuple[str, str]]:
    """Yield (how, what) of the instructions that a document hides.

    Args:
        content: its bytes.
        text: what was read from them.
        html: whether they are a page.
    """
    raw = content.decode("utf-8", "ignore")
    for run in _TAGS.findall(raw):
        yield "in invisible characters", run.translate({code: code - 0xE0000 for code in range(0xE0020, 0xE007F)})
    for run in _SELECTORS.findall(raw):
        if (hidden := _spelt(run)) is not None:
            yield "in invisible characters", hidden
    for hidden in _encoded(text):
        yield "in Base64", hidden
    if html:
        yield from _hidden(raw)


def _spelt(run: str) -> str | None:
    codes = map(ord, run)
    spelt = bytes(code - 0xFE00 if code < 0xFE10 else code - 0xE0100 + 16 for code in codes)
    return _readable(spelt)


def _encoded(text: str) -> Iterator[str]:
    for place, match in enumerate(_BASE64.finditer(text)):
        if place >= _MOST_BASE64:
            return
        try:
            hidden = _readable(base64.b64decode(match[0] + "=" * (-len(match[0]) % 4)))
        except binascii.Error:
            continue
        if hidden and instructs(hidden):
            yield hidden


def _readable(content: bytes) -> str | None:
    try:
        text = content.decode()
    except UnicodeDecodeError:
        return None
    return text if text.replace("\n", " ").isprintable() and any(map(str.isalpha, text)) else None


def _hidden(markup: str) -> Iterator[tuple[str, str]]:
    try:
        root = document_fromstring(markup.encode())
    except (etree.ParserError, ValueError):
        return
    for node in root.iter():
        if node.tag is etree.Comment:
            yield from _instructing("in a comment", node.text or "")
        elif isinstance(node.tag, str):
            if _is_hidden(node):
                yield from _instructing("in hidden text", node.text_content())
            for name in _TEXT_ATTRIBUTES:
                yield from _instructing(f"in the attribute {name}", node.get(name, ""))


def _is_hidden(node: HtmlElement) -> bool:
    style = node.get("style", "")
    if "hidden" in node.attrib or _INVISIBLE_STYLE.search(style):
        return True
    colours = {name.split("-")[0].lower(): value.strip().lower() for name, value in _COLOUR.findall(style)}
    return "color" in colours and _is_white(colours["color"]) and _is_white(colours.get("background", "white"))


def _is_white(colour: str) -> bool:
    return colour in ("white", "#fff", "#ffffff", "#fefefe") or colour.replace(" ", "") in (
        "rgb(255,255,255)",
        "rgba(255,255,255,1)",
    )


def _instructing(how: str, text: str) -> Iterator[tuple[str, str]]:
    if text and instructs(text):
        yield how, text
