"""Photographs and scans: the text that is recognised in them."""

import io
from collections import Counter
from collections.abc import Iterator
from typing import Any

from rag_platform.core.errors import ExtractionError
from rag_platform.documents.extracted import Extracted, Lost, losses
from rag_platform.documents.formats.images.ocr import LONGEST_SIDE, png, recognise
from rag_platform.documents.formats.page_layout.markdown_output import joined
from rag_platform.documents.heartbeat import heartbeat
from rag_platform.documents.options import Options
from rag_platform.text.cleaning import clean

_MOST_PIXELS = 100_000_000
"""Of one image, unpacked."""


def read_image(content: bytes, *, options: Options = Options()) -> Extracted:  # noqa: B008 (frozen)
    """Read an image; each of a TIFF's is a page.

    Raises:
        ExtractionError: It is damaged or too large, or has no text that can be recognised.
    """
    pages, pictures, problem, lost = [], [], "", Counter[Lost]()
    for number, frame in enumerate(_frames(content, options.ocr_pages, lost)):
        heartbeat()
        text, why = recognise(frame, options)
        pages.append(clean(text))
        problem = problem or why
        if options.shows_pages and number < options.vision_pages:
            pictures.append((number, png(frame)))
    recognised = sum(map(bool, pages))
    if not recognised and not pictures:
        raise ExtractionError(f"an image: {problem}")
    lost["pages without text"] = len(pages) - recognised if recognised else 0
    text, starts = joined(pages)
    flags = [f"pages recognised by OCR: {recognised}" if recognised else problem]
    if lost["pages"]:
        flags.append(f"{lost['pages']} of them beyond the {options.ocr_pages} of documents.ocr_pages")
    return Extracted(
        text=text, type="image", pages=tuple(starts), flags=tuple(flags), pictures=tuple(pictures), losses=losses(lost)
    )


def _frames(content: bytes, most: int, lost: Counter[Lost]) -> Iterator[Any]:
    """Yield each image as height x width x 3 bytes, upright and no larger than is useful; count those beyond `most`."""
    import numpy
    from PIL import Image, ImageOps, ImageSequence

    try:
        with Image.open(io.BytesIO(content)) as opened:
            if opened.width * opened.height > _MOST_PIXELS:
                raise ExtractionError(f"an image of {opened.width} x {opened.height} pixels is too large to read")
            for number, frame in enumerate(ImageSequence.Iterator(opened)):
                if number >= most:
                    lost["pages"] += 1
                    continue
                upright = ImageOps.exif_transpose(frame).convert("RGB")
                upright.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
                yield numpy.asarray(upright)
    except Image.DecompressionBombError as error:
        raise ExtractionError("an image that is too large to read") from error
    except (OSError, ValueError, SyntaxError) as error:
        raise ExtractionError(f"not a readable image: {_why(error)}") from error


def _why(error: Exception) -> str:
    """Say the same of the same bytes every time: what Pillow says of an unknown format has an address in memory."""
    from PIL import UnidentifiedImageError

    return (
        "its format is none that is known, or it is cut off"
        if isinstance(error, UnidentifiedImageError)
        else str(error)
    )
