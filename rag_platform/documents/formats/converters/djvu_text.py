"""The text behind the pages of a scanned book (DjVu), as DjVuLibre tells it."""

from rag_platform.documents.extracted import Extracted, losses
from rag_platform.documents.formats.markdown_writer import paragraph
from rag_platform.documents.formats.office.pptx import joined
from rag_platform.text.cleaning import clean


def read_djvu_text(content: bytes) -> Extracted:
    """Read the pages, each of which a form feed ends; those without text are counted."""
    told = content.decode("utf-8", "replace").removesuffix("\f").split("\f")
    pages = [clean(_paragraphs(page)) for page in told]
    text, places = joined(pages)
    lost = losses({"pages without text": sum(not page for page in pages)})
    return Extracted(text=text, type="djvu", pages=places, losses=lost)


def _paragraphs(page: str) -> str:
    """Return the paragraphs of a page: signs of control end them, and its columns."""
    parts = page.translate({0x0B: "\n\n", 0x1D: "\n\n", 0x1F: "\n\n"}).split("\n\n")
    return "\n\n".join(paragraph(part) for part in parts if part.strip())
