"""The parts of a page that are read one after the other: a recursive X-Y cut along its gutters.

Nagy, Seth (1984): Hierarchical representation of optically scanned documents. The cut goes first along the longest
gutter, with what is above and below it as parts of their own, since paragraphs that end at one height are no cut.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from statistics import median

import numpy as np

from rag_platform.documents.formats.page_layout.boxes import Line

_LEFTWARD = re.compile("[\u0590-\u08ff]")
_PROSE = 22
"""Characters; the lines of a column are mostly longer, cells mostly shorter."""
_WIDE = 11.0
"""Times the size of its letters; a line of Chinese is prose when it is as wide."""
_FEW_ROWS = 5
"""Lines; a column has at least as many."""
_FEWER_ROWS = 2
"""Where the page has the same gutter elsewhere."""
_STACK = 8
"""Lines; a column that holds no prose has at least as many."""
_ALONE = 0.1
"""Of the lines of such a column: as many stand beside none of the other."""
_TURNS = 3
"""From one such column to the other and back, of which the header above both takes two."""
_SAME_SIZE = 0.5
"""Points; letters of two such columns differ less."""
_NARROWEST = 0.1
"""Of the page's width."""
_NEAR = 12.0
"""Points; gutters this close are one."""
_ASIDE = (2.0, 8.0, 15.0)
"""Points from a frequent edge: text that is set out hangs beside it."""
_OFTEN = 3
"""Lines that begin, or end, at one place."""


@dataclass(frozen=True, slots=True)
class _Cut:
    """A gutter and the lines of the page around it."""

    place: float
    above: list[Line]
    left: list[Line]
    right: list[Line]
    below: list[Line]

    def length(self) -> float:
        """Return for how many points there are lines on both sides of it."""
        top, bottom = _shared(self.left, self.right)
        return bottom - top


def regions(lines: Sequence[Line], width: float) -> Iterator[list[Line]]:
    """Yield the parts of a page in reading order, the lines of each as they were given.

    Args:
        lines: In the order in which they were drawn.
        width: Of the page, in points.
    """
    rank = {id(line): number for number, line in enumerate(lines)}
    for part in _parts(lines, _Sheet(width, rank), ()):
        yield sorted(part, key=lambda line: rank[id(line)])


@dataclass(frozen=True, slots=True)
class _Sheet:
    """What is the same for every part of a page."""

    width: float
    rank: dict[int, int]
    """The place of each line, by its identity, in the order of drawing."""

    def drawn(self, lines: Iterable[Line]) -> list[Line]:
        """Return lines in the order of drawing."""
        return sorted(lines, key=lambda line: self.rank[id(line)])


def _parts(lines: Sequence[Line], sheet: _Sheet, known: tuple[float, ...]) -> Iterator[Sequence[Line]]:
    """Cut along the longest gutter; few lines beside a gutter that was found around them are columns too."""
    cut = _longest(lines, sheet, known)
    if cut is None:
        yield lines
        return
    sides = [cut.left, cut.right]
    for part in (cut.above, *(sides[::-1] if leftward([*cut.left, *cut.right]) else sides), cut.below):
        if part:
            yield from _parts(part, sheet, (*known, cut.place))


def leftward(lines: Sequence[Line]) -> bool:
    """Return whether the text is of a script that is written from right to left."""
    letters = "".join(line.text for line in lines)
    return not letters.isascii() and len(_LEFTWARD.findall(letters)) > len(letters) / 3


def _longest(lines: Sequence[Line], sheet: _Sheet, known: Sequence[float]) -> _Cut | None:
    if len(lines) < 2 * _FEWER_ROWS:
        return None
    ordered = sorted(lines, key=lambda line: line.top)
    prose = {id(line) for line in lines if _is_prose(line)}
    if len(prose) < 2 * _FEWER_ROWS and sum(len(run) >= _STACK for run in _descents(sheet.drawn(lines))) < 2:
        return None
    x0, x1 = np.array([(line.x0, line.x1) for line in ordered]).T
    across = {place: ((x0 < place - 1) & (x1 > place + 1)).tolist() for place in _places(lines, known)}
    cuts = [cut for place, crossed in across.items() for cut in _cuts(ordered, place, crossed)]
    longest = sorted(cuts, key=_Cut.length, reverse=True)
    return next((cut for cut in longest if _are_columns(cut, prose, sheet, known)), None)


def _is_prose(line: Line) -> bool:
    text = line.text
    if "__" in text:  # a blank to fill in
        return len(text.replace("_", "")) >= _PROSE
    return len(text) >= _PROSE or line.x1 - line.x0 >= _WIDE * (line.size or line.bottom - line.top)


def _places(lines: Sequence[Line], known: Sequence[float]) -> set[float]:
    """Return where gutters may be: beside the edges that several lines share."""
    starts = Counter(round(line.x0) for line in lines)
    ends = Counter(round(line.x1) for line in lines)
    left = min(line.x0 for line in lines) + 2 * _NEAR
    right = max(line.x1 for line in lines) - 2 * _NEAR
    found = {edge - aside for edge, count in starts.items() if count >= _OFTEN for aside in _ASIDE}
    found |= {edge + _ASIDE[0] for edge, count in ends.items() if count >= _OFTEN}
    return {float(place) for place in (*found, *known) if left < place < right}


def _cuts(ordered: Sequence[Line], place: float, across: Sequence[bool]) -> Iterator[_Cut]:
    """Yield each run of lines, from the top down, of which none runs across the place."""
    start = 0
    for crossed, group in groupby(across):
        end = start + len(list(group))
        if not crossed and end - start >= 2 * _FEWER_ROWS:
            run = ordered[start:end]
            left = [line for line in run if line.x1 <= place + 1]
            right = [line for line in run if line.x1 > place + 1]
            below = list(ordered[end:])
            if left and right:
                stray = _stray(left, right, below) + _stray(right, left, below)
                kept = set(map(id, stray))
                yield _Cut(
                    place,
                    list(ordered[:start]),
                    [line for line in left if id(line) not in kept],
                    [line for line in right if id(line) not in kept],
                    [*stray, *below],
                )
        start = end


def _stray(side: list[Line], other: list[Line], below: list[Line]) -> list[Line]:
    """Return the last lines of a column that belong to what is below both: headings, and paragraphs' short ends."""
    if not below:
        return []
    end = max(line.bottom for line in other)
    under, stray = below[0].top, []
    for before, line in reversed(list(pairwise(side))):
        if line.top < end - 1 or line.top - before.bottom <= 1.5 * max(under - line.bottom, 1.0):
            break
        stray.append(line)
        under = line.top
    return stray[::-1]


def _are_columns(cut: _Cut, prose: set[int], sheet: _Sheet, known: Sequence[float]) -> bool:
    """Return whether both sides are columns: high enough, wide enough, of prose or stacked, and next to each other."""
    sides = cut.left, cut.right
    few = _FEWER_ROWS if any(abs(cut.place - place) < _NEAR for place in known) else _FEW_ROWS
    if min(map(len, sides)) < few:
        return False
    if any(max(line.x1 for line in side) - min(line.x0 for line in side) < _NARROWEST * sheet.width for side in sides):
        return False
    top, bottom = _shared(*sides)
    beside = [[line for line in side if top - 2 <= line.top and line.bottom <= bottom + 2] for side in sides]
    if min(map(len, beside)) < few:
        return False
    written = [sum(id(line) in prose for line in side) for side in beside]
    if min(written) >= few and all(count >= 0.5 * len(side) for count, side in zip(written, beside, strict=True)):
        return True
    return (max(written) >= 2 * few and not _in_rows(*beside)) or _are_stacks(beside, sheet)


def _are_stacks(sides: Sequence[Sequence[Line]], sheet: _Sheet) -> bool:
    """Return whether these are columns of short lines, such as an index's: drawn one after the other, not in rows.

    A table that is drawn column by column has a name, at least, in each of its rows; here both sides have lines that
    stand beside none of the other.
    """
    drawn = [sheet.drawn(side) for side in sides]
    if min(map(len, drawn)) < _STACK or not all(map(_is_stack, drawn)):
        return False
    left, right = drawn
    lefts = set(map(id, left))
    turns = sum(one is not two for one, two in pairwise(id(line) in lefts for line in sheet.drawn([*left, *right])))
    alike = abs(median(line.size for line in left) - median(line.size for line in right)) < _SAME_SIZE
    alone = [len(side) - _level(side, other) > _ALONE * len(side) for side, other in ((left, right), (right, left))]
    return turns <= _TURNS and alike and all(alone)


def _is_stack(side: Sequence[Line]) -> bool:
    """Return whether each line was drawn below the one before it."""
    return all(below.middle > above.middle + 0.5 * (above.bottom - above.top) for above, below in pairwise(side))


def _shared(left: Sequence[Line], right: Sequence[Line]) -> tuple[float, float]:
    """Return where both sides begin and end."""
    top = max(min(line.top for line in side) for side in (left, right))
    return top, min(max(line.bottom for line in side) for side in (left, right))


def _in_rows(left: Sequence[Line], right: Sequence[Line]) -> bool:
    """Return whether most lines of the shorter side stand at the height of one on the other, as cells do."""
    fewer, more = sorted((left, right), key=len)
    return _level(fewer, more) > 0.5 * len(fewer)


def _level(lines: Sequence[Line], others: Sequence[Line]) -> int:
    """Count the lines that stand at the height of one of the others."""
    heights = {round(line.top + line.bottom) // 2 for line in others}
    return sum(any((line.top + line.bottom) // 2 + near in heights for near in (-1, 0, 1)) for line in lines)


# --- the order within a part ------------------------------------------------------------------------


def in_order(lines: Sequence[Line]) -> list[Line]:
    """Keep the order of drawing, but put what was drawn later above the text that it stands over."""
    blocks: list[list[Line]] = []
    for block in _descents(lines):
        place = next((number for number, other in enumerate(blocks) if _over(block, other)), len(blocks))
        blocks.insert(place, block)
    return [line for block in blocks for line in block]


def _descents(lines: Sequence[Line]) -> Iterator[list[Line]]:
    """Yield the runs of lines that go down the page, or stay at their height."""
    block: list[Line] = []
    for line in lines:
        if block and line.bottom < block[-1].top:
            yield block
            block = []
        block.append(line)
    if block:
        yield block


def _over(block: Sequence[Line], other: Sequence[Line]) -> bool:
    """Return whether all of a block is above another, in the same column."""
    if max(line.bottom for line in block) > min(line.top for line in other) + 1:
        return False
    (left, right), (start, end) = (
        (min(line.x0 for line in part), max(line.x1 for line in part)) for part in (block, other)
    )
    return min(right, end) - max(left, start) > 0.5 * min(right - left, end - start)
