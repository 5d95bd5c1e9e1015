"""Paragraphs, lists and tables of Rich Text while they come: a paragraph says at its end what it was."""

import re
from dataclasses import dataclass, field, replace

from rag_platform.documents.formats.markdown_writer import heading, inline, paragraph, table

_NUMBER = re.compile(r"\d+[.)]")


@dataclass(slots=True)
class Paragraph:
    """A paragraph, as far as it has come."""

    pieces: list[str] = field(default_factory=list)
    """Of its text."""
    label: str = ""
    """What stands before an item of a list."""
    depth: int = 0
    level: int = 0
    """Of a heading; 0: it is none."""
    in_table: bool = False

    @property
    def text(self) -> str:
        """What it says."""
        return "".join(self.pieces)


@dataclass(slots=True)
class Blocks:
    """The blocks of a text."""

    paragraph: Paragraph = field(default_factory=Paragraph)
    after: list[str] = field(default_factory=list)
    """Text boxes that are anchored in the paragraph."""
    _done: list[list[str]] = field(default_factory=list)
    """The items of a list are one block."""
    _cell: list[str] = field(default_factory=list)
    _row: list[str] = field(default_factory=list)
    _rows: list[list[str]] = field(default_factory=list)

    def end_paragraph(self) -> None:
        """Put the paragraph into the cell that it is in, or below the others; what it is holds for the next one."""
        ended = self.paragraph
        self.paragraph = replace(ended, pieces=[], label="")
        block = _block(ended)
        if ended.in_table:
            self._cell += [block, *self.after]
        else:
            self._end_table()
            if block and ended.label and self._done and _is_item(self._done[-1][-1].rpartition("\n")[2]):
                self._done[-1].append(block)
            else:
                self._done.append([block])
            self._done += [[one] for one in self.after]
        self.after = []

    def end_cell(self, *, nested: bool) -> None:
        """End a cell of a table, or of one within another, whose cells are text of the outer one."""
        self.paragraph.in_table = True
        self.end_paragraph()
        if not nested:
            self._row.append(inline(self._cell))
            self._cell = []

    def end_row(self, *, nested: bool) -> None:
        """End a row."""
        if not nested and self._row:
            self._rows.append(self._row)
            self._row = []

    def finished(self) -> list[str]:
        """Return all blocks."""
        if self.paragraph.text.strip() or self.after:
            self.paragraph.in_table = False
            self.end_paragraph()
        self._end_table()
        return [block for items in self._done if (block := "\n".join(items)).strip()]

    def _end_table(self) -> None:
        self._rows += [[*self._row, inline(self._cell)]] if self._row or self._cell else []
        if self._rows:
            self._done.append([table(self._rows)])
        self._rows, self._row, self._cell = [], [], []


def _block(ended: Paragraph) -> str:
    text = ended.text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    lines = "\n".join(filter(None, (" ".join(line.split()) for line in text.split("\n"))))
    if not lines:
        return ""
    if ended.level:
        number = f"{ended.label.rstrip('.)')} " if ended.label[:1].isdigit() else ""
        return heading(ended.level, number + lines)
    if ended.label:
        label = ended.label
        known = label == "o" or _NUMBER.fullmatch(label) or not any(map(str.isalnum, label))
        mark = label if _NUMBER.fullmatch(label) else "-" if known else f"- {label}"
        return f"{'    ' * ended.depth}{mark} {lines}"
    return paragraph(lines)


def _is_item(line: str) -> bool:
    return bool(re.match(r" *(?:- |\d+[.)] )", line))
