"""The part of a text that best matches a question, and the places of the question's words in a text."""

import re
from functools import lru_cache

from rag_platform.text.analysis import normalise

_WIDTH = 240
_WORD = re.compile(r"[^\W_]+(?:[\u0300-\u036f\u0900-\u0dff\u200c\u200d]+[^\W_]*)*")
_SHORTEST = 3


def matches(text: str, question: str) -> list[tuple[int, int]]:
    """Return the spans of the text's words that share their beginning with a word of the question."""
    stems = {_stem(word) for word in _WORD.findall(normalise(question).lower())}
    stems = {stem for stem in stems if len(stem) >= _SHORTEST or not stem.isascii()}
    if not stems:
        return []
    return [word.span() for word in _WORD.finditer(text) if _stem_of(word[0]) in stems]


def snippet(text: str, question: str, width: int = _WIDTH) -> str:
    """Return about `width` characters of the text, around the place with most of the question's words."""
    if len(text) <= width:
        return text
    spans = matches(text, question)
    best, most = 0, -1
    for start, _ in spans:
        inside = len({text[a:b].lower() for a, b in spans if start <= a and b <= start + width})
        if inside > most:
            best, most = start, inside
    start = _word_start(text, max(0, min(best - width // 6, len(text) - width)))
    end = start + width
    if end < len(text):
        end = max(text.rfind(" ", start, end), start + width // 2)
    return ("… " if start else "") + text[start:end].strip() + (" …" if end < len(text) else "")


def _word_start(text: str, position: int) -> int:
    if position == 0:
        return 0
    space = text.find(" ", position, position + 40)
    return space + 1 if space >= 0 else position


@lru_cache(maxsize=50_000)  # the words of texts are few, and most of the time of a search's last step went here
def _stem_of(word: str) -> str:
    return _stem(normalise(word).lower())


def _stem(word: str) -> str:
    """Cut a word so that its inflections agree: enough to show, not to search."""
    return word[: max(_SHORTEST, min(6, len(word) - 2))] if word.isascii() and len(word) > 4 else word
