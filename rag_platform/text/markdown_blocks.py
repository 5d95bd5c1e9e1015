"""The blocks of a Markdown text, its code, and its headings as plain words."""

import re
from collections.abc import Iterator, Sequence
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
_CODE_MARK = re.compile(
    r"^(?P<block>(?P<fence>```+|~~~+).*?(?:^(?P=fence)[`~]*[ \t]*$|\Z))|(?P<ticks>`+)|\n[^\S\n]*\n",
    re.MULTILINE | re.DOTALL,
)
_TICKS = re.compile("(?P<block>(?!))|(?P<ticks>`+)")
"""Code begins: CommonMark 0.31, sections 4.5 and 6.1. A blank line ends what a run of backticks began."""
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
    pieces = list(divided(markup.replace(_HELD, ""), blocks=False))
    markup = "".join(_HELD if code else piece for piece, code in pieces)
    for pattern, replacement in _MARKUP:
        markup = pattern.sub(replacement, markup)
    words = (piece.strip("`") for piece, code in pieces if code)
    return " ".join(re.sub(_HELD, lambda _: next(words, ""), markup).split())


def divided(text: str, *, blocks: bool = True) -> Iterator[tuple[str, bool]]:
    """Yield each piece of a text and whether it is code, with its marks.

    Args:
        text: Markdown.
        blocks: Whether there can be fenced blocks: not in a heading.
    """
    at = 0
    for start, end in _code(text, _CODE_MARK if blocks else _TICKS):
        yield text[at:start], False
        yield text[start:end], True
        at = end
    yield text[at:], False


def without_code(text: str) -> str:
    """Return what of a text is no code."""
    return "".join(piece for piece, code in divided(text) if not code)


def _code(text: str, marks: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    """Yield (start, end) of blocks, and of spans, which end within their paragraph."""
    runs: list[tuple[int, int]] = []
    for mark in marks.finditer(text):
        if mark["ticks"]:
            runs.append(mark.span())
            continue
        yield from _spans(text, runs)
        runs = []
        if mark["block"]:
            yield mark.span()
    yield from _spans(text, runs)


def _spans(text: str, runs: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield what runs of backticks enclose: the next run of the same length closes one that no backslash escapes."""
    next_of_length: dict[int, int] = {}
    closing = [0] * len(runs)
    for place in reversed(range(len(runs))):
        start, end = runs[place]
        closing[place] = next_of_length.get(end - start, place)
        next_of_length[end - start] = place
    place = 0
    while place < len(runs):
        start, last = runs[place][0], closing[place]
        if last == place or text[start - 1 : start] == "\\":
            place += 1
        else:
            yield start, runs[last][1]
            place = last + 1
