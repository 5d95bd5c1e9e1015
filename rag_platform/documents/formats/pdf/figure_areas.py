"""Where on a page of a PDF the figure of a caption is drawn."""

from collections.abc import Sequence
from typing import Any

import pypdfium2.raw as pdfium_c

from rag_platform.documents.formats.page_layout.boxes import Box, Placing
from rag_platform.documents.formats.pdf.figures import around, drawn_box

_MOST = 5_000
"""Drawn things of a page that are looked at."""
_NEAR = 36.0
"""Points from a caption to its figure."""
_TOUCHING = 8.0
"""Points between the parts of one figure: no more than a caption is high, on whose other side another may begin."""
_ROUNDS = 40
_LEAST = 36.0
"""Points: what is drawn smaller is a rule or a mark, and no figure."""
_PAGE = 0.8
"""Share of the page that only its background covers."""
_MARGIN = 6.0
_MOST_CAPTIONS = 10
"""Of a page."""
_HAIR = 2.0
"""Points; what is no higher is a rule across."""
_RULE = 3.0
"""Points; what is thinner is a line."""
_FEW = 3
"""Areas and slanted lines; a frame around a text has fewer."""
_SAID = 0.3
"""Share of a figure that its letters cover, at most; tables and listings have more."""
_TEXT = pdfium_c.FPDF_PAGEOBJ_TEXT


def figure_area(handle: Any, caption: Box) -> Box | None:
    """Return the box, in points, around a caption and what is drawn on its nearer side; None: there is no figure.

    A figure grows from what is drawn closest to the caption by all that touches it.
    """
    width, height = handle.get_size()
    figure = _figure(_parts(handle), caption)
    if not figure:
        return None
    x0, top, x1, bottom = around([figure, caption])
    return max(0.0, x0 - _MARGIN), max(0.0, top - _MARGIN), min(width, x1 + _MARGIN), min(height, bottom + _MARGIN)


def count_drawings(drawn: Sequence[Box], captions: Sequence[Box], known: Sequence[Box], words: Sequence[Box]) -> int:
    """Return how many captions stand beside a figure that is drawn with lines and areas.

    Args:
        drawn: Boxes of all that is drawn, but for the background, in points, as those that follow.
        captions: Of the figures that may be drawn.
        known: Images and figures that are counted or described: what overlaps one is none of these.
        words: Lines of text; a frame that is full of them is no drawing.
    """
    figures = {figure for caption in captions[:_MOST_CAPTIONS] if (figure := _figure(drawn, caption))}
    return sum(_is_drawing(figure, drawn, words) for figure in figures if not _overlapping(figure, known))


def _is_drawing(figure: Box, drawn: Sequence[Box], words: Sequence[Box]) -> bool:
    areas = [box for box in _overlapping(figure, drawn) if min(box[2] - box[0], box[3] - box[1]) > _RULE]
    said = sum((x1 - x0) * (bottom - top) for x0, top, x1, bottom in _overlapping(figure, words))
    return len(areas) >= _FEW and said < _SAID * (figure[2] - figure[0]) * (figure[3] - figure[1])


def _overlapping(figure: Box, others: Sequence[Box]) -> list[Box]:
    return [other for other in others if max(_gap(other, figure)) <= 0]


def _parts(handle: Any) -> list[Box]:
    width, height = handle.get_size()
    return [box for box in _drawn(handle) if not is_ground(box, width, height)]


def _figure(parts: Sequence[Box], caption: Box) -> Box | None:
    figure = _grown(_nearest(parts, caption), parts)
    return figure if figure and min(figure[2] - figure[0], figure[3] - figure[1]) >= _LEAST else None


def _drawn(handle: Any) -> list[Box]:
    place = Placing(handle)
    parts = (
        pdfium_c.FPDFPage_GetObject(handle.raw, n)
        for n in range(min(pdfium_c.FPDFPage_CountObjects(handle.raw), _MOST))
    )
    boxes = (drawn_box(part, place) for part in parts if pdfium_c.FPDFPageObj_GetType(part) != _TEXT)
    return [box for box in boxes if box]


def is_ground(box: Box, width: float, height: float) -> bool:
    """Return whether this belongs to the page itself: its background, or a rule along most of a side."""
    across, down = (box[2] - box[0]) / width, (box[3] - box[1]) / height
    return across * down > _PAGE or (max(across, down) > 0.5 and min(box[2] - box[0], box[3] - box[1]) < 2)


def _nearest(drawn: Sequence[Box], caption: Box) -> list[Box]:
    """Return what is drawn closest to a caption: around it, else above it or below it; not what underlines it."""
    others = [box for box in drawn if around([box, caption]) != caption and _gap(box, caption)[0] <= 0]
    near = [(_gap(box, caption)[1], box) for box in others if _gap(box, caption)[1] <= _NEAR]
    near = [one for one in near if one[1][3] - one[1][1] >= _HAIR] or near  # a rule may part them
    closest = min((distance for distance, _ in near), default=0.0)
    return [box for distance, box in near if distance == closest]


def _grown(figure: list[Box], drawn: Sequence[Box]) -> Box | None:
    area = around(figure) if figure else None
    for _ in range(_ROUNDS if area else 0):
        assert area
        reached = around([area, *(box for box in drawn if max(_gap(box, area)) <= _TOUCHING)])
        if reached == area:
            break
        area = reached
    return area


def _gap(one: Box, other: Box) -> tuple[float, float]:
    """Return how far two boxes are apart across and down, in points; at most 0: not at all."""
    return max(one[0] - other[2], other[0] - one[2]), max(one[1] - other[3], other[1] - one[3])
