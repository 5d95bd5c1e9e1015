"""Rich Text (rtf): headings, lists, tables, notes, text boxes, comments, links, what stands in the pages' margins."""

from collections import Counter
from dataclasses import replace
from typing import Any

from rag_platform.core.errors import ExtractionError
from rag_platform.documents.extracted import Extracted, Lost, Member, losses
from rag_platform.documents.file_names import FreeNames
from rag_platform.documents.formats.field_codes import FORM, linked_address
from rag_platform.documents.formats.markdown_writer import comment, inline, join, link
from rag_platform.documents.formats.metadata import document_metadata
from rag_platform.documents.formats.office.embedded import embedded_object
from rag_platform.documents.formats.office.margins import margins
from rag_platform.documents.formats.office.word_styles import named_level
from rag_platform.documents.formats.rich_text.control_words import SIGNS, Encodings, tokens
from rag_platform.documents.formats.rich_text.groups import (
    FACTS,
    KEPT,
    MARGINS,
    OWN_FLOWS,
    TABLES,
    Group,
    is_passed_over,
    opens,
)
from rag_platform.documents.formats.rich_text.paragraphs import Blocks, Paragraph

_BODY_TEXT = 9
"""The outline level of what is no heading."""


def read_rtf(content: bytes) -> Extracted:
    """Read Rich Text.

    Raises:
        ExtractionError: It is none.
    """
    if not content.lstrip().startswith(b"{\\rt"):
        raise ExtractionError("no Rich Text: it does not begin with {\\rtf")
    return _Document().read(content)


class _Document:
    """A document while it is read."""

    def __init__(self) -> None:
        self._body = Blocks()
        self._group = Group(self._body)
        self._above: list[Group] = []
        self._encodings = Encodings()
        self._pending = bytearray()
        self._passed = 0
        self._notes: list[str] = []
        self._comments: list[str] = []
        self._author = ""
        self._margins: list[tuple[str, str]] = []
        self._levels: dict[int, int] = {}
        self._style = 0
        self._outline: int | None = None
        self._facts: dict[str, str] = {}
        self._lost: Counter[Lost] = Counter()
        self._members: list[Member] = []
        self._names = FreeNames()
        self._hidden = False

    def read(self, content: bytes) -> Extracted:
        """Return the document."""
        for word, number, plain in tokens(content):
            if word == "'" or not word:
                self._bytes(plain)
                continue
            self._flush()
            self._passed = 0
            if word == "begin":
                self._above.append(self._group)
                self._group = replace(self._group, kind="", own=False, starred=False)
            elif word == "end":
                self._end()
                if not self._above:
                    break  # what follows the document is no part of it
            else:
                self._word(word, number)
        self._flush()
        while self._above:  # it was cut off
            self._end()
        blocks = self._body.finished()
        return Extracted(
            text=join([*blocks, *self._notes, *self._comments, *margins(self._margins, blocks)]),
            type="rtf",
            flags=("hidden text left out",) if self._hidden else (),
            losses=losses(self._lost),
            members=tuple(self._members),
            **self._known(),
        )

    def _known(self) -> dict[str, Any]:
        days = {key: "-".join(value.split()[:3]) for key, value in self._facts.items() if key in ("creatim", "revtim")}
        facts = self._facts
        return document_metadata(facts.get("title"), facts.get("author"), days.get("creatim"), days.get("revtim"))

    # --- characters ---

    def _bytes(self, plain: bytes) -> None:
        passed = min(self._passed, len(plain))
        self._passed -= passed
        if not self._group.skipped:
            self._pending += plain[passed:]

    def _flush(self) -> None:
        if self._pending:
            content, self._pending = bytes(self._pending), bytearray()
            self._text(self._encodings.decode(content, self._group.font))

    def _text(self, text: str) -> None:
        group = self._group
        if group.skipped or group.deleted:
            return
        if group.table:
            group.blocks.paragraph.pieces.append(text)
        elif group.hidden and not group.own:
            self._hidden = self._hidden or bool(text.strip())
        else:
            group.blocks.paragraph.pieces.append(text)

    # --- marks ---

    def _word(self, word: str, number: int | None) -> None:
        group = self._group
        if word == "*":
            group.starred = True
        elif group.starred and not group.kind and word not in KEPT:
            group.skipped, group.kind = True, word
        elif opens(group, word):
            self._open(word)
        elif word == "u" and number is not None:
            self._text(chr(number % 0x10000))
            self._passed = group.width
        elif word in SIGNS:
            self._text(SIGNS[word])
        elif group.table:
            self._table_word(word, number)
        else:
            self._set(word, number)

    def _open(self, word: str) -> None:
        group = self._group
        group.kind = word
        if group.skipped:
            return
        if is_passed_over(word):
            group.skipped = True
            self._lost["images without text"] += word == "pict"
        elif word in TABLES or group.table == "info":
            group.table, group.blocks = (word if word in TABLES else "fact"), Blocks()
        elif word in OWN_FLOWS:
            group.blocks, group.own, group.hidden = Blocks(), True, False
        elif word == "field":
            group.link = []
        elif word == "fldrslt":
            group.start = len(group.blocks.paragraph.pieces)

    def _table_word(self, word: str, number: int | None) -> None:
        """Take over a font, a style or a fact."""
        group = self._group
        if word == "f" and number is not None:
            group.font = number
        elif word == "fcharset" and number is not None:
            self._encodings.font(group.font, number)
        elif word == "s" and number is not None:
            self._style, self._outline = number, None
        elif word == "outlinelevel":
            self._outline = number + 1 if number is not None and number < _BODY_TEXT else None
        elif word in ("yr", "mo", "dy") and number is not None:
            group.blocks.paragraph.pieces.append(f"{number:02} ")

    def _set(self, word: str, number: int | None) -> None:
        group, on = self._group, number != 0
        if word == "ansicpg" and number is not None:
            self._encodings.declare(number)
        elif word == "f" and number is not None:
            group.font = number
        elif word == "uc":
            group.width = number or 0
        elif word == "v":
            group.hidden = on
        elif word == "deleted":
            group.deleted = on
        elif word == "plain":
            group.hidden = group.deleted = False
        elif not group.skipped:
            self._lay_out(word, number)

    def _lay_out(self, word: str, number: int | None) -> None:
        """Take over what a paragraph is, or end it."""
        blocks = self._group.blocks
        if word in ("par", "sect", "page"):
            blocks.end_paragraph()
        elif word in ("cell", "nestcell"):
            blocks.end_cell(nested=word == "nestcell")
        elif word in ("row", "nestrow"):
            blocks.end_row(nested=word == "nestrow")
        elif word == "pard":
            blocks.paragraph = Paragraph(blocks.paragraph.pieces, blocks.paragraph.label)
        elif word == "intbl":
            blocks.paragraph.in_table = True
        elif word == "s" and number is not None:
            blocks.paragraph.level = self._levels.get(number, 0)
        elif word == "outlinelevel" and number is not None:
            blocks.paragraph.level = number + 2 if 0 <= number < _BODY_TEXT else 0
        elif word == "ilvl" and number is not None:
            blocks.paragraph.depth = min(max(number, 0), 8)

    # --- the end of a group ---

    def _end(self) -> None:
        group = self._group
        self._group = self._above.pop() if self._above else Group(self._body)
        if group.skipped:
            return
        if group.table == "stylesheet" and group.kind != "stylesheet":
            name = group.blocks.paragraph.text.rpartition("}")[2].strip().rstrip(";").lower()
            group.blocks.paragraph.pieces.clear()
            self._levels[self._style] = named_level(name, self._outline)
            self._style, self._outline = 0, None
        elif group.kind in FACTS and group.table == "fact":
            self._facts[group.kind] = group.blocks.paragraph.text
        elif group.kind == "fldrslt" and self._group.link:
            self._link(group)
        elif group.own:
            self._close(group)

    def _link(self, group: Group) -> None:
        paragraph = group.blocks.paragraph
        paragraph.pieces[group.start :] = [link("".join(paragraph.pieces[group.start :]), self._group.link[0])]

    def _close(self, group: Group) -> None:
        """Put the text of a note, a box and the like where it belongs."""
        if group.kind == "fldinst":
            self._field(group.blocks.paragraph.text)
            return
        if group.kind == "objdata":
            self._embed(group.blocks.paragraph.text)
            return
        if group.kind in ("listtext", "pntext"):
            self._group.blocks.paragraph.label = group.blocks.paragraph.text.strip()
            return
        blocks = group.blocks.finished()
        if group.kind == "footnote":
            number = len(self._notes) + 1
            self._group.blocks.paragraph.pieces.append(f"[^{number}]")
            self._notes.append(f"[^{number}]: {inline(blocks)}")
        elif group.kind == "annotation":
            self._comments.append(comment(self._author, "", inline(blocks)))
        elif group.kind == "atnauthor":
            self._author = inline(blocks)
        elif group.kind in MARGINS:
            self._margins.append((MARGINS[group.kind], inline(blocks)))
        else:
            self._group.blocks.after += blocks

    def _field(self, instruction: str) -> None:
        address = linked_address(instruction)
        self._group.link[:] = [address] if address else []
        self._lost["form fields"] += bool(FORM.match(instruction))

    def _embed(self, digits: str) -> None:
        try:
            content = bytes.fromhex("".join(digits.split()))
        except ValueError:
            content = b""
        member = embedded_object(content, self._names)
        if member:
            self._members.append(member)
        else:
            self._lost["embedded objects"] += 1
