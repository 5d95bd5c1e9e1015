"""The difference between two texts, by lines and, within lines that changed, by words; fast however long they are.

Lines that occur once in both texts, in the same order, are anchors (patience diff, Cohen); what lies between two of
them is compared by its longest common subsequence. A stretch too long for that counts as replaced.
"""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

from rapidfuzz.distance import Indel

_MOST = 4_000
"""Lines of a stretch without anchors that are compared: the time grows with their square."""
_MOST_WORDS = 600
"""Of a line that is compared by words."""
_ALIKE = 0.4
"""Share of words that two lines have in common, from which on one is the other, changed."""
_TOKEN = re.compile(r"\w+|\s+|[^\w\s]")

Block = tuple[int, int, int, int]
"""Lines [a, b) of the one text that became lines [c, d) of the other."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a difference."""

    kind: str
    """"same", "old" or "new"."""
    parts: tuple[tuple[str, bool], ...]
    """Its text in pieces: (piece, whether it is what differs)."""
    old: int | None
    """Its number in the one text, from 1."""
    new: int | None


def changed_blocks(old: Sequence[str], new: Sequence[str]) -> list[Block]:
    """Return what differs between two lists of lines, in order."""
    edges = [(-1, -1), *_anchors(old, new), (len(old), len(new))]
    return [block for (a, c), (b, d) in pairwise(edges) for block in _between(old, new, (a + 1, b, c + 1, d))]


def hunks(old: Sequence[str], new: Sequence[str], context: int = 2) -> list[list[Block]]:
    """Group what differs: blocks with no more than twice `context` unchanged lines between them belong together."""
    groups: list[list[Block]] = []
    for block in changed_blocks(old, new):
        if groups and block[0] - groups[-1][-1][1] <= 2 * context:
            groups[-1].append(block)
        else:
            groups.append([block])
    return groups


def hunk_lines(old: Sequence[str], new: Sequence[str], hunk: Sequence[Block], context: int = 2) -> Iterator[Line]:
    """Yield the lines of a group, with `context` unchanged ones around."""
    at = max(0, hunk[0][0] - context)
    for a, b, c, d in hunk:
        yield from _same(old, at, a, c)
        yield from _replaced(old, new, (a, b, c, d))
        at = b
    after = min(context, len(old) - at)
    yield from _same(old, at, at + after, hunk[-1][3] + after)


def _same(old: Sequence[str], start: int, end: int, new_end: int) -> Iterator[Line]:
    """Yield unchanged lines; in the other text they end before the line at `new_end`."""
    for place in range(start, end):
        yield Line("same", ((old[place], False),), place + 1, new_end - (end - place) + 1)


def _replaced(old: Sequence[str], new: Sequence[str], block: Block) -> Iterator[Line]:
    """Yield lines that went and came; of as many that went as came, each pair that is alike is compared by words."""
    a, b, c, d = block
    pairs = [by_words(was, now) for was, now in zip(old[a:b], new[c:d], strict=False)] if b - a == d - c else []
    for place in range(a, b):
        parts = pairs[place - a][0] if pairs else ((old[place], False),)
        yield Line("old", parts, place + 1, None)
    for place in range(c, d):
        parts = pairs[place - c][1] if pairs else ((new[place], False),)
        yield Line("new", parts, None, place + 1)


def by_words(old: str, new: str) -> tuple[tuple[tuple[str, bool], ...], tuple[tuple[str, bool], ...]]:
    """Return both lines in pieces, with what differs marked; nothing is when they have little in common."""
    was, now = _TOKEN.findall(old), _TOKEN.findall(new)
    whole = ((old, False),), ((new, False),)
    if max(len(was), len(now)) > _MOST_WORDS or Indel.normalized_similarity(was, now) < _ALIKE:
        return whole
    one: list[tuple[str, bool]] = []
    other: list[tuple[str, bool]] = []
    for code in Indel.opcodes(was, now):
        differs = code.tag != "equal"
        _add(one, "".join(was[code.src_start : code.src_end]), differs)
        _add(other, "".join(now[code.dest_start : code.dest_end]), differs)
    return tuple(one), tuple(other)


def moved_spans(spans: Sequence[tuple[int, int]], before: str, after: str) -> list[tuple[int, int]]:
    """Return where spans of a text stand once it was changed here and there; what was taken out is empty."""
    old, new = _TOKEN.findall(before), _TOKEN.findall(after)
    was, now = ([*accumulate(map(len, tokens), initial=0)] for tokens in (old, new))
    blocks = changed_blocks(old, new)

    def place(position: int, *, ends: bool) -> int:
        shift = 0
        for a, b, c, d in blocks:
            if position < was[a] + ends:
                break
            if position < was[b] + ends:
                return now[d] if ends else now[c]
            shift = now[d] - was[b]
        return position + shift

    found = [(place(start, ends=False), place(end, ends=True)) for start, end in spans]
    return [(start, max(start, end)) for start, end in found]


def _add(parts: list[tuple[str, bool]], piece: str, differs: bool) -> None:
    if piece:
        parts.append((piece, differs))


def _anchors(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """Return places of lines that occur once in both texts: the longest run of them that is in order in both."""
    once_old, once_new = ({line for line, n in Counter(text).items() if n == 1} for text in (old, new))
    positions = {line: place for place, line in enumerate(new) if line in once_new}
    pairs = [(place, positions[line]) for place, line in enumerate(old) if line in once_old and line in positions]
    tails: list[int] = []
    ends: list[int] = []
    before: list[int | None] = []
    for number, (_, place) in enumerate(pairs):
        length = bisect_left(tails, place)
        before.append(ends[length - 1] if length else None)
        tails[length : length + 1], ends[length : length + 1] = [place], [number]
    found: list[tuple[int, int]] = []
    last = ends[-1] if ends else None
    while last is not None:
        found.append(pairs[last])
        last = before[last]
    return found[::-1]


def _between(old: Sequence[str], new: Sequence[str], block: Block) -> Iterator[Block]:
    a, b, c, d = block
    while a < b and c < d and old[a] == new[c]:
        a, c = a + 1, c + 1
    while a < b and c < d and old[b - 1] == new[d - 1]:
        b, d = b - 1, d - 1
    if a == b and c == d:
        return
    if a == b or c == d or max(b - a, d - c) > _MOST:
        yield a, b, c, d
        return
    start = None
    for code in Indel.opcodes(old[a:b], new[c:d]):
        if code.tag == "equal":
            if start:
                yield (*start[:1], a + code.src_start, start[1], c + code.dest_start)
            start = None
        elif start is None:
            start = a + code.src_start, c + code.dest_start
    if start:
        yield start[0], b, start[1], d
