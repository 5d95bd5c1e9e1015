"""Whether a page's text layer can be language: one with a wrong table of characters looks like text to a program."""

import re
import unicodedata
from collections import Counter
from functools import lru_cache

from rag_platform.documents.formats.page_layout.characters import counted, meaningless

_FEW = 100
"""Letters; fewer tell nothing."""
_FEW_WORDS = 20
_STRANGE = 0.05
"""Share of characters that mean nothing."""
_VOWELS = {
    "LATIN": frozenset("aeiouy"),
    "CYRILLIC": frozenset("аеёиоуыэюяіїєўъ"),
    "GREEK": frozenset("αεηιουω"),
}
_FEWEST_VOWELS, _MOST_VOWELS = 0.27, 0.66
"""Of the letters of a text: between .33 (Welsh, Czech) and .60 (Hawaiian) in the languages that have them."""
_USUAL = frozenset("eaionrtslu")
_FEWEST_USUAL = 0.5
"""Of the Latin letters: .60 to .75 in a hundred languages; less than .4 where each letter stands for another."""
_ACCENTED = 0.4
"""Of Latin letters: of a text in another encoding all are; Vietnamese has a third."""
_BROKEN_WORDS = 0.2
"""Of the words: with a sign or a capital in the middle, or letters of several scripts; only code has many."""
_SPACED = 0.5
"""Of the words that are single letters: the letters of one word."""
_RARE = 0.4
"""Of the ideographs: that are in none of the lists of those in daily use."""
_DAILY = (("gb2312", 0xB0, 0xD7), ("big5", 0xA4, 0xC6), ("euc_jp", 0xB0, 0xCF))
"""The first parts of the Chinese and Japanese character sets, by the first byte."""

_IDEOGRAPH = re.compile("[\u3400-\u9fff\U00020000-\U0003ffff]")
_SIGN_WITHIN = re.compile(r"[^\W\d_][{}\[\]|\\^~;\"<>=+*@#$%&ª«»¿¡§¶†‡¢£¤¥¦©®°±¬]+[^\W\d_]")
_CAPITAL_WITHIN = re.compile(r"[a-z][A-Z]\w*[a-z]|[a-z]{2}[A-Z]")
_ADDRESS = re.compile(r"://|www\.|@\w+\.")


def doubtful(text: str) -> bool:
    """Return whether a page's text is hardly language: its picture should be looked at."""
    shown, strange = meaningless(text)
    if shown < _FEW:
        return False
    return strange > _STRANGE * shown or any(test(text) for test in (_strange_letters, _broken, _rare))


def same_words(layer: str, seen: str) -> float:
    """Return the share of the words that were seen on a page's picture that its text layer has too."""
    words = {word for word in _words(seen) if len(word) > 2}
    return len(words & set(_words(layer))) / len(words) if words else 1.0


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W\d_]+", unicodedata.normalize("NFKC", text).casefold())


def _strange_letters(text: str) -> bool:
    """Return whether the letters of an alphabet come as often as in no language that is written in it."""
    counts: Counter[str] = Counter()
    for letter, count in counted(text).items():
        counts[letter.lower()] += count
    most = sum(count for letter, count in counts.items() if letter.isalpha()) / 2
    for script, vowels in _VOWELS.items():
        letters = {letter: count for letter, count in counts.items() if _is_of(letter, script)}
        total = sum(letters.values())
        if total < max(_FEW, most):
            continue
        plain = {letter: unicodedata.normalize("NFD", letter)[0] for letter in letters}
        spoken = sum(count for letter, count in letters.items() if letter in vowels or plain[letter] in vowels)
        if not _FEWEST_VOWELS <= spoken / total <= _MOST_VOWELS:
            return True
        if script == "LATIN":
            accented = sum(count for letter, count in letters.items() if "\u00c0" <= letter <= "\u00ff")
            usual = sum(count for letter, count in letters.items() if plain[letter] in _USUAL)
            return accented > _ACCENTED * total or usual < _FEWEST_USUAL * total
    return False


@lru_cache(maxsize=4096)
def _is_of(letter: str, script: str) -> bool:
    first, last = {"LATIN": ("a", "\u1eff"), "CYRILLIC": ("\u0400", "\u052f"), "GREEK": ("\u0370", "\u03ff")}[script]
    return first <= letter <= last and letter.isalpha() and unicodedata.name(letter, "").startswith(script)


def _broken(text: str) -> bool:
    words = text.split()
    odd = [word for word in words if not (word.isalpha() and (word.islower() or word.istitle()))]  # of most, few
    spelt = [word for word in odd if any(map(str.isalpha, word)) and not _ADDRESS.search(word)]
    count = len(words) - len(odd) + len(spelt)
    if count < _FEW_WORDS:
        return False
    broken = sum(bool(_SIGN_WITHIN.search(word) or _CAPITAL_WITHIN.search(word)) for word in spelt)
    letters = [word for word in words if len(word) == 1]
    single = sum([word.isascii() and word.isalpha() for word in letters])
    return broken > _BROKEN_WORDS * count or single > _SPACED * count


def _rare(text: str) -> bool:
    ideographs = [] if text.isascii() else _IDEOGRAPH.findall(text)
    return len(ideographs) >= _FEW and sum(not _daily(letter) for letter in ideographs) > _RARE * len(ideographs)


def _daily(letter: str) -> bool:
    for codec, first, last in _DAILY:
        try:
            if first <= letter.encode(codec)[0] <= last:
                return True
        except UnicodeEncodeError:
            continue
    return False
