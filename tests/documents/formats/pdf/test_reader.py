"""PDFs: text, metadata, what is left out and why nothing is there."""

import io
from datetime import UTC, datetime

import pytest
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.pdfgen.canvas import Canvas

from rag_platform.core.errors import ExtractionError
from rag_platform.documents.extracted import Loss
from rag_platform.documents.formats.page_layout.characters import garbled, readable, unhyphenated
from rag_platform.documents.formats.page_layout.running_headers import running_rows
from rag_platform.documents.formats.pdf.information import date_of, sane
from rag_platform.documents.formats.pdf.opening import _prepared
from rag_platform.documents.formats.pdf.reader import read_pdf
from rag_platform.documents.options import Limits, Options


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
    rows = [[f"{n} {n * 7} {n * 13}", "x", "y", "z", f"Name {n} here"] for n in range(1, 6)]
    assert running_rows([["Same."]] * 3) == [set()] * 3
    assert all(0 not in gone for gone in running_rows(rows))


def test_left_and_right_pages_have_headers_of_their_own():
    pages = [[("The book", "The chapter")[n % 2], f"a{n}", f"b{n}", f"c{n}", "x y", f"d{n}"] for n in range(8)]
    pages = [[*page[:4], f"{page[5]} {page[5]}"] for page in pages]
    assert running_rows(pages) == [{0}] * 8


def test_words_cut_at_a_lines_end_are_joined():
    read = read_pdf(make_pdf([["The irri-", "gation of well-", "known fields", "is well-known."]]))
    assert read.text == "The irrigation of well-known fields\nis well-known."


def test_images_without_text():
    with pytest.raises(ExtractionError, match=r"2 of 2 pages are images; install the extra `ocr` to read them"):
        read_pdf(make_pdf([[], []], page_extra=IMAGE))
    with pytest.raises(ExtractionError, match="pages are images; ocr is off in the settings"):
        read_pdf(make_pdf([[]], page_extra=IMAGE), options=Options(ocr="off"))
    with pytest.raises(ExtractionError, match="no text: 1 pages without any"):
        read_pdf(make_pdf([[]]))


BARS = " ".join(f"{60 + 20 * n} 600 12 {40 + 9 * n} re f" for n in range(6)) + " 50 598 200 1 re f"


@pytest.mark.parametrize(
    ("caption", "drawn", "count"),
    [
        ("Figure 2: Herons seen each year", BARS, 1),
        ("Figure 2: Herons seen each year", f"{BARS} 50 592 300 1 re f", 1),  # a rule above the caption
        ("Herons seen each year", BARS, 0),
        ("Figure 2: A program", "50 600 200 80 re S", 0),  # a frame around a text
        ("Figure 2: Herons seen each year", "", 0),
    ],
)
def test_figures_that_are_drawn_are_told_by_their_captions(caption, drawn, count):
    text = f"{drawn} BT /F1 10 Tf 50 580 Td ({caption}) Tj ET"
    read = read_pdf(make_pdf([["Herons live beside water."]], page_extra=text))
    assert caption in read.text
    assert read.losses == ((Loss("figures", count),) if count else ())


def test_a_page_that_is_an_image_among_others_is_flagged():
    both = make_pdf([["Some words that are text."], []]).replace(
        b"BT /F1 12 Tf 50 780 Td  ET ", f"{IMAGE} ".encode().ljust(27)
    )
    read = read_pdf(both)
    assert read.text == "Some words that are text."
    assert read.flags == ("pages that are images without text: 1 (install the extra `ocr` to read them)",)


def locked(password: str) -> bytes:
    written = io.BytesIO()
    canvas = Canvas(written, encrypt=StandardEncryption(password, strength=128))
    canvas.drawString(50, 700, "The secret plan.")
    canvas.save()
    return written.getvalue()


def test_passwords_open_what_is_encrypted():
    content = locked("öpen sesame")
    read = read_pdf(content, options=Options(keys=("OLD", "NEW"), passwords=("wrong", "öpen sesame")))
    assert read.text == "The secret plan."


@pytest.mark.parametrize(
    ("keys", "passwords", "advice"),
    [
        ((), (), "put it in a variable and name that in the source's pdf_passwords"),
        (("A", "B"), ("one", "two"), "that in A and B does not open it"),
        (("A", "B"), ("one", ""), "the variable B that pdf_passwords names is not set"),
    ],
    ids=["none", "wrong", "unset"],
)
def test_an_encrypted_file_says_what_is_needed(keys, passwords, advice):
    with pytest.raises(ExtractionError, match=f"this PDF is encrypted and needs a password: {advice}"):
        read_pdf(locked("other"), options=Options(keys=keys, passwords=passwords))


def test_no_record_of_the_options_has_a_password():
    assert "sesame" not in repr(Options(keys=("A",), passwords=("sesame",)))


def test_absurd_sizes_are_reasons():
    claims = make_pdf([["Words."]]).replace(b"/Count 1", b"/Count 100000")
    with pytest.raises(ExtractionError, match=r"it has 100000 pages, more than the 10000 of documents\.max_pages"):
        read_pdf(claims)
    with pytest.raises(ExtractionError, match="page 2: more than 50 characters"):
        read_pdf(make_pdf([["Words of a page that is not long."]] * 3), limits=Limits(characters=50))


def test_a_tree_of_pages_that_holds_itself_ends():
    loop = make_pdf([["Words."]]).replace(b"/Kids [4 0 R]", b"/Kids [2 0 R]")
    with pytest.raises(ExtractionError, match=r"no pages|none of its"):
        read_pdf(loop)


@pytest.mark.parametrize("content", [b"%PDF-1.4 nothing", b"", b"\x00" * 100], ids=["header", "empty", "zeros"])
def test_a_damaged_file_says_so(content):
    with pytest.raises(ExtractionError, match="not a readable PDF"):
        read_pdf(content)


@pytest.mark.parametrize(
    "name", ["untitled", "plan.docx", "Microsoft Word - a", "%%%", "1234567 8", "", "Document1", "https://x.org"]
)
def test_placeholders(name):
    assert sane(name) == ""


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
    assert date_of(value) == expected


@pytest.mark.parametrize(
    ("drawn", "typed"),
    [
        ("e\ufb03cient \ufb02ow, x\u00b2 and \u2122", "efficient flow, x² and ™"),
        ("\ufefb \ufedf\ufe8e", "لا لا"),
        ("\uf0b7 A point", "- A point"),
        ("Contents . . . . . . . . . 12", "Contents … 12"),
        ("لغة Pythonمن هنا", "لغة Python من هنا"),
        ("أي ًضا", "أيضًا"),
        (")2024 و2026(", "(2024 و2026)"),
        ("(2024 و2026)", "(2024 و2026)"),
        ("plain (text) here", "plain (text) here"),
    ],
)
def test_letters_are_what_a_reader_would_type(drawn, typed):
    assert readable(drawn) == typed


def test_a_font_without_meaning_is_no_text():
    assert garbled("\ue001\ue002 \ufffd" * 20) and not garbled("Ordinary words, and more of them.")


def test_hyphens_of_compounds_stay():
    assert unhyphenated("irri-\ngation, well-\nknown and well-known") == "irrigation, well-known and well-known"


@pytest.mark.parametrize(
    ("given", "kept"),
    [("S\u00aaSL\u00adprep", "SaSLprep"), ("a\u00a0b", "a b"), ("\u2168", "IX"), ("p\u00e4ss", "p\u00e4ss")],
)
def test_a_password_is_also_tried_in_the_form_that_programs_store(given, kept):
    assert _prepared(given) == kept
    content = io.BytesIO()
    page = Canvas(content, encrypt=StandardEncryption(kept, strength=128))
    page.drawString(100, 700, "Secret words.")
    page.save()
    assert read_pdf(content.getvalue(), options=Options(keys=("A",), passwords=(given,))).text == "Secret words."
