"""A PDF's pages as PDFium sees them: words with their boxes, ruling lines, and what has no text."""

import ctypes
from collections.abc import Iterator
from dataclasses import dataclass, field

import pypdfium2.raw as pdfium_c

SPECK = 2.0
"""Points; smaller text is not meant to be read."""
_MOST_OBJECTS = 5_000
"""Drawn things of a page that are looked at: a map or a plot has a hundred thousand."""
_MOST_CHARACTERS = 2_000_000
"""Characters of one page."""
_INFINITE = float("inf")
_THIN = 3.0
"""Points; a thinner drawing is a line."""


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
        """Height at which it stands."""
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

    def __post_init__(self) -> None:
        """Find its box."""
        for word in self.words:
            self._enclose(word)

    def add(self, word: Word, look: "_Look") -> None:
        """Append a word."""
        if len(word.text) > max((len(known.text) for known in self.words), default=0):
            self.size = look.size
        self.bold &= look.bold
        self.words.append(word)
        self._enclose(word)

    def _enclose(self, word: Word) -> None:
        self.x0, self.x1 = min(self.x0, word.x0), max(self.x1, word.x1)
        self.top, self.bottom = min(self.top, word.top), max(self.bottom, word.bottom)

    @property
    def text(self) -> str:
        """Its words."""
        return " ".join([word.text for word in self.words])


@dataclass(slots=True)
class Page:
    """What stands on a page."""

    width: float
    height: float
    lines: list[Line] = field(default_factory=list)
    """In the order in which they were drawn."""
    horizontal: list[tuple[float, float, float]] = field(default_factory=list)
    """Ruling lines: (height, left, right)."""
    vertical: list[tuple[float, float, float]] = field(default_factory=list)
    """Ruling lines: (left, upper end, lower end)."""
    drawn: bool = False
    """Whether there is anything on it."""
    image: bool = False
    """Whether images cover a good part of it."""
    covered: bool = False
    """Whether they cover most of it."""
    hidden: int = 0
    """Words that nobody can see."""
    plain: str | None = None
    """PDFium's own text, of a page whose letters do not stand upright: their boxes tell little."""


def read_page(document: object, number: int) -> Page:
    """Read a page of a PDFium document; what its form fields and notes show stands where they are.

    Raises:
        pypdfium2.PdfiumError: It cannot be loaded.
    """
    handle = document[number]
    try:
        page, boxes = _read(handle), _notes(handle)
        if not boxes or pdfium_c.FPDFPage_Flatten(handle.raw, pdfium_c.FLAT_NORMALDISPLAY) != _FLATTENED:
            return page
    finally:
        handle.close()
    handle = document[number]
    try:
        _add_notes(page, _read(handle), boxes)
        return page
    finally:
        handle.close()


def _read(handle: object) -> Page:
    page = Page(*handle.get_size())
    place = _Placing(handle)
    content = handle.get_textpage()
    try:
        _write(page, content, place, _draw(page, handle, place))
        return page
    finally:
        content.close()


# --- form fields and notes --------------------------------------------------------------------------

_FLATTENED = pdfium_c.FLATTEN_SUCCESS
_NOTES = frozenset((pdfium_c.FPDF_ANNOT_FREETEXT, pdfium_c.FPDF_ANNOT_WIDGET, pdfium_c.FPDF_ANNOT_STAMP))


def _notes(handle: object) -> list["_Box"]:
    """Return the boxes of what shows text of its own."""
    place, boxes, rect = _Placing(handle), [], pdfium_c.FS_RECTF()
    for number in range(min(pdfium_c.FPDFPage_GetAnnotCount(handle.raw), _MOST_OBJECTS)):
        note = pdfium_c.FPDFPage_GetAnnot(handle.raw, number)
        if not note:
            continue
        if pdfium_c.FPDFAnnot_GetSubtype(note) in _NOTES and pdfium_c.FPDFAnnot_GetRect(note, rect):
            boxes.append(place(rect.left, rect.bottom, rect.right, rect.top))
        pdfium_c.FPDFPage_CloseAnnot(note)
    return boxes


def _add_notes(page: Page, flat: Page, boxes: list["_Box"]) -> None:
    """Put the lines that flattening added after those that they stand beside or below.

    The rest of the flat page is not used: it has lost what the file says about its text.
    """
    page.drawn |= flat.drawn
    for line in flat.lines:
        middle, centre = (line.top + line.bottom) / 2, (line.x0 + line.x1) / 2
        if any(box[0] <= centre <= box[2] and box[1] <= middle <= box[3] for box in boxes):
            earlier = [n for n, known in enumerate(page.lines, start=1) if known.bottom <= middle
                       or (known.top < middle and known.x0 < line.x0)]  # fmt: skip
            page.lines.insert(max(earlier, default=0), line)


class _Placing:
    """Turns PDFium's coordinates into those of the page as it is shown."""

    def __init__(self, page: object) -> None:
        self._left, bottom, right, top = page.get_bbox()
        self._bottom, self._width, self._height = bottom, right - self._left, top - bottom
        self._turned = page.get_rotation() // 90
        self.on_its_side = self._turned % 2 == 1

    def __call__(self, left: float, bottom: float, right: float, top: float) -> tuple[float, float, float, float]:
        """Return x0, top, x1, bottom."""
        x0, x1 = left - self._left, right - self._left
        y0, y1 = self._height - (top - self._bottom), self._height - (bottom - self._bottom)
        if self._turned == 1:
            return self._height - y1, x0, self._height - y0, x1
        if self._turned == 2:
            return self._width - x1, self._height - y1, self._width - x0, self._height - y0
        if self._turned == 3:
            return y0, self._width - x1, y1, self._width - x0
        return x0, y0, x1, y1


# --- what is drawn ----------------------------------------------------------------------------------

_Box = tuple[float, float, float, float]


def _draw(page: Page, handle: object, place: _Placing) -> list[_Box]:
    """Note ruling lines and images; return the boxes of what is painted, on which white text can be read."""
    painted, pictures = [], 0.0
    wanted = [pdfium_c.FPDF_PAGEOBJ_PATH, pdfium_c.FPDF_PAGEOBJ_IMAGE, pdfium_c.FPDF_PAGEOBJ_SHADING]
    for seen, found in enumerate(handle.get_objects(filter=wanted, max_depth=4)):
        if seen >= _MOST_OBJECTS:
            break
        if (box := _bounds(found)) is None:
            continue
        box = place(*box)
        if found.type == pdfium_c.FPDF_PAGEOBJ_PATH:
            _rule(page, box)
        else:
            pictures += max(0.0, box[2] - box[0]) * max(0.0, box[3] - box[1])
        if box[2] - box[0] > _THIN and box[3] - box[1] > _THIN:
            painted.append(box)
    page.drawn = bool(painted)
    page.image, page.covered = (pictures > share * page.width * page.height for share in (0.05, 0.5))
    return painted


def _bounds(found: object) -> _Box | None:
    values = [ctypes.c_float() for _ in range(4)]
    if not pdfium_c.FPDFPageObj_GetBounds(found.raw, *map(ctypes.byref, values)):
        return None
    left, bottom, right, top = (value.value for value in values)
    return left, bottom, right, top


def _rule(page: Page, box: _Box) -> None:
    """Take a thin drawing as a line, and a larger one as the four edges of a cell."""
    x0, top, x1, bottom = box
    wide, high = x1 - x0 > _THIN, bottom - top > _THIN
    if wide:
        page.horizontal += [(y, x0, x1) for y in ((top, bottom) if high else ((top + bottom) / 2,))]
    if high:
        page.vertical += [(x, top, bottom) for x in ((x0, x1) if wide else ((x0 + x1) / 2,))]


# --- what is written --------------------------------------------------------------------------------


def _write(page: Page, content: object, place: _Placing, painted: list[_Box]) -> None:
    """Put PDFium's characters together to words and lines."""
    raw, unseen = content.raw, []
    line: Line | None = None
    sideways = letters = 0
    for start, text, box, ends in _words(raw, on_its_side=place.on_its_side):
        word, look = Word(text, *place(*box)), _Look.at(raw, start)
        hidden = _out_of_sight(look, word, page, painted)
        page.hidden += hidden
        if len(text) > 2:
            letters += 1
            sideways += word.x1 - word.x0 < 0.7 * (word.bottom - word.top)
        if line is None or line.hidden != hidden or _apart(line, word):
            line = Line([], hidden=hidden)
            (unseen if hidden else page.lines).append(line)
        line.add(word, look)
        line = None if ends else line
    if not page.lines and page.hidden:  # there is no other text: somebody wrote it for programs to read
        page.lines, page.hidden = unseen, 0
    if sideways > letters / 2:
        page.plain = content.get_text_bounded()


def _words(raw: object, *, on_its_side: bool) -> Iterator[tuple[int, str, _Box, bool]]:
    """Yield (place of its first character, text, box, whether its line ends) of each word."""
    count = min(pdfium_c.FPDFText_CountChars(raw), _MOST_CHARACTERS)
    box, start = pdfium_c.FS_RECTF(), -1
    glyphs: list[tuple[str, float, float, float, float]] = []
    for place in range(count):
        code = pdfium_c.FPDFText_GetUnicode(raw, place)
        if code in _BREAKS:
            if glyphs:
                yield start, *_word(glyphs), code not in _SPACES
            glyphs, start = [], -1
            continue
        pdfium_c.FPDFText_GetLooseCharBox(raw, place, box)
        now = (_LINE_END if code in _HYPHENS else _letter(code), box.left, box.bottom, box.right, box.top)
        if glyphs and _leaves(glyphs[-1], now, on_its_side):
            yield start, *_word(glyphs), False
            glyphs, start = [], -1
        start = place if start < 0 else start
        glyphs.append(now)
        if code in _HYPHENS:
            yield start, *_word(glyphs), True
            glyphs, start = [], -1
    if glyphs:
        yield start, *_word(glyphs), True


_SPACES = frozenset((32, 0xA0))
_BREAKS = frozenset((0, 9, 10, 13)) | _SPACES
_HYPHENS = frozenset((2, 0xFFFE))
"""How PDFium writes a hyphen that ends a line."""
_LINE_END = "-"


def _letter(code: int) -> str:
    return "" if 0xD800 <= code <= 0xDFFF or code > 0x10FFFF else chr(code)


_FAR = 1.5
"""Times the height of a letter: no word has such a gap, though PDFium at times sees none."""


def _leaves(before: tuple, now: tuple, on_its_side: bool) -> bool:
    """Tell whether the next character stands elsewhere than beside the one before it."""
    along, across = (2, 1) if on_its_side else (1, 2)  # left or lower edge, in a glyph's tuple
    height = max(before[across + 2] - before[across], now[across + 2] - now[across], 1.0)
    away = max(now[along] - before[along + 2], before[along] - now[along + 2])
    return away > _FAR * height or (away > height and abs(now[across] - before[across]) > 0.8 * height)


def _word(glyphs: list[tuple]) -> tuple[str, _Box]:
    """Join the characters; those of one glyph share its box, and PDFium turns them around when it runs leftwards."""
    letters = [glyph[0] for glyph in glyphs]
    for place in range(1, len(glyphs)):
        pair = letters[place - 1], letters[place]
        if glyphs[place - 1][1:] == glyphs[place][1:] and pair[1] == "\u0644" and pair[0] in "اأإآٱ":
            letters[place - 1], letters[place] = letters[place], letters[place - 1]
    left, bottom, right, top = zip(*(glyph[1:] for glyph in glyphs), strict=True)
    return "".join(letters), (min(left), min(bottom), max(right), max(top))


def _apart(line: Line, word: Word) -> bool:
    """Tell whether a word is not of the line: it stands on another height, or a wide gap is between them."""
    last = line.words[-1]
    height = max(last.bottom - last.top, word.bottom - word.top, 1.0)  # the higher: an exponent stays with its number
    if abs(word.middle - last.middle) > 0.6 * height:
        return True
    gap = max(word.x0 - last.x1, last.x0 - word.x1)
    return gap > max(1.1 * (line.size or height), 6.0)


@dataclass(slots=True)
class _Look:
    """How a character is shown."""

    size: float
    bold: bool
    clear: bool
    """Without any colour."""
    white: bool

    @classmethod
    def at(cls, raw: object, place: int) -> "_Look":
        drawn = pdfium_c.FPDFText_GetTextObject(raw, place)
        mode = pdfium_c.FPDFTextObj_GetTextRenderMode(drawn) if drawn else 0
        red, green, blue, alpha = (ctypes.c_uint() for _ in range(4))
        filled = pdfium_c.FPDFText_GetFillColor(raw, place, red, green, blue, alpha) and mode == 0
        matrix = pdfium_c.FS_MATRIX()
        known = pdfium_c.FPDFText_GetMatrix(raw, place, matrix)
        scale = (matrix.c**2 + matrix.d**2) ** 0.5 if known else 1.0
        return cls(
            size=round(pdfium_c.FPDFText_GetFontSize(raw, place) * scale, 1),
            bold=_is_bold(raw, place),
            clear=mode == pdfium_c.FPDF_TEXTRENDERMODE_INVISIBLE or bool(filled and alpha.value == 0),
            white=bool(filled) and min(red.value, green.value, blue.value) >= 250,
        )


def _is_bold(raw: object, place: int) -> bool:
    """Go by the font's weight, or by its name when it states none, as the fourteen standard fonts do."""
    weight = pdfium_c.FPDFText_GetFontWeight(raw, place)
    if weight > 0:
        return weight >= 600
    name, flags = ctypes.create_string_buffer(100), ctypes.c_int()
    pdfium_c.FPDFText_GetFontInfo(raw, place, name, 100, flags)
    return b"bold" in name.value.lower()


def _out_of_sight(look: _Look, word: Word, page: Page, painted: list[_Box]) -> bool:
    """Tell whether nobody can see a word.

    Letters without colour over an image are what text recognition wrote there, and white ones on something painted
    are light on dark: both stay.
    """
    if 0 < look.size < SPECK and word.bottom - word.top < SPECK:
        return True
    if word.x1 < 0 or word.bottom < 0 or word.x0 > page.width or word.top > page.height:
        return True
    if look.clear:
        return not page.image
    return look.white and not any(
        box[0] <= word.x0 + 1 and box[1] <= word.middle <= box[3] and word.x1 - 1 <= box[2] for box in painted
    )
