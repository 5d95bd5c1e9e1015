"""Text of images: rapidocr for Latin and Chinese writing, the program tesseract for what it does not know."""

import csv
import io
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from math import log
from statistics import median
from typing import Any

from rag_platform.documents.formats.images.tesseract import DOTS, tesseract_languages, words_of_page
from rag_platform.documents.formats.page_layout.boxes import Line, Page, Word
from rag_platform.documents.formats.page_layout.headings import heading_levels
from rag_platform.documents.formats.page_layout.markdown_output import written
from rag_platform.documents.formats.page_layout.reading_order import read_layout
from rag_platform.documents.options import Options

MISSING = "install the extra `ocr` to read them"
_SURE = 0.75
"""Mean confidence of rapidocr below which its text is guesswork: of a script that it does not know."""
_SURE_PERCENT = 40.0
"""The same of a word of tesseract."""
LONGEST_SIDE = 2_000
"""Pixels; a larger image is made smaller, which the models do anyway."""
_STEP = 1.35
"""Times the size of letters: what differs less is the same size."""
_POINT = 72 / DOTS
"""Points in a pixel, so that the rules for pages hold."""

# ISO 639-1 codes of what is not written in Latin or Chinese letters, and tesseract's names for them.
_TESSERACT = {
    "hi": "hin", "ne": "nep", "mr": "mar", "sa": "san", "bn": "ben", "gu": "guj", "pa": "pan", "ta": "tam",
    "te": "tel", "kn": "kan", "ml": "mal", "si": "sin", "or": "ori", "as": "asm", "th": "tha", "lo": "lao",
    "my": "mya", "km": "khm", "ka": "kat", "hy": "hye", "am": "amh", "ar": "ara", "fa": "fas", "ur": "urd",
    "ps": "pus", "he": "heb", "yi": "yid", "ru": "rus", "uk": "ukr", "bg": "bul", "sr": "srp", "mk": "mkd",
    "be": "bel", "kk": "kaz", "ky": "kir", "mn": "mon", "tg": "tgk", "el": "ell", "ko": "kor",
}  # fmt: skip


def engines() -> str:
    """Return what can recognise text here, with versions: it decides what comes out."""
    found = []
    with suppress(PackageNotFoundError):
        found.append(f"rapidocr=={version('rapidocr')}")
    if languages := tesseract_languages():
        found.append(f"tesseract {'+'.join(languages)}")
    return ",".join(found)


def recognise(image: Any, options: Options) -> tuple[str, str]:
    """Read an image.

    Args:
        image: Height x width x 3 bytes, a numpy array.
        options: Say which engines there are, and the language.

    Returns:
        Its text as Markdown, and why there is none or may be less than there is.
    """
    reader, problem = _reader(options)
    if reader is None:
        return "", problem
    lines = reader(image)
    if not lines:
        return "", "no words could be recognised in them"
    height, width = image.shape[:2]
    layout = read_layout(Page(width * _POINT, height * _POINT, _even(lines)))
    return written(layout, heading_levels([layout])), ""


def _even(lines: list[Line]) -> list[Line]:
    """Give lines of about the usual height the same size: what is recognised is a little higher or lower each time."""
    usual = median(line.size for line in lines)
    for line in lines:
        steps = int(log(max(line.size, 1.0) / max(usual, 1.0)) / log(_STEP))
        line.size = usual * _STEP**steps
    return lines


def _reader(options: Options) -> tuple[Callable[[Any], list[Line]] | None, str]:
    """Choose who reads the language: rapidocr what is written in Latin or Chinese letters, tesseract the rest."""
    if options.page_text == "layer":
        return None, "page_text is 'layer' in the settings, so no picture is read"
    if not options.ocr:
        return None, MISSING
    if options.ocr == "off":
        return None, "ocr is off in the settings"
    wanted = _TESSERACT.get(options.language or "")
    if wanted is None and "rapidocr" in options.ocr:
        return _with_rapidocr, ""
    known = options.ocr.rpartition("tesseract ")[2].split("+")
    name = wanted or "eng"
    if name in known:
        return (lambda image: _with_tesseract(image, f"{name}+eng" if "eng" in known and wanted else name)), ""
    return None, f"install tesseract with its language {name!r} to read them"


# --- rapidocr ---------------------------------------------------------------------------------------


@cache
def _rapidocr() -> Any:
    from rapidocr import RapidOCR

    return RapidOCR(params={"Global.log_level": "critical", "EngineConfig.onnxruntime.intra_op_num_threads": 1})


def _with_rapidocr(image: Any) -> list[Line]:
    found = _rapidocr()(image)
    if found.boxes is None or not found.txts:
        return []
    letters = sum(map(len, found.txts))
    if sum(score * len(text) for score, text in zip(found.scores, found.txts, strict=True)) < _SURE * letters:
        return []
    return [_line(text, box) for text, box in zip(found.txts, found.boxes.tolist(), strict=True) if text.strip()]


def _line(text: str, corners: Sequence[Sequence[float]]) -> Line:
    across, down = zip(*corners, strict=True)
    x0, top, x1, bottom = (edge * _POINT for edge in (min(across), min(down), max(across), max(down)))
    return Line([Word(text, x0, top, x1, bottom)], size=bottom - top, bold=False)


# --- tesseract --------------------------------------------------------------------------------------


def _with_tesseract(image: Any, languages: str) -> list[Line]:
    table = io.StringIO(words_of_page(png(image), languages))
    lines: dict[tuple[str, ...], list[Word]] = {}
    for row in csv.DictReader(table, delimiter="\t", quoting=csv.QUOTE_NONE):
        if float(row["conf"]) >= _SURE_PERCENT and row["text"].strip():
            x0, top, width, height = (float(row[name]) for name in ("left", "top", "width", "height"))
            place = row["block_num"], row["par_num"], row["line_num"]
            box = (edge * _POINT for edge in (x0, top, x0 + width, top + height))
            lines.setdefault(place, []).append(Word(row["text"], *box))
    return [Line(words, size=words[0].bottom - words[0].top, bold=False) for words in lines.values()]


# --- images -----------------------------------------------------------------------------------------


def recognise_page(document: Any, number: int, options: Options) -> tuple[str, str]:
    """Read a page of a PDFium document as `recognise` does."""
    if _reader(options)[0] is None:
        return "", _reader(options)[1]
    return recognise(rendered(document, number), options)


def rendered(document: Any, number: int) -> Any:
    """Draw a page, with fewer dots when it is huge; height x width x 3 bytes, a numpy array."""
    page = document[number]
    try:
        scale = min(DOTS / 72, LONGEST_SIDE / max(*page.get_size(), 1.0))
        return page.render(scale=scale, rev_byteorder=True).to_numpy()[:, :, :3].copy()
    finally:
        page.close()


def png(image: Any) -> bytes:
    """Write an image as PNG."""
    from PIL import Image

    written = io.BytesIO()
    Image.fromarray(image).save(written, "PNG")
    return written.getvalue()
