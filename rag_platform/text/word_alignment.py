"""The words of a text as they are compared across forms of a document: Markdown, HTML, a page's drawn letters."""

import re
import unicodedata
from collections.abc import Sequence
from difflib import SequenceMatcher

_WORD = re.compile(r"[^\W_]+")
_LINK = re.compile(r"(?<=\])\((?:[^()\s]|\([^()\s]*\))*(?:\s+\"[^\"]*\")?\)")
"""Of Markdown: where a link leads, which its page does not show."""

_FEW = 3
"""Words in a row: fewer may occur anywhere."""


def words_of(text: str) -> list[str]:
    """Return the words, folded: the same whatever case, width or ligature they are written with."""
    return _WORD.findall(unicodedata.normalize("NFKC", text).casefold())


def shown_words(markdown: str) -> list[str]:
    """Return the words of a Markdown text that somebody sees who looks at the document."""
    return words_of(_LINK.sub(" ", markdown))


def places(page: Sequence[str], words: Sequence[str]) -> list[int]:
    """Return which words of a page are the wanted ones, in their order; none unless most of them are there."""
    if not words:
        return []
    runs = SequenceMatcher(None, page, words, autojunk=False).get_matching_blocks()
    longest = max(runs, key=lambda run: run.size)
    near = range(longest.a - 2 * len(words), longest.a + 3 * len(words))
    found = [run for run in runs if run.size >= min(_FEW, len(words)) and run.a in near]
    if 2 * sum(run.size for run in found) < len(words):
        return []
    return [run.a + at for run in found for at in range(run.size)]
