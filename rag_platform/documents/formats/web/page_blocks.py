"""A page's visible text in blocks: each paragraph, heading, item, table or piece of code is one."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from lxml.html import HtmlElement

from rag_platform.documents.formats.web.visible import BLOCKS, UNSEEN, is_data_table

_STARTS = BLOCKS | {"td", "th", "li", "dt", "dd", "br"}
Slot = tuple[HtmlElement, str]
"""An element and which text of it: "text" or "tail"."""
_Step = tuple[str, HtmlElement]
"""What is next on the way through a page: to "enter" an element, to "leave" it, or the text behind it."""


@dataclass(frozen=True, slots=True)
class Block:
    """A run of text that no block element interrupts, or a whole table or piece of code."""

    node: HtmlElement
    """The element that holds it."""
    slots: tuple[Slot, ...]
    """Where its text stands; none: the element is the block."""
    pieces: tuple[str, ...]
    """The letters of its text: of a run those of each slot, of a table of each row, of code of each line."""

    @property
    def letters(self) -> int:
        """How many letters and digits it has."""
        return sum(map(len, self.pieces))


def letters_of(text: str) -> str:
    """Return the letters and digits of a text alone, in lower case."""
    return re.sub(r"[\W_]+", "", text).casefold()


def page_blocks(root: HtmlElement) -> list[Block]:
    """Return the blocks below an element in the order of the page; what is not seen and navigation have none."""
    found: list[Block] = []
    run: list[Slot] = []
    holder = root
    for step, node in _walk(root):
        if step in ("text", "tail"):
            run.append((node, step))
            continue
        found += _run(holder, run)
        run, holder = [], node
        if step == "whole":
            parts = node.text_content().split("\n") if node.tag == "pre" else map(_content, node.iter("caption", "tr"))
            found += _block(node, (), parts)
    return found + _run(holder, run)


def drop(blocks: Iterable[Block]) -> None:
    """Remove blocks from their page, and what holds nothing any more."""
    holders = []
    for block in blocks:
        for node, place in block.slots:
            setattr(node, place, " " if place == "tail" else None)
        if not block.slots and block.node.getparent() is not None:
            block.node.drop_tree()
        holders.append(block.node)
    for holder in holders:
        _drop_empty(holder)


def _drop_empty(node: HtmlElement) -> None:
    """Remove an element without text, and those around it that hold nothing else."""
    while node.getparent() is not None and not len(node) and not (node.text or "").strip():
        parent = node.getparent()
        node.drop_tree()
        node = parent


def _walk(root: HtmlElement) -> Iterator[_Step]:
    """Yield texts and the starts of blocks in order; without recursion, for pages nest without end."""
    stack: list[_Step] = [("enter", root)]
    while stack:
        step, node = stack.pop()
        if step != "enter":
            yield step, node
            continue
        if node is not root and node.tail:
            stack.append(("tail", node))
        if not isinstance(node.tag, str) or node.tag in UNSEEN:
            continue
        starts = node.tag in _STARTS
        if starts and node is not root:
            stack.append(("back", node.getparent()))
        if node.tag == "pre" or (node.tag == "table" and is_data_table(node)):
            yield "whole", node
            continue
        if starts:
            yield "start", node
        stack.extend(("enter", child) for child in reversed(node))
        if node.text:
            stack.append(("text", node))


def _run(holder: HtmlElement, run: list[Slot]) -> list[Block]:
    return _block(holder, tuple(run), (getattr(node, place) or "" for node, place in run))


def _block(node: HtmlElement, slots: tuple[Slot, ...], texts: Iterable[str]) -> list[Block]:
    pieces = tuple(letters for text in texts if (letters := letters_of(text)))
    return [Block(node, slots, pieces)] if pieces else []


def _content(node: HtmlElement) -> str:
    return str(node.text_content())
