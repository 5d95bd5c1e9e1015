"""The signs that people type: "phrases in quotes", *parts of words*, field:value, -word, #collection, @document."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime

TYPED = 300
"""Characters up to which a question counts as typed; quotes and hyphens in a longer, pasted text are only its own."""

# an inch sign follows a digit, and an apostrophe is no quote
_QUOTED = r'(?<!\w)"[^"]*"(?!\w)|“[^“”]*”|„[^„“”]*[“”]|«[^«»]*»|「[^「」]*」|『[^『』]*』'
_SIGNS = re.compile(
    rf"(?:(?<!\S)(?P<minus>-))?(?:(?<!\w)(?P<field>[A-Za-z]+):)?(?P<quoted>{_QUOTED})"
    r'|(?<!\S)(?P<less>-)?(?P<key>[A-Za-z]+):(?P<value>[^\s"]+)'
    r"|(?<!\S)-(?P<word>[^\W\d_][^\s\"]+)"
    r"|(?<![\w*])\*(?P<part>[^\s*](?:[^*\n]*[^\s*])?)\*(?![\w*])"
)
_SCOPES = re.compile(rf"(?<!\S)(?P<sign>[#@])(?:(?P<quoted>{_QUOTED})|(?P<name>\w(?:[\w./-]*\w)?))")
_CLOSING = re.compile(r"[\s\"'”“’»」』)\]}）】]*$")
_DATE = re.compile(r"(\d{4})(?:-(\d\d?)(?:-(\d\d?))?)?")


@dataclass(frozen=True, slots=True)
class Sign:
    """One sign, and its place in the question."""

    start: int
    end: int
    text: str
    """The phrase, the field's value, the word or its part, without quotes, colon, minus and asterisks."""
    field: str = ""
    """Lower case; empty for a phrase and a word."""
    excludes: bool = False
    part: bool = False
    """It may stand within words."""


def signs(question: str) -> list[Sign]:
    """Return the signs of a question, in its order; what only looks like one is left to the caller to refuse."""
    if len(question) > TYPED:
        return []
    found = []
    for match in _SIGNS.finditer(question):
        field = (match["field"] or match["key"] or "").lower()
        text = match["quoted"][1:-1].strip() if match["quoted"] else match["value"] or match["word"] or match["part"]
        excludes = bool(match["minus"] or match["less"] or match["word"])
        if text:
            found.append(Sign(match.start(), match.end(), text, field, excludes, bool(match["part"])))
    return found


def scope_signs(question: str) -> list[Sign]:
    """Return what a question, of any length, says it is to be answered from: #collection, @document, @"its title"."""
    return [
        Sign(found.start(), found.end(), text, "collection" if found["sign"] == "#" else "document")
        for found in _SCOPES.finditer(question)
        if (text := found["quoted"][1:-1].strip() if found["quoted"] else found["name"])
    ]


def last_sign(text: str) -> str:
    """Return the last character of a text but closing quotes and brackets: a sentence may end within them."""
    return _CLOSING.sub("", text)[-1:]


def moment(text: str) -> datetime | None:
    """Return the beginning of a year, a month or a day such as 2024, 2024-05 or 2024-05-01, in UTC."""
    match = _DATE.fullmatch(text)
    if not match:
        return None
    year, month, day = (int(part or 1) for part in match.groups())
    try:
        return datetime(year, month, day, tzinfo=UTC)
    except ValueError:
        return None
