"""Letters that look or mean the same become one letter."""

import re
import unicodedata
from functools import cache

from tantivy import Filter, TextAnalyzer, TextAnalyzerBuilder, Tokenizer

_JOINERS = "\u200c\u200d"
_ARABIC_MARKS = "\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed"
# accents that stand alone, points of Hebrew and Arabic, tatweel; vowels of Indic scripts are marks too, and stay
_MARKS = re.compile(f"[\u0300-\u036f\u0591-\u05c7{_ARABIC_MARKS}]")
_MARKS_AND_JOINERS = re.compile(f"[\u0300-\u036f\u0591-\u05c7{_ARABIC_MARKS}{_JOINERS}]")
_GREEK = re.compile("[\u0370-\u03ff\u1f00-\u1fff]")
_DEVANAGARI = re.compile("[\u0900-\u097f]")
# nasals of Devanagari before a stop of their own kind, which are also written as a dot (Larkey, Connell and
# Abduljaleel, "Hindi CLIR in thirty days", 2003)
_NASAL = re.compile("ङ्(?=[क-घ])|ञ्(?=[च-झ])|ण्(?=[ट-ढ])|न्(?=[त-ध])|म्(?=[प-भ])")
_DEVANAGARI_ALIKE = str.maketrans({"\u0901": "\u0902", "\u093c": None})

_TONES = re.compile("[\u0300\u0301\u0303\u0309\u0323]")
VIETNAMESE = re.compile("[\u01a0\u01a1\u01af\u01b0\u1ea0-\u1ef9]")
"""Letters that no other language writes."""

_TO_PERSIAN = str.maketrans({"ي": "ی", "ى": "ی", "ك": "ک"})
_TO_ARABIC = str.maketrans({"ی": "ي", "ک": "ك"})
_ALIKE = str.maketrans(
    {
        **dict.fromkeys("آأإٱ", "ا"),
        **dict.fromkeys("يىئ", "ی"),
        **dict.fromkeys("ةہۀۂھ", "ه"),
        "ك": "ک",
        "ؤ": "و",
        "ё": "е",
        "ς": "σ",
    }
)


def normalise(text: str) -> str:
    """Fold what looks or means the same: composed forms, full width, ligatures."""
    return unicodedata.normalize("NFKC", text)


def with_latin_digits(text: str) -> str:
    """Write the digits of every script as 0-9."""
    latin, has_others = _other_digits()
    return text.translate(latin) if has_others.search(text) else text


def for_stemmer(word: str, language: str) -> str:
    """Write a word, in lower case, as its language's stemmer expects it."""
    if word.isascii():
        return word
    if language == "fa":  # its stemmer takes suffixes off at the joiner
        return _MARKS.sub("", word).translate(_TO_PERSIAN)
    word = _MARKS_AND_JOINERS.sub("", word)
    if language == "ar":
        return word.translate(_TO_ARABIC)
    if _DEVANAGARI.search(word):
        return _NASAL.sub("\u0902", word.translate(_DEVANAGARI_ALIKE))
    return word


def fold(word: str) -> str:
    """Take the accents off a word, or off its stem, and bring letters that are written in several ways to one."""
    if word.isascii():
        return word
    if _GREEK.search(word):
        word = unicodedata.normalize("NFD", word)
    word = _MARKS_AND_JOINERS.sub("", word).translate(_ALIKE)
    return "".join(_latin().analyze(word))


def toned(word: str) -> str:
    """Write a Vietnamese word with all its marks, the tone last: hòa and hoà are one word, ma, má and mà are three."""
    if word.isascii():
        return word
    parts = unicodedata.normalize("NFD", word)
    return unicodedata.normalize("NFC", _TONES.sub("", parts)) + "".join(_TONES.findall(parts))


@cache
def _latin() -> TextAnalyzer:
    return TextAnalyzerBuilder(Tokenizer.raw()).filter(Filter.ascii_fold()).build()


@cache
def _other_digits() -> tuple[dict[int, str], re.Pattern[str]]:
    """Return the Latin digit of each other one, and what finds those; only texts beyond ASCII need them."""
    digits = {
        ord(c): str(unicodedata.digit(c)) for c in map(chr, range(0x80, 0x10000)) if unicodedata.category(c) == "Nd"
    }
    return digits, re.compile("[" + "".join(map(chr, digits)) + "]")
