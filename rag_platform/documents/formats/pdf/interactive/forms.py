"""The values of a form's fields, written where the fields are."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rag_platform.documents.formats.page_layout.boxes import Box, Line, Page, Word
from rag_platform.text.cleaning import clean_line

_NEAR = 1.5
"""Times a field's height: a label is no farther above it."""


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a form, or a text box, with its value."""

    box: Box
    value: str
    label: str = ""
    """What it is called to those who do not see the page."""
    ticked: bool = False
    """Whether it is a box that can be ticked: its value is "[x]" or "[ ]"."""
    unread: bool = False
    """Whether what the file draws in it is left out: all choices of a list, a password."""


def add_values(page: Page, shown: Sequence[Line], fields: Sequence[Field]) -> None:
    """Put the values of fields into a page.

    Args:
        page: The page without them.
        shown: The lines that the file draws in fields and notes; what they show goes before a field's stored value.
        fields: The fields on it.
    """
    printed, redrawn = list(page.lines), [one.box for one in fields if one.ticked or one.unread]
    drawn = [line for line in shown if not inside(line, redrawn)]
    for one in fields:
        _level([line for line in drawn if inside(line, [one.box])], one, printed)
    for line in drawn:
        _insert(page, line)
    for one in fields:
        labelled = any(_labels(line, one) for line in printed)
        label = "" if labelled else clean_line(one.label)
        if one.ticked:
            if labelled or label:  # else nobody could know what it is about
                _tick(page, one, label)
        elif own := [line for line in drawn if inside(line, [one.box])]:
            own[0].words[:0] = [Word(f"{label}:", own[0].x0, own[0].top, own[0].x0, own[0].bottom)] if label else []
            own[0].changed()
        elif one.value.strip():
            _write(page, one, label)


def inside(line: Line, boxes: Iterable[Box]) -> bool:
    """Return whether the middle of a line lies in one of the boxes."""
    middle, centre = (line.top + line.bottom) / 2, (line.x0 + line.x1) / 2
    return any(box[0] <= centre <= box[2] and box[1] <= middle <= box[3] for box in boxes)


def _level(own: Sequence[Line], one: Field, printed: Iterable[Line]) -> None:
    """Put the only line in a field that is higher than it onto the line of its label, which is read before it."""
    if len(own) == 1 and (beside := [line for line in printed if _beside(line, one)]):
        lower = max(beside, key=lambda line: line.x1).middle - own[0].middle
        boxes: list[Line | Word] = [own[0], *own[0].words]
        for box in boxes:
            box.top, box.bottom = box.top + lower, box.bottom + lower
        own[0].middle += lower


def _write(page: Page, one: Field, label: str) -> None:
    """Write a value where its field is, after its label."""
    x0, top, x1, bottom = one.box
    lines = [line.strip() for line in one.value.split("\n") if line.strip()]
    lines[0] = f"{label}: {lines[0]}" if label else lines[0]
    height = (bottom - top) / len(lines)
    for number, line in enumerate(lines):
        word = Word(line, x0, top + number * height, x1, top + (number + 1) * height)
        _insert(page, Line([word], size=min(height, 10.0), bold=False))


def _tick(page: Page, one: Field, label: str) -> None:
    """Write a box, ticked or not, in front of its label."""
    word = Word(f"{one.value} {label}".strip(), *one.box)
    if label or not _put_before_label(page, word):
        _insert(page, Line([word], size=min(one.box[3] - one.box[1], 10.0), bold=False))


def _put_before_label(page: Page, box: Word) -> bool:
    """Put a box in front of the words that begin closely right of it; return whether there are such."""
    most = _NEAR * (box.x1 - box.x0)
    for line in page.lines:
        if line.top < box.middle < line.bottom:
            for place, word in enumerate(line.words):
                if -2 <= word.x0 - box.x1 <= most:
                    line.words.insert(place, box)
                    line.changed()
                    line.x0 = min(line.x0, box.x0)
                    return True
    return False


def _labels(line: Line, one: Field) -> bool:
    """Return whether a line stands beside a field, or closely above it."""
    x0, top, x1, bottom = one.box
    above = line.x0 < x1 and line.x1 > x0 and -2 <= top - line.bottom <= _NEAR * (bottom - top)
    return _beside(line, one) or above


def _beside(line: Line, one: Field) -> bool:
    x0, top, x1, bottom = one.box
    return line.top < bottom and line.bottom > top and (line.x1 <= x0 + 2 or (one.ticked and line.x0 >= x1 - 2))


def _insert(page: Page, line: Line) -> None:
    """Put a line after those that it is beside or below."""
    middle = (line.top + line.bottom) / 2
    earlier = [place for place, known in enumerate(page.lines, start=1)
               if known.bottom <= middle or (known.top < middle and known.x0 < line.x0)]  # fmt: skip
    page.lines.insert(max(earlier, default=0), line)
