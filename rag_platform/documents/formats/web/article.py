"""A page's main content as Markdown: the blocks that most extractors agree on, written from the page itself.

Several extractors err on different pages, and a vote over their blocks is right more often than the best of them
(Bevendorff et al. 2023, "An Empirical Comparison of Web Content Extraction Algorithms", SIGIR). They choose and do
not write, so that tables, lists, code, quotes and captions stay what the page made of them.
What points elsewhere is pruned, as Kohlschütter et al. 2010 do by link density ("Boilerplate Detection using Shallow
Text Features", WSDM): a paragraph that is one link is a pointer, not a sentence of the article.
"""

from collections.abc import Sequence
from itertools import groupby

from lxml.html import HtmlElement

from rag_platform.documents.formats.web.extractors import comments_of, opinions, whole_text
from rag_platform.documents.formats.web.page_blocks import Block, drop, letters_of, page_blocks
from rag_platform.documents.formats.web.structures import HEADINGS, is_linked, leads, length, with_structures
from rag_platform.documents.formats.web.visible import visible_text
from rag_platform.text.cleaning import clean, count_words

_SHORT = 60
"""Words; less than this, and a tenth of what is visible, is no main content, and a page of less is all content."""
_HUGE = 2_000_000
"""Characters; the extractors take a minute for such a page, which is a book or a dump."""
_MOST_BESIDE = 5_000
"""Elements beside each other: the extractors take time by the square of their number. Real pages have fewer."""
SCRIPTED = "no text without its scripts: javascript = true has a browser read it"
DISAGREED = "the extractors do not agree on the main content"
_POINTERS = 1 / 3
"""Share of a page's letters up to which pointers are pruned: beyond, the page is a list of links and they are it."""
_LONG_BLOCK = 25
"""Letters from which a text is the same wherever it is found; a shorter one must be a line of its own."""
_STRUCTURES = frozenset(("table", "pre", "li", "dt", "dd", "blockquote", "figcaption", "caption", "summary"))


def main_content(
    tree: HtmlElement, *, language: str | None = None, comments: bool = False
) -> tuple[str, tuple[str, ...]]:
    """Return the main content, and what was noticed; what is not content is removed from the tree.

    Args:
        tree: The page.
        language: Which it declares, an ISO 639 code.
        comments: Keep what readers wrote below it.
    """
    visible = visible_text(tree)
    words = count_words(visible)
    if not visible and tree.find(".//script") is not None:
        text = clean(whole_text(tree))  # an article in JSON-LD, or "please enable JavaScript"
        return (text, ()) if count_words(text) >= _SHORT else ("", (SCRIPTED,))
    if len(visible) > _HUGE or any(len(node) > _MOST_BESIDE for node in tree.iter()):
        return visible, ("too large to look for the main content: the whole page was taken",)
    if words < _SHORT:
        return visible, ()  # nothing to judge by
    blocks = page_blocks(tree)
    votes = [_found(blocks, text) for text in opinions(tree, language)]
    keep, agreed = _chosen(blocks, votes)
    remarks = _found(blocks, comments_of(tree)) if comments else [False] * len(blocks)
    pointers = _pointers(tree) - {block.node for at, block in enumerate(blocks) if leads(blocks, keep, at)}
    drop(
        block
        for block, kept, remark in zip(blocks, keep, remarks, strict=True)
        if not remark and (not kept or _is_within(block.node, pointers))
    )
    text = visible_text(tree)
    if count_words(text) < min(_SHORT, words / 10):
        return visible, ("no main content found: the whole page was taken",)
    return text, () if agreed else (DISAGREED,)


def without_headline(text: str, title: str) -> str:
    """Return the text without its first line when that is the title, which has a column of its own."""
    first, _, rest = text.partition("\n")
    return rest.lstrip("\n") if rest.strip() and letters_of(first) == letters_of(title) != "" else text


# --- the vote ---------------------------------------------------------------------------------------


def _found(blocks: Sequence[Block], text: str) -> list[bool]:
    """Return which blocks an extractor's text has: of a table or code, at least half its letters."""
    lines, whole = {letters_of(line) for line in text.split("\n")}, letters_of(text)

    def has(piece: str) -> bool:
        return piece in lines or (len(piece) >= _LONG_BLOCK and piece in whole)

    return [
        has("".join(block.pieces)) or 2 * sum(len(piece) for piece in block.pieces if has(piece)) >= block.letters
        for block in blocks
    ]


def _chosen(blocks: Sequence[Block], votes: Sequence[Sequence[bool]]) -> tuple[list[bool], bool]:
    """Return which blocks are content, and whether the extractors agree on them.

    They are those that three have found, or all when fewer found anything, unless these leave out half of what one vote
    less would take: then the extractors see different parts of one text, and fewer votes are enough.
    """
    heard = [vote for vote in votes if any(vote)]
    counts = [sum(of_block) for of_block in zip(*heard, strict=True)] or [0] * len(blocks)
    majority = needed = max(1, min(3, len(heard)))
    letters = [sum(block.letters for block, count in zip(blocks, counts, strict=True) if count >= least)
               for least in range(majority + 1)]  # fmt: skip
    while needed > 1 and 2 * letters[needed] <= letters[needed - 1]:
        needed -= 1
    return _joined(blocks, counts, needed), needed == majority or not heard


def _joined(blocks: Sequence[Block], counts: Sequence[int], needed: int) -> list[bool]:
    """Return the blocks with enough votes, and with one less those that belong to them.

    These are parts of lists, tables, code and quotes that stand between two of them, a heading right before one, and
    what `with_structures` adds and takes.
    """
    keep = [count >= needed for count in counts]
    inner = range(keep.index(True), len(keep) - keep[::-1].index(True)) if any(keep) else range(0)
    for kept, places in groupby(inner, key=keep.__getitem__):
        between = list(places)
        if not kept and all(counts[at] >= max(1, needed - 1) and _is_part(blocks[at]) for at in between):
            for at in between:
                keep[at] = True
        elif not kept and counts[between[-1]] >= 1 and blocks[between[-1]].node.tag in HEADINGS:
            keep[between[-1]] = True
    return with_structures(blocks, counts, keep)


def _is_part(block: Block) -> bool:
    """Return whether a block is part of a list, a table, code or a quote."""
    parent = block.node.getparent()
    return block.node.tag in _STRUCTURES or (parent is not None and parent.tag in _STRUCTURES)


# --- what points elsewhere --------------------------------------------------------------------------


def _pointers(tree: HtmlElement) -> frozenset[HtmlElement]:
    """Return the paragraphs, headings and lists that consist of links, unless they are the page."""
    found = frozenset(node for node in tree.iter("p", "h2", "h3", "h4", "h5", "h6", "ul") if is_linked(node))
    return frozenset() if sum(map(length, found)) > _POINTERS * length(tree) else found


def _is_within(node: HtmlElement, holders: frozenset[HtmlElement]) -> bool:
    return node in holders or any(holder in holders for holder in node.iterancestors())
