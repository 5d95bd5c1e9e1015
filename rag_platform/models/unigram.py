"""Word pieces by a unigram language model, as SentencePiece cuts them, in little memory.

A word is cut into the pieces that are likeliest together (Kudo, "Subword Regularization", 2018), by the algorithm of
Viterbi. For the quarter of a million pieces of XLM-RoBERTa the library `tokenizers` needs 280 MB, one dict 40 MB. Words
come again and again, so what a word was cut into is kept.
"""

import re
import unicodedata
from array import array
from collections.abc import Iterable, Sequence
from copy import copy
from itertools import chain, groupby
from math import inf
from typing import NamedTuple

from rag_platform.core.ids import digest

VERSION = "1"
"""Raise it when a change here gives a text other pieces."""
_META = "▁"
"""Begins a word."""
_UNKNOWN_PENALTY = 10.0
"""How much less likely than the least likely piece an unknown letter is, as in SentencePiece."""
_REMEMBERED = 20_000
_LONGEST_REMEMBERED = 32
_WORD = re.compile(r"[^\t\n\f\r \x85\xa0\u1680\u2000-\u200f\u2028\u2029\u202f\u205f\u3000\u2581\ufeff\ufffd]+")
"""All else is a space to the normalisation of SentencePiece (nmt_nfkc)."""
_DROPPED = dict.fromkeys([*range(1, 9), 0x0B, *range(0x0E, 0x20), 0x7F, 0x8F, 0x9F])
_ODD = re.compile("[\x01-\x08\x0b\x0e-\x1f\x7f\x8f\x9f]")
_TILDE, _STAND_IN = "\uff5e", "\ue000"
"""The wide tilde stays one, though Unicode's compatible form (NFKC) is the narrow one."""


class _Cut(NamedTuple):
    """What a word was cut into."""

    ids: tuple[int, ...]
    spans: tuple[tuple[int, int], ...]
    """Characters of the word, before it was normalised; none for the mark of its beginning alone."""


class Pieces:
    """The pieces of one text; fulfils `tokenizing.Encoded`. Where they lie is worked out when it is asked for."""

    def __init__(self, words: Sequence[tuple[int, _Cut]], most: int | None, frame: tuple[int, int] | None) -> None:
        ids = [number for _, cut in words for number in cut.ids]
        self._words = words
        self._frame = frame
        self._kept = len(ids) if most is None else max(0, min(len(ids), most - (2 if frame else 0)))
        self.ids = ids[: self._kept] if frame is None else [frame[0], *ids[: self._kept], frame[1]]

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def offsets(self) -> list[tuple[int, int]]:
        """Characters of the text that each piece stands for."""
        spans = [(at + start, at + end) for at, cut in self._words for start, end in cut.spans][: self._kept]
        return [(0, 0), *spans, (0, 0)] if self._frame else spans

    @property
    def word_ids(self) -> list[int | None]:
        """The word, counted from 0, that each piece is of; None: the piece is not of the text."""
        words = [row for row, (_, cut) in enumerate(self._words) for _ in cut.ids][: self._kept]
        return [None, *words, None] if self._frame else [*words]


class UnigramTokenizer:
    """Cuts texts into pieces; fulfils `tokenizing.TextTokenizer`. Safe to use from several threads.

    Args:
        pieces: The pieces by their number; those with the score 0 are the model's own signs, never a text's.
        scores: The logarithm of each piece's probability.
        frame: The pieces that begin and end each text.
        unknown: The piece for letters of which there is none.
    """

    def __init__(self, pieces: Sequence[str], scores: Sequence[float], frame: tuple[int, int], unknown: int) -> None:
        self._numbers = {piece: number for number, piece in enumerate(pieces) if scores[number]}
        self._scores = array("d", scores)
        self._frame = frame
        self._unknown = unknown
        self._penalty = min(self._scores) - _UNKNOWN_PENALTY
        self._longest = _longest_by_beginning(self._numbers)
        self._most: int | None = None
        self._cuts: dict[str, _Cut] = {}
        self._name = digest(VERSION, "\n".join(pieces), self._scores.tobytes(), str(frame), str(unknown))

    def cutting(self, most: int | None) -> "UnigramTokenizer":
        """Return one that cuts texts after so many pieces, with the same pieces in memory; None: after none."""
        other = copy(self)
        other._most = most
        return other

    def to_str(self) -> str:
        """Name everything that the pieces of a text depend on."""
        return self._name

    def num_special_tokens_to_add(self, is_pair: bool) -> int:
        """Count the pieces that a text gets beside its own."""
        if is_pair:
            raise NotImplementedError("this tokenizer takes one text at a time")
        return 2

    def encode(self, text: str, *, add_special_tokens: bool = True) -> Pieces:
        """Cut a text."""
        words, count = [], 0
        for found in _WORD.finditer(text):
            cut = self._cut(found[0])
            words.append((found.start(), cut))
            count += len(cut.ids)
            if self._most is not None and count >= self._most:
                break
        return Pieces(words, self._most, self._frame if add_special_tokens else None)

    def encode_batch(self, texts: Iterable[str], *, add_special_tokens: bool = True) -> list[Pieces]:
        """Cut texts."""
        return [self.encode(text, add_special_tokens=add_special_tokens) for text in texts]

    encode_batch_fast = encode_batch

    def _cut(self, word: str) -> _Cut:
        cut = self._cuts.get(word)
        if cut is None:
            cut = self._placed(word)
            if len(word) <= _LONGEST_REMEMBERED:
                if len(self._cuts) >= _REMEMBERED:
                    self._cuts.clear()
                self._cuts[word] = cut
        return cut

    def _placed(self, word: str) -> _Cut:
        """Cut a word and tell which of its letters each piece stands for."""
        if unicodedata.is_normalized("NFKC", word) and not _ODD.search(word):
            pieces = self._likeliest(_META + word)
            spans = [(start - 1 if start else 0, end - 1) for _, start, end in pieces]
            return _Cut(tuple([number for number, _, _ in pieces]), tuple(spans))
        cut = [self._aligned(part) for part in _between_spaces(_letters(word))]
        return _Cut(*(tuple(chain.from_iterable(some)) for some in zip(*cut, strict=True))) if cut else _Cut((), ())

    def _aligned(self, letters: Sequence[tuple[str, int, int]]) -> _Cut:
        """Cut a word whose letters stand for some of another."""
        pieces = self._likeliest(_META + "".join(letter for letter, _, _ in letters))
        starts = [letters[0][1], *(start for _, start, _ in letters)]
        ends = [letters[0][1], *(end for _, _, end in letters)]
        return _Cut(tuple([number for number, _, _ in pieces]), tuple([(starts[i], ends[j - 1]) for _, i, j in pieces]))

    def _likeliest(self, word: str) -> list[tuple[int, int, int]]:
        """Return the likeliest pieces of a word: the number of each, where it starts and where it ends.

        Neighbours of which nothing is known are one.
        """
        size, known, longest, scores = len(word), self._numbers.get, self._longest.get, self._scores
        best = [0.0] + [-inf] * size
        begins, ids = [0] * (size + 1), [self._unknown] * (size + 1)
        for start in range(size):
            here, end = best[start], start + 1
            number = known(word[start])
            score = here + (self._penalty if number is None else scores[number])
            if score > best[end]:
                best[end], begins[end], ids[end] = score, start, self._unknown if number is None else number
            for end in range(start + 2, min(size, start + longest(word[start : start + 2], 0)) + 1):
                number = known(word[start:end])
                if number is not None and here + scores[number] > best[end]:
                    best[end], begins[end], ids[end] = here + scores[number], start, number
        return self._traced(begins, ids)

    def _traced(self, begins: Sequence[int], ids: Sequence[int]) -> list[tuple[int, int, int]]:
        pieces: list[tuple[int, int, int]] = []
        end = len(begins) - 1
        while end:
            start, number = begins[end], ids[end]
            if pieces and number == self._unknown == pieces[-1][0]:
                pieces[-1] = (number, start, pieces[-1][2])
            else:
                pieces.append((number, start, end))
            end = start
        return pieces[::-1]


def _longest_by_beginning(pieces: Iterable[str]) -> dict[str, int]:
    """Return the length of the longest piece that begins with each two letters."""
    longest: dict[str, int] = {}
    for piece in pieces:
        size = len(piece)
        if size > 1 and size > longest.get(piece[:2], 0):
            longest[piece[:2]] = size
    return longest


def normalised(text: str) -> str:
    """Normalise a text as SentencePiece's nmt_nfkc does."""
    words = ("".join(letter for letter, _, _ in _letters(found[0])) for found in _WORD.finditer(text))
    return " ".join(" ".join(words).split())


def _letters(word: str) -> list[tuple[str, int, int]]:
    """Normalise a word: each letter with the characters of the word that became it."""
    return [(letter, start, end) for start, end in _clusters(word) for letter in _normal(word[start:end])]


def _clusters(word: str) -> list[tuple[int, int]]:
    """Cut a word where its parts are normalised by themselves."""
    starts = [0]
    for place in range(1, len(word)):
        before, letter = word[starts[-1] : place], word[place]
        if not unicodedata.combining(letter) and _normal(before + letter) == _normal(before) + _normal(letter):
            starts.append(place)
    return [*zip(starts, [*starts[1:], len(word)], strict=True)]


def _normal(text: str) -> str:
    kept = text.translate(_DROPPED).replace(_TILDE, _STAND_IN)
    return unicodedata.normalize("NFKC", kept).replace(_STAND_IN, _TILDE)


def _between_spaces(letters: Iterable[tuple[str, int, int]]) -> list[list[tuple[str, int, int]]]:
    """Cut a word at the spaces that some characters become."""
    grouped = groupby(letters, lambda letter: letter[0].isspace())
    return [[*part] for blank, part in grouped if not blank]
