"""Chosen sentences -> quotes: each with the neighbours without which it says less, or something else.

A short paragraph is quoted whole: one sentence of it may lack the "not", or the condition, of the one before. Of a long
one those sentences are kept that lean on the chosen one, and those on which it leans. What is close together in a
passage is one quote.
"""

from collections.abc import Sequence
from typing import NamedTuple

from rag_platform.answering.quotes.quoted_answer import same_paragraph
from rag_platform.core.generation import QuotedSpan
from rag_platform.core.hits import Hit
from rag_platform.text.analysis.leaning import leans
from rag_platform.text.instructions.injection import find
from rag_platform.text.sentences import split_sentences

_SHORT = 400
"""Characters of a paragraph that is quoted whole, and of a sentence with its neighbours."""
_LONGEST = 1200
"""Characters of all quotes together, but for the first."""
_CLOSE = 2
"""Places from one piece's last sentence to another's first: at most one sentence is between."""
_INTRODUCES = ":", "："


class _Piece(NamedTuple):
    """Sentences in a row, by their places in their hit's text."""

    place: int
    first: int
    last: int


def to_quotes(chosen: Sequence[QuotedSpan], hits: Sequence[Hit]) -> list[QuotedSpan]:
    """Return what to quote for chosen sentences, both best first; no quote overlaps another."""
    texts = {one.place: _Text(hits[one.place - 1]) for one in chosen}
    pieces: list[_Piece] = []
    for one in chosen:
        pieces = _added(pieces, _Piece(one.place, *texts[one.place].around(one)), texts[one.place])
    quotes: list[QuotedSpan] = []
    length = 0
    for piece in pieces:
        span = texts[piece.place].span(piece.first, piece.last)
        length += span[1] - span[0]
        if not quotes or length <= _LONGEST:
            quotes.append(QuotedSpan(piece.place, span))
    return quotes


def _added(pieces: Sequence[_Piece], new: _Piece, text: "_Text") -> list[_Piece]:
    """Add a piece, or make it one with those of its hit that are close to it, in the place of the best of them."""
    near = [one for one in pieces if one.place == new.place and text.close(one, new)]
    if not near:
        return [*pieces, new]
    whole = _Piece(new.place, min(one.first for one in (*near, new)), max(one.last for one in (*near, new)))
    return [whole if one == near[0] else one for one in pieces if one == near[0] or one not in near]


class _Text:
    """The sentences of a hit."""

    def __init__(self, hit: Hit) -> None:
        self.text, self.language, self.sentences = hit.text, hit.language, split_sentences(hit.text)
        orders = list(find(hit.text))
        self.quotable = [
            kind != "heading" and not any(start < until and since < end for since, until in orders)
            for start, end, kind in self.sentences
        ]
        """Neither a heading nor an order to a language model."""

    def span(self, first: int, last: int) -> tuple[int, int]:
        """Return where sentences begin and end in the text."""
        return self.sentences[first].start, self.sentences[last].end

    def close(self, one: _Piece, other: _Piece) -> bool:
        """Tell whether two pieces overlap, or have one sentence between them at most."""
        left, right = sorted((one, other), key=lambda piece: piece.first)
        return right.first - left.last <= _CLOSE and all(self.quotable[left.last + 1 : right.first])

    def around(self, chosen: QuotedSpan) -> tuple[int, int]:
        """Return the sentences to be quoted for a chosen one, from the first to the last."""
        at = next(place for place, sentence in enumerate(self.sentences) if sentence.end >= chosen.span[1])
        first = last = at
        while self._same_paragraph(first - 1):
            first -= 1
        while self._same_paragraph(last):
            last += 1
        if not self._short(first, last):
            first, last = self._leaning(at, first, last)
        return first, self._introduced(last)

    def _same_paragraph(self, left: int) -> bool:
        """Tell whether a sentence and the next one are of one paragraph, or of one item of a list."""
        if left < 0 or left + 1 >= len(self.sentences):
            return False
        return same_paragraph(self.text, *self.sentences[left : left + 2]) and all(self.quotable[left : left + 2])

    def _short(self, first: int, last: int) -> bool:
        start, end = self.span(first, last)
        return end - start <= _SHORT

    def _leaning(self, at: int, begin: int, end: int) -> tuple[int, int]:
        """Add up to two sentences before, and one behind, as far as each leans on the one before it."""
        first = last = at
        while at - first < 2 and first > begin and self._leans(first) and self._short(first - 1, last):
            first -= 1
        if last < end and self._leans(last + 1) and self._short(first, last + 1):
            last += 1
        return first, last

    def _leans(self, place: int) -> bool:
        return leans(self.text[slice(*self.span(place, place))][:100], self.language)

    def _introduced(self, last: int) -> int:
        """Return the last sentence of a quote: where one only introduces what follows, of that, as of a list."""
        first, kind = last, None
        if not self.text.endswith(_INTRODUCES, 0, self.sentences[last].end):
            return last
        for following in range(last + 1, len(self.sentences)):
            kind = kind or self.sentences[following].kind
            listed = self.sentences[following].kind == kind and (kind != "prose" or following == first + 1)
            if not (listed and self.quotable[following] and self._short(first, following)):
                break
            last = following
        return last
