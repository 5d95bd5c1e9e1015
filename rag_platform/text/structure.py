"""The parts of a text: sections by headings, blocks (paragraph, list item, code, table), and units within blocks.

Blocks and units follow each other without a gap, so that together they are the text.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import IntEnum
from itertools import accumulate, pairwise, zip_longest

from semantic_text_splitter import TextSplitter

from rag_platform.text.markdown_blocks import BLOCKS, plain


class Pause(IntEnum):
    """How good a place to cut the end of a unit is."""

    NONE = 0
    """After a heading, and after a line that introduces what follows."""
    WORD = 1
    LINE = 2
    """In code or a table."""
    SENTENCE = 3
    BLOCK = 4


@dataclass(frozen=True, slots=True)
class Unit:
    """A sentence, a line of code, a row: what is not cut without need."""

    start: int
    end: int
    pause: Pause


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph or list item (kind "text"), code or a table (kind "lines"), or a heading."""

    start: int
    end: int
    kind: str
    level: int = 0
    """Of a heading: 1 to 6."""
    title: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    """A heading with what follows it, up to the next heading."""

    path: tuple[str, ...]
    """The headings above it and its own; empty before the first heading."""
    level: int
    blocks: tuple[Block, ...]

    @property
    def has_body(self) -> bool:
        """Whether there is anything below the heading."""
        return len(self.blocks) > 1 or self.level == 0


_LONGEST_HEADING = 300
"""Characters; a longer one is a paragraph that somebody underlined."""
_WRAPPED = 200
"""Characters; a longer line is a paragraph that nobody has broken into lines."""
_LONGEST_TITLE = 80
_TITLE = re.compile(r"(?![-*+\u2022]\s|\d+[.)]).*[^.!?;,\u2026\u3002\uff01\uff1f\u0964]")
_LINE = re.compile(r"[^\n]*\n+|[^\n]+")
_NEXT_LINE = re.compile(r"\s*([^\n]*)")
_LINES = frozenset(("fence", "code_block", "html_block", "table_open"))
_TEXT = frozenset(("paragraph_open", "hr", "heading_open"))
_PARAGRAPH_END = re.compile(r"\n[^\S\n]*\n\s*")


def find_sections(text: str, *, markdown: bool = True) -> list[Section]:
    """Return the sections of a text in order; a text without headings is one."""
    blocks = list(_markdown_blocks(text) if markdown else _paragraphs(text))
    firsts = [0, *(place for place, block in enumerate(blocks) if block.level and place), len(blocks)]
    sections: list[Section] = []
    path: list[tuple[int, str]] = []
    for first, last in pairwise(firsts):
        head = blocks[first]
        if head.level:
            path = [*(above for above in path if above[0] < head.level), (head.level, head.title)]
        titles = tuple(title for _, title in path if title)
        sections.append(Section(titles, head.level, tuple(blocks[first:last])))
    return sections


def _paragraphs(text: str) -> Iterator[Block]:
    ends = [found.end() for found in _PARAGRAPH_END.finditer(text)]
    for start, end in pairwise(sorted({0, *ends, len(text)})):
        yield Block(start, end, "text")


def _markdown_blocks(text: str) -> Iterator[Block]:
    lines = [0, *accumulate(len(line) + 1 for line in text.split("\n"))]
    found = [Block(0, 0, "text")]
    tokens = BLOCKS.parse(text)
    for token, following in zip_longest(tokens, tokens[1:]):
        if not token.map or (token.type not in _LINES and token.type not in _TEXT):
            continue
        heading = token.type == "heading_open" and token.level == 0
        title = plain(following.content) if heading else ""
        level = int(token.tag[1]) if heading and len(title) <= _LONGEST_HEADING else 0
        kind = "lines" if token.type in _LINES else "text"
        found.append(Block(lines[token.map[0]], 0, kind, level, title if level else ""))
    ends = [block.start for block in found[1:]] + [len(text)]
    for block, end in zip(found, ends, strict=True):
        if block.start < end:
            yield Block(block.start, end, block.kind, block.level, block.title)


# --- units ------------------------------------------------------------------------------------------

_SENTENCES = TextSplitter((1, 1 << 30), trim=False)
"""Asked for chunks of at least one character it gives the sentences of Unicode's rules (UAX 29)."""
_WINDOW = 4_000
"""Characters; a longer sentence is cut there."""
_OPENING = "「『（《【〈〔“‘"
"""Where no blank stands before it, Unicode's rules count an opening bracket to the sentence before."""
_THAI_PAUSE = re.compile(r"(?<=[\u0e01-\u0eff])\s+(?=[\u0e01-\u0eff])")
"""In Thai and Lao a blank ends a sentence or a clause; there is no other sign."""
_GOES_ON = re.compile(r"(?<=[」』”’）)])[と、，]|(?<=[」』])って|(?<=[A-Za-z]\.)(?=\S)")
"""What stands after a full stop that ends no sentence: words that quote it, and more of "U.S." within Chinese."""
_ABBREVIATION = re.compile(
    r"(?:^|[\s(])(?:[A-Z]|Dr|Mr|Mrs|Ms|Prof|St|No|Nos|Nr|Fig|Figs|Eq|Eqs|Sec|Ch|Vol|vol|pp|p|vs|cf|al|ca|Inc|Ltd|Jr|Sr)\.\s*$"
)


def find_units(text: str, block: Block) -> list[Unit]:
    """Cut a block into sentences, or into lines where lines are what matters."""
    if block.level:
        return [Unit(block.start, block.end, Pause.NONE)]
    if block.kind == "lines":
        content = text[block.start : block.end]
        return _units(block.start, content, [found.end() for found in re.finditer(r"\n+", content)], Pause.LINE)
    units = []
    for start, end in _paragraph_spans(text, block):
        last = Pause.NONE if _introduces(text, start, end) else Pause.BLOCK
        units += _units(start, text[start:end], _sentence_ends(text[start:end]), Pause.SENTENCE, last)
    return units


def _units(start: int, content: str, ends: list[int], pause: Pause, last: Pause = Pause.BLOCK) -> list[Unit]:
    places = sorted({0, *ends, len(content)})
    units = [Unit(start + first, start + end, pause) for first, end in pairwise(places)]
    return [*units[:-1], replace(units[-1], pause=last)]


def _paragraph_spans(text: str, block: Block) -> list[tuple[int, int]]:
    """Return the block as it is, or its lines, where most of it is in lines that are not wrapped."""
    lines = [found.span() for found in _LINE.finditer(text, block.start, block.end)]
    long = sum(end - start for start, end in lines if end - start > _WRAPPED)
    return lines if 2 * long > block.end - block.start else [(block.start, block.end)]


def _introduces(text: str, start: int, end: int) -> bool:
    """Whether a paragraph belongs to what follows: it ends in a colon, or is a title in all but name."""
    paragraph = text[start:end].strip()
    if paragraph.endswith((":", "\uff1a")):
        return True
    if len(paragraph) > _LONGEST_TITLE or not _TITLE.fullmatch(paragraph):
        return False
    following = _NEXT_LINE.match(text, end)
    return following is not None and len(following[1]) > _WRAPPED


def _sentence_ends(content: str) -> list[int]:
    """Return where sentences end; a window at a time, for the search takes the square of what it is given."""
    flat = re.sub(r"\s", " ", content)  # a line's end within a paragraph ends no sentence
    ends, start = [], 0
    while start < len(flat):
        window = flat[start : start + _WINDOW]
        found = _SENTENCES.chunk_indices(window) or [(0, window)]
        if len(found) > 1 and start + len(window) < len(flat):
            found.pop()  # the window ended it
        ends += [start + place + len(part.rstrip(_OPENING)) for place, part in found if not _ABBREVIATION.search(part)]
        start += found[-1][0] + len(found[-1][1])
    ends = [end for end in ends if not _GOES_ON.match(flat, end)]
    return [*ends, *(found.end() for found in _THAI_PAUSE.finditer(flat))]
