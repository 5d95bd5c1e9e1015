"""Headings of a PDF: lines in larger or bolder letters than its body."""

import re
from collections import Counter
from collections.abc import Sequence

from rag_platform.documents.formats.page_layout.characters import readable
from rag_platform.documents.formats.page_layout.page_tables import Table
from rag_platform.documents.formats.page_layout.reading_order import TextLine

_LARGER = 1.12
"""Times the body's size."""
_LONGEST, _LONGEST_BOLD = 160, 100
"""Characters."""
_MOST = 0.3
"""Of the lines; where more look like headings, size means something else."""
_MOST_TEXT = 0.15
"""Of the text: on a page of few long paragraphs, headings are many lines but little text."""
_FEW = 5
"""Lines; with fewer nothing tells which size is the body's."""
_LEVELS = 4
"""Sizes that are distinguished; smaller ones share the last level."""

Item = TextLine | Table


def heading_levels(pages: Sequence[Sequence[Item]]) -> dict[int, int]:
    """Return the level, from 1, of each line that is a heading, by its identity; empty when sizes tell nothing."""
    lines = [item for page in pages for item in page if isinstance(item, TextLine) and item.size]
    sizes: Counter[float] = Counter()
    for line in lines:
        sizes[line.size] += len(line.text)
    if len(lines) < _FEW:
        return {}
    body = sizes.most_common(1)[0][0]
    plain = sum(len(line.text) for line in lines if line.bold) < 0.5 * sum(sizes.values())
    found = {id(line): line.size for line in lines if line.size >= _LARGER * body and _titled(line, _LONGEST)}
    if plain:
        found |= {id(line): body for page in pages for line in _bold(page, body) if id(line) not in found}
    said = sum(len(line.text) for line in lines if id(line) in found)
    if not found or (len(found) > max(_MOST * len(lines), 1) and said > _MOST_TEXT * sum(sizes.values())):
        return {}
    ranks = _ranks(Counter(found.values()))
    return {line: ranks[size] for line, size in found.items()}


def _ranks(sizes: Counter[float]) -> dict[float, int]:
    """Number the sizes from the largest; those that differ little are one, and only the title's may be rare."""
    ranks: dict[float, int] = {}
    rank, last, often = 1, None, 0
    for size in sorted(sizes, reverse=True):
        if last is not None and last - size > 0.5 and (often > 1 or rank == 1):
            rank, often = rank + 1, 0
        ranks[size], last, often = min(rank, _LEVELS), size, often + sizes[size]
    return ranks


def _bold(page: Sequence[Item], body: float) -> list[TextLine]:
    """Find short bold lines alone above other text."""
    found = []
    for place, line in enumerate(page):
        if not isinstance(line, TextLine) or not line.bold or not line.gap or line.size < 0.95 * body:
            continue
        after = page[place + 1] if place + 1 < len(page) else None
        alone = after is not None and not (isinstance(after, TextLine) and after.bold)
        if alone and _titled(line, _LONGEST_BOLD) and not re.search(r"[.,;:]$", line.text):
            found.append(line)
    return found


def _titled(line: TextLine, longest: int) -> bool:
    """Return whether the words can be a heading: mostly letters, and not the middle of a sentence."""
    text = readable(line.text).strip() or "-"
    letters = sum(map(str.isalpha, text))
    return letters >= max(2, 0.5 * len(text.replace(" ", ""))) and len(text) <= longest and text[-1] not in ",;-"
