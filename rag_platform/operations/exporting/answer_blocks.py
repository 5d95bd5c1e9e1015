"""An answer's Markdown -> the paragraphs, tables and code of a file of Word, its marks as footnotes."""

import re
from collections.abc import Iterator, Mapping, Sequence

from rag_platform.answering.citations.marks import MARKER, numbers_of
from rag_platform.operations.exporting.word_file import Bold, Footnote, Grid, Paragraph, Part
from rag_platform.provenance.cited_text import CitedParts, CitedTable
from rag_platform.text.notation.markdown_tables import Table, tables_in

_BOLD = re.compile(r"\*\*(.+?)\*\*")
_FENCE = re.compile(r"^ {0,3}(```+|~~~+)[^`]*$")


def answer_blocks(text: str, sources: Mapping[int, str], quoted: CitedParts) -> Iterator[Paragraph | Grid]:
    """Yield an answer in blocks.

    Args:
        text: the answer.
        sources: what the footnote of each citation says, by its number.
        quoted: the tables and the code that it quotes, which stand in place of the quotes.
    """
    tables = {table.span[0]: table for table in tables_in(text)}
    at, code, quote, fence, ends = 0, list[str](), list[str](), "", 0
    for line in [*text.splitlines(keepends=True), ""]:
        start, at, bare = at, at + len(line), line.rstrip()
        if bare.startswith(">") and not fence:
            quote.append(bare[1:].strip())
            continue
        yield from _quote(quote, sources, quoted)
        quote.clear()
        if fence and bare.strip().startswith(fence) and not bare.strip("`~ "):
            yield _code("".join(code))
            code, fence = [], ""
        elif fence:
            code.append(line)
        elif opened := _FENCE.match(bare):
            fence = opened[1]
        elif table := tables.get(start):
            yield _grid(table, sources)
            ends = table.span[1]
        elif bare and start >= ends:
            yield Paragraph("Normal", tuple(_parts(bare, sources)))
    if fence:
        yield _code("".join(code))


def _quote(lines: Sequence[str], sources: Mapping[int, str], quoted: CitedParts) -> Iterator[Paragraph | Grid]:
    """Yield a quote, or the code or the table that it is of."""
    numbers = [n for line in lines for mark in MARKER.finditer(line) for n in numbers_of(mark[1])]
    tables = [found for found in quoted.tables if any(one.n in numbers for one in found.citations)]
    if tables and all("|" in line for line in lines if line):
        yield from (_cited_rows(found, sources) for found in tables)
    elif numbers and all(n in quoted.code for n in numbers):
        for n in numbers:
            yield _code(quoted.code[n].code)
            yield Paragraph("Note", tuple(_footnotes([n], sources)))
    else:
        yield from (Paragraph("Quote", tuple(_parts(line, sources))) for line in lines if line)


def _code(text: str) -> Paragraph:
    return Paragraph("Code", (text.removesuffix("\n"),))


def _grid(table: Table, sources: Mapping[int, str]) -> Grid:
    return Grid(tuple(tuple(tuple(_parts(cell, sources)) for cell in row) for row in (table.head, *table.rows)))


def _cited_rows(found: CitedTable, sources: Mapping[int, str]) -> Grid:
    """Return the quoted rows of a table below its head."""
    rows: list[tuple[tuple[Part, ...], ...]] = [tuple(tuple(_runs(cell)) for cell in found.table.head)]
    for place, numbers in found.cited.items():
        first, *others = (tuple(_runs(cell)) for cell in found.table.rows[place])
        rows.append(((*first, *_footnotes(numbers, sources)), *others))
    return Grid(tuple(rows))


def _footnotes(numbers: tuple[int, ...] | list[int], sources: Mapping[int, str]) -> list[Footnote]:
    return [Footnote(sources[n]) for n in numbers if n in sources]


def _parts(text: str, sources: Mapping[int, str]) -> Iterator[Part]:
    """Yield a line in pieces: each mark of a source as a footnote, what has none as it is written."""
    at = 0
    for mark in MARKER.finditer(text):
        if found := _footnotes(numbers_of(mark[1]), sources):
            yield from _runs(text[at : mark.start()])
            yield from found
            at = mark.end()
    yield from _runs(text[at:])


def _runs(text: str) -> Iterator[str | Bold]:
    for place, piece in enumerate(_BOLD.split(text)):
        if piece:
            yield Bold(piece) if place % 2 else piece
