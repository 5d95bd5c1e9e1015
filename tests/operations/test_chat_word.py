"""A chat as a file of Word: read back by our own reader, and by LibreOffice where there is one."""

import shutil
import subprocess
import zipfile
from dataclasses import replace
from datetime import UTC, datetime
from io import BytesIO
from types import SimpleNamespace
from xml.etree import ElementTree

import pytest

from rag_platform.core.answers import Citation
from rag_platform.documents.formats.office.docx import read_docx
from rag_platform.operations.asking.chat_turns import ShownMessage
from rag_platform.operations.exporting.chat_document import WORDS, chat_word
from rag_platform.people.chats import Message
from rag_platform.provenance.cited_text import CitedParts, CitedTable
from rag_platform.text.notation.code_blocks import CodeBlock
from rag_platform.text.notation.markdown_tables import tables_in

NOW = datetime(2026, 11, 2, 8, tzinfo=UTC)
HOSTILE = "<w:t>&amp; ]]> \x0b\x00 \ud800 <script>"


def said(content, role="assistant", citations=(), withheld=False, **more):
    receipt = SimpleNamespace(citations=citations, version="v1", model="extractive", id="r1", asked_at=NOW)
    message = Message(1, role, content, "r1", NOW, **more)
    return ShownMessage(message, None if role == "user" else receipt, withheld)


def cited(n, title="Ferries"):
    return Citation(n, "d", "c", "notes/a.md", title, "The ferry runs\nfrom six.", (0, 9), "s", NOW, page=3)


@pytest.fixture
def made():
    text = "> The ferry runs **from six**. [1]\n\nIt rests [1, 2]. See [9]."
    return chat_word(
        f"Boats {HOSTILE}",
        [
            said("When does\nit run?", "user"),
            said(text, citations=(cited(1), cited(2, HOSTILE)), stopped=True),
            said("Who earns what?", "user"),
            said("Nine crowns.", withheld=True),
        ],
    )


def test_our_own_reader_reads_it_with_its_footnotes(made):
    text = read_docx(made).text
    assert "## When does it run?" in text and "**from six**" in text and WORDS["stopped"] in text
    assert text.count("Ferries (notes/a.md, 2026-11-02, page 3): “The ferry runs from six.”") >= 1
    assert "See [9]." in text and "<script>" in text.replace("\\", "")
    assert WORDS["withheld"] in text and "Nine crowns" not in text


def test_every_part_is_xml_and_each_mark_has_its_footnote(made):
    with zipfile.ZipFile(BytesIO(made)) as packed:
        parts = {name: ElementTree.fromstring(packed.read(name)) for name in packed.namelist()}
        raw = b"".join(map(packed.read, packed.namelist()))
    space = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
    marks = [one.get(f"{space}id") for one in parts["word/document.xml"].iter(f"{space}footnoteReference")]
    notes = [one.get(f"{space}id") for one in parts["word/footnotes.xml"].iter(f"{space}footnote")]
    assert marks == ["1", "2", "3"] and notes == ["-1", "0", *marks]
    assert b"Nine crowns" not in raw


@pytest.mark.skipif(not shutil.which("soffice"), reason="needs LibreOffice")
def test_another_program_opens_it(made, tmp_path):
    (tmp_path / "chat.docx").write_bytes(made)
    command = ["soffice", f"-env:UserInstallation=file://{tmp_path}/profile", "--headless", "--convert-to", "txt:Text"]
    subprocess.run(
        [*command, "--outdir", tmp_path, tmp_path / "chat.docx"], check=True, capture_output=True, timeout=200
    )
    text = (tmp_path / "chat.txt").read_text(errors="replace")
    assert "The ferry runs from six" in text and "Nine crowns" not in text


TABLE = "| Station | Upkeep |\n|---|---|\n| Weir | $5 [1] |\n| Mill | $7 & <b> |"
QUOTED_ROW = "| Fish ladder | 430 |"
LIST = f"| Station | Cost |\n|---|---|\n| Old mill | 9 |\n{QUOTED_ROW}\n"


def test_tables_and_code_stay_tables_and_code():
    text = (
        f"See:\n\n{TABLE}\n\n```python\nif 1 < 2:\n    go()\n```\n\n> Fish ladder | 430 [2]\n\n> a = 1\n>\n> b = 2 [3]"
    )
    start = LIST.index(QUOTED_ROW)
    row = replace(cited(2), quote=QUOTED_ROW, span=(start, start + len(QUOTED_ROW)))
    (table,) = tables_in(LIST)
    parts = CitedParts((CitedTable(table, (row,)),), {3: CodeBlock("", "a = 1\nb = 2\n", (0, 12))})
    made = chat_word("T", [said(text, citations=(cited(1), row, cited(3)))], quoted=lambda _: parts)
    with zipfile.ZipFile(BytesIO(made)) as packed:
        document = ElementTree.fromstring(packed.read("word/document.xml"))
    space = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
    own, quoted = (
        [["".join(cell.itertext()) for cell in row.iter(f"{space}tc")] for row in table.iter(f"{space}tr")]
        for table in document.iter(f"{space}tbl")
    )
    assert own == [["Station", "Upkeep"], ["Weir", "$5"], ["Mill", "$7 & <b>"]]
    assert quoted == [["Station", "Cost"], ["Fish ladder", "430"]], "a quoted row stands below its head"
    assert len([*document.iter(f"{space}footnoteReference")]) == 3
    styled = {one.get(f"{space}val"): one for one in document.iter(f"{space}pStyle")}
    assert "Code" in styled and len([*document.iter(f"{space}br")]) == 2, "lines of code stay lines"
    assert "Old mill" not in "".join(document.itertext()) and "a = 1" in "".join(document.itertext())
    assert "Fish ladder" in read_docx(made).text
