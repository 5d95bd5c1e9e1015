"""Old Word documents (doc): main text, tables, notes, comments, text boxes, margins."""

import re
import struct
from collections import Counter
from collections.abc import Iterable, Iterator
from io import BytesIO
from itertools import chain, groupby

import olefile

from rag_platform.core.errors import ExtractionError
from rag_platform.documents.extracted import Extracted, Lost, losses
from rag_platform.documents.formats.markdown_writer import comment, inline, join, paragraph, table, tight
from rag_platform.documents.formats.office.embedded import objects_of
from rag_platform.documents.formats.office.margins import margins
from rag_platform.documents.formats.old_office.summaries import BROKEN, summary
from rag_platform.documents.formats.old_office.word_fields import linked, shown, unlinked
from rag_platform.documents.formats.old_office.word_stories import Stories, word_6_text
from rag_platform.documents.formats.old_office.word_tables import CELL, END, MARK, ROW, WITHIN, table_rows


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
    lost: Counter[Lost] = Counter()
    body = shown(raw, lost)
    lost["images without text"] = len(_PICTURE.findall(body))
    blocks = list(_word_blocks(body))
    if stories:
        blocks += [*_beside(stories, lost), *margins(_margins(stories, lost), blocks)]
    members = objects_of(content, lost)
    flags = ("headings and lists not read: damaged styles",) if stories and stories.unstyled else ()
    about = {"flags": flags, "members": members, "losses": losses(lost), **summary(content)}
    return Extracted(text=join(tight(blocks)), type="doc", **about)


_WORD_97 = 0xC1
"""The first version whose piece table lies in a stream of its own."""
_PICTURE = re.compile(r"[\x01\x08]")
"""A picture in a line, or a drawing beside it."""


def _beside(stories: Stories, lost: Counter[Lost]) -> Iterator[str]:
    """Yield notes, comments, and the text boxes, whose places in the text are not told."""
    for label, text in stories.notes:
        yield f"[^{label}]: {_line(text, lost)}"
    yield from (comment("", "", _line(text, lost)) for text in stories.comments)
    for text in stories.boxes:
        yield from _word_blocks(shown(text, lost))


def _margins(stories: Stories, lost: Counter[Lost]) -> Iterator[tuple[str, str]]:
    return ((kind, _line(text, lost)) for kind, text in stories.margins)


def _line(raw: str, lost: Counter[Lost]) -> str:
    return inline(_word_blocks(shown(raw, lost)))


_MARKED = re.compile(f"{MARK}([^{END}]*){END}")
_LINE = re.compile(f"[^\r\x0c{CELL}{ROW}]*(?:[{CELL}{ROW}]+|[\r\x0c]|$)")


def _word_blocks(raw: str) -> Iterator[str]:
    """Yield the paragraphs and tables of a text whose fields are read."""
    raw = re.sub(r"[\x00-\x06\x08\x1f]", "", raw.replace("\x1e", "-").replace("\x0b", "\n"))
    for tabular, lines in groupby(_LINE.findall(raw), lambda one: one[-1:] in (CELL, ROW)):
        read = _table if tabular else _paragraphs
        yield from read(lines)


def _table(lines: Iterable[str]) -> Iterator[str]:
    """Yield a table; of one that is a frame around text the paragraphs."""
    rows = table_rows("".join(lines))
    if [len(row) for row in rows] == [1]:
        yield from _paragraphs(rows[0])
    else:
        yield table([[_MARKED.sub(_item, linked(cell.replace(WITHIN, "\n"))) for cell in row] for row in rows])


def _item(marked: re.Match[str]) -> str:
    """Return the label of an item in a cell, and the number of a heading."""
    return f"{marked[1].strip('# ')} "


def _paragraphs(lines: Iterable[str]) -> Iterator[str]:
    """Yield paragraphs, behind what marks them as headings or items."""
    for line in chain.from_iterable(one.split(WITHIN) for one in lines):
        marked = _MARKED.match(line)
        if marked is None:
            yield paragraph(linked(line))
        elif words := " ".join(line[marked.end() :].split()):
            yield marked[1] + (unlinked(words) if marked[1].startswith("#") else linked(words))
