"""The words of a version as they are written, and which chunks hold each: what stems and their hashes cannot tell.

A part of a word is looked for among the distinct words, of which there are few, and not in all texts. Case and accents
do not count. Scripts without spaces have no such words; the pairs of characters of the lexical index find their parts.
"""

from collections.abc import Iterator
from itertools import compress
from pathlib import Path

import numpy as np

from rag_platform.core.lazy import locked_cached_property, method_cache
from rag_platform.index.joined_postings import Part
from rag_platform.index.postings import Postings, PostingsWriter
from rag_platform.index.readable_postings import ReadablePostings
from rag_platform.text.analysis import plain_words

WORDS = "words.txt"
_CACHED = 8
"""Sets of readers of whose chunks the words are kept: some 10 bytes for each word."""


class VocabularyWriter:
    """Collects the words of each chunk, in the order of the chunks' keys."""

    def __init__(self) -> None:
        self._postings = PostingsWriter()

    def add(self, text: str) -> None:
        """Add the next chunk, by its text."""
        self._postings.add(distinct_words(text))

    def write(self, folder: Path) -> None:
        """Write the files of a version's vocabulary."""
        self._postings.write(folder)
        lines = "".join(f"{word}\n" for word in sorted(self._postings.terms))
        (folder / WORDS).write_text(lines, encoding="utf-8", newline="\n")


def distinct_words(text: str) -> list[str]:
    """Return the words of a text under which a vocabulary has it."""
    return list(dict.fromkeys(plain_words(text)))


class Vocabulary:
    """The opened files; safe to read from many threads."""

    def __init__(self, folder: Path) -> None:
        self.postings = Postings(folder)
        self._path = folder / WORDS
        self._readable_lines = method_cache(_CACHED, self._lines_held)

    @locked_cached_property
    def _lines(self) -> str:
        """All words, in their order, each between two ends of lines."""
        return "\n" + self._path.read_text(encoding="utf-8")

    @locked_cached_property
    def _places(self) -> np.ndarray:
        """The place of each of these words in the postings: int64."""
        return self.postings.places(self._words)

    @property
    def _words(self) -> list[str]:
        return self._lines.split("\n")[1:-1]

    def _lines_held(self, postings: ReadablePostings) -> str:
        """Return those of the lines whose words a readable chunk holds."""
        return "\n" + "".join(f"{word}\n" for word in compress(self._words, postings.held[self._places]))

    def words(self, part: str, postings: Part, *, begins: bool = False, ends: bool = False) -> Iterator[str]:
        """Yield the words that hold a part, in their order.

        Args:
            part: of the words.
            postings: those of this vocabulary, or of them those of the chunks whose words are looked through.
            begins: whether it is the beginning of the word.
            ends: whether it is its end.
        """
        lines = self._readable_lines(postings) if isinstance(postings, ReadablePostings) else self._lines
        return words_with(lines, part, begins=begins, ends=ends)


def words_with(lines: str, part: str, *, begins: bool, ends: bool) -> Iterator[str]:
    """Yield the words that hold a part, of lines that each hold one, between two ends of lines."""
    sought, at = "\n" * begins + part + "\n" * ends, 0
    while (found := lines.find(sought, at)) >= 0:
        start = lines.rfind("\n", 0, found + begins) + 1
        at = lines.find("\n", found + begins)
        yield lines[start:at]
