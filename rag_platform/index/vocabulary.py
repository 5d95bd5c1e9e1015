"""The words of a version as they are written, and which chunks hold each: what stems and their hashes cannot tell.

A part of a word is looked for among the distinct words, of which there are few, and not in all texts. Case and accents
do not count. Scripts without spaces have no such words; the pairs of characters of the lexical index find their parts.
"""

from collections.abc import Iterator
from pathlib import Path

from rag_platform.core.lazy import locked_cached_property
from rag_platform.index.postings import Postings, PostingsWriter
from rag_platform.text.analysis import plain_words

_WORDS = "words.txt"


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
        (folder / _WORDS).write_text(lines, encoding="utf-8", newline="\n")


def distinct_words(text: str) -> list[str]:
    """Return the words of a text under which a vocabulary has it."""
    return list(dict.fromkeys(plain_words(text)))


class Vocabulary:
    """The opened files; safe to read from many threads."""

    def __init__(self, folder: Path) -> None:
        self.postings = Postings(folder)
        self._path = folder / _WORDS

    @locked_cached_property
    def _lines(self) -> str:
        """All words, in their order, each between two ends of lines."""
        return "\n" + self._path.read_text(encoding="utf-8")

    def words(self, part: str, *, begins: bool = False, ends: bool = False) -> Iterator[str]:
        """Yield the words that hold a part, in their order; `begins`, `ends`: at that end of the word."""
        sought, at = "\n" * begins + part + "\n" * ends, 0
        while (found := self._lines.find(sought, at)) >= 0:
            start = self._lines.rfind("\n", 0, found + begins) + 1
            at = self._lines.find("\n", found + begins)
            yield self._lines[start:at]
