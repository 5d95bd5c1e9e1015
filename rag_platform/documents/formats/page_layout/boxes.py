"""The words, lines and rules of a page with their boxes, in points from its upper left corner."""

from copy import copy
from dataclasses import InitVar, dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:  # a reader of anything else does without it
    import numpy as np
    from numpy.typing import NDArray

_INFINITE = float("inf")

Box = tuple[float, float, float, float]
"""x0, top, x1, bottom."""
Side = TypeVar("Side", float, "NDArray[np.float64]")
"""One coordinate, or that of many boxes."""
Rule = tuple[float, float, float]
"""A ruling line: the height of a horizontal one or the left of a vertical one, then its two ends."""


@dataclass(slots=True)
class Word:
    """Characters without a space between them; the box is in points from the page's upper left corner."""

    text: str
    x0: float
    top: float
    x1: float
    bottom: float

    @property
    def middle(self) -> float:
        """The middle of its height."""
        return (self.top + self.bottom) / 2


@dataclass(slots=True)
class Line:
    """Words that follow each other without a wide gap."""

    words: list[Word]
    size: float = 0.0
    """Of its longest word's letters, in points."""
    bold: bool = True
    hidden: bool = False

    x0: float = field(init=False, default=_INFINITE)
    top: float = field(init=False, default=_INFINITE)
    x1: float = field(init=False, default=-_INFINITE)
    bottom: float = field(init=False, default=-_INFINITE)
    middle: float = field(init=False, default=0.0)
    """The middle of its height."""
    box: InitVar[Box | None] = None
    """Around its words, where it is known."""
    _text: str | None = field(init=False, default=None, repr=False, compare=False)

    def __post_init__(self, box: Box | None) -> None:
        """Find its box."""
        if box:
            self.x0, self.top, self.x1, self.bottom = box
        elif self.words:
            self.x0, self.top = min([word.x0 for word in self.words]), min([word.top for word in self.words])
            self.x1, self.bottom = max([word.x1 for word in self.words]), max([word.bottom for word in self.words])
        self.middle = (self.top + self.bottom) / 2 if self.words else 0.0

    @property
    def text(self) -> str:
        """Its words, which are put together once."""
        if self._text is None:
            self._text = " ".join([word.text for word in self.words])
        return self._text

    def changed(self) -> None:
        """Forget its text: its words are others now."""
        self._text = None


@dataclass(frozen=True, slots=True)
class Link:
    """An address that words lead to."""

    areas: tuple[Box, ...]
    """Of the words."""
    address: str


@dataclass(frozen=True, slots=True)
class Comment:
    """What a reviewer wrote beside a page."""

    areas: tuple[Box, ...]
    """Of the words that it is about; empty: of the place."""
    text: str
    author: str = ""
    time: str = ""
    """As PDF writes it."""


@dataclass(slots=True)
class Page:
    """The contents of a page."""

    width: float
    height: float
    lines: list[Line] = field(default_factory=list)
    """In the order in which they were drawn."""
    horizontal: list[Rule] = field(default_factory=list)
    """Ruling lines: (height, left, right)."""
    vertical: list[Rule] = field(default_factory=list)
    """Ruling lines: (left, upper end, lower end)."""
    drawn: bool = False
    """Whether there is anything on it."""
    image: bool = False
    """Whether images cover a good part of it."""
    covered: bool = False
    """Whether they cover most of it."""
    images: int = 0
    """Those that are too large to be a mark."""
    drawings: int = 0
    """Figures, by their captions, that are drawn with lines and areas."""
    hidden: list[str] = field(default_factory=list)
    """Words that nobody can see."""
    plain: str | None = None
    """PDFium's own text, of a page whose letters are not upright: their boxes tell little."""
    by_columns: bool = False
    """Whether its writing runs down, column by column from the right; all boxes are then turned a quarter."""
    links: list[Link] = field(default_factory=list)
    comments: list[Comment] = field(default_factory=list)
    holding: bool = False
    """Whether files are attached to it."""
    media: int = 0
    """Sounds, films and models on it."""

    def turn(self) -> None:
        """Turn what is on it a quarter to the left, so that columns that are read from the right are lines."""
        columns, lines = self.horizontal, self.vertical
        self.vertical = [(y, self.width - right, self.width - left) for y, left, right in columns]
        self.horizontal = [(self.width - x, top, bottom) for x, top, bottom in lines]
        self.width, self.height, self.by_columns = self.height, self.width, True


class Placing:
    """Turns PDFium's coordinates into those of the page as it is shown, or as it is read."""

    def __init__(self, page: Any) -> None:
        self._left, bottom, right, top = page.get_bbox()
        self._bottom, self._width, self._height = bottom, right - self._left, top - bottom
        self._turned: int = page.get_rotation() // 90
        self._by_columns = False

    @property
    def along_height(self) -> bool:
        """Whether what is read as a line runs along the height of PDFium's page."""
        return (self._turned % 2 == 1) != self._by_columns

    def by_columns(self) -> "Placing":
        """Return one for a page whose writing runs down, as ``Page.turn`` leaves it."""
        turned = copy(self)
        turned._by_columns = True
        return turned

    def __call__(self, left: Side, bottom: Side, right: Side, top: Side) -> tuple[Side, Side, Side, Side]:
        """Return x0, top, x1, bottom."""
        if not self._turned and not self._by_columns:
            lower = self._height + self._bottom
            return left - self._left, lower - top, right - self._left, lower - bottom
        shown = self._shown(left, bottom, right, top)
        return turned(shown, self._height if self._turned % 2 else self._width) if self._by_columns else shown

    def _shown(self, left: Side, bottom: Side, right: Side, top: Side) -> tuple[Side, Side, Side, Side]:
        x0, x1 = left - self._left, right - self._left
        y0, y1 = self._height - (top - self._bottom), self._height - (bottom - self._bottom)
        if self._turned == 1:
            return self._height - y1, x0, self._height - y0, x1
        if self._turned == 2:
            return self._width - x1, self._height - y1, self._width - x0, self._height - y0
        if self._turned == 3:
            return y0, self._width - x1, y1, self._width - x0
        return x0, y0, x1, y1


def turned(box: tuple[Side, Side, Side, Side], width: float) -> tuple[Side, Side, Side, Side]:
    """Turn a page of that width a quarter to the left: its right edge becomes the upper one."""
    x0, top, x1, bottom = box
    return top, width - x1, bottom, width - x0
