"""Where a run of units is cut: at the strongest pause that leaves chunks of a good size."""

import zlib
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate

from rag_platform.chunks.token_counts import Bounds, Weighed
from rag_platform.text.structure import Pause


def cuts(text: str, units: Sequence[Weighed], weights: Sequence[int], bounds: Bounds) -> Iterator[tuple[int, int, int]]:
    """Yield each chunk of these units, which follow each other: where its context begins, its start and its end.

    All three are places among the units. The context is the end of the chunk before, in whole sentences, as much as may
    be repeated.
    """
    run = _Run(text, units, weights, bounds)
    written = trimmed(text, units[0].start, units[-1].end)[1]  # blanks alone make no chunk
    start = cut = 0
    while units[cut].start < written:
        end = run.end(start, cut)
        if start < cut and units[end - 1].pause < Pause.SENTENCE:  # context must not tear what follows
            start, end = cut, run.end(cut, cut)
        yield start, cut, end
        if end == len(units):
            return
        start, cut = run.overlap_start(start, end), end


def trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the span without the blanks at its ends."""
    content = text[start:end]
    return start + len(content) - len(content.lstrip()), end - len(content) + len(content.rstrip())


class _Run:
    """Units with their weights; places are counted in units."""

    def __init__(self, text: str, units: Sequence[Weighed], weights: Sequence[int], bounds: Bounds) -> None:
        self.text, self.units, self.bounds = text, units, bounds
        self.upto = [0, *accumulate(weights)]

    def end(self, start: int, cut: int) -> int:
        """Return the best place to end a chunk that starts at `start` and must pass `cut`.

        That is the strongest pause in the chunk's second half; words decide between equals, so that two versions of a
        text soon agree on a place. Failing a sentence's end, an earlier one is better than tearing code or a sentence.
        """
        upto, bounds = self.upto, self.bounds
        rest = upto[-1] - upto[start]
        if rest <= bounds.size:
            return len(self.units)
        most = min(bounds.size, rest - bounds.part)  # leaves no crumb
        last = max(bisect_right(upto, upto[start] + most) - 1, cut + 1)
        half = max(bisect_right(upto, upto[start] + bounds.size // 2), cut + 1)
        early = max(bisect_right(upto, upto[start] + bounds.part), cut + 1)
        for first, least in ((half, Pause.SENTENCE), (early, Pause.SENTENCE), (half, Pause.WORD)):
            places = [place for place in range(first, last + 1) if self.units[place - 1].pause >= least]
            if places:
                return max(places, key=lambda place: (self.units[place - 1].pause, self._mark(place)))
        return last

    def overlap_start(self, start: int, end: int) -> int:
        """Return where the chunk after the cut at `end` starts: at a sentence, as much earlier as may be repeated."""
        first = max(bisect_left(self.upto, self.upto[end] - self.bounds.overlap), start + 1)
        for least in (Pause.SENTENCE, Pause.WORD):
            for place in range(first, end):
                if self.units[place - 1].pause >= least:
                    return place
        return end

    def _mark(self, place: int) -> int:
        """Return a number that depends on the words around a place alone."""
        around = self.text[self.units[place - 1].start : self.units[min(place, len(self.units) - 1)].end]
        return zlib.crc32(around.encode("utf-8", "surrogatepass"))
