"""Captions, tables and headings amid an article, which extractors leave out more often than its paragraphs."""

import math
from collections.abc import Iterable, Sequence
from itertools import accumulate

from lxml.html import HtmlElement

from rag_platform.documents.formats.web.page_blocks import Block

HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_BYLINE = 30
"""Letters between a heading and its text that are not kept: who wrote it, and when."""
_LINKED = 0.7
"""Share of an element's letters within links from which it only points elsewhere."""
_Span = tuple[int, int]
"""Of the blocks within an element the first, and the one behind the last."""


def with_structures(blocks: Sequence[Block], counts: Sequence[int], keep: Sequence[bool]) -> list[bool]:
    """Return which blocks are kept when captions, tables and headings amid the kept ones are, and none without text.

    Most of what stands beside them is kept: a card that leads to another page is not. A caption is kept once, however
    many pictures have it; a heading must have been found by an extractor.

    Args:
        blocks: Those of a page.
        counts: How many extractors found each.
        keep: Which are kept for their votes.
    """
    joined, told = list(keep), {block.pieces for block, kept in zip(blocks, keep, strict=True) if kept}
    spans, letters = _spans(blocks), _sums(block.letters for block in blocks)
    content = _sums(block.letters * kept for block, kept in zip(blocks, keep, strict=True))
    for at in range(keep.index(True), len(keep) - keep[::-1].index(True)) if any(keep) else ():
        unit = None if keep[at] else _unit(blocks[at].node)
        if unit is None:
            continue
        around = _container(unit, spans)
        beside, kept = (_within(around, sums) - _within(spans[unit], sums) for sums in (letters, content))
        if unit.tag in HEADINGS:
            wanted = counts[at] > 0 and leads(blocks, keep, at, _BYLINE)
        else:
            wanted = not _points(unit) and (unit.tag == "table" or blocks[at].pieces not in told)
        if wanted and 2 * kept >= beside > 0:
            joined[at] = True
            told.add(blocks[at].pieces)
    return [kept and (block.node.tag not in HEADINGS or leads(blocks, joined, at))
            for at, (block, kept) in enumerate(zip(blocks, joined, strict=True))]  # fmt: skip


def leads(blocks: Sequence[Block], keep: Sequence[bool], at: int, most: float = math.inf) -> bool:
    """Return whether a block is a heading with kept text before the next one of its level.

    Args:
        blocks: Those of a page.
        keep: Which are kept.
        at: Where the block stands.
        most: Letters before that text that are not kept.
    """
    if (level := blocks[at].node.tag) not in HEADINGS:
        return False
    for later in range(at + 1, len(blocks)):
        heading = blocks[later].node.tag if blocks[later].node.tag in HEADINGS else None
        if most < 0 or (heading and heading <= level):
            return False
        if not heading and keep[later]:
            return True
        most -= 0 if heading else blocks[later].letters
    return False


def is_linked(node: HtmlElement) -> bool:
    """Return whether an element consists of links."""
    linked = sum(length(link) for link in node.iter("a") if link.get("href"))
    return bool(linked) and linked >= _LINKED * length(node)


def length(node: HtmlElement) -> int:
    """Return how many characters the text within an element has."""
    return sum(len(text.strip()) for text in node.itertext())


def _unit(node: HtmlElement) -> HtmlElement | None:
    """Return the heading or the table that a block is of; of a caption the figure, if it stands in one."""
    for holder in (node, *node.iterancestors()):
        if holder.tag in HEADINGS or holder.tag == "table":
            return holder
        if holder.tag == "figcaption":
            return next(holder.iterancestors("figure"), holder)
    return None


def _points(unit: HtmlElement) -> bool:
    """Return whether a figure or a table leads elsewhere, or stands beside the article."""
    return is_linked(unit) or any(True for _ in unit.iterancestors("a", "aside", "footer"))


def _container(unit: HtmlElement, spans: dict[HtmlElement, _Span]) -> _Span:
    """Return the blocks of the nearest element that holds more than this one."""
    return next((spans[holder] for holder in unit.iterancestors() if spans[holder] != spans[unit]), spans[unit])


def _spans(blocks: Sequence[Block]) -> dict[HtmlElement, _Span]:
    spans: dict[HtmlElement, _Span] = {}
    for at, block in enumerate(blocks):
        for node in (block.node, *block.node.iterancestors()):
            spans[node] = (spans.get(node, (at, at))[0], at + 1)
    return spans


def _sums(values: Iterable[int]) -> list[int]:
    return list(accumulate(values, initial=0))


def _within(span: _Span, sums: Sequence[int]) -> int:
    return sums[span[1]] - sums[span[0]]
