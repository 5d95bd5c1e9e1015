"""A string as it is written, in a chunk and within its words: codes, numbers of parts, names, exact wording.

The chunks that may hold it are found by the words of the vocabulary that hold its parts, so few texts are read: none
for a part of one word, and else those that hold all its parts. Case, runs of blanks and, unless the string itself has
some, accents do not count; every other sign does.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from rag_platform.core.ports import WordCounts
from rag_platform.index.keys import among
from rag_platform.index.releases.open_version import OpenVersion
from rag_platform.text.analysis import even, plain, word_runs
from rag_platform.text.analysis.texts import UNSPACED, has_unspaced

_ONE_BY_ONE = 3_000
"""Up to this many chunks are read one by one; for more, all texts are read in one go."""
_LETTER = rf"[^\W_{UNSPACED}]"
"""Of a script with spaces: where it changes to one without, a word ends."""


@dataclass(frozen=True, slots=True)
class Literal:
    """A string that a chunk must hold."""

    text: str
    whole: bool = False
    """It begins and ends where words do; else it may stand within words."""

    def held(self, index: OpenVersion, statistics: WordCounts, allowed: np.ndarray | None) -> np.ndarray:
        """Return the allowed keys (ascending; None: all) whose chunks hold it."""
        keys = index.catalog.keys if allowed is None else allowed
        for narrower in self._narrower(index, statistics):
            keys = keys[among(keys, narrower)]
        if self._is_one_word:  # of which the vocabulary says all
            return keys
        accents, matches = self._accents, self._pattern.search
        held = (key for key, text in _texts(index, keys) if matches(even(text) if accents else plain(text)))
        return np.fromiter(held, np.uint64)

    @property
    def _accents(self) -> bool:
        return even(self.text) != plain(self.text)

    @property
    def _is_one_word(self) -> bool:
        return word_runs(self.text) == [even(self.text)] and not self._accents and not has_unspaced(self.text)

    def _narrower(self, index: OpenVersion, statistics: WordCounts) -> Iterator[np.ndarray]:
        """Yield sets of keys (ascending) that each hold all chunks with the string: one for each of its words."""
        text, found = plain(self.text), word_runs(self.text)
        for place, run in enumerate(found):
            if has_unspaced(run):
                if len(run) > 1:
                    yield index.lexical.holding(run, statistics)
                continue
            begins = self.whole or place > 0 or not text.startswith(run)
            ends = self.whole or place < len(found) - 1 or not text.endswith(run)
            yield index.lexical.written(index.lexical.words(run, statistics, begins=begins, ends=ends), statistics)

    @property
    def _pattern(self) -> re.Pattern[str]:
        sought = even(self.text) if self._accents else plain(self.text)
        before, after = (self.whole and one.isalnum() and not has_unspaced(one) for one in (sought[:1], sought[-1:]))
        return re.compile(f"(?<!{_LETTER})" * before + re.escape(sought) + f"(?!{_LETTER})" * after)


def _texts(index: OpenVersion, keys: np.ndarray) -> Iterator[tuple[int, str]]:
    """Yield chunks by their keys (ascending), in that order, with all that is indexed of their text."""
    if len(keys) > _ONE_BY_ONE:
        chunks = index.catalog.chunks("key", "header", "text").sort("key")
        rows = chunks.filter(among(chunks["key"].to_numpy(), keys)).iter_rows()
        yield from ((key, f"{header}\0{text}") for key, header, text in rows)
    else:
        found = index.catalog.candidates(keys)
        yield from ((key, f"{found[key]['header']}\0{found[key]['text']}") for key in keys.tolist())
