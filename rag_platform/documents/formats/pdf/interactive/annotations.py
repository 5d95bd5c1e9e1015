"""What lies on a PDF's page beside its drawing: links, comments, form fields, attached files (ISO 32000-2, 12.5)."""

import ctypes
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import pypdfium2.raw as pdfium_c

from rag_platform.documents.formats.page_layout.boxes import Box, Comment, Link, Placing
from rag_platform.documents.formats.pdf.interactive.forms import Field

_MOST = 5_000
"""Annotations of a page that are looked at."""
_LONGEST = 1 << 20
"""Bytes of one text in them."""
_MEDIA = frozenset(
    getattr(pdfium_c, f"FPDF_ANNOT_{name}") for name in ("SOUND", "MOVIE", "SCREEN", "RICHMEDIA", "THREED")
)
"""Sounds, films and models."""
_DRAWN = _MEDIA | {pdfium_c.FPDF_ANNOT_FREETEXT, pdfium_c.FPDF_ANNOT_WIDGET, pdfium_c.FPDF_ANNOT_STAMP}
"""Those that show text of their own; of a film, what stands in its place until it runs."""
_OUT_OF_SIGHT = pdfium_c.FPDF_ANNOT_FLAG_HIDDEN | pdfium_c.FPDF_ANNOT_FLAG_NOVIEW
_COMMENTS = frozenset(
    getattr(pdfium_c, f"FPDF_ANNOT_{name}")
    for name in (
        "TEXT", "HIGHLIGHT", "UNDERLINE", "SQUIGGLY", "STRIKEOUT", "CARET", "INK", "SQUARE", "CIRCLE", "LINE",
        "POLYGON", "POLYLINE", "STAMP", "FILEATTACHMENT",
    )
)  # fmt: skip
_TICKED = frozenset((pdfium_c.FPDF_FORMFIELD_CHECKBOX, pdfium_c.FPDF_FORMFIELD_RADIOBUTTON))
_WRITTEN = frozenset(
    (pdfium_c.FPDF_FORMFIELD_TEXTFIELD, pdfium_c.FPDF_FORMFIELD_COMBOBOX, pdfium_c.FPDF_FORMFIELD_LISTBOX)
)
_PASSWORD = 1 << 13
"""The flag of a field whose value nobody shall see (table 231)."""


@dataclass(slots=True)
class Annotations:
    """What lies on a page."""

    links: list[Link] = field(default_factory=list)
    comments: list[Comment] = field(default_factory=list)
    fields: list[Field] = field(default_factory=list)
    drawn: list[Box] = field(default_factory=list)
    """The boxes of what shows text of its own."""
    holding: bool = False
    """Whether files are attached to the page."""
    media: int = 0
    """Sounds, films and models, which nothing reads."""


def read_annotations(document: Any, handle: Any, *, by_columns: bool = False) -> Annotations:
    """Return what lies on a page.

    Args:
        document: PDFium's; its forms are read when `init_forms` was called.
        handle: The page.
        by_columns: Whether its writing runs down, as ``Page.turn`` has it.
    """
    found, place = Annotations(), Placing(handle)
    place = place.by_columns() if by_columns else place
    for note in _notes(handle):
        kind = pdfium_c.FPDFAnnot_GetSubtype(note)
        hidden = pdfium_c.FPDFAnnot_GetFlags(note) & _OUT_OF_SIGHT
        if hidden or (box := _box(note, place)) is None:
            continue
        if kind in _DRAWN:
            found.drawn.append(box)
        found.media += kind in _MEDIA
        if kind == pdfium_c.FPDF_ANNOT_WIDGET:
            found.fields += filter(None, [_field(document, note, box)])
        elif kind == pdfium_c.FPDF_ANNOT_LINK:
            found.links += filter(None, [_link(document, note, _areas(note, place) or [box])])
        elif kind in _COMMENTS:
            found.holding |= kind == pdfium_c.FPDF_ANNOT_FILEATTACHMENT
            found.comments += filter(None, [_comment(note, _areas(note, place))])
        elif kind == pdfium_c.FPDF_ANNOT_FREETEXT:
            found.fields.append(Field(box, _value(note, "Contents")))
    return found


def files_of(handle: Any) -> Iterator[Any]:
    """Yield the files that are attached to places of a page, as PDFium has them."""
    for note in _notes(handle):
        if pdfium_c.FPDFAnnot_GetSubtype(note) == pdfium_c.FPDF_ANNOT_FILEATTACHMENT and (
            file := pdfium_c.FPDFAnnot_GetFileAttachment(note)
        ):
            yield file


def text_of(call: Callable[..., int], *arguments: Any) -> str:
    """Return the text that a function of PDFium writes into a buffer as UTF-16; "" when there is none, or too much."""
    size = call(*arguments, None, 0)
    if not 2 < size <= _LONGEST:
        return ""
    buffer = ctypes.create_string_buffer(size)
    call(*arguments, ctypes.cast(buffer, ctypes.POINTER(pdfium_c.FPDF_WCHAR)), size)
    return buffer.raw[: size - 2].decode("utf-16-le", "replace").replace("\r\n", "\n").replace("\r", "\n")


def _notes(handle: Any) -> Iterator[Any]:
    for number in range(min(pdfium_c.FPDFPage_GetAnnotCount(handle.raw), _MOST)):
        with _opened(handle, number) as note:
            if note:
                yield note


@contextmanager
def _opened(handle: Any, number: int) -> Iterator[Any]:
    note = pdfium_c.FPDFPage_GetAnnot(handle.raw, number)
    try:
        yield note
    finally:
        if note:
            pdfium_c.FPDFPage_CloseAnnot(note)


# --- what each is -----------------------------------------------------------------------------------


def _field(document: Any, note: Any, box: Box) -> Field | None:
    form = document.formenv
    if form is None:
        return None
    kind = pdfium_c.FPDFAnnot_GetFormFieldType(form, note)
    label = text_of(pdfium_c.FPDFAnnot_GetFormFieldAlternateName, form, note)
    if kind in _TICKED:
        return Field(box, "[x]" if pdfium_c.FPDFAnnot_IsChecked(form, note) else "[ ]", label, ticked=True)
    if kind not in _WRITTEN:
        return None
    if pdfium_c.FPDFAnnot_GetFormFieldFlags(form, note) & _PASSWORD:
        return Field(box, "", unread=True)
    if chosen := _chosen(form, note) if kind == pdfium_c.FPDF_FORMFIELD_LISTBOX else "":
        return Field(box, chosen, label, unread=True)
    return Field(box, text_of(pdfium_c.FPDFAnnot_GetFormFieldValue, form, note), label)


def _chosen(form: Any, note: Any) -> str:
    options = range(min(pdfium_c.FPDFAnnot_GetOptionCount(form, note), _MOST))
    chosen = (number for number in options if pdfium_c.FPDFAnnot_IsOptionSelected(form, note, number))
    return ", ".join(text_of(pdfium_c.FPDFAnnot_GetOptionLabel, form, note, number) for number in chosen)


def _link(document: Any, note: Any, areas: list[Box]) -> Link | None:
    link = pdfium_c.FPDFAnnot_GetLink(note)
    action = link and pdfium_c.FPDFLink_GetAction(link)
    if not action or pdfium_c.FPDFAction_GetType(action) != pdfium_c.PDFACTION_URI:
        return None
    size = pdfium_c.FPDFAction_GetURIPath(document.raw, action, None, 0)
    buffer = ctypes.create_string_buffer(min(size, _LONGEST))
    pdfium_c.FPDFAction_GetURIPath(document.raw, action, buffer, len(buffer))
    return Link(tuple(areas), buffer.value.decode("utf-8", "replace"))


def _comment(note: Any, areas: list[Box]) -> Comment | None:
    text = _value(note, "Contents")
    if not text.strip() or pdfium_c.FPDFAnnot_HasKey(note, b"StateModel"):  # "Accepted set by Ann"
        return None
    return Comment(tuple(areas), text, _value(note, "T"), _value(note, "M") or _value(note, "CreationDate"))


def _value(note: Any, key: str) -> str:
    return text_of(pdfium_c.FPDFAnnot_GetStringValue, note, key.encode())


# --- where it is ------------------------------------------------------------------------------------


def _box(note: Any, place: Placing) -> Box | None:
    rect = pdfium_c.FS_RECTF()
    found = pdfium_c.FPDFAnnot_GetRect(note, rect)
    return place(rect.left, rect.bottom, rect.right, rect.top) if found else None


def _areas(note: Any, place: Placing) -> list[Box]:
    """Return the boxes of the words that a link or a comment is about."""
    quad, areas = pdfium_c.FS_QUADPOINTSF(), []
    for number in range(min(pdfium_c.FPDFAnnot_CountAttachmentPoints(note), _MOST)):
        if pdfium_c.FPDFAnnot_GetAttachmentPoints(note, number, quad):
            across, down = (quad.x1, quad.x2, quad.x3, quad.x4), (quad.y1, quad.y2, quad.y3, quad.y4)
            areas.append(place(min(across), min(down), max(across), max(down)))
    return areas
