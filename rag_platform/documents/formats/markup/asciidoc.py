"""AsciiDoc -> Markdown: headings, code, lists and tables; other markup stays as it was written."""

import csv
import re
from collections.abc import Iterator

from rag_platform.documents.extracted import Extracted
from rag_platform.documents.formats.markdown_writer import code, heading, table
from rag_platform.documents.formats.markup.left_out import left_out
from rag_platform.documents.formats.metadata import document_metadata
from rag_platform.documents.formats.plain_text import decode, newlines
from rag_platform.text.markdown_blocks import first_heading

_ADOC_HEADING = re.compile(r"^(={1,6}|#{1,6})\s+(\S.*)$")
_ADOC_CLOSED = re.compile(r"(?<!\s)\s++=+$")
_ADOC_ATTRIBUTE = re.compile(r"^:!?([\w-]+)!?:(?:\s+(.*))?$")
_ADOC_ITEM = re.compile(r"^\s*(\*{1,6}|-|\.{1,6}|\d+\.)\s+(\S.*)$")
_ADOC_SILENT = re.compile(
    r"^(?:\[(?!(?:quote|verse),)[^\]]*\]|//(?!/).*|(?:image|video|include|ifdef|ifndef|endif|toc)::.*|\+|<<<|'''+)$"
)
_ADOC_LINK = re.compile(
    r"(?:link:|xref:)?((?:https?://|mailto:)[^\s\[]{1,2000}+|(?<![\w./#-])[\w./#-]++(?<=\.adoc))\[([^\]]{0,2000})\]"
)
_ADOC_MACRO = re.compile(r"\b(?:btn|kbd|menu|xref|link|footnote|pass|stem|image):([^\s\[:]*)\[([^\]]{0,2000})\]")
_BYLINE = re.compile(
    r"(?:\s*//.*\n)*\s*= .+\n((?!v\d)\w[^:\n=]*)"
    r"(?:\n(?:v?[\w.]+, *)?(\d{4}-\d\d-\d\d|\w+ \d\d?, \d{4}|\d\d? \w+ \d{4})\b)?"
)
"""The lines below the title: by whom a text is, then of which version and day."""
_ADOC_QUOTED = re.compile(r"^\[(?:quote|verse), *([^\]]+)\]$")
_ADOC_CELL = re.compile(r"(?<!\\)\|")
_ADOC_SPAN = re.compile(r"\s(?:(\d+)?(?:\.\d+)?[+*])?[<^>]?(?:\.[<^>])?[a-z]?$")
"""The text before a cell's bar: how many columns it spans, and its style."""
_ADOC_COLUMNS = re.compile(r"^\[.*?\bcols=(?:\"([^\"]*)\"|([^,\]]*))")
_MOST_COLUMNS = 100
_ADOC_LITERAL = re.compile(r"^(-{4,}|\.{4,}|`{3,})")
_ADOC_BLOCK = re.compile(r"^(?:={4,}|\*{4,}|_{4,}|--)$")


def read_asciidoc(content: bytes, *, charset: str | None = None) -> Extracted:
    """Read AsciiDoc.

    Raises:
        ExtractionError: The bytes are no text.
    """
    text, flags = decode(content, charset)
    lines = newlines(text).split("\n")
    stated = {found[1].lower(): found[2] or "" for line in lines[:60] if (found := _ADOC_ATTRIBUTE.match(line))}
    shown = "\n".join(_adoc(lines))
    byline = _BYLINE.match(newlines(text))
    author, date = byline.groups() if byline else (None, None)
    known = document_metadata(
        first_heading(shown), stated.get("author") or author, stated.get("revdate") or date, None, stated.get("lang")
    )
    tags = tuple(filter(None, re.split(r",\s*", stated.get("keywords", ""))))
    return Extracted(text=shown, type="asciidoc", tags=tags, flags=flags, losses=left_out(text, "asciidoc"), **known)


def _adoc(lines: list[str]) -> Iterator[str]:
    place, language, columns = 0, "", 0
    while place < len(lines):
        line = lines[place].rstrip()
        place += 1
        if source := re.match(r"^\[source(?:%\w+)?,\s*(\w+)", line):
            language = source[1]
        elif stated := _ADOC_COLUMNS.match(line):
            columns = _columns(stated[1] or stated[2])
        elif line.startswith("////"):
            place = _until(lines, place, line)
        elif fence := _ADOC_LITERAL.match(line):
            end = _until(lines, place, fence[1])
            shown = code("\n".join(lines[place : max(end - 1, place)]), language or line[3:] * line.startswith("`"))
            yield f"\n{shown}\n"
            place, language = end, ""
        elif re.match(r"^[|,!]={3,}$", line):
            end = _until(lines, place, line)
            body = lines[place : max(end - 1, place)]
            rows = [*csv.reader(body)] if line[0] == "," else _rows(body, columns, line[0])
            yield f"\n{table(rows)}\n"
            place, columns = end, 0
        elif line.startswith("|") and line.count("|") > 1:
            drawn = [line]
            while place < len(lines) and lines[place].startswith("|"):
                drawn.append(lines[place].rstrip())
                place += 1
            yield f"\n{table(_rows(drawn, 0, '|'))}\n"
        elif not (_ADOC_SILENT.match(line) or _ADOC_ATTRIBUTE.match(line) or _ADOC_BLOCK.match(line)):
            yield _adoc_line(line)


def _adoc_line(line: str) -> str:
    if title := _ADOC_HEADING.match(line):
        words = _adoc_words(_ADOC_CLOSED.sub("", title[2]))
        return f"\n{heading(len(title[1]), words)}\n"
    if item := _ADOC_ITEM.match(line):
        mark = item[1]
        depth = len(mark) - 1 if mark[0] in "*." else (len(line) - len(line.lstrip())) // 2
        depth = max(depth, (len(line) - len(line.lstrip())) // 2)
        return (
            f"{'    ' * depth}{'1.' if mark[0] == '.' else mark if mark[0].isdigit() else '-'} {_adoc_words(item[2])}"
        )
    if quoted := _ADOC_QUOTED.match(line):
        return f"\n{_adoc_words(quoted[1])}:\n"
    if re.match(r"^\.[^\s.]", line):  # a block's title
        return f"\n{_adoc_words(line[1:])}\n"
    return _adoc_words(line)


def _adoc_words(line: str) -> str:
    line = _ADOC_LINK.sub(lambda found: f"[{found[2] or found[1]}]({found[1]})", line)
    return _ADOC_MACRO.sub(lambda found: found[2] or found[1], line)


def _rows(lines: list[str], columns: int, bar: str) -> list[list[str]]:
    """Return the rows of a table: cells follow each other, as many in a row as is said or as the first line has."""
    cells = _cells("\n".join(lines), bar)
    width = columns or len(_cells(next((line for line in lines if line.strip()), ""), bar)) or 1
    return [cells[at : at + width] for at in range(0, len(cells), width)]


def _cells(text: str, bar: str) -> list[str]:
    *pieces, last = (_ADOC_CELL if bar == "|" else re.compile(re.escape(bar))).split(f"\n{text}")
    cells: list[str] = []
    times = 0  # the text before the first bar is no cell
    for piece in pieces:
        span = _ADOC_SPAN.search(piece)
        cells += [_adoc_words(piece[: span.start()] if span else piece)] * times
        times = min(int(span[1] or 1), _MOST_COLUMNS) if span else 1
    return cells + [_adoc_words(last)] * times


def _columns(stated: str) -> int:
    """Count the columns that ``cols="1,3*"`` states."""
    times = [re.match(r"\s*(\d+)\*", part) for part in re.split("[,;]", stated)]
    return min(sum(int(one[1]) if one else 1 for one in times), _MOST_COLUMNS)


def _until(lines: list[str], place: int, mark: str) -> int:
    """Return the place after the line that closes a block."""
    while place < len(lines) and lines[place].rstrip() != mark:
        place += 1
    return place + 1
