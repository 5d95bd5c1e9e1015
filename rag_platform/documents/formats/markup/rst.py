"""reStructuredText -> Markdown: headings, code, lists and simple tables; other markup stays as it was written."""

import csv
import re
from bisect import bisect_left
from collections.abc import Iterator

from rag_platform.documents.extracted import Extracted
from rag_platform.documents.formats.markdown_writer import code, heading, table
from rag_platform.documents.formats.markup.left_out import left_out
from rag_platform.documents.formats.metadata import document_metadata
from rag_platform.documents.formats.plain_text import decode, newlines
from rag_platform.text.markdown_blocks import first_heading

_RULE = re.compile(r"([!-/:-@\[-`{-~])\1{2,}\s*$")
_FIELD = re.compile(r"^:([A-Za-z][\w -]*):[ \t]*(.*)$", re.MULTILINE)
_DIRECTIVE = re.compile(r"^(\s*)\.\. ([\w:-]+)::[ \t]*(.*)$")
_CODE = frozenset(
    ("code", "code-block", "sourcecode", "parsed-literal", "literalinclude", "highlight", "math", "prompt")
)
_SILENT = frozenset(
    ("toctree", "contents", "image", "figure", "index", "raw",
     "include", "highlight", "currentmodule", "module", "meta")
)  # fmt: skip
_GRID = re.compile(r"\s*\+-{2,}[-+]*\+\s*$")
_OPTION = re.compile(r"\s*:[\w-]+:(?:\s|$)")
_LANGUAGE = re.compile(r"[\w+#-]*")
_ROLE = re.compile(r":[\w:+.-]{1,100}:`([^`<]*?)\s*(?:<[^`>]*>)?`")
_LINK = re.compile(r"`([^`<]+?)\s*<([^`>]+)>`__?")
_LITERAL = re.compile(r"``(.+?)``")
_LIST_TABLE = re.compile(r"\s*(\*\s+)?(-(?:\s+|$))?(.*)")
_REFERENCE = re.compile(r"`([^`]+)`__?\b")
_REPLACED = re.compile(r"^\.\. \|([^|\n]+)\| replace:: *(.+)\n?", re.MULTILINE)
_NAME = re.compile(r"(?<![\w\\|])\|([^|\s](?:[^|\n]*[^|\s])?)\|_{0,2}(?!\w)")


def read_rst(content: bytes, *, charset: str | None = None) -> Extracted:
    """Read reStructuredText.

    Raises:
        ExtractionError: The bytes are no text.
    """
    text, flags = decode(content, charset)
    lines = _replaced(newlines(text)).expandtabs(8).split("\n")
    shown = "\n".join(_rst(lines))
    stated = {name.lower(): value for name, value in _FIELD.findall(text[:4000])}
    known = document_metadata(stated.get("title") or first_heading(shown), stated.get("author"), stated.get("date"))
    return Extracted(text=shown, type="rst", flags=flags, losses=left_out(text, "rst"), **known)


def _replaced(text: str) -> str:
    """Return the text with the words that stand for a name between bars."""
    words = dict(_REPLACED.findall(text))
    return _NAME.sub(lambda found: words.get(found[1], found[0]), _REPLACED.sub("", text)) if words else text


def _rst(lines: list[str]) -> Iterator[str]:
    levels: list[str] = []
    place = 0
    while place < len(lines):
        line = lines[place]
        style, taken, title = _rst_heading(lines, place)
        if style:
            if style not in levels:
                levels.append(style)
            yield f"\n{heading(levels.index(style) + 1, _rst_words(title))}\n"
            place += taken
        elif directive := _DIRECTIVE.match(line):
            block, place = _indented(lines, place + 1, len(line) - len(line.lstrip()))
            yield from _rst_directive(directive, block)
        elif line.lstrip().startswith(".. "):  # a comment, a target, a footnote
            block, place = _indented(lines, place + 1, len(line) - len(line.lstrip()))
            if re.match(r"\s*\.\. \[", line):
                yield " ".join([line.strip()[3:], *(part.strip() for part in block)])
        elif set(line.split(" ")) - {""} and re.fullmatch(r"=+(?: +=+)+\s*", line):
            rows, place = _rst_table(lines, place)
            yield f"\n{rows}\n"
        elif _GRID.match(line):
            rows, place = _grid_table(lines, place)
            yield f"\n{rows}\n"
        elif line.rstrip().endswith("::"):
            yield _rst_words(line.rstrip()[:-1].removesuffix(":") if line.strip() == "::" else line.rstrip()[:-1])
            block, place = _indented(lines, place + 1, len(line) - len(line.lstrip()))
            yield f"\n{code(_dedented(block))}\n"
        else:
            yield _rst_words(re.sub(r"^(\s*)[*+] ", r"\1- ", re.sub(r"^(\s*)#\. ", r"\g<1>1. ", line)))
            place += 1


def _rst_heading(lines: list[str], place: int) -> tuple[str, int, str]:
    """Return a heading's style, the lines it takes, and its words; "" for none."""
    line, after = lines[place], lines[place + 1 : place + 3]
    if len(after) == 2 and _RULE.match(line) and after[0].strip() and after[1].strip() == line.strip():
        return line[0] + line[0], 3, after[0].strip()
    whole = bool(after) and bool(_RULE.match(after[0])) and len(after[0].strip()) >= len(line.strip()) > 0
    if whole and line[:1].strip() and not _RULE.match(line) and not (place and lines[place - 1].strip()):
        return after[0][0], 2, line.strip()
    return "", 0, ""


def _rst_directive(found: re.Match[str], block: list[str]) -> Iterator[str]:
    name, argument = found[2].lower(), found[3].strip()
    body = [line for line in block if not re.match(r"\s*:[\w-]+:", line)] if name in _CODE else block
    if name in _TABLES:
        caption = f"\n{_rst_words(argument)}\n" if argument else ""
        yield f"{caption}\n{_TABLES[name](block)}\n"
    elif name in _CODE:
        language = "latex" if name == "math" else argument
        yield f"\n{code(_dedented(body), language if _LANGUAGE.fullmatch(language) else '')}\n"
    elif name in _SILENT:
        captions = [line.strip() for line in block if line.strip() and not line.strip().startswith(":")]
        yield f"\n{' '.join(captions)}\n" if name == "figure" else ""
    else:
        lead = f"**{name.rpartition(':')[2].capitalize()}** {_rst_words(argument)}".strip()
        yield f"\n{lead}\n"
        yield from _rst(_dedented([line for line in block if not _OPTION.match(line)]).split("\n"))
        yield ""


def _rst_table(lines: list[str], place: int) -> tuple[str, int]:
    """Read a simple table: columns are below the runs of its first rule."""
    starts = [found.start() for found in re.finditer("=+", lines[place])]
    bounds = [*zip(starts, [*starts[1:], None], strict=True)]
    rows: list[_Row] = []
    rules, place = 1, place + 1
    while place < len(lines) and rules < 3:
        line = lines[place]
        if re.fullmatch(r"=+(?: +=+)*\s*", line):
            rules += 1
            if place + 1 >= len(lines) or not lines[place + 1].strip():
                place += 1
                break
        elif line.strip() and not re.fullmatch(r"[- ]+", line):
            cells = [line[first:last].strip() for first, last in bounds[: bisect_left(starts, len(line))]]
            if any(cells[:1]) or not rows:
                rows.append([])
            _add(rows[-1], cells)  # a row without a first cell goes on
        place += 1
    return _written(rows), place


def _grid_table(lines: list[str], place: int) -> tuple[str, int]:
    """Read a table drawn with bars and dashes; a cell that spans several columns is written in the first."""
    rows: list[_Row] = [[]]
    while place < len(lines) and lines[place].lstrip()[:1] in ("+", "|"):
        line = lines[place].strip()
        if line[0] == "+":
            rows += [[]] if any(rows[-1]) else []
        else:
            _add(rows[-1], [part.strip() for part in line.strip("|").split("|")])
        place += 1
    return _written(rows if any(rows[-1]) else rows[:-1]), place


def _list_table(block: list[str]) -> str:
    """Read a list of lists: ``*`` begins a row, ``-`` a cell."""
    rows: list[_Row] = []
    for line in filter(str.strip, block):
        row, cell, text = _LIST_TABLE.match(line).groups()  # type: ignore[union-attr]  # it matches any line
        if row:
            rows.append([])
        if cell and rows:
            rows[-1].append([text])
        elif rows and rows[-1]:  # a cell that goes on
            rows[-1][-1].append(line.strip())
    return _written(rows)


_Row = list[list[str]]
"""The cells of a row, each as its lines."""


def _add(row: _Row, parts: list[str]) -> None:
    """Add a line's parts to the cells above them."""
    row += [[] for _ in parts[len(row) :]]
    for cell, part in zip(row, parts, strict=False):
        cell.extend([part] if part else [])


def _written(rows: list[_Row]) -> str:
    return table([[_rst_words(" ".join(lines)) for lines in row] for row in rows])


def _csv_table(block: list[str]) -> str:
    header = [found[1] for line in block if (found := re.match(r"\s*:header:\s*(.*)", line))]
    lines = [line.strip() for line in block if line.strip() and not _OPTION.match(line)]
    try:
        rows = [*csv.reader([*header, *lines], skipinitialspace=True)]
    except csv.Error:  # a field that no quotation mark ends
        return code("\n".join(lines))
    return _written([[[cell] for cell in row] for row in rows])


_TABLES = {"list-table": _list_table, "csv-table": _csv_table}


def _indented(lines: list[str], place: int, depth: int) -> tuple[list[str], int]:
    """Return the lines that are indented deeper than `depth`, and the place after them."""
    start = place
    while place < len(lines) and (not lines[place].strip() or len(lines[place]) - len(lines[place].lstrip()) > depth):
        place += 1
    return lines[start:place], place


def _dedented(block: list[str]) -> str:
    depth = min((len(line) - len(line.lstrip()) for line in block if line.strip()), default=0)
    return "\n".join(line[depth:] for line in block).strip("\n")


def _rst_words(line: str) -> str:
    line = _LINK.sub(r"[\1](\2)", _ROLE.sub(r"`\1`", line))
    return _REFERENCE.sub(r"\1", _LITERAL.sub(r"`\1`", line))
