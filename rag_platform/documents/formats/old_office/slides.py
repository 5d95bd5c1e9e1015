"""Slides of old PowerPoint (ppt): the records of [MS-PPT] 2.3.1, with their notes and embedded files."""

import struct
import zlib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from io import BytesIO

import olefile

from rag_platform.core.errors import ExtractionError
from rag_platform.documents.extracted import Extracted, Lost, Member, losses
from rag_platform.documents.file_names import FreeNames
from rag_platform.documents.formats.markdown_writer import heading, join, paragraph
from rag_platform.documents.formats.office.embedded import embedded_object, objects_of
from rag_platform.documents.formats.office.margins import margins
from rag_platform.documents.formats.office.packages import MOST
from rag_platform.documents.formats.office.pptx import joined
from rag_platform.documents.formats.old_office.slide_tables import GROUP, slide_table
from rag_platform.documents.formats.old_office.slide_texts import BLOCK, COMMENT, STRING, Text, slide_comment
from rag_platform.documents.formats.old_office.summaries import BROKEN, summary
from rag_platform.text.cleaning import clean

_DOCUMENT, _SLIDE, _NOTES, _MASTER, _LIST = 1000, 1006, 1008, 1016, 4080
_PERSIST, _OF_SLIDE, _HEADER, _WIDE, _NARROW, _OBJECT = 1011, 1009, 3999, 4000, 4008, 4113
_FURNITURE, _MARGINS, _TAGS = 4057, {1: "Header", 2: "Footer"}, 5003
_ADDRESS, _LINK, _TARGET, _CLICKED, _LINKED_WORDS = 4055, 4051, 1, 4083, 4063
_TITLES = frozenset((0, 6))
"""Kinds of text."""
_PLACEHOLDER, _BESIDE_NOTES = 3011, frozenset((7, 8, 9, 10))
"""What says what a shape is for: on a page of notes, for its date, its number, its foot and its head."""
_FILLED_IN = ("", "*")
"""Texts without words; a star stands where the program writes a number or a date."""
_FIRST_MASTER = 0x80000000
"""Numbers of slides end below it."""
_DUAL = "PP97_DUALSTORAGE"
"""The folder of the newer slides, in a file for PowerPoint 95 and 97."""
_SHAPE, _PICTURE = 0xF00A, 75
"""A drawn shape, and the kind of it that is a picture: [MS-ODRAW] 2.4.24."""
_ENCRYPTED = 0xF3D1C4DF
_DEEPEST = 30


@dataclass(slots=True)
class _Slide:
    """A slide, as its two places in the file tell of it."""

    outline: list[Text] = field(default_factory=list)
    drawn: list[Text] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def text(self, number: int, addresses: Mapping[int, str]) -> str:
        """Return the slide as Markdown; one without a title is headed by its number."""
        texts = [
            (one.kind, one.shown({} if one.kind in _TITLES else addresses)) for one in (*self.outline, *self.drawn)
        ]
        title = next((text for kind, text in texts if kind in _TITLES), "")
        rest = [paragraph(text) for kind, text in texts if text != title or kind not in _TITLES]
        rest += ["Notes: " + "\n\n".join(self.notes)] if self.notes else []
        return join([heading(1, title or f"Slide {number}"), *rest]) if rest or title else ""


def read_ppt(content: bytes) -> Extracted:
    """Read slides; the offset of each is a page's.

    Raises:
        ExtractionError: It is damaged, or a password protects it.
    """
    try:
        with olefile.OleFileIO(BytesIO(content)) as file:
            within = [_DUAL] if file.exists(_DUAL) else []
            data = file.openstream([*within, "PowerPoint Document"]).read()
            user = file.openstream([*within, "Current User"]).read() if file.exists("Current User") else b""
            sealed = file.exists("EncryptedSummary")
    except BROKEN as error:
        raise ExtractionError(f"damaged PowerPoint file: {error}") from error
    if sealed or int.from_bytes(user[12:16], "little") == _ENCRYPTED:
        raise ExtractionError("this presentation is encrypted: it opens with a password only")
    show = _Show()
    show.read(data, 0, len(data), 0, 0)
    if not show.known:
        raise ExtractionError("slides of PowerPoint 95 or older, or damaged ones: no record of a presentation in them")
    members = (*show.members, *objects_of(content, show.lost, show.names))
    text, pages = joined([clean(slide.text(number, show.addresses)) for number, slide in enumerate(show.slides, 1)])
    text = join([text, *margins(show.margins, [text])])
    about = {"members": members, "losses": losses(show.lost), **summary(content)}
    return Extracted(text=text, type="ppt", pages=pages, **about)


class _Show:
    """A presentation while it is read."""

    def __init__(self) -> None:
        self.members: list[Member] = []
        self.names = FreeNames()
        self.lost: Counter[Lost] = Counter()
        self.margins: list[tuple[str, str]] = []
        self.addresses: dict[int, str] = {}
        """Of links, by their numbers."""
        self.known = False
        """Whether the records are those that this reader knows."""
        self._outlines: list[_Slide] = []
        self._drawn: list[list[Text]] = []
        self._ids: dict[int, _Slide] = {}
        self._notes: list[tuple[int, str]] = []
        self._noted = 0
        self._place = 0
        """What the shape is for that is read: the kind of its placeholder."""
        self._text = Text(-1, "")
        self._link = 0
        """The text and the link that were read last."""

    @property
    def slides(self) -> list[_Slide]:
        """All slides, once everything is read."""
        found = [*self._outlines, *(_Slide() for _ in self._drawn[len(self._outlines) :])]
        for slide, drawn in zip(found, self._drawn, strict=False):
            slide.drawn = drawn
        for identifier, text in dict.fromkeys(self._notes):
            if identifier in self._ids:
                self._ids[identifier].notes.append(text)
            else:
                self.lost["notes"] += 1
        return found

    def read(self, data: bytes, start: int, end: int, depth: int, within: int) -> None:
        """Take over the records between two places, which lie in a container of a kind."""
        kind_of_text = -1
        while start + 8 <= end:
            version, kind, length = struct.unpack_from("<HHI", data, start)
            start += 8
            stop = min(start + length, end)
            if (
                kind == GROUP
                and within == _SLIDE
                and self._drawn
                and (found := slide_table(data[start:stop])) is not None
            ):
                self._drawn[-1].append(Text(BLOCK, found))
            elif kind == COMMENT and within == _TAGS and self._drawn:
                self._drawn[-1].append(Text(BLOCK, slide_comment(data[start:stop])))
            elif (version & 0xF == 0xF or (kind == _TAGS and within == _SLIDE)) and depth < _DEEPEST:
                self.known |= kind == _DOCUMENT
                self._drawn += [[]] if kind == _SLIDE else []
                self.read(data, start, stop, depth + 1, _within(kind, version >> 4, within))
            elif kind == _HEADER and length >= 4:
                kind_of_text = struct.unpack_from("<I", data, start)[0]
            elif kind in (_WIDE, _NARROW) and within:
                text = data[start:stop].decode("utf-16-le" if kind == _WIDE else "cp1252", "replace")
                self._add(within, Text(kind_of_text, text))
            else:
                self._record(kind, version >> 4, data[start:stop], within)
            start = stop

    def _add(self, within: int, text: Text) -> None:
        self._text = text
        if (shown := text.shown({})) in _FILLED_IN:
            return
        if within == _LIST and self._outlines:
            self._outlines[-1].outline.append(text)
        elif within == _SLIDE and self._drawn:
            self._drawn[-1].append(text)
        elif within == _NOTES and self._noted and self._place not in _BESIDE_NOTES:
            self._notes.append((self._noted, shown))

    def _record(self, kind: int, instance: int, content: bytes, within: int) -> None:
        if kind == _PERSIST and within == _LIST and len(content) >= 16:
            self._outlines.append(_Slide())
            self._ids[struct.unpack_from("<I", content, 12)[0]] = self._outlines[-1]
        elif kind == _OF_SLIDE and within == _NOTES and len(content) >= 4:
            slide = struct.unpack_from("<I", content)[0]
            self._noted = 0 if slide >= _FIRST_MASTER else slide  # those of the notes' master are of no slide
        elif kind == STRING and within == _FURNITURE and instance in _MARGINS:
            self.margins.append((_MARGINS[instance], content.decode("utf-16-le", "replace")))
        elif kind == _SHAPE:
            self._place = 0
            self.lost["images without text"] += within == _SLIDE and instance == _PICTURE
        elif kind == _PLACEHOLDER and len(content) >= 5:
            self._place = content[4]
        elif kind == _OBJECT:
            member = embedded_object(_inflated(content[4:]) if instance else content, self.names)
            self.members += [member] if member else []
            self.lost["embedded objects"] += member is None
        else:
            self._link_record(kind, instance, content, within)

    def _link_record(self, kind: int, instance: int, content: bytes, within: int) -> None:
        """Take over an address, or which words lead to one."""
        if kind == _LINK and len(content) >= 4:
            self._link = struct.unpack_from("<I", content)[0]
        elif kind == STRING and within == _ADDRESS and instance == _TARGET:
            self.addresses[self._link] = content.decode("utf-16-le", "replace")
        elif kind == _CLICKED and len(content) >= 8:
            self._link = struct.unpack_from("<I", content, 4)[0]
        elif kind == _LINKED_WORDS and instance == 0 and len(content) >= 8:
            self._text.links.append((*struct.unpack_from("<II", content), self._link))


def _within(kind: int, instance: int, within: int) -> int:
    """Return what the texts of a container belong to: 0 for nothing that is read."""
    if kind in (_SLIDE, _NOTES, _FURNITURE, _ADDRESS, _TAGS):
        return kind
    if kind == _LIST:
        return _LIST if instance == 0 else 0  # the others are of masters and of notes
    return 0 if kind == _MASTER else within


def _inflated(packed: bytes) -> bytes:
    try:
        return zlib.decompressobj().decompress(packed, MOST)
    except zlib.error:
        return b""
