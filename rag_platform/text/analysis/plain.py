"""A text as it is written, but for what looks or means the same: to look for strings in it, and for its own words."""

import re

from rag_platform.text.analysis.folding import fold, for_stemmer
from rag_platform.text.analysis.texts import clean, has_unspaced, runs_of, words

_BLANKS = re.compile(r"\s+")


def even(text: str) -> str:
    """Return a text in lower case with single blanks, full width and ligatures folded; accents stay."""
    return _BLANKS.sub(" ", clean(text).lower())


def plain(text: str) -> str:
    """Return `even` without accents, and with letters that are written in several ways brought to one."""
    return _folded(even(text))


def word_runs(text: str) -> list[str]:
    """Return a text's words, without accents and not stemmed; a run of a script without spaces is one."""
    found = words(_folded(clean(text).lower()))
    return found if not has_unspaced(text) else [run for word in found for run in runs_of(word)]


def _folded(text: str) -> str:
    return fold(for_stemmer(text, ""))


def plain_words(text: str) -> list[str]:
    """Return those of `word_runs` that have spaces between them: for others, no signs say where a word ends."""
    return [run for run in word_runs(text) if not has_unspaced(run)]
