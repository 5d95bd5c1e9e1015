"""PDFs beside their text: form values, links, comments, attached files, outlines, labels of pages."""

import io

import pytest
from reportlab.pdfgen.canvas import Canvas

from rag_platform.core.errors import ExtractionError
from rag_platform.documents.extracted import Member, losses
from rag_platform.documents.formats.pdf.interactive.bookmarks import Entry, with_headings
from rag_platform.documents.formats.pdf.interactive.links import write_links
from rag_platform.documents.formats.pdf.reader import read_pdf
from rag_platform.documents.options import Limits, Options
from rag_platform.documents.reading.unpacking import read_parts, unpack
from tests.documents.formats.pdf.test_layout import drawn


def pdf_of(text: str, catalog: str = "", page: str = "", objects: tuple[str, ...] = (), pages: int = 1) -> bytes:
    """Write a PDF by hand: each page says `text` and its number; `objects` are numbered from 10."""
    kids = " ".join(f"{100 + 2 * n} 0 R" for n in range(pages))
    numbered = {
        1: f"<< /Type /Catalog /Pages 2 0 R {catalog} >>",
        2: f"<< /Type /Pages /Kids [{kids}] /Count {pages} >>",
        3: "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    }
    numbered |= dict(enumerate(objects, start=10))
    for n in range(pages):
        stream = f"BT /F1 12 Tf 50 700 Td ({text} {n + 1}) Tj ET" if text else ""
        numbered[100 + 2 * n] = (
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents {101 + 2 * n} 0 R {page} "
            "/Resources << /Font << /F1 3 0 R >> >> >>"
        )
        numbered[101 + 2 * n] = f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream"
    body = "".join(f"{number} 0 obj\n{content}\nendobj\n" for number, content in numbered.items())
    return f"%PDF-1.7\n{body}trailer\n<< /Root 1 0 R /Size 200 >>\n%%EOF".encode("cp1252")


# --- forms ------------------------------------------------------------------------------------------


def form(*fields: str, text: str = "Name:", flags: str = "") -> bytes:
    """Write a form whose fields have no picture of their own, as programs write that fill in the values alone."""
    numbers = " ".join(f"{10 + n} 0 R" for n in range(len(fields)))
    widgets = tuple(f"<< /Type /Annot /Subtype /Widget /P 100 0 R {field} >>" for field in fields)
    return pdf_of(text, f"/AcroForm << /Fields [{numbers}] {flags} >>", f"/Annots [{numbers}]", widgets)


def test_a_value_that_the_file_only_stores_stands_beside_its_label():
    assert read_pdf(form("/FT /Tx /T (name) /V (Alice Meier) /Rect [150 690 300 712]")).text == "Name: 1 Alice Meier"


def test_a_value_at_the_top_of_a_high_field_stands_after_its_label():
    def draw(canvas):
        for n, (label, value) in enumerate((("Name:", "Ada Lovelace"), ("Place:", "London"))):
            canvas.drawString(50, 770 - 50 * n, label)
            canvas.acroForm.textfield(name=label, value=value, x=120, y=760 - 50 * n, width=200, height=36)

    assert read_pdf(drawn(draw)).text.split("\n\n") == ["Name: Ada Lovelace", "Place: London"]


def test_a_value_without_a_label_on_the_page_has_the_fields_own():
    read = read_pdf(form("/FT /Ch /Ff 131072 /T (c) /TU (Country of birth) /V (Nepal) /Rect [50 400 300 420]"))
    assert read.text == "Name: 1\n\nCountry of birth: Nepal"


def test_of_a_list_the_chosen_are_read():
    read = read_pdf(form("/FT /Ch /Ff 2097152 /T (l) /Opt [(Rice) (Wheat) (Maize)] /V [(Rice) (Maize)] /I [0 2] "
                         "/DA (/Helv 10 Tf) /Rect [150 640 300 712]"))  # fmt: skip
    assert "Rice, Maize" in read.text and "Wheat" not in read.text


@pytest.mark.parametrize("hidden", ["/FT /Tx /Ff 8192 /V (secret)", "/FT /Tx /F 2 /V (secret)", "/FT /Tx"])
def test_a_password_and_a_hidden_field_are_not_read(hidden):
    assert read_pdf(form(f"{hidden} /T (p) /Rect [150 690 300 712]")).text == "Name: 1"


def test_a_password_is_not_read_though_the_file_draws_it():
    def draw(canvas):
        canvas.drawString(60, 700, "Word:")
        canvas.acroForm.textfield(name="p", value="sesame", fieldFlags="password", x=100, y=690, width=200, height=24)

    assert read_pdf(drawn(draw)).text == "Word:"


def test_boxes_say_whether_they_are_ticked():
    def draw(canvas):
        for n, (name, ticked) in enumerate((("Organic", True), ("Leased", False))):
            canvas.drawString(90, 700 - 30 * n, name)
            canvas.acroForm.checkbox(name=name, checked=ticked, x=60, y=695 - 30 * n, size=20)
        canvas.acroForm.checkbox(name="nothing", checked=True, x=400, y=300, size=20)

    assert read_pdf(drawn(draw)).text.split("\n") == ["[x] Organic", "[ ] Leased"]


@pytest.mark.parametrize("kind", ["Sound", "Movie", "Screen", "RichMedia", "3D"])
def test_a_film_is_counted_and_what_stands_in_its_place_is_read(kind):
    shown = "BT /F1 12 Tf 5 5 Td (A film about weirs) Tj ET"
    fonts = "/Resources << /Font << /F1 3 0 R >> >>"
    form = f"<< /Type /XObject /Subtype /Form /BBox [0 0 200 40] {fonts} /Length {len(shown)} >>"
    film = f"<< /Type /Annot /Subtype /{kind} /P 100 0 R /F 4 /Rect [50 500 250 540] /AP << /N 11 0 R >> >>"
    read = read_pdf(pdf_of("Page", page="/Annots [10 0 R]", objects=(film, f"{form}\nstream\n{shown}\nendstream")))
    assert read.text == "Page 1\n\nA film about weirs"
    assert read.losses == losses({"media": 1})


def test_a_form_that_is_xml_alone_is_read():
    field = (
        '<field name="{0}"><caption><value><text>{1}</text></value></caption><value><text>{2}</text></value></field>'
    )
    template = (
        '<template xmlns="http://www.xfa.org/schema/xfa-template/3.3/"><subform name="form"><draw><value><exData>'
        "<p>Application for <b>water</b></p></exData></value></draw>"
        + field.format("who", "Name", "")
        + field.format("year", "Year", "2024")
        + '<subform presence="hidden"><draw><value><text>Secret</text></value></draw></subform>'
        + field.format("who", "Second name", "")
        + "</subform></template>"
    )
    filled = (
        '<xfa:datasets xmlns:xfa="http://www.xfa.org/schema/xfa-data/1.0/"><xfa:data><form><who>Asha Rai</who>'
        "<who/></form></xfa:data></xfa:datasets>"
    )
    objects = tuple(f"<< /Length {len(one)} >>\nstream\n{one}\nendstream" for one in (template, filled))
    catalog = "/AcroForm << /Fields [] /XFA [(template) 10 0 R (datasets) 11 0 R] >>"
    read = read_pdf(pdf_of("Please wait", catalog, objects=objects))
    assert read.text.split("\n") == ["Application for water", "Name Asha Rai", "Year 2024", "Second name"]


# --- links and comments -----------------------------------------------------------------------------


def test_words_that_lead_to_an_address_are_links():
    def draw(canvas):
        canvas.drawString(60, 700, "Read the report (2024) of the office, or write to us.")
        canvas.linkURL("https://example.org/a(b)", (85, 695, 160, 712))
        canvas.linkURL("javascript:alert(1)", (190, 695, 290, 712))
        canvas.drawString(60, 660, "See https://example.org/plain for more.")
        canvas.linkURL("https://example.org/plain", (80, 655, 200, 672))
        canvas.highlightAnnotation("Old", Rect=(84, 695, 160, 712), QuadPoints=(84, 712, 160, 712, 84, 695, 160, 695))

    text = read_pdf(drawn(draw)).text
    assert text.endswith("on “the report (2024)”: Old")
    assert "Read [the report (2024)](https://example.org/a%28b%29) of the office" in text
    assert read_pdf(drawn(draw)).title == "Read the report (2024) of the office, or write to us."
    assert "javascript" not in text and "See https://example.org/plain for more." in text


def test_marks_of_links_never_stay():
    assert write_links("a \ufdd0b c\ufdd1\U000f0000 d \ufdd1\U000f0003 \ufdd0", ["https://x.org"]) == (
        "a [b c](https://x.org) d  "
    )


def test_comments_name_their_author_and_the_words_that_they_are_about():
    note = "<< /Type /Annot /Subtype /Text /Rect [400 700 420 720] /Contents (Who says so?) /T (Ann) /M (D:20240501) >>"
    mark = (
        "<< /Type /Annot /Subtype /Highlight /Rect [48 695 90 715] /Contents (Too old) /T (Ben) "
        "/QuadPoints [48 715 80 715 48 695 80 695] >>"
    )
    state = "<< /Type /Annot /Subtype /Text /Rect [0 0 9 9] /Contents (Accepted) /StateModel (Review) >>"
    read = read_pdf(pdf_of("Water page", page="/Annots [10 0 R 11 0 R 12 0 R]", objects=(note, mark, state)))
    assert read.text.split("\n\n") == [
        "Water page 1",
        "[author: Ann, time: 2024-05-01T00:00:00+00:00]: Who says so?",
        "[author: Ben]: on “Water”: Too old",
    ]


TREE = "/MarkInfo << /Marked true >> /StructTreeRoot 10 0 R"
DESCRIBED = (
    "<< /Type /StructTreeRoot /K [11 0 R 12 0 R] /ParentTree 13 0 R >>",
    "<< /Type /StructElem /S /Figure /P 10 0 R /Pg 100 0 R /K 0 /Alt (A heron [Ardea] in the reeds) >>",
    "<< /Type /StructElem /S /Figure /P 10 0 R /Pg 100 0 R /K 1 /Alt (Figure) >>",
    "<< /Nums [0 [11 0 R 12 0 R]] >>",
)
HERON = ") Tj ET /Figure << /MCID 0 >> BDC 50 300 200 200 re f EMC"


def test_what_a_tagged_file_says_of_a_figure_stands_in_its_place():
    drawing = f"Above{HERON} BT /F1 12 Tf 50 200 Td (Below"
    read = read_pdf(pdf_of(drawing, TREE, "/StructParents 0", DESCRIBED))
    assert read.text.split("\n\n") == ["Above", "![A heron (Ardea) in the reeds]", "Below 1"]


def test_a_figure_and_its_caption_are_one_paragraph_in_their_column():
    left = [(50, 740 - 13 * n, f"A{n} of the herons that were seen") for n in range(8)]
    right = [(320, 740 - 13 * n, f"B{n} of the storks that were seen") for n in range(30)]
    below = [
        (50, 285, "Figure 2: Seen in winter"),
        *((50, 250 - 13 * n, f"C{n} of the herons again") for n in range(6)),
    ]
    lines = " ".join(f"BT /F1 10 Tf {x} {y} Td ({text}) Tj ET" for x, y, text in [*left, *below, *right])
    drawing = f"Birds{HERON} {lines} BT /F1 10 Tf 50 20 Td (End"
    text = read_pdf(pdf_of(drawing, TREE, "/StructParents 0", DESCRIBED)).text
    assert "\n\n![A heron (Ardea) in the reeds]\nFigure 2: Seen in winter\n" in text
    assert text.index("A7 of") < text.index("![A heron") < text.index("C0 of") < text.index("B0 of")


def test_a_caption_above_its_figure_is_one_paragraph_with_it():
    above = [
        (50, 640, "Herons live beside water."),
        (50, 530, "Figure 2: Seen in winter, when the water is"),
        (50, 518, "low and the reeds are brown"),
    ]
    lines = " ".join(f"BT /F1 10 Tf {x} {y} Td ({text}) Tj ET" for x, y, text in above)
    text = read_pdf(
        pdf_of(f"Birds{HERON} {lines} BT /F1 10 Tf 50 200 Td (Below", TREE, "/StructParents 0", DESCRIBED)
    ).text
    caption = "Figure 2: Seen in winter, when the water is\nlow and the reeds are brown"
    assert text.split("\n\n") == [
        "# Birds",
        "Herons live beside water.",
        f"{caption}\n![A heron (Ardea) in the reeds]",
        "Below 1",
    ]


# --- attached files ---------------------------------------------------------------------------------

FILE = "<< /Type /EmbeddedFile /Subtype /text#2Fplain /Length 21 >>\nstream\nThe farm has a pond.\n\nendstream"


def spec(name: str, at: int = 10) -> str:
    return f"<< /Type /Filespec /F ({name}) /UF ({name}) /EF << /F {at} 0 R >> >>"


def test_attached_files_are_documents_of_their_own():
    names = "/Names << /EmbeddedFiles << /Names [(a) 11 0 R (b) 12 0 R (c) 14 0 R] >> >>"
    pinned = "<< /Type /Annot /Subtype /FileAttachment /Rect [10 10 30 30] /FS 11 0 R >>"
    content = pdf_of(
        "A cover page", names, "/Annots [13 0 R]", (FILE, spec("../pond.txt"), spec("b.txt"), pinned, spec("c", 99))
    )
    parts = {part.path: part for part in read_parts(content, uri="x.pdf") if not isinstance(part, str)}
    assert sorted(parts) == ["", "!/b.txt", "!/c", "!/pond (2).txt", "!/pond.txt"]
    assert parts["!/pond.txt"].read.text == "The farm has a pond." and "cannot be taken out" in parts["!/c"].reason
    assert unpack(content, uri="x.pdf", path="!/b.txt").content.startswith(b"The farm")


def test_a_cover_without_text_is_no_reason_to_lose_what_is_attached():
    content = pdf_of("", "/Names << /EmbeddedFiles << /Names [(a) 11 0 R] >> >>", objects=(FILE, spec("pond.txt")))
    read = read_pdf(content)
    assert read.text == "" and [member.path for member in read.members] == ["pond.txt"]
    small = read_pdf(content, limits=Limits(member_bytes=5))
    assert list(small.members) == [Member("pond.txt", problem="larger than 5 bytes when unpacked; it was left out")]
    with pytest.raises(ExtractionError, match="no text"):
        read_pdf(pdf_of(""))


# --- outlines and labels ----------------------------------------------------------------------------


def test_an_outline_gives_headings_to_a_text_without_any():
    written = io.BytesIO()
    canvas = Canvas(written, pagesize=(600, 800))
    for number, title in enumerate(("Water", "Rain", "Wells"), start=1):
        canvas.bookmarkPage(title)
        canvas.addOutlineEntry(title, title, level=min(number - 1, 1))
        canvas.drawString(50, 700, f"{number}. {title}" if title != "Wells" else "How deep they are is not known.")
        canvas.drawString(50, 680, f"What {title} is to the farmers of the valley.")
        canvas.showPage()
    canvas.save()
    text = read_pdf(written.getvalue()).text
    assert text.startswith("# 1. Water\n\nWhat") and "\n\n## 2. Rain\n\nWhat Rain" in text
    assert "\n\n## Wells\n\nHow deep" in text


@pytest.mark.parametrize(
    ("pages", "entries", "expected"),
    [
        (["# A heading\n\nWater"], [Entry("Water", 1, 0)], ["# A heading\n\nWater"]),
        (["Some text"], [Entry("Blank Page", 1, 0)], ["Some text"]),
        (
            ["A long\ntitle of\nlines\nText"],
            [Entry("2 A long title of lines", 2, 0)],
            ["## A long title of lines\n\nText"],
        ),
    ],
)
def test_an_outline_is_no_more_than_is_missing(pages, entries, expected):
    assert with_headings(pages, entries) == expected


def test_pages_are_called_what_the_file_calls_them():
    labels = "/PageLabels << /Nums [0 << /S /r >> 2 << /S /D >> 3 << /P (A-) /S /D >>] >>"
    assert read_pdf(pdf_of("Text", labels, pages=4)).page_labels == ("i", "ii", "1", "A-1")
    assert read_pdf(pdf_of("Text", pages=2), options=Options()).page_labels == ()


# --- letters that a pattern fills ------------------------------------------------------------------


def test_letters_that_a_pattern_fills_are_seen_and_white_ones_are_not():
    shading = "<< /ShadingType 2 /ColorSpace /DeviceRGB /Coords [0 0 600 0] /Extend [true true] /Function 11 0 R >>"
    pattern = f"<< /Type /Pattern /PatternType 2 /Shading {shading} >>"
    colours = "<< /FunctionType 2 /Domain [0 1] /C0 [1 0 0] /C1 [0 0 1] /N 1 >>"
    plain = pdf_of("Patterned words", objects=(pattern, colours))
    filled = plain.replace(b"BT", b"/Pattern cs /P1 scn BT").replace(b"/Font <<", b"/Pattern << /P1 10 0 R >> /Font <<")
    secret = b"(Plain) Tj ET 1 g BT /F1 12 Tf 50 600 Td (white) Tj ET 0 g BT /F1 12 Tf 50 500 Td"
    both = filled.replace(b"ET\nendstream", b"ET 0 g BT /F1 12 Tf 50 650 Td " + secret + b" (below) Tj ET\nendstream")
    read = read_pdf(both)
    assert read.text.split("\n\n") == ["Patterned words 1", "Plain", "below"]
    assert read.flags == ("hidden words removed: 1",)
