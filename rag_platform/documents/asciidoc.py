"""AsciiDoc -> Markdown: headings, code, lists and tables; other markup stays as it was written."""

import re
from collections.abc import Iterator

from rag_platform.documents.extracted import Extracted
from rag_platform.documents.markdown import first_heading
from rag_platform.documents.markup import code, heading, table
from rag_platform.documents.packages import about
from rag_platform.documents.text import decode

_ADOC_HEADING = re.compile(r"^(={1,6}|#{1,6})\s+(\S.*?)(?:\s+=+)?$")
_ADOC_ATTRIBUTE = re.compile(r"^:!?([\w-]+)!?:(?:\s+(.*))?$")
_ADOC_ITEM = re.compile(r"^\s*(\*{1,6}|-|\.{1,6}|\d+\.)\s+(\S.*)$")
_ADOC_SILENT = re.compile(r"^(?:\[[^\]]*\]|//(?!/).*|(?:image|video|include|ifdef|ifndef|endif|toc)::.*|\+|<<<|'''+)$")
_ADOC_LINK = re.compile(r"(?:link:|xref:)?((?:https?://|mailto:)[^\s\[]+|[\w./#-]+(?<=\.adoc))\[([^\]]*)\]")
_ADOC_MACRO = re.compile(r"\b(?:btn|kbd|menu|xref|link|footnote|pass|stem|image):([^\s\[:]*)\[([^\]]*)\]")
_ADOC_CELL = re.compile(r"(?<!\\)\|")
_ADOC_LITERAL = re.compile(r"^(-{4,}|\.{4,}|`{3,})")
_ADOC_BLOCK = re.compile(r"^(?:={4,}|\*{4,}|_{4,}|--)$")


def read_asciidoc(content: bytes, *, charset: str | None = None) -> Extracted:
    """Read AsciiDoc.

    Raises:
        ExtractionError: The bytes are no text.
    """
    text, flags = decode(content, charset)
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    said = {found[1].lower(): found[2] or "" for line in lines[:60] if (found := _ADOC_ATTRIBUTE.match(line))}
    shown = "\n".join(_adoc(lines))
    known = about(first_heading(shown), said.get("author"), said.get("revdate"), None, said.get("lang"))
    return Extracted(text=shown, type="asciidoc", flags=flags, **known)


def _adoc(lines: list[str]) -> Iterator[str]:
    place, language = 0, ""
    while place < len(lines):
        line = lines[place].rstrip()
        place += 1
        if source := re.match(r"^\[source(?:%\w+)?,\s*(\w+)", line):
            language = source[1]
        elif line.startswith("////"):
            place = _until(lines, place, line)
        elif fence := _ADOC_LITERAL.match(line):
            end = _until(lines, place, fence[1])
            shown = code("\n".join(lines[place : max(end - 1, place)]), language or line[3:] * line.startswith("`"))
            yield f"\n{shown}\n"
            place, language = end, ""
        elif re.match(r"^[|,!]={3,}$", line):
            end = _until(lines, place, line)
            yield f"\n{_adoc_table(lines[place : max(end - 1, place)])}\n"
            place = end
        elif line.startswith("|") and line.count("|") > 1:
            rows = [line]
            while place < len(lines) and lines[place].startswith("|"):
                rows.append(lines[place].rstrip())
                place += 1
            yield f"\n{_adoc_table(rows)}\n"
        elif not (_ADOC_SILENT.match(line) or _ADOC_ATTRIBUTE.match(line) or _ADOC_BLOCK.match(line)):
            yield _adoc_line(line)


def _adoc_line(line: str) -> str:
    if title := _ADOC_HEADING.match(line):
        return f"\n{heading(len(title[1]), _adoc_words(title[2]))}\n"
    if item := _ADOC_ITEM.match(line):
        mark = item[1]
        depth = len(mark) - 1 if mark[0] in "*." else (len(line) - len(line.lstrip())) // 2
        depth = max(depth, (len(line) - len(line.lstrip())) // 2)
        return (
            f"{'    ' * depth}{'1.' if mark[0] == '.' else mark if mark[0].isdigit() else '-'} {_adoc_words(item[2])}"
        )
    if re.match(r"^\.[^\s.]", line):  # a block's title
        return f"\n{_adoc_words(line[1:])}\n"
    return _adoc_words(line)


def _adoc_words(line: str) -> str:
    line = _ADOC_LINK.sub(lambda found: f"[{found[2] or found[1]}]({found[1]})", line)
    return _ADOC_MACRO.sub(lambda found: found[2] or found[1], line)


def _adoc_table(lines: list[str]) -> str:
    """Return a table: a row on each line, or a cell on each line where the first line has more than one."""
    rows = [[_adoc_words(cell.strip()) for cell in _ADOC_CELL.split(line)[1:]] for line in lines if "|" in line]
    width = len(rows[0]) if rows else 0
    if width > 1 and all(len(row) == 1 for row in rows[1:]):
        cells = [cell for row in rows[1:] for cell in row]
        rows = [rows[0], *(cells[at : at + width] for at in range(0, len(cells), width))]
    return table(rows)


def _until(lines: list[str], place: int, mark: str) -> int:
    """Return the place after the line that closes a block."""
    while place < len(lines) and lines[place].rstrip() != mark:
        place += 1
    return place + 1
