"""Rich Text, written by hand: what stands beside its paragraphs, and characters of every encoding."""

import pytest

from rag_platform.core.errors import ExtractionError
from rag_platform.documents.extracted import Loss
from rag_platform.documents.reading.extraction import extract

STYLES = rb"{\stylesheet{\s0 Normal;}{\s1\outlinelevel0 heading 1;}{\s7\sbasedon0 Title;}{\*\cs10 Char;}}"


def rtf(body: bytes, head: bytes = b"") -> bytes:
    return rb"{\rtf1\ansi\ansicpg1252\deff0" + head + body + b"}"


def read(body: bytes, head: bytes = b""):
    return extract(rtf(body, head), uri="a.rtf")


def test_headings_by_style_and_by_level():
    body = rb"\pard\s7 Report\par\pard\s1 Results\par\pard\outlinelevel1 Costs\par\pard It grew.\par"
    assert read(body, STYLES).text == "# Report\n\n## Results\n\n### Costs\n\nIt grew."


def test_notes_and_comments_are_kept():
    body = (
        rb"\pard Ducks swim{\super\chftn{\footnote\ftnalt\pard\plain{\super\chftn} Not \i all\i0 .}} well"
        rb"{\*\atnauthor Bo}{\chatn{\*\annotation\pard Sure?}}.\par"
    )
    assert read(body).text == "Ducks swim[^1] well.\n\n[^1]: Not all.\n\n[author: Bo]: Sure?"


def test_the_margins_of_the_pages_are_kept_once():
    margins = rb"{\header\pard Ministry of Ducks\par}{\headerf Ministry of Ducks}{\footer\pard\chpgn 1}"
    assert read(margins + rb"\pard Words.\par").text == "Words.\n\nHeader: Ministry of Ducks"
    assert read(rb"{\footer Words}" + rb"\pard Words.\par").text == "Words."


def test_text_boxes_come_after_their_paragraph():
    box = rb"{\shp{\*\shpinst{\sp{\sn x}{\sv 1}}{\shptxt\pard In the box.\par}}{\shprslt{\*\do\dpline}}}"
    assert read(rb"\pard Anchor" + box + rb" here.\par After.\par").text == "Anchor here.\n\nIn the box.\n\nAfter."


def test_lists_and_tables():
    items = rb"{\listtext\pard 1.\tab}\pard\ls1 one\par{\listtext\pard a)\tab}\pard\ls1\ilvl1 deep\par"
    items += rb"{\pntext\'b7\tab}\pard two\par"
    table = rb"\trowd\pard\intbl Year\cell\pard\intbl Ducks\cell\row\trowd\pard\intbl 2026\cell 1\line 2\cell\row"
    assert read(items + table + rb"\pard End\par").text == (
        "1. one\n    - a) deep\n- two\n\n| Year | Ducks |\n| - | - |\n| 2026 | 1 2 |\n\nEnd"
    )


def test_links_lead_where_they_led():
    link = rb'{\field{\*\fldinst{HYPERLINK "https://ducks.example/a"}}{\fldrslt{\ul ducks}}}'
    assert read(rb"\pard See " + link + rb" now.\par").text == "See [ducks](https://ducks.example/a) now."


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (rb"\u1059?\u1090?\uc2\u1082\'3f\'3f\uc0\u1072 ", "Утка"),
        (rb"\u-10179?\u-8704?", "\U0001f600"),
        (rb"{\f1 \'d3\'f2\'ea\'e0}", "Утка"),
        (rb"{\f2 \'93\'fa\'96\'7b}", "日本"),
        (b"caf\xe9 \\'80", "café €"),
        (rb"a\emdash b\~c\{d\}", "a—b c{d}"),
    ],
)
def test_characters(body, words):
    fonts = rb"{\fonttbl{\f0 Arial;}{\f1\fcharset204 Arial;}{\f2\fcharset128 Mincho;}}"
    assert read(rb"\pard " + body + rb"\par", fonts).text == words


def test_what_was_deleted_or_hidden_is_left_out():
    found = read(rb"\pard Seen{\deleted  gone}{\v  secret} here.\par")
    assert (found.text, found.flags) == ("Seen here.", ("hidden text left out",))


def test_pictures_and_objects_are_counted_and_files_within_are_documents():
    packer = b"\x02\0note.txt\0C:\\note.txt\0\0\0\x03\0\x0c\0\0\0C:\\note.txt\0\x05\0\0\0Swim."
    whole = b"\1\5\0\0\2\0\0\0\x08\0\0\0Package\0" + bytes(8) + len(packer).to_bytes(4, "little") + packer
    body = rb"{\object\objemb{\*\objclass Package}{\*\objdata " + whole.hex("\n", 32).encode()
    body += rb"}{\result{\pict 00}}}{\object{\*\objdata 0105}}{\*\shppict{\pict\pngblip 8950}}{\nonshppict{\pict 00}}"
    found = read(body + rb"\par Words.\par")
    assert [(one.path, one.content) for one in found.members] == [("note.txt", b"Swim.")]
    assert found.losses == (Loss("images without text", 2), Loss("embedded objects", 1))


def test_what_it_says_of_itself_and_binary_data():
    info = rb"{\info{\title D\'fccks}{\author Ada}{\creatim\yr2026\mo1\dy2\hr3\min4}}"
    found = read(rb"{\pict\bin4 }{}{}\pard Words.\par", info)
    assert (found.title, found.author, found.published_at.day, found.text) == ("Dücks", "Ada", 2, "Words.")


def test_a_cut_or_false_file_gives_what_it_has_or_a_reason():
    assert extract(rtf(rb"\pard{\b Half")[:-1], uri="a.rtf").text == "Half"
    with pytest.raises(ExtractionError, match="no Rich Text"):
        extract(b"words", uri="a.rtf", type="rtf")
