"""Pages, images and figures rendered anew: people are shown a picture that was made here, never the bytes of a file."""

import io
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rag_platform.core.errors import ExtractionError
from rag_platform.documents.extracted import RenderedPage
from rag_platform.documents.formats.page_layout.boxes import Box, Line, Word
from rag_platform.documents.options import Options
from rag_platform.documents.reading.detection import detect_type
from rag_platform.documents.reading.embedded_pictures import PICTURED, embedded_picture
from rag_platform.text.cleaning import clean
from rag_platform.text.word_alignment import places, words_of

if TYPE_CHECKING:
    from PIL.Image import Image

_SIDE = 1_400
"""Pixels of the longer side: sharp at the size at which a page is read."""
_FIGURE_SIDE = 1_000
"""Of a figure, which is shown beside a text."""
_MOST_PIXELS = 100_000_000
"""Of an image, unpacked."""
_QUALITY = 80


def render_page(
    content: bytes,
    *,
    page: int = 0,
    words: Sequence[str] = (),
    figure: bool = False,
    options: Options = Options(),  # noqa: B008
) -> RenderedPage:
    """Render a page of a PDF, or one of the images of a file; of an Office file or a book, a figure.

    Args:
        content: the file's bytes.
        page: from 0; the last one, if there are fewer.
        words: what to find on the page of a PDF, as `words_of` gives them.
        figure: whether to render only the figure whose caption these words are; of a PDF the whole page, if none is
            found.
        options: hold the passwords of PDFs.

    Raises:
        ExtractionError: it is neither, or damaged, encrypted or too large.
    """
    found = detect_type(content)
    if found == "pdf":
        return _page(content, page, words, options, figure=figure)
    if found.startswith("image"):
        return _image(content, page)
    if figure and found in PICTURED:
        return _image(embedded_picture(content, found, words), 0, _FIGURE_SIDE)
    raise ExtractionError(f"expected a PDF or an image to draw, got {found}")


# --- PDF --------------------------------------------------------------------------------------------


def _page(content: bytes, number: int, words: Sequence[str], options: Options, *, figure: bool) -> RenderedPage:
    import pypdfium2 as pdfium

    from rag_platform.documents.formats.pdf.opening import open_pdf

    document = open_pdf(content, options)
    try:
        count = len(document)
        if not count:
            raise ExtractionError("this PDF has no pages")
        number = min(max(number, 0), count - 1)
        boxes = _boxes(document, number, words) if words else ()
        area = _figure(document, number, boxes) if figure and boxes else None
        image = _rendered(document, number, area)
    except pdfium.PdfiumError as error:
        raise ExtractionError(f"page {number + 1} cannot be drawn: {error}") from error
    finally:
        document.close()
    return RenderedPage(_webp(image), *image.size, number, count, () if area else boxes)


def _figure(document: Any, number: int, caption: Sequence[Box]) -> Box | None:
    from rag_platform.documents.formats.pdf.figure_areas import figure_area
    from rag_platform.documents.formats.pdf.figures import around

    handle = document[number]
    try:
        width, height = handle.get_size()
        x0, top, x1, bottom = around(caption)
        return figure_area(handle, (x0 * width, top * height, x1 * width, bottom * height))
    finally:
        handle.close()


def _rendered(document: Any, number: int, area: Box | None) -> "Image":
    """Render a page, or the area of it, in points."""
    handle = document[number]
    try:
        width, height = handle.get_size()
        x0, top, x1, bottom = area or (0.0, 0.0, width, height)
        scale = min(3.0, (_FIGURE_SIDE if area else _SIDE) / max(x1 - x0, bottom - top, 1.0))
        cut = x0, height - bottom, width - x1, top
        image: Image = handle.render(scale=scale, crop=cut).to_pil().convert("RGB")
        return image
    finally:
        handle.close()


def _boxes(document: Any, number: int, words: Sequence[str]) -> tuple[Box, ...]:
    from rag_platform.documents.formats.pdf.pages import read_page

    page = read_page(document, number)
    parts = [(line, word, part) for line in page.lines for word in line.words for part in words_of(clean(word.text))]
    marked: dict[int, tuple[Line, list[Word]]] = {}
    for place in places([part for *_, part in parts], words):
        line, word, _ = parts[place]
        marked.setdefault(id(line), (line, []))[1].append(word)
    return tuple(_box(line_words, page.width, page.height) for _, line_words in marked.values())


def _box(words: Sequence[Word], width: float, height: float) -> Box:
    x0, top = min(word.x0 for word in words), min(word.top for word in words)
    x1, bottom = max(word.x1 for word in words), max(word.bottom for word in words)
    return _share(x0 / width), _share(top / height), _share(x1 / width), _share(bottom / height)


def _share(value: float) -> float:
    return round(min(max(value, 0.0), 1.0), 4)


# --- images -----------------------------------------------------------------------------------------


def _image(content: bytes, number: int, side: int = _SIDE) -> RenderedPage:
    from PIL import Image, ImageOps

    try:
        with Image.open(io.BytesIO(content)) as opened:
            if opened.width * opened.height > _MOST_PIXELS:
                raise ExtractionError(f"an image of {opened.width} x {opened.height} pixels is too large to show")
            count = getattr(opened, "n_frames", 1)
            number = min(max(number, 0), count - 1)
            opened.seek(number)
            opened.draft("RGB", (side, side))
            image = ImageOps.exif_transpose(opened).convert("RGBA")
    except Image.DecompressionBombError as error:
        raise ExtractionError("an image that is too large to show") from error
    except (OSError, ValueError, SyntaxError, EOFError) as error:
        raise ExtractionError("not a readable image: its format is none that is known, or it is cut off") from error
    image.thumbnail((side, side))
    return RenderedPage(_webp(image), *image.size, number, count)


def _webp(image: "Image") -> bytes:
    written = io.BytesIO()
    image.save(written, "WEBP", quality=_QUALITY)
    return written.getvalue()
