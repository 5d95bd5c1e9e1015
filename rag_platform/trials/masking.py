"""A question without what may tell who asked it: only words stay that several public passages hold too.

A name, an address or a number that no public text has is replaced, whatever its language and its form. What it leaves
is found like before: words that the public part of the corpus does not know find nothing there.
"""

import re
from collections.abc import Sequence

from rag_platform.index.releases.view import View
from rag_platform.text.analysis import terms
from rag_platform.text.analysis.stopwords import is_stop_word

MASK = "…"
FEWEST = 3
"""Public passages that hold a word which is kept."""
_TELLING = re.compile(r"\S*@\S*|\w+://\S+|www\.\S+|\+?\d[\d\s()./-]{5,}\d", re.IGNORECASE)
"""Addresses, and numbers of seven digits and more, however many passages hold their parts."""
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")


def masked(question: str, public: View, fewest: int = FEWEST) -> str | None:
    """Return a question with only what is common in public passages; None: too little of it would be left.

    Args:
        question: as it was asked.
        public: the live version as everyone may read it.
        fewest: passages that hold a word which is kept.
    """
    languages = public.statistics.languages
    known = [0, 0]

    def kept(match: re.Match[str]) -> str:
        word = match[0]
        if any(is_stop_word(word.lower(), language) for language in languages):
            return word
        common = _common(word, public, languages, fewest)
        known[common] += 1
        return word if common else MASK

    text = _WORD.sub(kept, _TELLING.sub(MASK, " ".join(question.split())))
    return text if known[True] >= max(1, known[False]) else None


def _common(word: str, public: View, languages: Sequence[str], fewest: int) -> bool:
    """Return whether enough passages hold a word; of a script without spaces, each of its parts."""
    frequency = public.statistics.frequency
    return any(
        all(frequency(term) >= fewest for term in found) for language in languages if (found := terms(word, language))
    )
