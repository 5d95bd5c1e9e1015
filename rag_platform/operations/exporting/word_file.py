"""A file of Word (ECMA-376, WordprocessingML) with headings, paragraphs, tables and footnotes, and nothing else.

python-docx, the library that there is, makes no footnotes.
"""

import io
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal
from xml.sax.saxutils import escape

from rag_platform.text.cleaning import xml_text

WORD_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
Style = Literal["Title", "Heading2", "Normal", "Quote", "Note", "Code"]
_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_RELATED = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_KIND = "application/vnd.openxmlformats-officedocument.wordprocessingml"
_STYLES = {
    "Title": '<w:sz w:val="44"/>',
    "Heading2": '<w:b/><w:sz w:val="28"/>',
    "Normal": '<w:sz w:val="22"/>',
    "Quote": '<w:i/><w:sz w:val="22"/>',
    "Note": '<w:color w:val="595959"/><w:sz w:val="18"/>',
    "Code": '<w:rFonts w:ascii="Courier New" w:hAnsi="Courier New" w:cs="Courier New"/><w:sz w:val="18"/>',
    "FootnoteText": '<w:sz w:val="18"/>',
}
_SPACE = '<w:spacing w:after="140"/>'
_BORDERS = (
    '<w:tblW w:w="0" w:type="auto"/><w:tblBorders>'
    + "".join(f'<w:{side} w:val="single" w:sz="4" w:color="999999"/>' for side in ("top", "bottom", "insideH"))
    + "</w:tblBorders>"
)
_SEPARATORS = (
    '<w:footnote w:type="separator" w:id="-1"><w:p><w:r><w:separator/></w:r></w:p></w:footnote>'
    '<w:footnote w:type="continuationSeparator" w:id="0"><w:p><w:r><w:continuationSeparator/></w:r></w:p></w:footnote>'
)


@dataclass(frozen=True, slots=True)
class Footnote:
    """A mark in a text, and what it says below."""

    text: str


@dataclass(frozen=True, slots=True)
class Bold:
    """Text in bold."""

    text: str


Part = str | Bold | Footnote


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph: pieces of text and footnotes, in their order."""

    style: Style
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Grid:
    """A table; its first row is its head."""

    rows: tuple[tuple[tuple[Part, ...], ...], ...]
    """Cells, each in pieces."""


def word_file(blocks: Sequence[Paragraph | Grid]) -> bytes:
    """Return a .docx of these blocks; equal ones give equal bytes."""
    notes: list[str] = []
    body = "".join(_grid(one, notes) if isinstance(one, Grid) else _paragraph(one, notes) for one in blocks)
    footnotes = "".join(_footnote(number, text) for number, text in enumerate(notes, 1))
    files = {
        "[Content_Types].xml": _types(),
        "_rels/.rels": _relations(("officeDocument", "word/document.xml")),
        "word/_rels/document.xml.rels": _relations(("styles", "styles.xml"), ("footnotes", "footnotes.xml")),
        "word/document.xml": f"<w:document {_W}><w:body>{body}<w:sectPr/></w:body></w:document>",
        "word/footnotes.xml": f"<w:footnotes {_W}>{_SEPARATORS}{footnotes}</w:footnotes>",
        "word/styles.xml": f"<w:styles {_W}>{''.join(_style(*one) for one in _STYLES.items())}</w:styles>",
    }
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in files.items():
            packed.writestr(zipfile.ZipInfo(name), (_HEAD + content).encode(), zipfile.ZIP_DEFLATED)
    return made.getvalue()


def _paragraph(one: Paragraph, notes: list[str]) -> str:
    return _styled(one.style, "".join(_run(part, notes) for part in one.parts))


def _grid(grid: Grid, notes: list[str]) -> str:
    rows = "".join(_grid_row(cells, notes, head=not place) for place, cells in enumerate(grid.rows))
    columns = "<w:gridCol/>" * len(grid.rows[0])
    return f"<w:tbl><w:tblPr>{_BORDERS}</w:tblPr><w:tblGrid>{columns}</w:tblGrid>{rows}</w:tbl>{_styled('Note', '')}"


def _grid_row(cells: tuple[tuple[Part, ...], ...], notes: list[str], *, head: bool) -> str:
    looks = "<w:trPr><w:tblHeader/></w:trPr>" if head else ""
    parts = [tuple(Bold(part) if head and isinstance(part, str) else part for part in cell) for cell in cells]
    made = (_paragraph(Paragraph("Normal", one), notes) for one in parts)
    return f"<w:tr>{looks}{''.join(f'<w:tc>{one}</w:tc>' for one in made)}</w:tr>"


def _styled(style: str, runs: str) -> str:
    return f'<w:p><w:pPr><w:pStyle w:val="{style}"/></w:pPr>{runs}</w:p>'


def _run(part: Part, notes: list[str]) -> str:
    if isinstance(part, Footnote):
        notes.append(part.text)
        raised = '<w:rPr><w:vertAlign w:val="superscript"/></w:rPr>'
        return f'<w:r>{raised}<w:footnoteReference w:id="{len(notes)}"/></w:r>'
    if isinstance(part, Bold):
        return f"<w:r><w:rPr><w:b/></w:rPr>{_text(part.text)}</w:r>"
    return f"<w:r>{_text(part)}</w:r>"


def _footnote(number: int, text: str) -> str:
    mark = '<w:r><w:rPr><w:vertAlign w:val="superscript"/></w:rPr><w:footnoteRef/></w:r>'
    said = _styled("FootnoteText", f"{mark}<w:r>{_text(' ' + text)}</w:r>")
    return f'<w:footnote w:id="{number}">{said}</w:footnote>'


def _text(text: str) -> str:
    return "<w:br/>".join(f'<w:t xml:space="preserve">{escape(xml_text(line))}</w:t>' for line in text.split("\n"))


def _style(name: str, looks: str) -> str:
    default = ' w:default="1"' if name == "Normal" else ""
    return (
        f'<w:style w:type="paragraph" w:styleId="{name}"{default}><w:name w:val="{name}"/>'
        f"<w:pPr>{_SPACE}</w:pPr><w:rPr>{looks}</w:rPr></w:style>"
    )


def _types() -> str:
    parts = {"document": "document.main", "styles": "styles", "footnotes": "footnotes"}
    named = "".join(
        f'<Override PartName="/word/{name}.xml" ContentType="{_KIND}.{kind}+xml"/>' for name, kind in parts.items()
    )
    return (
        '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f"{named}</Types>"
    )


def _relations(*parts: tuple[str, str]) -> str:
    named = "".join(
        f'<Relationship Id="r{number}" Type="{_RELATED}/{kind}" Target="{target}"/>'
        for number, (kind, target) in enumerate(parts, 1)
    )
    return (
        f'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{named}</Relationships>'
    )
