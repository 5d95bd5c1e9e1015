"""What a passage is shown with: the sentences of its neighbours without which it cannot be understood."""

from collections.abc import Sequence

from rag_platform.chunks.token_counts import Weighed
from rag_platform.text.analysis.leaning import leans
from rag_platform.text.structure import Pause

_MOST = 400
"""Characters that are added at either end, at most."""


def completed(text: str, units: Sequence[Weighed], first: int, last: int, language: str) -> tuple[int, int]:
    """Return where the passage of units[first:last] begins and ends in the text when it is shown.

    What begins or ends within a sentence gets the rest of it. What begins with a sentence that leans on the one before
    gets that one, and if it leans too, the one before that; headings, code and tables are never added.
    """
    begin = _begin(text, units, first, language)
    end = last
    while end < len(units) and units[end - 1].pause == Pause.WORD:
        end += 1
    start, stop = units[begin].start, units[end - 1].end
    if units[first].start - start > _MOST:
        start = units[first].start
    return start, stop if stop - units[last - 1].end <= _MOST else units[last - 1].end


def _begin(text: str, units: Sequence[Weighed], first: int, language: str) -> int:
    begin = _sentence(units, first)
    if units[first].start - units[begin].start > _MOST:
        return first
    for _ in range(2):
        leaning = (
            begin and units[begin - 1].pause >= Pause.SENTENCE and leans(text[units[begin].start :][:100], language)
        )
        before = _sentence(units, begin - 1) if leaning else begin
        if before == begin or units[first].start - units[before].start > _MOST:
            break
        begin = before
    return begin


def _sentence(units: Sequence[Weighed], place: int) -> int:
    """Return the unit with which the sentence of a unit begins."""
    while place and units[place - 1].pause == Pause.WORD:
        place -= 1
    return place
