"""The characters of a PDF's text: presentation forms, hyphens, bullets, and what right-to-left writing suffers."""

import re
import unicodedata
from collections import Counter
from functools import lru_cache

_PRESENTATION = re.compile("[\ufb00-\ufb06\ufb13-\ufb17\ufb1d-\ufbb1\ufbd3-\ufd3d\ufd50-\ufdfb\ufe70-\ufefc]+")
"""Ligatures, and Hebrew and Arabic letters as they are drawn; what else NFKC would change has a meaning (², ™, ½)."""
_BULLET = re.compile("^[•▪▫◦‣●○■□❑➢➤✓✔\ue000-\uf8ff][ \t]+(?=\\S)", re.MULTILINE)
_DRAWN = re.compile("[\ue000-\uf8ff]")
_FEW_DOTS = 5
_LEADER = re.compile(rf"(?:[ \t]?[.·…_]){{{_FEW_DOTS},}}[ \t]*")

_RTL = "\u0590-\u05ff\u0600-\u06ff\u0750-\u077f\u08a0-\u08ff"
_MARK = "\u064b-\u0652\u0670"
_STRAY_MARK = re.compile(f" ([{_MARK}]+)([\u0620-\u064a\u0671-\u06d3])")
_NO_SPACE = re.compile(f"([A-Za-z])(?=[{_RTL}])")
_RIGHTWARD = re.compile(f"[{_RTL}]")
_OPENING = re.compile(r"(?:(?<=\s)|^)([)\]}])(?=[^\s.,:;!?])")
_CLOSING = re.compile(r"(?<=\S)([(\[{])(?=[\s.,:;!?]|$)")
_MIRROR = str.maketrans("()[]{}", ")(][}{")

_HYPHEN = re.compile(r"(\b[^\W\d_]{2,})[-‐]\n([a-zà-öø-ÿа-яα-ω][^\W\d_]*)")


def readable(line: str) -> str:
    """Return a line's text in the letters that a reader would type."""
    if line.isascii():
        return _LEADER.sub(" … ", line) if line.count(".") + line.count("_") >= _FEW_DOTS else line
    text = _PRESENTATION.sub(lambda found: unicodedata.normalize("NFKC", found[0]), line)
    text = _BULLET.sub("- ", text)
    text = _LEADER.sub(" … ", _DRAWN.sub("", text)) if _LEADER.search(text) else _DRAWN.sub("", text)
    return _leftward(text) if _RIGHTWARD.search(text) else text


def _leftward(text: str) -> str:
    """Undo what the way from drawn to written order does to marks, spaces and brackets.

    PDFium puts a vowel mark before its letter, drops the space after a Latin word, and leaves brackets as they are
    drawn, mirrored.
    """
    text = _NO_SPACE.sub(r"\1 ", _STRAY_MARK.sub(r"\2\1", text))
    if len(_RIGHTWARD.findall(text)) < sum(map(str.isalpha, text)) / 2:
        return text
    return _CLOSING.sub(_mirrored, _OPENING.sub(_mirrored, text))


def _mirrored(found: re.Match[str]) -> str:
    return str(found[1]).translate(_MIRROR)


def unhyphenated(text: str) -> str:
    """Join words cut at a line's end; a compound that the text also writes with its hyphen keeps it."""
    if "-\n" not in text and "\u2010\n" not in text:
        return text
    spelt = text.lower()

    def joined(found: re.Match[str]) -> str:
        first, second = found.groups()
        hyphen = "-" if f"{first}-{second}".lower() in spelt else ""
        return f"{first}{hyphen}{second}"

    return _HYPHEN.sub(joined, text)


def garbled(text: str) -> bool:
    """Return whether a page's text is unusable, because its font does not say what its shapes mean."""
    shown, strange = meaningless(text)
    return shown >= 20 and strange > 0.3 * shown


@lru_cache(maxsize=2)
def counted(text: str) -> Counter[str]:
    """Count the characters of a page, which several look at one after the other."""
    return Counter(text)


@lru_cache(maxsize=2)
def meaningless(text: str) -> tuple[int, int]:
    """Return how many characters of a text show something, and how many of these mean nothing to anybody."""
    counts = {letter: count for letter, count in counted(text).items() if not letter.isspace()}
    strange = [
        count
        for letter, count in counts.items()
        if letter == "\ufffd" or unicodedata.category(letter) in ("Co", "Cn", "Cc")
    ]
    return sum(counts.values()), sum(strange)
