"""The characters of a PDF's page as PDFium has them, with their boxes, all of a page at once."""

import ctypes
from collections import deque
from collections.abc import Iterable
from itertools import pairwise, repeat
from typing import Any

import numpy as np
import pypdfium2.raw as pdfium_c
from numpy.typing import NDArray

_MOST = 2_000_000
"""Characters of one page."""

NONE = "\uffff"
"""Stands for what is no character of its own, so that places stay what they are; Unicode keeps it for such uses."""
_PRIVATE = 0xF0000
"""Characters from here on mean what a font likes."""


def by_addresses(function: Any, returned: Any, *taken: Any) -> Any:
    """Return a function of PDFium that takes addresses as numbers; without objects for them it takes half the time."""
    return ctypes.cast(function, ctypes.PYFUNCTYPE(returned, *taken))


_CODE = by_addresses(pdfium_c.FPDFText_GetUnicode, ctypes.c_uint, ctypes.c_void_p, ctypes.c_int)
_BOX = by_addresses(pdfium_c.FPDFText_GetLooseCharBox, ctypes.c_int, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p)
_OBJECT = by_addresses(pdfium_c.FPDFText_GetTextObject, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int)


def address(pointer: Any) -> int:
    """Return where an object of PDFium is."""
    return ctypes.cast(pointer, ctypes.c_void_p).value or 0


def characters(raw: Any) -> str:
    """Return what PDFium takes for the page's text, one letter for each of its places."""
    count = max(0, min(pdfium_c.FPDFText_CountChars(raw), _MOST))
    buffer = (ctypes.c_ushort * (count + 1))()
    if pdfium_c.FPDFText_GetText(raw, 0, count, buffer) == count + 1:
        text = bytes(buffer)[: 2 * count].decode("utf-16-le", "replace")
        if len(text) == count and "\ufffd" not in text:
            return text
    codes = [*map(_CODE, repeat(address(raw)), range(count))]
    for place, (code, after) in enumerate(pairwise(codes)):
        if 0xD800 <= code < 0xDC00 <= after < 0xE000:  # a character beyond the first 65,536, in halves
            codes[place : place + 2] = [0x10000 + (code - 0xD800) * 0x400 + after - 0xDC00, ord(NONE)]
    return "".join(NONE if 0xD800 <= code < 0xE000 or code >= _PRIVATE else chr(code) for code in codes)


def character_boxes(raw: Any, count: int) -> NDArray[np.float64]:
    """Return left, bottom, right and top of the first characters in PDFium's coordinates, a row for each."""
    found = np.zeros((count, 4), np.float32)  # FS_RECTF: left, top, right, bottom
    rows = range(found.ctypes.data, found.ctypes.data + 16 * count, 16)
    deque(map(_BOX, repeat(address(raw)), range(count), rows), maxlen=0)
    return found[:, [0, 3, 2, 1]].astype(np.float64)


def text_objects(raw: Any, places: Iterable[int]) -> list[int | None]:
    """Return the addresses of the drawn objects that characters are part of; None where PDFium added one."""
    return [*map(_OBJECT, repeat(address(raw)), places)]
