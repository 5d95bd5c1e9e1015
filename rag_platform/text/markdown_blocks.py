"""The blocks of a Markdown text, and its headings as plain words."""

import re
from itertools import pairwise

from markdown_it import MarkdownIt

_LONGEST = 1 << 16

BLOCKS = MarkdownIt("commonmark").enable("table")
"""Finds the blocks of a text; inline markup stays as it is."""
BLOCKS.core.ruler.enableOnly(["block"])

_MARKUP = (
    (re.compile(r"!?\[([^\]]{0,500})\](?:\([^)]{0,2000}\)|\[[^\]]{0,500}\])"), r"\1"),  # links, images
    (re.compile(r"(?:(?<!\s)\s++)?\{[#.:][^{}]*+\}\s*$"), ""),  # {#anchor .class}
    (re.compile(r"</?[A-Za-z][^>]{0,2000}>"), ""),
    (re.compile(r"`+|\*+|~~|(?<!\w)_+|(?<!_)_++(?!\w)"), ""),
    (re.compile(r"\\([!-/:-@\[-`{-~])"), r"\1"),
)
_CODE = re.compile(r"(?<![\\`])(`+)(?!`)(.+?)(?<!`)\1(?!`)")
_HELD = "\ue000"
"""Stands for code, whose underscores and asterisks are no marks."""


def first_heading(text: str) -> str:
    """Return the first heading of level 1, without its markup; one far down names no document."""
    tokens = BLOCKS.parse(text[:_LONGEST])
    for token, inline in pairwise(tokens):
        if token.type == "heading_open" and token.tag == "h1" and token.level == 0:
            return plain(inline.content)
    return ""


def plain(markup: str) -> str:
    """Return a heading's words without links, emphasis, code marks and anchors."""
    codes = [found[2] for found in _CODE.finditer(markup)]
    markup = _CODE.sub(_HELD, markup.replace(_HELD, ""))
    for pattern, replacement in _MARKUP:
        markup = pattern.sub(replacement, markup)
    words = iter(codes)
    return " ".join(re.sub(_HELD, lambda _: next(words, ""), markup).split())
