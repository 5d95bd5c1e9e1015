"""Exponents, indices and marks of footnotes: small letters, raised or lowered, that touch the word they belong to."""

import re
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from rag_platform.documents.formats.pdf.looks import Look

Flags = NDArray[np.bool_]

SMALLER = 0.85
"""Times the size of the letters that a script belongs to."""
_TOUCHES = 0.12
"""Times that size: a space between words is wider."""
_OVERLAPS = -0.3
"""Times that size: an index may stand below an exponent."""
_RAISED = 0.15
"""Times the height of the letters."""
_SIGNS = str.maketrans("0123456789+-−()=", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁽⁾⁼")
_FIGURES = re.compile(r"[0-9+\-−()=,]*[0-9][0-9+\-−()=,]*")


@dataclass(frozen=True, slots=True)
class Parts:
    """The words of a page, in the order in which they were drawn."""

    texts: list[str]
    looks: list[Look]
    boxes: NDArray[np.float64]
    """A column for each word: x0, top, x1, bottom."""
    inner: Flags
    """Whether the word goes on from the one before it in letters of another height."""
    ends: Flags
    """Whether PDFium ends a line after the word."""
    spaced: Flags
    """Whether the file has a space in front of the word."""


def join_scripts(parts: Parts) -> Parts:
    """Join the parts of a word that PDFium parts because they stand at different heights: "10" and "6" are "10⁶"."""
    joined = parts.inner | _touching(parts)
    if not joined.any():
        return parts
    first = np.flatnonzero(~joined)
    bounds = [*pairwise([*first.tolist(), len(parts.texts)])]
    x0, top, x1, bottom = parts.boxes
    return replace(
        parts,
        texts=[parts.texts[start] if end - start == 1 else _written(parts, start, end) for start, end in bounds],
        looks=[parts.looks[start] if end - start == 1 else max(parts.looks[start:end], key=lambda look: look.size)
               for start, end in bounds],
        boxes=np.stack([np.minimum.reduceat(x0, first), np.minimum.reduceat(top, first),
                        np.maximum.reduceat(x1, first), np.maximum.reduceat(bottom, first)]),
        inner=parts.inner[first],
        ends=parts.ends[[end - 1 for _, end in bounds]],
        spaced=parts.spaced[first],
    )  # fmt: skip


def _touching(parts: Parts) -> Flags:
    """Return which words belong to the one before them: at most one of both is a script."""
    x0, top, x1, bottom = parts.boxes
    sizes = np.array([look.size for look in parts.looks])
    larger, smaller = np.maximum(sizes[:-1], sizes[1:]), np.minimum(sizes[:-1], sizes[1:])
    gap = x0[1:] - x1[:-1]
    shared = np.minimum(bottom[1:], bottom[:-1]) - np.maximum(top[1:], top[:-1])
    near = (gap < _TOUCHES * larger) & (gap > _OVERLAPS * larger) & (shared > 0.2 * smaller)
    found = np.zeros(len(sizes), bool)
    found[1:] = near & (smaller < SMALLER * larger) & (smaller > 0) & ~parts.spaced[1:]
    return found


def _written(parts: Parts, start: int, end: int) -> str:
    """Write the figures that are raised as such, or "10⁶" would be another number."""
    small = SMALLER * max(look.size for look in parts.looks[start:end])
    full = [place for place in range(start, end) if parts.looks[place].size >= small]
    _, top, _, bottom = parts.boxes
    texts = parts.texts[start:end]
    for place in set(range(start, end)).difference(full):
        base = min(full, key=lambda other: (abs(other - place), other))
        raised = bottom[place] < bottom[base] - _RAISED * (bottom[base] - top[base])
        if raised and _FIGURES.fullmatch(texts[place - start]):
            texts[place - start] = texts[place - start].translate(_SIGNS)
    return "".join(texts)
