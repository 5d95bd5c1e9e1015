"""What bytes are, and who reads them."""

import io
import zipfile

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rag_platform.core.errors import ExtractionError
from rag_platform.documents.reading.extraction import SUPPORTED, detect_type, extract


@pytest.mark.parametrize(
    ("content", "uri", "content_type", "expected"),
    [
        (b"%PDF-1.7 x", "https://x.org/page.html", "text/html", "pdf"),
        (b"\n\n%PDF-1.7 x", "a", None, "pdf"),
        (b"Content-Type: application/pdf\r\n\r\n%PDF-1.7\n1 0 obj", "a", None, "pdf"),
        (b"A PDF begins with %PDF-1.7.", "a.txt", None, "text"),
        (b"# T", "https://x.org/a.md?raw=1", "text/plain; charset=utf-8", "markdown"),
        (b"# T", "https://x.org/a", "text/markdown", "markdown"),
        (b"hello", "https://x.org/a.md", "text/html", "html"),
        (b"hello", "https://x.org/a", "Text/HTML; charset=x", "html"),
        (b"hello", "notes/A.MD", None, "markdown"),
        (b"hello", "file:///a%20b.htm", "application/octet-stream", "html"),
        (b"a,b\n1,2", "a.csv", "text/csv", "csv"),
        (b"{}", "a.json", "application/json", "json"),
        (b'{"cells": []}', "a.ipynb", "application/json", "notebook"),
        (b"x: 1", "a.yml", "text/plain", "yaml"),
        (b"def f(): ...", "a.py", "text/plain", "code"),
        (b"WEBVTT\n\n", "a", None, "subtitles"),
        (b"<?xml version='1.0'?><article/>", "a", None, "xml"),
        (b"\\documentclass{article}", "a", None, "latex"),
        (b"From a@b.c Thu Jan  1 00:00:00 2026\nSubject: s\n\nx", "a", None, "mbox"),
        (b"Received: x\n by y\nFrom: a\nSubject: b\n\nhello", "a", "text/plain", "text"),
        (b"Received: x\n by y\nFrom: a\nSubject: b\n\nhello", "a", None, "email"),
        (b"{\\rtf1 x}", "a.doc", "application/msword", "rtf"),
        (b"<?xml version='1.0'?>\n<!DOCTYPE html><html>", "x", None, "html"),
        (b"  <!-- c --> <HTML>", "x", "text/plain", "text"),
        (b"RIFF\x24\x00\x00\x00WEBPVP8 ", "a", None, "image"),
        (b"x", "a.rst", None, "rst"),
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
    ("names", "expected"),
    [
        ({"[Content_Types].xml": "", "word/document.xml": ""}, "docx"),
        ({"a.pdf": "%PDF-1.7 1 0 obj"}, "zip"),
        ({"[Content_Types].xml": "", "xl/workbook.bin": ""}, "xlsx"),
        ({"[Content_Types].xml": "", "ppt/presentation.xml": ""}, "pptx"),
        ({"mimetype": "application/vnd.oasis.opendocument.text"}, "odt"),
        ({"mimetype": "application/vnd.oasis.opendocument.spreadsheet"}, "ods"),
        ({"mimetype": "application/vnd.oasis.opendocument.presentation"}, "odp"),
        ({"mimetype": "application/epub+zip"}, "epub"),
        ({"word/notes.txt": "a folder that happens to be called so"}, "zip"),
    ],
)
def test_what_a_zip_file_is_stands_in_it_whatever_its_name(names, expected):
    assert detect_type(archive(names), uri="a.bin", content_type="application/octet-stream") == expected


@pytest.mark.parametrize(
    ("content", "uri", "content_type", "message"),
    [
        (archive({"mimetype": "application/x-krita"}), "a.kra", None, r"\.kra files \(application/x-krita\)"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1xx", "a.doc", None, "this old Office file"),
        (b"GIF89a", "a.gif", "text/html", r"\.gif files \(image/gif\)"),
        (b"xxxx", "a.glb", "model/gltf-binary", r"\.glb files \(model/gltf-binary\)"),
    ],
    ids=range(4),
)
def test_what_has_no_reader_is_named(content, uri, content_type, message):
    with pytest.raises(ExtractionError, match=f"no reader for {message}"):
        extract(content, uri=uri, content_type=content_type)


def test_the_stated_type_wins():
    assert extract(b"<p>x</p>", uri="a.html", type="text").text == "<p>x</p>"
    with pytest.raises(ExtractionError, match="no reader for the type 'poem'; supported: 7z, asciidoc, calendar"):
        extract(b"x", uri="a", type="poem")


def test_text_comes_clean_from_every_reader():
    dirty = "T\u00a0\u200be\u0301  \r\n\r\n\r\n\r\nEnd "
    for kind in ("html", "markdown", "text", "rst", "asciidoc", "latex"):
        assert extract(dirty.encode(), uri="a", type=kind).text in ("T é\n\nEnd", "T é End"), kind


@pytest.mark.parametrize("kind", sorted(set(SUPPORTED) - {"pdf"}))
def test_every_reader_meets_bytes_of_another_kind_with_text_or_a_reason(kind):
    for content in (b"", b"\x00\xff" * 500, b"PK\x03\x04" + bytes(200), b"plain words", archive({"a.xml": "<a>x</a>"})):
        try:
            assert extract(content, uri="a", type=kind).type
        except ExtractionError as error:
            assert str(error)


def test_binary_under_a_text_name_is_refused():
    with pytest.raises(ExtractionError, match="not text"):
        extract(bytes(range(256)) * 20, uri="a.txt")


@example(content=b"\x1f\x8b\x08", uri="", content_type=None)  # a gzip header that is cut off
@given(content=st.binary(max_size=400), uri=st.text(max_size=20), content_type=st.none() | st.text(max_size=30))
def test_any_bytes_are_read_or_refused(content, uri, content_type):
    try:
        assert extract(content, uri=uri, content_type=content_type).type in SUPPORTED
    except ExtractionError as error:
        assert str(error)
