"""Old Word documents (doc): main text, tables, notes, comments, text boxes, margins."""

import re
import struct
from collections import Counter
from collections.abc import Iterator
from io import BytesIO
from itertools import groupby

import olefile

from rag_platform.core.errors import ExtractionError
from rag_platform.documents.extracted import Extracted, Lost, losses
from rag_platform.documents.formats.markdown_writer import comment, inline, join, paragraph, table, tight
from rag_platform.documents.formats.office.embedded import objects_of
from rag_platform.documents.formats.office.margins import margins
from rag_platform.documents.formats.old_office.summaries import BROKEN, summary
from rag_platform.documents.formats.old_office.word_stories import END, MARK, Stories, word_6_text


def read_doc(content: bytes) -> Extracted:
    """Read a document of old Word: headings, lists, tables, notes, comments, boxes, margins; those of Word 6 plain.

    Raises:
        ExtractionError: It is damaged or encrypted.
    """
    try:
        with olefile.OleFileIO(BytesIO(content)) as file:
            main = file.openstream("WordDocument").read()
            flags = struct.unpack_from("<H", main, 0x0A)[0]
            if flags & 0x0100:
                raise ExtractionError("this Word document is encrypted: it opens with a password only")
            new = struct.unpack_from("<H", main, 0x02)[0] >= _WORD_97
            pieces = file.openstream("1Table" if flags & 0x0200 else "0Table").read() if new else main
        stories = Stories(main, pieces) if new else None
        raw = stories.main if stories else word_6_text(main)
    except BROKEN as error:
        raise ExtractionError(f"damaged Word document: {error}") from error
    blocks = list(_word_blocks(raw))
    if stories:
        blocks += [*_beside(stories), *margins(_margins(stories), blocks)]
    lost: Counter[Lost] = Counter({"images without text": len(_PICTURE.findall(raw))})
    members = objects_of(content, lost)
    flags = ("headings and lists not read: damaged styles",) if stories and stories.unstyled else ()
    about = {"flags": flags, "members": members, "losses": losses(lost), **summary(content)}
    return Extracted(text=join(tight(blocks)), type="doc", **about)


_WORD_97 = 0xC1
"""The first version whose piece table lies in a stream of its own."""
_PICTURE = re.compile(r"(?<!\x14)\x01(?!\x15)|\x08")
"""A picture in a line, or a drawing beside it; what a field shows is an object or a form's box."""


def _beside(stories: Stories) -> Iterator[str]:
    """Yield notes, comments, and the text boxes, whose places in the text are not told."""
    for label, text in stories.notes:
        yield f"[^{label}]: {_line(text)}"
    yield from (comment("", "", _line(text)) for text in stories.comments)
    for text in stories.boxes:
        yield from _word_blocks(text)


def _margins(stories: Stories) -> Iterator[tuple[str, str]]:
    return ((kind, _line(text)) for kind, text in stories.margins)


def _line(raw: str) -> str:
    return inline(_word_blocks(raw))


_FIELD_CODE = re.compile(r"\x13[^\x13\x14\x15]*(?:\x14|(?=\x15))")
"""What a field computes from; what it shows follows it."""
_MARKED = re.compile(f"{MARK}([^{END}]*){END}")
_DEEPEST = 20
"""Fields within each other."""


def _word_blocks(raw: str) -> Iterator[str]:
    """Yield paragraphs, and tables from the marks that end their cells."""
    for _ in range(_DEEPEST):
        raw = _FIELD_CODE.sub("", raw)
    raw = re.sub(r"[\x00-\x06\x08\x15\x1f]", "", raw.replace("\x1e", "-").replace("\x0b", "\n"))
    for tabular, lines in groupby(re.findall(r"[^\r\x0c\x07]*(?:\x07+|[\r\x0c]|$)", raw), lambda one: "\x07" in one):
        if tabular:
            cells = _MARKED.sub("", "".join(lines)).split("\x07")[:-1]
            width = _width(cells)
            yield table([cells[at : at + width] for at in range(0, len(cells), width + 1)])
        else:
            yield from map(_paragraph, lines)


def _paragraph(line: str) -> str:
    """Return a paragraph, behind what marks it as a heading or an item."""
    marked = _MARKED.match(line)
    if marked is None or not marked[1]:
        return paragraph(line)
    words = " ".join(line[marked.end() :].split())
    return f"{marked[1]}{words}" if words else ""


def _width(cells: list[str]) -> int:
    """Return the columns of a table: the fewest such that an empty mark ends each row."""
    fits = (width for width in range(1, len(cells)) if not any(cell.strip() for cell in cells[width :: width + 1]))
    return next((width for width in fits if len(cells) % (width + 1) == 0), max(len(cells) - 1, 1))
