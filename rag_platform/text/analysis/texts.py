"""A text to its words, and to the terms under which it is found.

Words are runs of letters, marks and digits (a mark belongs to its word: Devanagari is not cut at the virama). A run of
a script that puts no spaces between words, or joins particles to them as Korean does, is cut into overlapping pairs of
characters, whatever the language is said to be.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from functools import cache

from rag_platform.text.analysis.folding import normalise, with_latin_digits
from rag_platform.text.analysis.stemming import bare, beginnings, has_beginnings, marks_matter, stems

_ASCII_WORD = re.compile("[a-z0-9]+")
_ALPHABETIC = "\\u0e00-\\u0eff\\u1000-\\u109f\\u1780-\\u17ff"  # Thai, Lao, Myanmar, Khmer
_KANA = "\\u3040-\\u30ff\\u31f0-\\u31ff"
_HAN = "\\u3400-\\u4dbf\\u4e00-\\u9fff\\uf900-\\ufaff\\U00020000-\\U0003134f"
_MEANING = _HAN + "\\uac00-\\ud7a3"  # and Hangul
WITHOUT_BLANKS = _ALPHABETIC + _KANA + _HAN
"""As a range of a pattern: the scripts that put no blanks between words. Hangul does, though not between all."""
UNSPACED = _ALPHABETIC + _KANA + _MEANING
_HAS_UNSPACED = re.compile(f"[{UNSPACED}]")
_RUNS = re.compile(f"[{UNSPACED}]+|[^{UNSPACED}]+")
_IS_ALPHABETIC = re.compile(f"[{_ALPHABETIC}]")
_MEANS = re.compile(f"[{_MEANING}]")
# vowels above and below, tones, and what is under a sign that stacks letters: one character to a reader
_MARK = (
    "\\u0e31\\u0e34-\\u0e3a\\u0e47-\\u0e4e\\u0eb1\\u0eb4-\\u0ebc\\u0ec8-\\u0ece\\u102b-\\u103e\\u1056-\\u1059"
    "\\u17b4-\\u17d3\\u17dd\\u3099\\u309a"
)
_CHARACTERS = re.compile(f"[\\u1039\\u17d2]?.(?:[{_MARK}]|(?<=[\\u1039\\u17d2]).)*")

_HUMP = re.compile(r"[A-Z](?:(?<=[a-z]{2}.)[a-z]|(?<=[a-z]{3}.)[A-Z]|[A-Z]{2}[a-z]{2})")  # getUser, userID, XMLFile
_LATIN_WORD = re.compile(r"[A-Za-z]+")
_HUMPS = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
# a first part this short is seldom a word of its own: e-mail, wi-fi, co-operate, non-linear, x-ray
_HYPHENATED = re.compile(r"(?<![\w-])(?!\d+-)[^\W_]{1,3}-[^\W_]+(?:-[^\W_]+)*")


def terms(text: str, language: str) -> list[str]:
    """Return a text's terms in its order, one per word; of a text without spaces, one per pair of characters."""
    return _terms(clean(text), stems(language).__getitem__)[0]


def question_terms(text: str, language: str) -> list[str]:
    """Return the same of a part of a question, in a time that does not tell whether some text has its words."""
    return _terms(clean(text), stems(language).anew)[0]


def index_terms(text: str, language: str) -> list[str]:
    """Return `terms`, and after them what else the text is found under.

    These are the beginnings of its words, where a stem alone does not hold inflected forms and compounds together;
    words without their marks, where marks count; single characters and triples of a text without spaces; the parts of
    names like `getUser`, and `email` for `e-mail`.
    What is appended does not come between words, so phrases are found by their positions.
    """
    text, stem = clean(text), stems(language).__getitem__
    found, further = _terms(text, stem)
    further += map(stem, compounds(text))
    further += bare(found) if marks_matter(language) else []
    return found + (beginnings(found) if has_beginnings(language) else []) + further


def clean(text: str) -> str:
    """Return a text with what looks or means the same folded, in its own case."""
    return text if text.isascii() else with_latin_digits(normalise(text))


def words(text: str) -> list[str]:
    """Return a clean text's words in lower case, as they are between spaces and signs."""
    text = text.lower()
    return _ASCII_WORD.findall(text) if text.isascii() else _word().findall(text.replace("_", " "))


def compounds(text: str) -> list[str]:
    """Return the parts of names written together and, written together, words with a hyphen, in lower case."""
    found = []
    if _HUMP.search(text):
        for name in filter(_HUMP.search, _LATIN_WORD.findall(text)):
            found += _HUMPS.sub(" ", name).lower().split()
    if "-" in text:
        found += (word.replace("-", "").lower() for word in _HYPHENATED.findall(text))
    return found


def has_unspaced(text: str) -> bool:
    """Return whether any of a text is in a script without spaces."""
    return bool(_HAS_UNSPACED.search(text))


def is_alphabetic(run: str) -> bool:
    """Return whether a run is in a script without spaces that has few letters, so that pairs are in many words."""
    return bool(_IS_ALPHABETIC.match(run))


def runs_of(word: str) -> list[str]:
    """Return the runs of a word in scripts with spaces and in those without."""
    return _RUNS.findall(word) if has_unspaced(word) else [word]


def cut(word: str) -> Iterator[tuple[list[str], list[str]]]:
    """Yield, for each run of a word in one kind of script, its pairs of characters and what else is indexed of it.

    That is each character by itself where characters have meaning, and each triple where they are but letters.
    """
    for run in runs_of(word):
        if len(run) == 1 or not _HAS_UNSPACED.match(run):
            yield [run], []
        elif is_alphabetic(run):
            letters = _CHARACTERS.findall(run)
            yield _grams(letters, 2) or [run], _grams(letters, 3)
        else:
            yield _grams(run, 2), _MEANS.findall(run)


def _terms(text: str, stem: Callable[[str], str]) -> tuple[list[str], list[str]]:
    """Return the terms of a clean text in its order, and what else there is of a script without spaces."""
    found = words(text)
    if not has_unspaced(text):
        return list(map(stem, found)), []
    main, further = [], []
    for word in found:
        if has_unspaced(word):
            for pairs, others in cut(word):
                main += pairs if len(pairs[0]) > 1 and has_unspaced(pairs[0]) else [stem(pairs[0])]
                further += others
        else:
            main.append(stem(word))
    return main, further


def _grams(characters: Sequence[str], length: int) -> list[str]:
    return ["".join(characters[start : start + length]) for start in range(len(characters) - length + 1)]


@cache
def _word() -> re.Pattern[str]:
    """Return what finds the words of a text beyond ASCII."""
    # ZWNJ and ZWJ stand inside words of several languages, and so do marks, of which \w knows nothing
    marks = "".join(c for c in map(chr, range(0x300, 0x10000)) if unicodedata.category(c)[0] == "M")
    return re.compile(f"[\\w\u200c\u200d{marks}]+")
