"""The pages of a PDF as PDFium gives them. PDFium is not thread-safe: every reading is in a process of its own."""

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from rag_platform.errors import ExtractionError


def read_pages(content: bytes) -> dict:
    """Read a PDF.

    Returns:
        ``pages`` (the text of each), ``images`` (whether a page without text has an image), ``unreadable`` (numbers of
        pages), ``metadata``.

    Raises:
        ExtractionError: It is damaged or needs a password.
    """
    try:
        document = pdfium.PdfDocument(content)
    except pdfium.PdfiumError as error:
        if error.err_code == pdfium_c.FPDF_ERR_PASSWORD:
            raise ExtractionError("this PDF is encrypted and needs a password; save a copy without one") from error
        raise ExtractionError(f"not a readable PDF: {str(error).rstrip('.')}") from error
    pages, images, unreadable = [], [], []
    for number in range(len(document)):
        try:
            text, image = _read_page(document, number)
        except pdfium.PdfiumError:
            text, image = "", False
            unreadable.append(number + 1)
        pages.append(text)
        images.append(image)
    metadata = document.get_metadata_dict(skip_empty=True)
    document.close()
    return {"pages": pages, "images": images, "unreadable": unreadable, "metadata": metadata}


def _read_page(document: object, number: int) -> tuple[str, bool]:
    page = document[number]
    content = page.get_textpage()
    try:
        text = content.get_text_bounded()
        shown = () if text.strip() else page.get_objects(filter=[pdfium_c.FPDF_PAGEOBJ_IMAGE], max_depth=4)
        return text, any(True for _ in shown)
    finally:
        content.close()
        page.close()
