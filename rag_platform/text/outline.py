"""A text's table of contents: its headings with their places, and no more of them than one can look through."""

import re
from collections import Counter
from dataclasses import dataclass
from itertools import accumulate

_LINE = re.compile(r"^ {0,3}(?:(#{1,6})[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*$|(`{3,}|~{3,}))", re.MULTILINE)
_LONGEST = 200
"""Characters of a heading that are shown."""


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of a text."""

    title: str
    level: int
    """From 1, the highest in this text."""
    start: int
    """Characters before it."""


def outline(text: str, most: int = 300) -> tuple[list[Heading], int]:
    """Return the headings of a Markdown text, and how many were left out.

    Where there are more than `most`, the lowest levels are left out; where the highest alone has more, what is last.
    """
    found = list(_headings(text))
    by_level = Counter(heading.level for heading in found)
    levels = sorted(by_level)
    upto = list(accumulate(by_level[level] for level in levels))
    shown = set(levels[: max(1, sum(count <= most for count in upto))])
    ranks = {level: rank for rank, level in enumerate(levels, 1)}
    top = [Heading(one.title, ranks[one.level], one.start) for one in found if one.level in shown][:most]
    return top, len(found) - len(top)


def _headings(text: str) -> list[Heading]:
    fence, found = "", []
    for line in _LINE.finditer(text):
        hashes, title, opened = line.groups()
        if opened:
            fence = "" if fence and opened.startswith(fence) else fence or opened
        elif not fence and title:
            found.append(Heading(title[:_LONGEST], len(hashes), line.start()))
    return found
