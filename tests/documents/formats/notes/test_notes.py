"""Notes of Obsidian, Evernote and Notion."""

import base64
import hashlib
import io
import json
import zipfile

import pytest

from rag_platform.documents.extracted import Loss
from rag_platform.documents.formats.notes.wiki_links import plain_links, tags_in
from rag_platform.documents.reading.extraction import extract
from rag_platform.documents.reading.unpacking import read_parts


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("See [[Water plan]].", "See [Water plan](<Water plan.md>)."),
        ("[[garden/Fern|the fern]]", "[the fern](<garden/Fern.md>)"),
        ("[[Fern#Light#In winter]]", "[Fern > Light > In winter](<Fern.md>)"),
        ("[[#Light]] and [[Fern#^ab12cd]]", "Light and [Fern > ab12cd](<Fern.md>)"),
        ("![[map.png|300]]", "[map.png](<map.png>)"),
        ("| [[Fern\\|f]] |", "| [f](<Fern.md>) |"),
        ("> [!warning]- Too wet\n> Roots rot.", "> **Warning: Too wet**\n> Roots rot."),
        ("> [!NOTE]\n> x", "> **Note**\n> x"),
        ("A thought. ^ab12cd\nx ^2", "A thought.\nx ^2"),
        ("`a[[1]]` and\n```\n[[x]]\n```\n[[y]]", "`a[[1]]` and\n```\n[[x]]\n```\n[y](<y.md>)"),
        ("a[[0, 1], [1, 0]]", "a[[0, 1], [1, 0]]"),
        ("[[1]](https://x.org/a) [[2]][b]\n[[3]]: c", "[[1]](https://x.org/a) [[2]][b]\n[[3]]: c"),
        ("    if [[ -f $1 ]]; then", "    if [[ -f $1 ]]; then"),
    ],
)
def test_what_obsidian_writes_becomes_markdown(written, read):
    assert plain_links(written) == read


def test_tags_and_aliases_of_a_note():
    note = b"---\ntags: [plants]\naliases: [Bracken, Pteridium]\n---\nWater #garden/wet daily, see [[Plan]]. #1 `#code`"
    read = extract(note, uri="Fern.md")
    assert read.tags == ("plants", "garden/wet")
    assert read.text == "Also called: Bracken, Pteridium\n\nWater #garden/wet daily, see [Plan](<Plan.md>). #1 `#code`"
    assert extract(b"Issue #fern of a readme.", uri="a.md").tags == ()
    assert tags_in("# Heading\n#tag, (#other) C# http://x/#no") == ("tag", "other")


PICTURE = b"GIF89a\x01\x00\x01\x00\x00\x00\x00;"
ENEX = f"""<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE en-export SYSTEM "http://xml.evernote.com/pub/evernote-export4.dtd">
<en-export export-date="20260101T000000Z" application="Evernote">
<note><title>Shopping / list</title><created>20260101T100000Z</created><updated>20260102T100000Z</updated>
<tag>home</tag><note-attributes><author>Ada</author><source-url>https://x.org/a</source-url></note-attributes>
<content><![CDATA[<?xml version="1.0"?><!DOCTYPE en-note SYSTEM "http://xml.evernote.com/pub/enml2.dtd">
<en-note><h1>Today</h1><div><en-todo checked="true"/>Seeds&nbsp;and soil</div><div><en-todo/>Pots</div>
<en-media hash="{hashlib.md5(PICTURE).hexdigest()}" type="image/gif"/>
<en-crypt hint="x">c2VjcmV0</en-crypt></en-note>]]></content>
<resource><data encoding="base64">{base64.b64encode(PICTURE).decode()}</data><mime>image/gif</mime>
<resource-attributes><file-name>../list.txt</file-name></resource-attributes></resource>
<resource><data encoding="base64">{base64.b64encode(b"a,b").decode()}</data><mime>text/csv</mime></resource></note>
<note><title>Shopping / list</title><content><![CDATA[<en-note>Another one<ul style="--en-todo:true;">
<li style="--en-checked:true;"><div>Soil</div></li></ul></en-note>]]></content>
<task><title>Call Ben</title><taskStatus>open</taskStatus></task></note>
</en-export>"""


def parts(content, uri):
    found = [one for one in read_parts(content, uri=uri) if not isinstance(one, str)]
    return {one.path.removeprefix("!/"): one for one in found}


def test_an_export_of_evernote_is_a_document_for_each_note_and_file():
    found = parts(ENEX.encode(), "notes.enex")
    note = found["Shopping - list.md"].read
    assert note.text == "Source: https://x.org/a\n\n# Today\n\n[x] Seeds and soil\n\n[ ] Pots\n\n[..-list.txt]"
    assert (note.title, note.author, note.tags, note.kind) == ("Shopping / list", "Ada", ("home",), "note")
    assert (note.published_at.day, note.updated_at.day) == (1, 2)
    assert note.flags == ("encrypted passages left out: 1",)
    assert found["Shopping - list (2).md"].read.text == "Another one\n\n- [x] Soil\n\n- [ ] Call Ben"
    assert found["Shopping - list/file-2"].read.type == "csv"
    assert "image/gif" in found["Shopping - list/..-list.txt"].reason


def test_a_cut_export_keeps_its_first_notes():
    found = parts(ENEX[: ENEX.index("Another")].encode(), "notes.enex")
    assert "Shopping - list.md" in found


def test_an_export_of_notion_knows_titles_dates_and_tags_and_has_each_database_once():
    buffer, mark = io.BytesIO(), "0123456789abcdef" * 2
    page = "# Fern\n\nStatus: Done\nTags: wet, green\nCreated time: January 5, 2026 3:04 PM\nCreated by: Ada\n\nWet.\n"
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr(f"Garden {mark}/Fern {mark}.md", page)
        archive.writestr(f"Plants {mark}.csv", "Name\nFern\n")
        archive.writestr(f"Plants {mark}_all.csv", "Name,Status\nFern,Done\n")
    found = parts(buffer.getvalue(), "export.zip")
    assert set(found) == {f"Garden {mark}/Fern {mark}.md", f"Plants {mark}_all.csv", ""}
    fern = found[f"Garden {mark}/Fern {mark}.md"].read
    assert (fern.title, fern.author, fern.tags) == ("Fern", "Ada", ("wet", "green"))
    assert fern.published_at.isoformat() == "2026-01-05T15:04:00+00:00" and fern.text.startswith(
        "# Fern\n\nStatus: Done"
    )


def test_an_export_of_notion_as_html_says_what_is_done():
    buffer = io.BytesIO()
    item = "<li><div class='checkbox checkbox-{}'></div> <span>{}</span></li>"
    page = f"<title>Garden</title><h1>Garden</h1><ul>{item.format('on', 'Sow')}{item.format('off', 'Dig')}</ul>"
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("index.html", "<a>Garden</a>")
        archive.writestr(f"Garden {'0123456789abcdef' * 2}.html", page)
    found = parts(buffer.getvalue(), "export.zip")
    assert found[""].read.type == "notion"
    assert "- [x] Sow\n- [ ] Dig" in found[f"Garden {'0123456789abcdef' * 2}.html"].read.text


def test_a_note_of_evernote_that_is_encrypted_as_a_whole_says_so():
    note = '<en-export><note><title>Secret</title><content encoding="base64:aes">c2VjcmV0</content></note></en-export>'
    found = parts(note.encode(), "a.enex")["Secret.md"].read
    assert (found.title, found.text, found.flags) == ("Secret", "", ("encrypted passages left out: 1",))


def test_comments_and_drawings_of_obsidian_are_left_out():
    note = b"Wet %%not sure%% soil, [[Plan]].\n\n%%\nAsk Ben\n%%\nEnd `%%x%%` 5 %"
    read = extract(note, uri="a.md")
    assert read.text == "Wet  soil, [Plan](<Plan.md>).\n\nEnd `%%x%%` 5 %"
    assert read.losses == (Loss("comments", 2),)
    assert extract(b"%%a%% is written for %a%.", uri="a.md").text == "%%a%% is written for %a%."
    drawing = b"---\nexcalidraw-plugin: parsed\n---\n# Text Elements\nThe weir ^ab12cd\n\n%%\n# Drawing\n"
    read = extract(drawing + b"```compressed-json\nN4IgLgngDgpiBcIYA8\n```\n%%", uri="a.excalidraw.md")
    assert read.text == "# Text Elements\nThe weir"


def test_a_board_of_obsidian_is_read_by_its_cards():
    board = {
        "nodes": [
            {"type": "text", "text": "Then [[Fern|the fern]]", "x": 0, "y": 9},
            {"type": "file", "file": "plan/Weir.md", "x": 5, "y": 1},
            {"type": "text", "text": "First", "x": 1, "y": 1},
            {"type": "link", "url": "https://x.org", "x": 0, "y": 10},
        ],
        "edges": [{"label": "leads to"}],
    }
    read = extract(json.dumps(board).encode(), uri="a.canvas")
    assert read.text == "First\n\n[Weir.md](<plan/Weir.md>)\n\nThen [the fern](<Fern.md>)\n\nhttps://x.org\n\nleads to"
