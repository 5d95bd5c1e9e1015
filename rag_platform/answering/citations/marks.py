"""Marks [n] in the text of an answer, in the many ways in which models write them."""

import re

MARKER = re.compile(
    r"(?:(?<![ \t])[ \t]++)?(?:\[\^?|【)(?:sources?|src\.?|quellen?|fuentes?|स्रोत)?\s*#?"
    r"(\d{1,3}(?:\s*[,;–-]\s*\d{1,3})*)(?:†[^】\]]{0,40})?(?:\]|】)(?![(:])",
    re.IGNORECASE,
)
UNVERIFIED = "[?]"
"""Stands behind a sentence that was not verified."""
CONTRADICTED = "[!]"
"""Stands behind a sentence that a source denies, before the number of that source."""
_OWN = re.compile(r"(?:(?<![ \t])[ \t]++)?\[[?!]\]")
_CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]+`", re.DOTALL)

Markers = list[tuple[int, list[int]]]
"""Where each mark was in the text without marks, and the numbers it held."""


def strip_markers(text: str) -> tuple[str, Markers]:
    """Return the text without its marks, and what they were; brackets in code are none."""
    text = _OWN.sub("", text)  # only the verification may doubt a sentence
    code = [match.span() for match in _CODE.finditer(text)]
    plain, marks, at = "", [], 0
    for mark in MARKER.finditer(text):
        if any(start <= mark.start() < end for start, end in code):
            continue
        plain += text[at : mark.start()]
        marks.append((len(plain), numbers_of(mark[1])))
        at = mark.end()
    return plain + text[at:], marks


def numbers_of(inside: str) -> list[int]:
    """Return the numbers within a mark: of "1, 3–5" four."""
    found: list[int] = []
    for part in re.split(r"[,;]", inside):
        ends = [int(number) for number in re.findall(r"\d+", part)]
        found += range(ends[0], min(ends[-1], ends[0] + 20) + 1) if len(ends) == 2 and ends[0] <= ends[1] else ends
    return found
