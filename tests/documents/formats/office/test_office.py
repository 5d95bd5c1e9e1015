"""Office and OpenDocument files, written by hand: what people put in them comes out, hostile ones give a reason."""

import io
import zipfile
import zlib
from html import escape

import pytest

from rag_platform.core.errors import ExtractionError
from rag_platform.documents.extracted import Loss
from rag_platform.documents.formats.office import packages
from rag_platform.documents.formats.xml_tree import parse_xml
from rag_platform.documents.reading.extraction import extract

RELS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
W = f'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="{RELS}"'
M = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
P = (
    f'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:r="{RELS}" '
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
)
S = f'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="{RELS}"'
CORE = (
    '<cp:coreProperties xmlns:cp="c" xmlns:dc="d" xmlns:dcterms="t"><dc:title>Annual report</dc:title>'
    "<dc:creator>Ada</dc:creator><dcterms:created>2026-01-02T03:04:05Z</dcterms:created>"
    "<dcterms:modified>2026-02-03T00:00:00Z</dcterms:modified></cp:coreProperties>"
)


def zipped(parts: dict[str, str]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in parts.items():
            file.writestr(name, content)
    return buffer.getvalue()


def links(*entries: tuple[str, str]) -> str:
    one = '<Relationship Id="r{}" Type="' + RELS + '/{}" Target="{}"/>'
    inside = "".join(one.format(number, kind, target) for number, (kind, target) in enumerate(entries, 1))
    return (
        f'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{inside}</Relationships>'
    )


def package(main: str, parts: dict[str, str], main_links: str = "") -> bytes:
    folder, _, name = main.rpartition("/")
    types = (
        '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
        '<Default Extension="xml" ContentType="application/xml"/><Default Extension="rels" '
        'ContentType="application/vnd.openxmlformats-package.relationships+xml"/></Types>'
    )
    return zipped(
        {
            "[Content_Types].xml": types,
            "_rels/.rels": links(("officeDocument", main)),
            "docProps/core.xml": CORE,
            f"{folder}/_rels/{name}.rels": main_links or links(),
            **parts,
        }
    )


def docx(body: str, before: str = "", main_links: str = "", **parts: str) -> bytes:
    document = f"<?xml version='1.0'?>{before}<w:document {W} {M}><w:body>{body}</w:body></w:document>"
    return package("word/document.xml", {"word/document.xml": document, **parts}, main_links)


def paragraph(text: str, about: str = "") -> str:
    return f"<w:p><w:pPr>{about}</w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>"


def heading(level: int, text: str) -> str:
    return paragraph(text, f'<w:outlineLvl w:val="{level - 1}"/>')


# --- Word -------------------------------------------------------------------------------------------


def test_a_document_has_its_headings_and_properties():
    read = extract(docx(heading(1, "Results") + paragraph("It grew.") + heading(2, "Costs")), uri="a.docx")
    assert read.text == "## Results\n\nIt grew.\n\n### Costs"
    assert (read.type, read.title, read.author) == ("docx", "Annual report", "Ada")
    assert (read.published_at.isoformat(), read.updated_at.day) == ("2026-01-02T03:04:05+00:00", 3)


@pytest.mark.parametrize(
    ("name", "created", "modified"),
    [
        ("python-docx", "2013-12-23T23:15:00Z", "2013-12-23T23:15:00Z"),
        ("Un-named", "2013-01-27T09:14:16Z", "2013-01-27T09:15:58Z"),
    ],
)
def test_what_a_library_says_of_its_template_is_not_said_of_the_document(name, created, modified):
    core = CORE.replace("Ada", name).replace("2026-01-02T03:04:05Z", created)
    read = extract(docx(paragraph("It grew."), **{"docProps/core.xml": core}), uri="a.docx")
    assert (read.author, read.published_at, read.updated_at.year) == ("", None, 2026)
    core = core.replace("2026-02-03T00:00:00Z", modified)
    assert extract(docx(paragraph("It grew."), **{"docProps/core.xml": core}), uri="a.docx").updated_at is None


def test_headings_and_items_have_the_numbers_that_word_shows():
    numbering = (
        f'<w:numbering {W}><w:abstractNum w:abstractNumId="7">'
        '<w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl>'
        '<w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="lowerLetter"/><w:lvlText w:val="%1.%2"/></w:lvl>'
        '<w:lvl w:ilvl="2"><w:numFmt w:val="bullet"/><w:lvlText w:val="o"/></w:lvl></w:abstractNum>'
        '<w:num w:numId="1"><w:abstractNumId w:val="7"/></w:num></w:numbering>'
    )
    item = '<w:numPr><w:ilvl w:val="{}"/><w:numId w:val="1"/></w:numPr>'
    body = paragraph("One", item.format(0)) + paragraph("Deep", item.format(1)) + paragraph("Dot", item.format(2))
    body += paragraph("Two", item.format(0)) + paragraph("End", item.format(0) + '<w:outlineLvl w:val="0"/>')
    read = extract(docx(body, "", links(("numbering", "numbering.xml")), **{"word/numbering.xml": numbering}), uri="a")
    assert read.text == "1. One\n    - 1.a Deep\n        - Dot\n2. Two\n\n## 3 End"


def test_a_table_repeats_merged_cells_and_a_formula_is_latex():
    cell = "<w:tc><w:tcPr>{}</w:tcPr><w:p><w:r><w:t>{}</w:t></w:r></w:p></w:tc>"
    wide = cell.format('<w:gridSpan w:val="2"/>', "Year | all")
    tall, again = cell.format('<w:vMerge w:val="restart"/>', "A"), cell.format("<w:vMerge/>", "")
    rows = (wide, tall + cell.format("", "1"), again + cell.format("", "2"))
    fraction = "<m:f><m:num><m:r><m:t>a</m:t></m:r></m:num><m:den><m:r><m:t>b</m:t></m:r></m:den></m:f>"
    body = "<w:tbl>" + "".join(f"<w:tr>{row}</w:tr>" for row in rows) + "</w:tbl>"
    body += f"<w:p><w:r><w:t>Let</w:t></w:r><m:oMath>{fraction}</m:oMath></w:p>"
    read = extract(docx(body), uri="a.docx")
    assert read.text == "| Year \\| all | Year \\| all |\n| - | - |\n| A | 1 |\n| A | 2 |\n\nLet $\\frac{a}{b}$"


def test_code_keeps_its_spaces_and_is_fenced():
    styles = f'<w:styles {W}><w:style w:styleId="C"><w:name w:val="Source Code"/></w:style></w:styles>'
    lines = ("def f():", "    return **1", "", "\tx")
    line = '<w:p><w:pPr><w:pStyle w:val="C"/></w:pPr><w:r><w:rPr><w:b/></w:rPr><w:t>{}</w:t></w:r></w:p>'
    coded, broken = "".join(map(line.format, lines)), line.format("a</w:t><w:br/><w:t>  b")
    cell = f"<w:tbl><w:tr><w:tc>{broken}</w:tc><w:tc>{paragraph('c')}</w:tc></w:tr></w:tbl>"
    body = paragraph("Before") + coded + paragraph("After") + broken + cell
    read = extract(docx(body, "", links(("styles", "styles.xml")), **{"word/styles.xml": styles}), uri="a.docx")
    assert read.text == (
        "Before\n\n```\ndef f():\n    return **1\n\n\tx\n```\n\nAfter\n\n```\na\n  b\n```\n\n| a b | c |\n| - | - |"
    )


def test_emphasis_cuts_no_word_in_two_and_a_second_body_is_read():
    runs = (("un", 0), ("told", 1), (" words ", 0), ("count", 1), (", all", 0))
    words = "".join(f"<w:r><w:rPr>{'<w:b/>' * bold}</w:rPr><w:t>{text}</w:t></w:r>" for text, bold in runs)
    read = extract(docx(f"<w:p>{words}</w:p></w:body><w:body>{paragraph('More.')}"), uri="a.docx")
    assert read.text == "untold words **count**, all\n\nMore."


def test_what_was_deleted_or_hidden_is_left_out_and_comments_are_kept():
    body = (
        "<w:p><w:r><w:t>Seen </w:t></w:r><w:del><w:r><w:delText>gone</w:delText></w:r></w:del>"
        "<w:ins><w:r><w:t>new</w:t></w:r></w:ins><w:r><w:rPr><w:vanish/></w:rPr><w:t>secret</w:t></w:r></w:p>"
    )
    comments = (
        f'<w:comments {W}><w:comment w:author="Bo" w:date="2026-03-01">{paragraph("Sure?")}</w:comment></w:comments>'
    )
    read = extract(docx(body, "", links(("comments", "comments.xml")), **{"word/comments.xml": comments}), uri="a.docx")
    assert read.text == "Seen new\n\n[author: Bo, time: 2026-03-01]: Sure?"
    assert read.flags == ("hidden text left out",)


def test_a_text_that_looks_like_a_heading_is_none():
    assert extract(docx(paragraph("# 1 in the world")), uri="a.docx").text == "\\# 1 in the world"


def test_a_decompression_bomb_is_stopped_whatever_it_declares(monkeypatch):
    monkeypatch.setattr(packages, "MOST", 1 << 20)  # of the 256 MiB, to be quick
    bomb = docx(paragraph("a" * (30 << 20)))
    place = bomb.rindex(b"word/document.xml") - 46  # the entry of the central directory
    lying = bomb[: place + 24] + (1000).to_bytes(4, "little") + bomb[place + 28 :]
    with pytest.raises(ExtractionError, match="bomb"):
        extract(bomb, uri="a.docx")
    with pytest.raises(ExtractionError, match=r"bomb|cannot be unpacked|no well-formed"):
        extract(lying, uri="a.docx")


def test_a_name_that_is_none_costs_nothing_and_other_damage_is_told():
    named = b'<a><b xml:id="geo1#dec09">Ferns</b><b xml:id="7"> grow.</b></a>'
    assert "".join(parse_xml(named, "content.xml").itertext()) == "Ferns grow."
    for damaged in (named[:-4], named.replace(b"</b></a>", b"</c></a>")):
        with pytest.raises(ExtractionError, match=r"content\.xml is no well-formed XML: xml:id"):
            parse_xml(damaged, "content.xml")


def test_entities_do_not_expand_and_nothing_outside_is_read(tmp_path):
    secret = tmp_path / "secret.txt"
    secret.write_text("password")
    outside = f'<!DOCTYPE d [<!ENTITY x SYSTEM "{secret.as_uri()}">]>'
    assert extract(docx(paragraph("a &x; b"), outside), uri="a.docx").text == "a"
    laughs = "".join(f'<!ENTITY {chr(98 + i)} "{("&" + chr(97 + i) + ";") * 10}">' for i in range(9))
    with pytest.raises(ExtractionError, match="no well-formed XML"):
        extract(docx(paragraph("&j;"), f'<!DOCTYPE d [<!ENTITY a "ha">{laughs}]>'), uri="a.docx")


def test_endless_nesting_is_a_reason():
    with pytest.raises(ExtractionError, match="depth"):
        extract(docx("<w:sdt>" * 5000 + "</w:sdt>" * 5000), uri="a.docx")


def field(instruction: str, shown: str = "", form: str = "") -> str:
    mark = '<w:r><w:fldChar w:fldCharType="{}">{}</w:fldChar></w:r>'.format
    inside = f"<w:r><w:instrText> {instruction} </w:instrText></w:r>{mark('separate', '')}<w:r><w:t>{shown}</w:t></w:r>"
    return mark("begin", f"<w:ffData>{form}</w:ffData>" if form else "") + inside + mark("end", "")


def test_links_of_fields_and_of_notes_lead_where_they_say():
    outside = 'w:instr="HYPERLINK https://b.example"'
    within = r"HYPERLINK \l &quot;_Toc1&quot;"
    page = field("PAGEREF _Toc1", "7")
    body = (
        f"<w:p>{field('HYPERLINK &quot;https://a.example/x y&quot;', 'our page')}<w:r><w:t> or </w:t></w:r>"
        f"<w:fldSimple {outside}><w:r><w:t>b.example</w:t></w:r></w:fldSimple></w:p>"
        f"<w:p>{field(within, f'Costs </w:t></w:r>{page}<w:r><w:t>')}</w:p>"
    )
    note = '<w:p><w:hyperlink r:id="r1"><w:r><w:t>Ask</w:t></w:r></w:hyperlink></w:p>'
    parts = {
        "word/footnotes.xml": f'<w:footnotes {W}><w:footnote w:id="2">{note}</w:footnote></w:footnotes>',
        "word/_rels/footnotes.xml.rels": links(("hyperlink", 'mailto:ask@a.example" TargetMode="External')),
    }
    read = extract(docx(body, "", links(("footnotes", "footnotes.xml")), **parts), uri="a.docx")
    assert read.text == (
        "[our page](https://a.example/x%20y) or b.example\n\nCosts 7\n\n[^2]: [Ask](mailto:ask@a.example)"
    )


def test_a_link_that_ends_in_another_paragraph_is_kept():
    start, end = field('HYPERLINK "https://a.example"', "Read").split('<w:r><w:fldChar w:fldCharType="end">')
    rest = f'<w:p><w:r><w:t>more</w:t></w:r><w:r><w:fldChar w:fldCharType="end">{end}</w:p>'
    assert extract(docx(f"<w:p>{start}</w:p>{rest}"), uri="a.docx").text == "[Read](https://a.example)\n\nmore"


def test_boxes_choices_symbols_and_word_art_are_kept():
    ticked, cleared = '<w:default w:val="1"/>', '<w:checked w:val="0"/>'
    boxes = "<w:checkBox>{}</w:checkBox>".format
    entries = '<w:ddList><w:result w:val="1"/><w:listEntry w:val="Red"/><w:listEntry w:val="Blue"/></w:ddList>'
    symbol = '<w:r><w:sym w:font="{}" w:char="{}"/></w:r>'.format
    body = (
        f"<w:p>{field('FORMCHECKBOX', form=boxes(ticked))}</w:p>"
        f"<w:p>{field('FORMCHECKBOX', form=boxes(ticked + cleared))}"
        f"{field('FORMDROPDOWN', form=entries)}</w:p>"
        f"<w:p>{symbol('Wingdings', 'F0FC')}{symbol('Symbol', 'F061')}{symbol('Wingdings', 'F021')}</w:p>"
        '<w:p><w:r><w:pict><v:shape xmlns:v="v"><v:textpath string="Best wishes"/></v:shape></w:pict></w:r></w:p>'
    )
    read = extract(docx(body), uri="a.docx")
    assert read.text == "- [x]\n- [ ] Blue\n\n✓α\n\nBest wishes"
    assert read.losses == (Loss("characters", 1),)


def test_a_chunk_of_another_format_is_a_document_of_its_own():
    parts = {"word/chunk.htm": "<p>Words of a page</p>"}
    read = extract(
        docx(paragraph("Before") + '<w:altChunk r:id="r1"/>', "", links(("aFChunk", "chunk.htm")), **parts),
        uri="a.docx",
    )
    assert [(one.path, one.content) for one in read.members] == [("chunk.htm", b"<p>Words of a page</p>")]


# --- slides and sheets ------------------------------------------------------------------------------


def shape(text: str, kind: str = "") -> str:
    about = f'<p:nvSpPr><p:nvPr><p:ph type="{kind}"/></p:nvPr></p:nvSpPr>' if kind else "<p:nvSpPr><p:nvPr/></p:nvSpPr>"
    return f"<p:sp>{about}<p:txBody><a:p><a:r><a:t>{text}</a:t></a:r></a:p></p:txBody></p:sp>"


def slide(*shapes: str, name: str = "sld") -> str:
    return f"<p:{name} {P}><p:cSld><p:spTree>{''.join(shapes)}</p:spTree></p:cSld></p:{name}>"


def test_slides_have_titles_notes_and_pages():
    parts = {
        "ppt/presentation.xml": f'<p:presentation {P}><p:sldIdLst><p:sldId id="256" r:id="r1"/>'
        '<p:sldId id="257" r:id="r2"/><p:sldId id="258" r:id="r9"/></p:sldIdLst></p:presentation>',
        "ppt/slides/slide1.xml": slide(
            shape("Body"), shape("Goals", "title"), shape("7", "sldNum"), shape("Ministry", "ftr")
        ),
        "ppt/slides/_rels/slide1.xml.rels": links(("notesSlide", "../notesSlides/n1.xml")),
        "ppt/notesSlides/n1.xml": slide(
            shape("Say hello", "body"), shape("in a box"), shape("Draft of May", "hdr"), name="notes"
        ),
        "ppt/slides/slide2.xml": slide(shape("Only words")),
    }
    read = extract(
        package("ppt/presentation.xml", parts, links(("slide", "slides/slide1.xml"), ("slide", "slides/slide2.xml"))),
        uri="a",
    )
    assert read.text == (
        "# Goals\n\nBody\n\nNotes: Say hello\n\nin a box\n\n# Slide 2\n\nOnly words\n\n"
        "Footer: Ministry\n\nHeader: Draft of May"
    )
    assert [read.text[page:][:9] for page in read.pages[:2]] == ["# Goals\n\n", "# Slide 2"]
    assert read.flags == ("slide 3 not read: its part is missing",)


def test_links_of_slides_tables_and_notes_lead_where_they_say():
    click = '<a:hlinkClick r:id="r{}"/>'.format
    run = "<a:r><a:rPr>{}</a:rPr><a:t>{}</a:t></a:r>".format
    words = run("", "See ") + run(click(1), "our ") + run(click(1), "page") + run(click(2), " next") + run("", ".")
    table = f"<a:tbl><a:tr><a:tc><a:txBody><a:p>{run(click(1), 'here')}</a:p></a:txBody></a:tc></a:tr></a:tbl>"
    button = f'<p:sp><p:nvSpPr><p:cNvPr name="b">{click(1)}</p:cNvPr><p:nvPr/></p:nvSpPr></p:sp>'
    outside = links(("hyperlink", 'https://a.example" TargetMode="External'), ("slide", "slide1.xml"),
                    ("notesSlide", "../notesSlides/n1.xml"))  # fmt: skip
    shown = f"<p:sp><p:txBody><a:p>{words}</a:p></p:txBody></p:sp>"
    parts = {
        "ppt/presentation.xml": f'<p:presentation {P}><p:sldIdLst><p:sldId r:id="r1"/></p:sldIdLst></p:presentation>',
        "ppt/slides/slide1.xml": slide(shown, f"<p:graphicFrame>{table}</p:graphicFrame>", button),
        "ppt/slides/_rels/slide1.xml.rels": outside,
        "ppt/notesSlides/n1.xml": slide(shown, name="notes"),
        "ppt/notesSlides/_rels/n1.xml.rels": outside.replace("https://a.", "https://n."),
    }
    read = extract(package("ppt/presentation.xml", parts, links(("slide", "slides/slide1.xml"))), uri="a")
    assert read.text == (
        "# Slide 1\n\nSee [our page](https://a.example) next.\n\n| [here](https://a.example) |\n| - |\n\n"
        "Notes: See [our page](https://n.example) next."
    )
    assert read.losses == (Loss("links", 1),)


def xlsx(rows: str, after: str = "") -> bytes:
    parts = {
        "xl/workbook.xml": f'<workbook {S}><sheets><sheet name="Sales" sheetId="1" r:id="r1"/>'
        '<sheet name="Old" sheetId="2" state="hidden" r:id="r1"/></sheets></workbook>',
        "xl/worksheets/sheet1.xml": f"<worksheet {S}><sheetData>{rows}</sheetData>{after}</worksheet>",
    }
    return package("xl/workbook.xml", parts, links(("worksheet", "worksheets/sheet1.xml")))


def row(number: int, **cells: str) -> str:
    one = '<c r="{}{}" t="inlineStr"><is><t>{}</t></is></c>'
    return f'<row r="{number}">{"".join(one.format(column, number, text) for column, text in cells.items())}</row>'


def test_a_sheet_is_cut_into_its_tables_and_hidden_ones_are_named():
    rows = (
        row(1, A="Report") + row(2, A="Year", B="Ducks") + row(3, A="2026", B="12") + row(5, A="a", B="b", D="c", E="d")
    )
    rows += row(6, A="1", B="2", D="3", E="4")
    read = extract(xlsx(rows, '<mergeCells><mergeCell ref="A1:B1"/></mergeCells>'), uri="a.xlsx")
    assert read.text == (
        "## Sales\n\nReport\n\n| Year | Ducks |\n| - | - |\n| 2026 | 12 |\n\n"
        "| a | b |\n| - | - |\n| 1 | 2 |\n\n| c | d |\n| - | - |\n| 3 | 4 |"
    )
    assert read.flags == ("hidden sheet left out: Old",)


def test_numbers_keep_the_digits_that_are_stored():
    stored = ("4006381333.931", "1234567890123456", "0.30000000000000004", "1.5E-7", "12345678901.23", "1e300", "7")
    cells = "".join(f'<c r="{column}1"><v>{number}</v></c>' for column, number in zip("ABCDEFG", stored, strict=True))
    read = extract(xlsx(f'<row r="1">{cells}</row>{row(2, A="a")}'), uri="a.xlsx")
    assert "| 4006381333.931 | 1234567890123456 | 0.3 | 1.5e-07 | 12345678901.23 | 1e+300 | 7 |" in read.text


def test_a_million_rows_are_cut_with_a_flag():
    rows = "".join(f'<row r="{number}"><c r="A{number}"><v>{number}</v></c></row>' for number in range(1, 1_000_001))
    read = extract(xlsx(rows), uri="a.xlsx")
    assert "sheet 'Sales': 1000000 rows, the first 20000 read" in read.flags
    assert "| 20000 |" in read.text and "| 20001 |" not in read.text
    assert read.text.count("| - |") == 500  # the header stands again every 40 rows


def linked_sheet(rows: str, about: str = "") -> bytes:
    head = '&L&"Arial,Bold"&12Costs && gains&C&D&RPage &P of &N'
    foot = "&LPage &P Confidential &K00FF00&F"
    margins = f"<oddHeader>{escape(head)}</oddHeader><oddFooter>{escape(foot)}</oddFooter>"
    marks = '<hyperlink ref="A1:B1" r:id="r1"/><hyperlink ref="A2" location="Old!A1"/>'
    beside = f"<hyperlinks>{marks}</hyperlinks><headerFooter>{margins}</headerFooter>"
    sheets = '<sheets><sheet name="Sales" sheetId="1" r:id="r1"/></sheets>'
    parts = {
        "xl/workbook.xml": f"<workbook {S}>{sheets}{about}</workbook>",
        "xl/worksheets/sheet1.xml": f"<worksheet {S}><sheetData>{rows}</sheetData>{beside}</worksheet>",
        "xl/worksheets/_rels/sheet1.xml.rels": links(("hyperlink", 'https://a.example" TargetMode="External')),
    }
    return package("xl/workbook.xml", parts, links(("worksheet", "worksheets/sheet1.xml")))


def test_links_and_margins_of_a_sheet_are_kept():
    made = '<c r="{}"{}><f>HYPERLINK({})</f><v>{}</v></c>'.format
    cells = made("B2", ' t="str"', '"https://b.example","Our " &amp; A2', "Our page") + made(
        "C2", "", '"https://c.example", "Their page"', ""
    )
    cells += made("D2", ' t="str"', "A1", "x") + '<c><f>HYPERLINK("https://c.example")</f></c>'  # it does not say where
    read = extract(
        linked_sheet(row(1, A="Price list", B="b", C="c", D="d") + f'<row r="2">{inline("A2", "Old")}{cells}</row>'),
        uri="a.xlsx",
    )
    assert read.text == (
        "## Sales\n\n| [Price list](https://a.example) | b | c | d |\n| - | - | - | - |\n"
        "| Old | [Our page](https://b.example) | [Their page](https://c.example) | x |\n\n"
        "Header: Costs & gains\n\nFooter: Confidential"
    )
    assert read.losses == (Loss("links", 1),)


@pytest.mark.parametrize(("about", "lost"), [("", 2), ('<calcPr fullCalcOnLoad="1"/>', 3)])
def test_formulas_that_nobody_calculated_are_counted(about, lost):
    values = ("<v/>", "", "<v>0</v>", "<v>7</v>")
    cells = "".join(f'<c r="{name}2"><f>A1+1</f>{value}</c>' for name, value in zip("ABCD", values, strict=True))
    cells += '<c r="E2" t="str"><f t="shared" si="0"/><v></v></c>'
    read = extract(linked_sheet(row(1, A="a", B="b") + f'<row r="2">{cells}</row>', about), uri="a.xlsx")
    assert read.losses == (Loss("uncalculated formulas", lost),)


# --- OpenDocument -----------------------------------------------------------------------------------

O = 'xmlns:o="o" xmlns:text="t" xmlns:table="b" xmlns:draw="d" xmlns:xlink="x"'  # noqa: E741


def opendocument(kind: str, body: str, manifest: str = "<manifest/>") -> bytes:
    return zipped(
        {
            "mimetype": f"application/vnd.oasis.opendocument.{kind}",
            "META-INF/manifest.xml": manifest,
            "meta.xml": '<m xmlns:dc="d"><dc:title>Notes</dc:title><initial-creator>Ada</initial-creator></m>',
            "content.xml": f"<o:document {O}><o:body>{body}</o:body></o:document>",
        }
    )


def ods(sheet: str, space: str = "") -> bytes:
    body = f"<office:body><office:spreadsheet>{sheet}</office:spreadsheet></office:body>"
    names = 'xmlns:office="o" xmlns:table="b" xmlns:text="t" xmlns:draw="d" xmlns:xlink="x" xmlns:dc="c"'
    content = f"<office:document-content {names}>{body}</office:document-content>".replace("><", f">{space}<")
    parts = {"mimetype": "application/vnd.oasis.opendocument.spreadsheet", "META-INF/manifest.xml": "<manifest/>"}
    return zipped(parts | {"content.xml": content})


def test_a_spreadsheet_whose_xml_is_indented():
    words = '<table:table-cell office:value-type="string"><text:p>ferry fare</text:p></table:table-cell>'
    number = '<table:table-cell office:value-type="float" office:value="3"><text:p>3</text:p></table:table-cell>'
    row = f"<table:table-row>{words}{number}</table:table-row>"
    sheet = f'<table:table table:name="Fares"><table:table-column/>{row * 2}</table:table>'
    for space in ("", "\n  "):
        read = extract(ods(sheet, space), uri="a.ods")
        assert read.text == "## Fares\n\n| ferry fare | 3 |\n| - | - |\n| ferry fare | 3 |"


def test_links_boxes_and_comments_of_a_spreadsheet_are_kept():
    cell = '<table:table-cell office:value-type="string">{}<text:p>{}</text:p></table:table-cell>'.format
    words = '<text:a xlink:href="{}">{}</text:a>'.format
    remark = f"<office:annotation><dc:creator>Ada</dc:creator><text:p>{words('https://n.example', 'Sure?')}</text:p>"
    empty = '<table:table-row table:number-rows-repeated="300"><table:table-cell/></table:table-row>'
    gap = '<table:table-cell table:number-columns-repeated="2"/>'
    both = f"{words('https://a.example', 'Fares')} and {words('mailto:b@a.example', 'help')}"
    box = "<draw:frame><draw:text-box><text:p>Mind the gap</text:p></draw:text-box></draw:frame>"
    group = f"<draw:g>{box}<draw:custom-shape><text:p>Step on</text:p></draw:custom-shape></draw:g>"
    first = f"<table:table-row>{gap}{cell('', both)}{cell(f'{remark}</office:annotation>', 'x')}</table:table-row>"
    formula = "of:=HYPERLINK(&quot;https://c.example&quot;;&quot;Bus&quot;)"
    bus = cell("", "Bus").replace("-cell ", f'-cell table:formula="{formula}" ', 1)
    second = f"<table:table-row>{gap}{bus}{cell('', words('#Fares', 'y'))}</table:table-row>"
    sheet = f'<table:table table:name="Fares"><table:shapes>{group}</table:shapes>{empty}{first}{second}</table:table>'
    read = extract(ods(sheet), uri="a.ods")
    assert read.text == (
        "## Fares\n\n| [Fares](https://a.example) and [help](mailto:b@a.example) | x |\n| - | - |\n"
        "| [Bus](https://c.example) | y |\n\n"
        "Mind the gap\n\nStep on\n\n[author: Ada]: Sure?"
    )
    assert read.losses == ()


def test_an_opendocument_text():
    body = (
        '<o:text><text:h text:outline-level="1">Plan</text:h><text:p>Go<text:s/>on<text:note><text:note-body>'
        "<text:p>Why</text:p></text:note-body></text:note></text:p><text:list><text:list-item><text:p>a</text:p>"
        "<text:list><text:list-item><text:p>b</text:p></text:list-item></text:list></text:list-item></text:list>"
        "<table:table><table:table-row><table:table-cell><text:p>x</text:p></table:table-cell>"
        '<table:table-cell table:number-columns-repeated="1000000"/></table:table-row></table:table></o:text>'
    )
    read = extract(opendocument("text", body), uri="a.odt")
    assert read.text == "## Plan\n\nGo on (Why)\n\n- a\n    - b\n\n| x |\n| - |"
    assert (read.type, read.title, read.author) == ("odt", "Notes", "Ada")


def test_an_encrypted_opendocument_says_so():
    sealed = "<manifest><file-entry><encryption-data/></file-entry></manifest>"
    with pytest.raises(ExtractionError, match="encrypted"):
        extract(opendocument("text", "<o:text/>", sealed), uri="a.odt")


def test_opendocument_slides():
    frame = '<draw:frame presentation:class="{}" xmlns:presentation="p"><draw:text-box><text:p>{}</text:p>'
    frame += "</draw:text-box></draw:frame>"
    shapes = frame.format("title", "Goals") + frame.format("outline", "Words")
    notes = frame.format("notes", "Say hello") + frame.format("", "in a box") + frame.format("footer", "Ministry")
    body = f"<o:presentation><draw:page>{shapes}<p:notes xmlns:p='p'>{notes}</p:notes></draw:page></o:presentation>"
    read = extract(opendocument("presentation", body), uri="a.odp")
    assert (read.text, read.pages) == ("# Goals\n\nWords\n\nNotes: Say hello\n\nin a box", (0,))


def test_a_list_of_one_line_in_a_cell_or_a_title_is_no_list():
    one = "<text:list><text:list-item><text:p>{}</text:p></text:list-item></text:list>"
    cells = "".join(f"<table:table-cell>{one.format(words)}</table:table-cell>" for words in ("A", "1"))
    frame = f'<draw:frame presentation:class="title" xmlns:presentation="p"><draw:text-box>{one.format("Goals")}'
    rows = f"<draw:frame><table:table><table:table-row>{cells}</table:table-row></table:table></draw:frame>"
    body = f"<o:presentation><draw:page>{frame}</draw:text-box></draw:frame>{rows}</draw:page></o:presentation>"
    assert extract(opendocument("presentation", body), uri="a.odp").text == "# Goals\n\n| A | 1 |\n| - | - |"


def test_a_book_in_reading_order():
    book = (
        '<package xmlns:dc="d"><metadata><dc:title>Poems</dc:title><dc:creator>Ada</dc:creator>'
        "<dc:language>en-GB</dc:language>"
        '</metadata><manifest><item id="one" href="1.xhtml" media-type="application/xhtml+xml"/>'
        '<item id="two" href="2.xhtml" media-type="application/xhtml+xml"/></manifest>'
        '<spine><itemref idref="two"/><itemref idref="one"/><itemref idref="gone"/></spine></package>'
    )
    page = "<?xml version='1.0'?><html><head><title>x</title></head><body><h1>{0}</h1>"
    page += "<p>By <b>{0}</b>.</p><script>no</script><video src='{0}'></video></body></html>"
    parts = {
        "mimetype": "application/epub+zip",
        "OPS/book.opf": book,
        "OPS/1.xhtml": page.format("Rain"),
        "OPS/2.xhtml": page.format("Sun"),
    }
    parts["META-INF/container.xml"] = (
        '<container><rootfiles><rootfile full-path="OPS/book.opf"/></rootfiles></container>'
    )
    read = extract(zipped(parts), uri="a.epub")
    assert read.text == "# Sun\n\nBy **Sun**.\n\n# Rain\n\nBy **Rain**."
    assert (read.title, read.author, read.language, read.losses) == ("Poems", "Ada", "en", (Loss("media", 2),))


def inline(place: str, words: object) -> str:
    return f'<c r="{place}" t="inlineStr"><is><t>{words}</t></is></c>'


@pytest.mark.parametrize("far", ["XFD1048576", "XFD101", "ALM101"])
def test_a_lone_cell_far_away_costs_nothing_else(far):
    rows = "".join(f'<row r="{n}">{inline(f"A{n}", f"name{n}")}{inline(f"B{n}", n)}</row>' for n in range(1, 101))
    number = far.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    rows += f'<row r="{number}">{inline(far, "stray")}</row>'
    sheet = f"<worksheet {S}><sheetData>{rows}</sheetData></worksheet>"
    book = f'<workbook {S}><sheets><sheet name="S" sheetId="1" r:id="r1"/></sheets></workbook>'
    content = package(
        "xl/workbook.xml",
        {"xl/workbook.xml": book, "xl/worksheets/sheet1.xml": sheet},
        links(("worksheet", "worksheets/sheet1.xml")),
    )
    found = extract(content, uri="a.xlsx")
    assert "| name100 | 100 |" in found.text and found.flags == ("cells far from all others left out: 1",)


# --- what stands beside the text --------------------------------------------------------------------

A = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'


def diagram(*boxes: tuple[str, str, str]) -> str:
    """Return the data of a diagram: (id, id of the box above, words)."""
    points = "".join(
        f'<pt modelId="{one}"><t><a:p><a:r><a:t>{words}</a:t></a:r></a:p></t></pt>' for one, _, words in boxes
    )
    lines = "".join(f'<cxn srcId="{above}" destId="{one}" srcOrd="{at}"/>' for at, (one, above, _) in enumerate(boxes))
    root = '<pt modelId="0" type="doc"/><pt modelId="8" type="pres"><t><a:t>Again</a:t></t></pt>'
    return f"<dataModel {A}><ptLst>{root}{points}</ptLst><cxnLst>{lines}</cxnLst></dataModel>"


BOXES = diagram(("1", "0", "Plan"), ("2", "1", "Ask"), ("3", "0", "Do"))


def test_a_diagram_is_a_list_of_its_boxes():
    parts = {"word/diagrams/data1.xml": BOXES}
    read = extract(docx(paragraph("Words."), "", links(("diagramData", "diagrams/data1.xml")), **parts), uri="a.docx")
    assert read.text == "Words.\n\n- Plan\n    - Ask\n- Do"


def test_pictures_that_lead_elsewhere_are_counted():
    click = '<inline><docPr descr="A duck"><a:hlinkClick xmlns:a="a" r:id="r1"/></docPr><pic/></inline>'
    outside = links(("hyperlink", 'https://a.example" TargetMode="External'))
    read = extract(docx(f"<w:p><w:r><w:drawing>{click}</w:drawing></w:r></w:p>", "", outside), uri="a.docx")
    assert (read.text, read.losses) == ("![A duck]", (Loss("links", 1),))


def test_the_margins_of_the_pages_are_kept_once():
    parts = {f"word/{name}.xml": f"<w:hdr {W}>{paragraph(text)}</w:hdr>" for name, text in
             (("header1", "Ministry"), ("header2", "Ministry"), ("footer1", "12"))}  # fmt: skip
    beside = links(("header", "header1.xml"), ("header", "header2.xml"), ("footer", "footer1.xml"))
    assert extract(docx(paragraph("Words."), "", beside, **parts), uri="a.docx").text == "Words.\n\nHeader: Ministry"


def test_files_within_a_document_are_documents_and_what_is_not_kept_is_counted():
    picture = '<w:p><w:r><w:drawing><inline><docPr descr="{}"/><pic/></inline></w:drawing></w:r></w:p>'
    parts = {
        "word/embeddings/costs.docx": docx(paragraph("Inner.")),
        "word/embeddings/oleObject1.bin": b"no file",
        "word/charts/chart1.xml": "<chart/>",
        "word/charts/_rels/chart1.xml.rels": links(("package", "../embeddings/numbers.xlsx")),
        "word/embeddings/numbers.xlsx": b"of a chart",
        "word/media/film.mp4": b"film",
        "word/vbaProject.bin": b"code",
    }
    read = extract(docx(picture.format("A duck") + picture.format(""), **parts), uri="a.docx")
    assert [one.path for one in read.members] == ["costs.docx"] and read.text == "![A duck]"
    assert [(one.what, one.count) for one in read.losses] == [
        ("images without text", 1), ("embedded objects", 1), ("macros", 1), ("media", 1),
    ]  # fmt: skip


_BESIDE = {
    "word/styles.xml": f"<w:styles {W}/>",
    "word/numbering.xml": f"<w:numbering {W}/>",
    "word/footnotes.xml": f"<w:footnotes {W}/>",
    "word/comments.xml": f"<w:comments {W}/>",
    "word/header1.xml": f"<w:hdr {W}/>",
    "word/charts/chart1.xml": "<chartSpace/>",
    "word/diagrams/data1.xml": BOXES,
}
_KINDS = ("styles", "numbering", "footnotes", "comments", "header", "chart", "diagramData")


@pytest.mark.parametrize("name", [*_BESIDE, "_rels/.rels", "word/_rels/document.xml.rels", "docProps/core.xml"])
def test_a_damaged_part_costs_no_more_than_itself_and_is_told(name):
    beside = links(*zip(_KINDS, (one.removeprefix("word/") for one in _BESIDE), strict=True))
    read = extract(docx(paragraph("Words."), "", beside, **_BESIDE | {name: "<broken"}), uri="a.docx")
    assert read.text.startswith("Words.")
    assert (read.flags, read.losses) == ((f"damaged part left out: {name}",), (Loss("parts", 1),))


def test_a_damaged_object_within_costs_no_text():
    damaged = docx(paragraph("Words."), **{"word/embeddings/a.bin": "no file"}).replace(
        zlib.crc32(b"no file").to_bytes(4, "little"), bytes(4)
    )
    assert extract(damaged, uri="a.docx").losses == (Loss("embedded objects", 1),)


def test_text_boxes_and_diagrams_of_a_sheet_are_kept():
    words = "".join(f"<a:r><a:t>{part}</a:t></a:r>" for part in ("Mind the ", "ducks."))
    box = f"<wsDr {A}><sp><txBody><a:p>{words}</a:p></txBody></sp></wsDr>"
    parts = {
        "xl/workbook.xml": f'<workbook {S}><sheets><sheet name="Sales" sheetId="1" r:id="r1"/></sheets></workbook>',
        "xl/worksheets/sheet1.xml": f"<worksheet {S}><sheetData>{row(1, A='Year')}</sheetData></worksheet>",
        "xl/worksheets/_rels/sheet1.xml.rels": links(("drawing", "../drawings/drawing1.xml")),
        "xl/drawings/drawing1.xml": box,
        "xl/drawings/_rels/drawing1.xml.rels": links(("diagramData", "../diagrams/data1.xml")),
        "xl/diagrams/data1.xml": BOXES,
    }
    read = extract(package("xl/workbook.xml", parts, links(("worksheet", "worksheets/sheet1.xml"))), uri="a.xlsx")
    assert read.text == "## Sales\n\nYear\n\nMind the ducks.\n\n- Plan\n    - Ask\n- Do"


def binary(kind: int, data: bytes = b"") -> bytes:
    """Return a record of a binary workbook ([MS-XLSB] 2.1.4)."""
    number = bytes([kind]) if kind < 0x80 else bytes([kind & 0x7F | 0x80, kind >> 7])
    return number + bytes([len(data)]) + data


def counted(text: str) -> bytes:
    return len(text).to_bytes(4, "little") + text.encode("utf-16-le")


def binary_book(link: str) -> bytes:
    sheet = bytes(8) + counted(link) + counted("Birds")
    return binary(131) + binary(143) + binary(156, sheet) + binary(144) + binary(132)


def test_words_of_a_binary_workbook_are_read_and_its_text_boxes_are_counted():
    cell = binary(0, bytes(25)) + binary(6, bytes(8) + counted("Heron"))
    parts = {
        "xl/workbook.bin": binary_book("r1"),
        "xl/worksheets/sheet1.bin": binary(129)
        + binary(148, bytes(16))
        + binary(145)
        + cell
        + binary(146)
        + binary(130),
        "xl/drawings/drawing1.xml": f"<wsDr {A}><sp><txBody><a:p><a:r><a:t>Mind</a:t></a:r></a:p></txBody></sp></wsDr>",
        "xl/drawings/drawing2.xml": f"<wsDr {A}><pic/></wsDr>",
    }
    read = extract(package("xl/workbook.bin", parts, links(("worksheet", "worksheets/sheet1.bin"))), uri="a.xlsb")
    assert read.text == "## Birds\n\nHeron"
    assert [(loss.what, loss.count) for loss in read.losses] == [("text boxes", 1)]


def test_a_panic_of_a_library_is_a_reason():
    parts = {"xl/workbook.bin": binary_book("rId9")}  # no such relationship
    with pytest.raises(ExtractionError, match="PanicException"):
        extract(package("xl/workbook.bin", parts), uri="a.xlsb")


def test_a_panic_in_a_sheet_costs_that_sheet_alone():
    named = (
        (156, bytes(8) + counted(f"r{number}") + counted(name)) for number, name in enumerate(("Ducks", "Birds"), 1)
    )
    book = binary(131) + binary(143) + b"".join(binary(*one) for one in named) + binary(144) + binary(132)
    text, shared = binary(6, bytes(8) + counted("Heron")), binary(7, bytes(8) + (9).to_bytes(4, "little"))  # none there
    parts = {"xl/workbook.bin": book}
    for number, cell in enumerate((shared, text), 1):
        rows = binary(145) + binary(0, bytes(25)) + cell + binary(146)
        parts[f"xl/worksheets/sheet{number}.bin"] = binary(129) + binary(148, bytes(16)) + rows + binary(130)
    sheets = links(*(("worksheet", f"worksheets/sheet{number}.bin") for number in (1, 2)))
    read = extract(package("xl/workbook.bin", parts, sheets), uri="a.xlsb")
    assert (read.text, read.losses) == ("## Birds\n\nHeron", (Loss("tables", 1),))
    assert read.flags[0].startswith("sheet 'Ducks' not read: index out of bounds")
    parts["xl/worksheets/sheet2.bin"] = parts["xl/worksheets/sheet1.bin"]
    with pytest.raises(ExtractionError, match="LibreOffice may read it"):
        extract(package("xl/workbook.bin", parts, sheets), uri="a.xlsb")
