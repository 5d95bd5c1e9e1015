"""Office documents that are one file of XML."""

import base64

import pytest

from rag_platform.core.errors import ExtractionError
from rag_platform.documents.extracted import Loss
from rag_platform.documents.reading.extraction import extract

WORD = """<?xml version="1.0"?><?mso-application progid="Word.Document"?>
<w:wordDocument xmlns:w="http://schemas.microsoft.com/office/word/2003/wordml" xmlns:aml="http://schemas.microsoft.com/aml/2001/core"
 xmlns:wx="http://schemas.microsoft.com/office/word/2003/auxHint" xmlns:o="urn:schemas-microsoft-com:office:office">
<o:DocumentProperties><o:Title>Weir</o:Title><o:Author>Ada</o:Author><o:Created>2004-05-06T07:08:00Z</o:Created></o:DocumentProperties>
<w:lists><w:listDef w:listDefId="7"><w:lvl w:ilvl="0"><w:start w:val="3"/><w:nfc w:val="3"/><w:lvlText w:val="%1)"/></w:lvl></w:listDef>
<w:list w:ilfo="1"><w:ilst w:val="7"/></w:list></w:lists>
<w:styles><w:style w:styleId="H"><w:name w:val="heading 1"/></w:style></w:styles>
<w:docOleData><w:binData w:name="oledata.mso">QQ==</w:binData></w:docOleData>
<w:body><wx:sect><wx:sub-section><w:p><w:pPr><w:pStyle w:val="H"/></w:pPr><w:r><w:t>The we</w:t></w:r><w:r><w:t>ir</w:t></w:r></w:p>
<w:p><w:r><w:t>It</w:t><w:tab/><w:t>is</w:t><w:br/><w:t>shut</w:t><w:footnote><w:p><w:r><w:t>In May.</w:t></w:r></w:p></w:footnote></w:r>
<w:r><aml:annotation aml:id="0" w:type="Word.Comment" aml:author="Ben" aml:createdate="2004-05-07"><aml:content><w:p><w:r><w:t>Why?</w:t></w:r></w:p>
</aml:content></aml:annotation></w:r><aml:annotation w:type="Word.Deletion"><aml:content><w:r><w:delText>not</w:delText></w:r></aml:content></aml:annotation>
<aml:annotation w:type="Word.Insertion"><aml:content><w:r><w:t>. See </w:t></w:r></aml:content></aml:annotation>
<w:hlink w:dest="https://x.org/?a=1&amp;b"><w:r><w:t>this</w:t></w:r></w:hlink></w:p>
<w:p><w:pPr><w:listPr><w:ilvl w:val="0"/><w:ilfo w:val="1"/></w:listPr></w:pPr><w:r><w:t>Gate</w:t></w:r></w:p>
<w:tbl><w:tr><w:tc><w:p><w:r><w:t>a</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>b</w:t></w:r></w:p></w:tc></w:tr>
<w:tr><w:tc><w:p><w:r><w:t>1</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>2</w:t></w:r></w:p></w:tc></w:tr></w:tbl>
</wx:sub-section><w:sectPr><w:hdr w:type="odd"><w:p><w:r><w:t>River board</w:t></w:r></w:p></w:hdr></w:sectPr></wx:sect></w:body></w:wordDocument>"""  # noqa: E501 (as Word writes it)


def test_a_document_of_word_2003_is_read_as_one_of_its_successor():
    read = extract(WORD.encode(), uri="weir.doc", content_type="application/msword")
    assert read.text == (
        "## The weir\n\nIt is\nshut[^1]. See [this](https://x.org/?a=1&b)\n\n- C) Gate\n\n"
        "| a | b |\n| - | - |\n| 1 | 2 |\n\n[^1]: In May.\n\n[author: Ben, time: 2004-05-07]: Why?\n\n"
        "Header: River board"
    )
    assert (read.title, read.author, read.published_at.day) == ("Weir", "Ada", 6)
    assert read.losses == (Loss("embedded objects", 1),)


def test_a_workbook_of_excel_2003_is_read_by_its_sheets():
    cell = '<Cell{}><Data ss:Type="{}">{}</Data></Cell>'
    rows = (
        cell.format("", "String", "Nut") + cell.format("", "Number", "4.5"),
        cell.format(' ss:Index="2"', "DateTime", "2004-05-06T00:00:00.000") + "<Cell><Comment ss:Author='Ben'><ss:Data>"
        "<B>Ben:</B> Old</ss:Data></Comment></Cell>",
        cell.format(' ss:MergeAcross="1"', "Boolean", "1"),
    )
    sheet = (
        '<Worksheet ss:Name="{}"><Table><Row>{}</Row><Row>{}</Row><Row ss:Index="900000">{}</Row></Table>{}</Worksheet>'
    )
    hidden = "<WorksheetOptions><Visible>SheetHidden</Visible></WorksheetOptions>"
    book = (
        '<?xml version="1.0"?>\n<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" '
        'xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet">'
        + sheet.format("Prices", *rows, "")
        + sheet.format("Costs", *rows, hidden)
        + "</Workbook>"
    )
    read = extract(book.encode(), uri="a.xls", content_type="application/vnd.ms-excel")
    assert read.text == ("## Prices\n\n| Nut | 4.5 |\n| - | - |\n|  | 2004-05-06 |\n\nTRUE\n\n[author: Ben]: Ben: Old")
    assert (read.flags, read.losses) == (("hidden sheet left out: Costs",), (Loss("hidden sheets", 1),))


OFFICE = "urn:oasis:names:tc:opendocument:xmlns:"
FLAT = f"""<?xml version="1.0"?><office:document xmlns:office="{OFFICE}office:1.0" xmlns:text="{OFFICE}text:1.0"
 xmlns:table="{OFFICE}table:1.0" xmlns:style="{OFFICE}style:1.0" xmlns:dc="http://purl.org/dc/elements/1.1/">
<office:meta><dc:title>Weir</dc:title></office:meta><office:master-styles><style:master-page><style:header><text:p>River
 board</text:p></style:header></style:master-page></office:master-styles><office:body>BODY</office:body></office:document>"""


def test_flat_opendocument_is_read_as_that_of_many_parts():
    text = "<office:text><text:h text:outline-level='1'>We<text:span>ir</text:span></text:h></office:text>"
    read = extract(FLAT.replace("BODY", text).encode(), uri="a.fodt")
    assert (read.type, read.title, read.text) == ("odt", "Weir", "## Weir\n\nHeader: River board")
    row = "<table:table-row><table:table-cell office:value-type='string'><text:p>N<text:span>ut</text:span></text:p>"
    table = f"<table:table table:name='T'>{row}</table:table-cell></table:table-row></table:table>"
    read = extract(FLAT.replace("BODY", f"<office:spreadsheet>{table}</office:spreadsheet>").encode(), uri="a.fods")
    assert (read.type, read.title, read.text) == ("ods", "Weir", "## T\n\nNut")
    with pytest.raises(ExtractionError, match="neither text nor sheets"):
        extract(FLAT.replace("BODY", "<office:chart/>").encode(), uri="a.xml")


def test_flat_open_xml_is_read_with_its_binary_parts():
    part = '<pkg:part pkg:name="{}"><pkg:{kind}>{}</pkg:{kind}></pkg:part>'
    body = "<w:body><w:p><w:r><w:t>half </w:t></w:r><w:r><w:t>wo</w:t></w:r><w:r><w:t>rd</w:t></w:r></w:p></w:body>"
    document = f'<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">{body}</w:document>'
    parts = part.format("/word/document.xml", document, kind="xmlData")
    inner = base64.b64encode(b"%PDF-1.4 inner").decode()
    parts += part.format("/word/embeddings/plan.pdf", inner, kind="binaryData")
    package = '<pkg:package xmlns:pkg="http://schemas.microsoft.com/office/2006/xmlPackage">'
    read = extract(f'<?xml version="1.0"?>{package}{parts}</pkg:package>'.encode(), uri="a.xml")
    assert (read.type, read.text) == ("docx", "half word")
    assert [(one.path, one.content) for one in read.members] == [("plan.pdf", b"%PDF-1.4 inner")]
    with pytest.raises(ExtractionError, match="neither text nor sheets"):
        extract(f"{package}</pkg:package>".encode(), uri="a.xml")
