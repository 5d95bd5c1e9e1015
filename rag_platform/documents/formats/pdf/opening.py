"""A PDF, opened with the password that fits it."""

import logging
import unicodedata
from contextlib import suppress
from stringprep import in_table_b1, in_table_c12

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from rag_platform.core.errors import ExtractionError
from rag_platform.documents.options import ENCRYPTED, Options

logging.getLogger("pypdfium2").setLevel(logging.ERROR)  # it advises to compile PDFium anew for forms of another kind


def open_pdf(content: bytes, options: Options) -> pdfium.PdfDocument:
    """Open a PDF with no password or with the first that fits.

    Raises:
        ExtractionError: It is damaged, or encrypted with another password.
    """
    stated = [*filter(None, options.passwords)]
    for password in (None, *dict.fromkeys(form for given in stated for form in (given, _prepared(given)))):
        try:
            return _with_form(pdfium.PdfDocument(content, password=password))
        except pdfium.PdfiumError as error:
            if error.err_code != pdfium_c.FPDF_ERR_PASSWORD:
                raise ExtractionError(f"not a readable PDF: {str(error).rstrip('.')}") from error
    raise ExtractionError(f"{ENCRYPTED} and needs a password: {_tried(options)}, or save a copy without one")


def _with_form(document: pdfium.PdfDocument) -> pdfium.PdfDocument:
    """Let the values of its form be read; no script in it is run."""
    with suppress(pdfium.PdfiumError):  # then what the fields show is all there is
        document.init_forms()
    return document


def _prepared(password: str) -> str:
    """Return the form that ISO 32000-2 (7.6.4.3.3) has programs take: RFC 4013's, which PDFium leaves to its caller."""
    mapped = "".join(" " if in_table_c12(one) else one for one in password if not in_table_b1(one))
    return unicodedata.normalize("NFKC", mapped)


def _tried(options: Options) -> str:
    unset = [name for name, value in zip(options.keys, options.passwords, strict=True) if not value]
    if unset:
        return f"the variable {unset[0]} that pdf_passwords names is not set; set it"
    if options.keys:
        return f"that in {' and '.join(options.keys)} does not open it; name another in pdf_passwords"
    return "put it in a variable and name that in the source's pdf_passwords"
