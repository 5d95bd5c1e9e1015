"""What the units of a text take of a chunk, in the model's word pieces and in the unit of the chunk size."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from semantic_text_splitter import TextSplitter

from rag_platform.core.errors import SettingsError
from rag_platform.models.tokenizing import TextTokenizer
from rag_platform.text.structure import Pause, Unit

UNITS = ("tokens", "characters", "words")
LONGEST_PIECE = 10
"""Characters that count as a token at least: a model may take a word of any length for one unknown token."""
_SMALLEST = 16


@dataclass(frozen=True, slots=True)
class Weighed(Unit):
    """A unit of text and how much of a chunk it takes."""

    weight: int
    """In the unit of the chunk size."""
    tokens: int


class Bounds(NamedTuple):
    """What a chunk may take, in the scale of the weights given with it."""

    size: int
    overlap: int
    part: int
    """A chunk smaller than this is a crumb."""


class Scale:
    """Weighs units of text, and cuts those that are too heavy to be placed.

    Args:
        tokenizer: The model's own, without truncation and padding.
        size: Most of a chunk's text, in `unit`.
        overlap: Most that a chunk repeats of the one before it, in `unit`.
        most: Tokens of text that the model reads.
        unit: One of `UNITS`.
    """

    def __init__(self, tokenizer: TextTokenizer, size: int, overlap: int, *, most: int, unit: str) -> None:
        _check(size, overlap, unit, most)
        if unit == "tokens" and size > most:  # as in the other units, what the model reads is the end
            size, overlap = most, overlap * most // size
        self.size, self.overlap, self.most, self.unit = size, overlap, most, unit
        self._tokenizer = tokenizer
        self.part = size // 4
        tokens = most // 4 if unit == "characters" else min(self.part, most // 4)  # a word has a token at least
        letters = min(self.part, tokens * LONGEST_PIECE) if unit == "characters" else tokens * LONGEST_PIECE
        self._by_characters = TextSplitter(letters, trim=False)
        self._by_tokens = TextSplitter.from_callback(self._length, tokens, trim=False)

    def count(self, texts: Sequence[str], *, special: bool = False) -> list[int]:
        """Count the tokens of each text, with or without the model's special ones."""
        return [len(found) for found in self._tokenizer.encode_batch_fast(texts, add_special_tokens=special)]

    def _length(self, text: str) -> int:
        return len(self._tokenizer.encode(text, add_special_tokens=False))

    def fitting(self, text: str, units: Sequence[Unit]) -> list[list[Weighed]]:
        """Return what each unit becomes: itself with its weight, or parts that are light enough to be placed."""
        return [
            [unit] if self._fits(unit) else self._weigh(text, self._parts(text, unit))
            for unit in self._weigh(text, units)
        ]

    def bounds(self, units: Sequence[Weighed], room: int) -> tuple[list[int], Bounds]:
        """Return what each unit takes of a chunk whose text has `room` tokens, and what the chunk may take.

        In another unit than tokens, each one takes the larger share of the two: of the size or of the room.
        """
        if self.unit == "tokens":
            return [unit.weight for unit in units], Bounds(min(self.size, room), self.overlap, self.part)
        shares = [max(unit.tokens, -(-unit.weight * room // self.size)) for unit in units]
        return shares, Bounds(room, self.overlap * room // self.size, room // 4)

    def _fits(self, unit: Weighed) -> bool:
        return unit.weight <= self.size // 2 and unit.tokens <= self.most // 2

    def _weigh(self, text: str, units: Sequence[Unit]) -> list[Weighed]:
        counts = self.count([text[unit.start : unit.end] for unit in units])
        weighed = []
        for unit, count in zip(units, counts, strict=True):
            tokens = max(count, (unit.end - unit.start) // LONGEST_PIECE)
            weighed.append(Weighed(unit.start, unit.end, unit.pause, self._weight(text, unit, tokens), tokens))
        return weighed

    def _weight(self, text: str, unit: Unit, tokens: int) -> int:
        if self.unit == "tokens":
            return tokens
        return unit.end - unit.start if self.unit == "characters" else len(text[unit.start : unit.end].split())

    def _parts(self, text: str, unit: Weighed) -> list[Unit]:
        """Cut a unit that is too long for a chunk: between words, and within one only if that is too long itself."""
        parts: list[Unit] = []
        for offset, chunk in self._by_characters.chunk_indices(text[unit.start : unit.end]):
            for inner, part in self._by_tokens.chunk_indices(chunk):
                start = unit.start + offset + inner
                parts.append(Unit(start, start + len(part), Pause.WORD))
        parts[-1] = replace(parts[-1], pause=unit.pause)
        return parts


def _check(size: int, overlap: int, unit: str, most: int) -> None:
    if unit not in UNITS:
        raise SettingsError(f"chunks.unit = {unit!r}: expected one of {', '.join(UNITS)}")
    if most < _SMALLEST:
        raise SettingsError(f"the model reads {most} tokens of a text; expected at least {_SMALLEST}: choose another")
    if size < _SMALLEST or not 0 <= overlap <= size // 2:
        raise SettingsError(
            f"chunks.size = {size}, chunks.overlap = {overlap}: "
            f"expected a size of at least {_SMALLEST} {unit} and an overlap of at most half of it"
        )
