"""PDFs: the text layer, and a reader that no file can take down."""

from datetime import UTC, datetime

import pytest

from rag_platform.documents.pdf import _date, _sane, read_pdf, without_running_lines
from rag_platform.errors import ExtractionError


def make_pdf(pages: list[list[str]], info: str = "", trailer: str = "", page_extra: str = "") -> bytes:
    """Write a PDF of lines in Helvetica by hand; PDFium repairs the missing cross-reference table."""
    objects = ["<< /Type /Catalog /Pages 2 0 R >>"]
    kids = " ".join(f"{4 + 2 * n} 0 R" for n in range(len(pages)))
    objects.append(f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>")
    objects.append("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>")
    for number, lines in enumerate(pages):
        shown = "".join(f"({line}) Tj 0 -16 Td " for line in lines)
        stream = f"BT /F1 12 Tf 50 780 Td {shown} ET {page_extra}"
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents {5 + 2 * number} 0 R "
            "/Resources << /Font << /F1 3 0 R >> >> >>"
        )
        objects.append(f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream")
    objects.append(f"<< {info} >>")
    body = "".join(f"{number} 0 obj\n{content}\nendobj\n" for number, content in enumerate(objects, start=1))
    return (
        f"%PDF-1.4\n{body}trailer\n<< /Root 1 0 R /Size {len(objects) + 1} /Info {len(objects)} 0 R {trailer} >>\n%%EOF"
    ).encode("cp1252")


IMAGE = "q 100 0 0 100 0 0 cm BI /W 1 /H 1 /CS /G /BPC 8 ID x EI Q"


def test_text_pages_and_metadata():
    read = read_pdf(
        make_pdf(
            [["The first page."], ["The second page."]],
            info="/Title (A plan for water) /Author (Asha) "
            "/CreationDate (D:20240501120000+05'45') /ModDate (D:20240502)",
        )
    )
    assert read.text == "The first page.\n\nThe second page."
    assert read.pages == (0, 17) and read.text[17:] == "The second page."
    assert (read.title, read.author, read.type) == ("A plan for water", "Asha", "pdf")
    assert read.published_at == datetime(2024, 5, 1, 6, 15, tzinfo=UTC)
    assert read.updated_at == datetime(2024, 5, 2, tzinfo=UTC)


def test_a_title_made_by_a_program_is_not_one():
    assert (
        read_pdf(make_pdf([["Water and land", "More."]], info="/Title (Microsoft Word - plan3.doc)")).title
        == "Water and land"
    )


def test_a_page_without_text_starts_where_the_next_does():
    read = read_pdf(make_pdf([["One."], [], ["Three."]]))
    assert read.text == "One.\n\nThree." and read.pages == (0, 6, 6)


def test_headers_and_footers_go_and_are_flagged():
    pages = [["Annual report", f"Words {word} here.", "More text.", f"And {word} again.", f"Page {n} of 9"]
             for n, word in enumerate(["one", "two", "three", "four"], start=1)]  # fmt: skip
    read = read_pdf(make_pdf(pages))
    assert "Annual report" not in read.text and "Page" not in read.text
    assert read.text.startswith("Words one here.\nMore text.") and "And four again." in read.text
    assert read.flags == ("header and footer lines removed: 8",)
    assert read.text[read.pages[2] :].startswith("Words three")


def test_lines_of_a_table_and_short_pages_are_no_headers():
    rows = [f"{n} {n * 7} {n * 13}\nx\ny\nz\nName {n} here" for n in range(1, 6)]
    assert without_running_lines(["Same.", "Same.", "Same."]) == (["Same."] * 3, 0)
    assert "1 7 13" in without_running_lines(rows)[0][0]


def test_words_cut_at_a_lines_end_are_joined():
    read = read_pdf(make_pdf([["The irri-", "gation of well-", "known fields", "is well-known."]]))
    assert read.text == "The irrigation of well-known fields\nis well-known."


def test_images_without_text():
    with pytest.raises(ExtractionError, match="no text layer: 2 of 2 pages are images"):
        read_pdf(make_pdf([[], []], page_extra=IMAGE))
    with pytest.raises(ExtractionError, match="no text: 1 pages without any"):
        read_pdf(make_pdf([[]]))


def test_an_encrypted_file_says_so():
    locked = make_pdf(
        [["Secret."]],
        trailer=f"/Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <{'00' * 32}> /U <{'11' * 32}> >> /ID [<00> <00>]",
    )
    with pytest.raises(ExtractionError, match="encrypted and needs a password"):
        read_pdf(locked)


@pytest.mark.parametrize("content", [b"%PDF-1.4 nothing", b"", b"\x00" * 100], ids=["header", "empty", "zeros"])
def test_a_damaged_file_says_so(content):
    with pytest.raises(ExtractionError, match="not a readable PDF"):
        read_pdf(content)


@pytest.mark.parametrize(
    "name", ["untitled", "plan.docx", "Microsoft Word - a", "%%%", "1234567 8", "", "Document1", "https://x.org"]
)
def test_placeholders(name):
    assert _sane(name) == ""


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("D:20240230", None),
        ("D:19700101000000Z", None),
        ("nonsense", None),
        ("20240501", datetime(2024, 5, 1, tzinfo=UTC)),
        ("D:20240501120000-02'00'", datetime(2024, 5, 1, 14, tzinfo=UTC)),
        ("D:20240501120000+99'99'", None),
    ],
)
def test_dates(value, expected):
    assert _date(value) == expected
