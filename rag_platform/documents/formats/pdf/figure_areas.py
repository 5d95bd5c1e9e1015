"""Where on a page of a PDF the figure of a caption is drawn."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pypdfium2.raw as pdfium_c
from numpy.typing import NDArray

from rag_platform.documents.formats.page_layout.boxes import Box, Placing
from rag_platform.documents.formats.pdf.figures import around, drawn_box

Boxes = NDArray[np.float64]
"""A row for each: x0, top, x1, bottom, in points."""
Sides = NDArray[np.float64]

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
    figure = _figure(_parts(_drawn(handle), (width, height)), caption)
    if not figure:
        return None
    x0, top, x1, bottom = around([figure, caption])
    return max(0.0, x0 - _MARGIN), max(0.0, top - _MARGIN), min(width, x1 + _MARGIN), min(height, bottom + _MARGIN)


def count_drawings(
    drawn: Sequence[Box], captions: Sequence[Box], known: Sequence[Box], words: Sequence[Box], page: tuple[float, float]
) -> int:
    """Return how many captions stand beside a figure that is drawn with lines and areas.

    Args:
        drawn: Boxes of all that is drawn, in points, as those that follow.
        captions: Of the figures that may be drawn.
        known: Images and figures that are counted or described: what overlaps one is none of these.
        words: Lines of text; a frame that is full of them is no drawing.
        page: Its width and height.
    """
    parts = _parts(drawn, page)
    figures = {figure for caption in captions[:_MOST_CAPTIONS] if (figure := _figure(parts, caption))}
    alone = [figure for figure in figures if not len(_overlapping(figure, _array(known)))]
    return sum(_is_drawing(figure, parts, _array(words)) for figure in alone)


def _is_drawing(figure: Box, parts: Boxes, words: Boxes) -> bool:
    areas = (_sides(_overlapping(figure, parts)) > _RULE).all(axis=1)
    said = _sides(_overlapping(figure, words)).prod(axis=1).sum()
    return bool(areas.sum() >= _FEW and said < _SAID * (figure[2] - figure[0]) * (figure[3] - figure[1]))


def _overlapping(figure: Box, others: Boxes) -> Boxes:
    return others[np.maximum(*_gaps(others, figure)) <= 0]


def _figure(parts: Boxes, caption: Box) -> Box | None:
    nearest = _nearest(parts, caption)
    figure = _grown(nearest, parts) if len(nearest) else None
    return figure if figure and min(figure[2] - figure[0], figure[3] - figure[1]) >= _LEAST else None


def _drawn(handle: Any) -> list[Box]:
    place = Placing(handle)
    parts = (
        pdfium_c.FPDFPage_GetObject(handle.raw, n)
        for n in range(min(pdfium_c.FPDFPage_CountObjects(handle.raw), _MOST))
    )
    boxes = (drawn_box(part, place) for part in parts if pdfium_c.FPDFPageObj_GetType(part) != _TEXT)
    return [box for box in boxes if box]


def _array(boxes: Sequence[Box]) -> Boxes:
    return np.array(boxes).reshape(-1, 4)


def _sides(boxes: Boxes) -> Boxes:
    """Return how wide and how high boxes are."""
    found: Boxes = boxes[:, 2:] - boxes[:, :2]
    return found


def _parts(drawn: Sequence[Box], page: tuple[float, float]) -> Boxes:
    """Leave out what belongs to the page itself: its background, or a rule along most of a side."""
    boxes = _array(drawn)
    sides = _sides(boxes)
    shares = sides / page
    kept: Boxes = boxes[(shares.prod(axis=1) <= _PAGE) & ((shares.max(axis=1) <= 0.5) | (sides.min(axis=1) >= _HAIR))]
    return kept


def _nearest(drawn: Boxes, caption: Box) -> Boxes:
    """Return what is drawn closest to a caption: around it, else above it or below it; not what underlines it."""
    across, down = _gaps(drawn, caption)
    within = (drawn[:, :2] >= caption[:2]).all(axis=1) & (drawn[:, 2:] <= caption[2:]).all(axis=1)
    near = ~within & (across <= 0) & (down <= _NEAR)
    thick = near & (_sides(drawn)[:, 1] >= _HAIR)
    near = thick if thick.any() else near  # a rule may part them
    found: Boxes = drawn[near & (down == down[near].min(initial=np.inf))]
    return found


def _grown(figure: Boxes, drawn: Boxes) -> Box:
    area = _around(figure)
    for _ in range(_ROUNDS):
        reached = _around(np.vstack([area, drawn[np.maximum(*_gaps(drawn, area)) <= _TOUCHING]]))
        if reached == area:
            break
        area = reached
    return area


def _around(boxes: Boxes) -> Box:
    (x0, top), (x1, bottom) = boxes[:, :2].min(axis=0).tolist(), boxes[:, 2:].max(axis=0).tolist()
    return x0, top, x1, bottom


def _gaps(boxes: Boxes, other: Box) -> tuple[Sides, Sides]:
    """Return how far boxes are apart from another across and down, in points; at most 0: not at all."""
    x0, top, x1, bottom = boxes.T
    return np.maximum(x0 - other[2], other[0] - x1), np.maximum(top - other[3], other[1] - bottom)
