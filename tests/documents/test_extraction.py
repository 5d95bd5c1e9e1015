"""What bytes are, and who reads them."""

import io
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_platform.documents.archives import TYPES as ARCHIVES
from rag_platform.documents.extraction import SUPPORTED, detect_type, extract
from rag_platform.errors import ExtractionError


@pytest.mark.parametrize(
    ("content", "uri", "content_type", "expected"),
    [
        (b"%PDF-1.7 x", "https://x.org/page.html", "text/html", "pdf"),
        (b"\n\n%PDF-1.7 x", "a", None, "pdf"),
        (b"# T", "https://x.org/a.md?raw=1", "text/plain; charset=utf-8", "markdown"),
        (b"# T", "https://x.org/a", "text/markdown", "markdown"),
        (b"hello", "https://x.org/a.md", "text/html", "html"),
        (b"hello", "https://x.org/a", "Text/HTML; charset=x", "html"),
        (b"hello", "notes/A.MD", None, "markdown"),
        (b"hello", "file:///a%20b.htm", "application/octet-stream", "html"),
        (b"a,b\n1,2", "a.csv", "text/csv", "text"),
        (b"{}", "a.json", "application/json", "text"),
        (b"<?xml version='1.0'?>\n<!DOCTYPE html><html>", "x", None, "html"),
        (b"  <!-- c --> <HTML>", "x", "text/plain", "text"),
        (b"x", "a.rst", None, "text"),
        (b"", "", None, "text"),
    ],
)
def test_types(content, uri, content_type, expected):
    assert detect_type(content, uri=uri, content_type=content_type) == expected


def archive(names: dict[str, str]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as file:
        for name, content in names.items():
            file.writestr(name, content)
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("content", "uri", "content_type", "message"),
    [
        (
            archive({"word/document.xml": ""}),
            "a.docx",
            None,
            r"Word documents \(docx\) \(application/vnd.openx.*wordproc",
        ),
        (archive({"xl/workbook.xml": ""}), "a", None, "Excel workbooks"),
        (archive({"ppt/x": ""}), "a", None, "PowerPoint"),
        (archive({"mimetype": "application/vnd.oasis.opendocument.text"}), "a.odt", None, "OpenDocument texts"),
        (archive({"mimetype": "application/epub+zip"}), "a", None, "EPUB"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1xx", "a.doc", None, "old Office files"),
        (b"GIF89a", "a.gif", "text/html", r"\.gif files \(image/gif\)"),
        (b"xxxx", "a.mp4", "video/mp4", r"\.mp4 files \(video/mp4\)"),
    ],
    ids=range(8),
)
def test_what_has_no_reader_is_named(content, uri, content_type, message):
    with pytest.raises(ExtractionError, match=f"no reader for {message}.*; supported: html, image, markdown, pdf"):
        extract(content, uri=uri, content_type=content_type)


def test_the_stated_type_wins():
    assert extract(b"<p>x</p>", uri="a.html", type="text").text == "<p>x</p>"
    with pytest.raises(ExtractionError, match="no reader for the type 'poem'; supported: html"):
        extract(b"x", uri="a", type="poem")


def test_text_comes_clean_from_every_reader():
    dirty = "T\u00a0\u200be\u0301  \r\n\r\n\r\n\r\nEnd "
    for kind in set(SUPPORTED) - {"pdf", "image", *ARCHIVES}:
        assert extract(dirty.encode(), uri="a", type=kind).text in ("T é\n\nEnd", "T é End"), kind


def test_binary_under_a_text_name_is_refused():
    with pytest.raises(ExtractionError, match="not text"):
        extract(bytes(range(256)) * 20, uri="a.txt")


@given(content=st.binary(max_size=400), uri=st.text(max_size=20), content_type=st.none() | st.text(max_size=30))
def test_any_bytes_are_read_or_refused(content, uri, content_type):
    try:
        assert extract(content, uri=uri, content_type=content_type).type in SUPPORTED
    except ExtractionError as error:
        assert str(error)
