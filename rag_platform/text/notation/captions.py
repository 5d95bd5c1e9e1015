"""Captions of figures and tables, as documents of many languages write them, and what is said of a figure in a text."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_FIGURE = r"(?:fig(?:ure|ura|\.)|abb(?:ildung|\.)|рис(?:унок|\.)|[图圖図]|그림)"
_TABLE = r"(?:tab(?:le|la|ela|elle|leau|ella|\.)|табл(?:ица|\.)|表|표)"
_NUMBER = r"[a-z]?\d+(?:[.\-–]\d+)*"
_ENDS = r"\s?[.:：](?=\s|$)"

CAPTION = re.compile(rf"(?:{_FIGURE}|{_TABLE})\s?{_NUMBER}{_ENDS}", re.IGNORECASE)
"""What the caption of a figure or a table begins with."""
FIGURE_CAPTION = re.compile(rf"{_FIGURE}\s?{_NUMBER}{_ENDS}", re.IGNORECASE)
"""What the caption of a figure begins with."""

_NAMED = re.compile(rf"(?<!\w){_FIGURE}\s?({_NUMBER})", re.IGNORECASE)
_BEGINS = rf"(?:#+ )?{_FIGURE}\s?{{}}{_ENDS}"
_BEGIN, _OTHER = _BEGINS.format(f"(?P<number>{_NUMBER})"), _BEGINS.format(_NUMBER)
_SAID = r"!\[(?P<{}>[^\]\n]+)\](?!\()"
_FIGURES = re.compile(
    rf"^(?:{_SAID.format('before')}\n)?(?P<caption>{_BEGIN}.*(?:\n(?!!\[|{_OTHER}).+)*)(?:\n{_SAID.format('after')})?"
    rf"|^{_SAID.format('alone')}",
    re.IGNORECASE | re.MULTILINE,
)
_LONGEST = 300
"""Characters of a caption: what follows it on some pages is text."""


@dataclass(frozen=True, slots=True)
class FigureText:
    """What a text has of a figure."""

    span: tuple[int, int]
    """Where it stands in the text."""
    number: str
    """As its caption begins, such as "3" or "A.2"; "": it has no caption."""
    caption: str
    description: str
    """For those who do not see it; "": there is none."""


def figures_in(text: str, start: int = 0, end: int | None = None) -> Iterator[FigureText]:
    """Yield the figures of which a text, or a part of it, has the caption or the description, in their order."""
    for match in _FIGURES.finditer(text, start, len(text) if end is None else end):
        said = match["before"] or match["after"] or match["alone"] or ""
        span = match.start(), min(match.end(), match.start() + _LONGEST + len(said))
        yield FigureText(span, match["number"] or "", " ".join((match["caption"] or "")[:_LONGEST].split()), said)


def figures_named(text: str) -> list[str]:
    """Return the numbers of the figures that a text names, as in "see Fig. 3", each once."""
    return list(dict.fromkeys(match[1] for match in _NAMED.finditer(text)))
