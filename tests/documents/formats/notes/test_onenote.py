"""Sections of OneNote: two real files (see NOTICE), and sections that are written here."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from rag_platform.core.errors import ExtractionError
from rag_platform.documents.extracted import Extracted
from rag_platform.documents.reading.detection import detect_type
from rag_platform.documents.reading.extraction import extract
from tests.documents.formats.notes.cell_package_writer import section, text

HERE = Path(__file__).parent
UNICODE, LATIN, CHILDREN, CONTENTS = 0x1C001C22, 0x1C003498, 0x24001C20, 0x24001C1F
SECTION, SERIES, MANIFEST, PAGE, ABOUT, OUTLINE = 0x60007, 0x60008, 0x60037, 0x6000B, 0x20030, 0x6000C
ELEMENT, TEXT, IMAGE, LIST, TABLE, ROW, CELL = 0x6000D, 0x6000E, 0x60011, 0x60012, 0x60022, 0x60023, 0x60024
FILE, CONTAINER, STYLE, INK = 0x60035, 0x80036, 0x12004D, 0x60014
SECTION_SPACE = ({1: 1}, {1: (SECTION, {CHILDREN: [2]}), 2: (SERIES, {0x2C001D63: [1, 2]})})


def read(content: bytes) -> Extracted:
    return extract(content, uri="Notes.one")


def page(title: str, objects: dict, children: list[int], **about: int):
    """Return the object space of a page that has these objects, of which some stand on it."""
    told = {0x1C001CF3: text(title), **{int(number[1:], 16): value for number, value in about.items()}}
    own = {1: (MANIFEST, {CONTENTS: [2]}), 2: (PAGE, {CHILDREN: children}), 3: (ABOUT, told)}
    return {1: 1, 2: 3}, own | objects


def para(number: int, content: str, **properties) -> dict:
    """Return an element of an outline, and below it the text of it."""
    more = {int(name[1:], 16): value for name, value in properties.items()}
    return {number: (ELEMENT, {CONTENTS: [number + 500], **more}), number + 500: (TEXT, {UNICODE: text(content)})}


def two_pages(objects: dict, children: list[int], **more) -> bytes:
    return section([SECTION_SPACE, page("First", objects, children), page("Second", {}, [])], **more)


def test_a_section_from_the_disk_tells_its_page_as_it_is_now() -> None:
    found = read((HERE / "revisions.one").read_bytes())

    assert found.text == "# So good\n\nWednesday, December 11, 2019 5:37 PM\n\nThis is one note 2016"
    assert (found.title, found.author, found.losses) == ("So good", "nicholas dipiazza", ())
    assert found.published_at == datetime(2019, 12, 11, 23, 37, 52, 952000, tzinfo=UTC)
    assert found.updated_at == datetime(2019, 12, 11, 23, 38, 1, tzinfo=UTC)


def test_a_file_on_a_page_is_a_document_of_its_own() -> None:
    found = read((HERE / "attached.one").read_bytes())

    (member,) = found.members
    assert found.text == "2019年3月14日 17:06\n\n[testing.docx]"
    assert member.path == "testing.docx"
    assert detect_type(member.content) == "docx"


def test_pages_of_a_section_from_onedrive_stand_in_their_order_with_their_titles() -> None:
    body = {10: (OUTLINE, {CHILDREN: [11]}), **para(11, "Ring the ferryman.")}
    pages = [page("First", body, [10]), page("Below it", {}, [], x14001DFF=2)]

    found = read(section([SECTION_SPACE, *pages]))

    assert found.text == "# First\n\nRing the ferryman.\n\n## Below it"
    assert found.pages == (0, found.text.index("## Below"))


def test_what_stands_above_on_a_page_comes_first() -> None:
    top = 0x14001C15  # a float of half inches
    body = {
        10: (OUTLINE, {CHILDREN: [11], top: 0x41200000}), **para(11, "below"),
        20: (OUTLINE, {CHILDREN: [21], top: 0x3F800000}), **para(21, "above"),
    }  # fmt: skip

    assert read(two_pages(body, [10, 20])).text.startswith("# First\n\nabove\n\nbelow")


def test_lists_tables_headings_links_and_tags_are_kept() -> None:
    link = '\ufddfHYPERLINK "https://river.example/a"'
    line = f"See {link}the tables now"
    ends = b"".join(at.to_bytes(4, "little") for at in (4, 4 + len(link), 4 + len(link) + 10))
    cells = {number: (CELL, {CHILDREN: [number + 10]}) for number in (31, 32, 33, 34)}
    body = {
        10: (OUTLINE, {CHILDREN: [11, 12, 13, 14, 15, 16]}),
        **para(11, "Plan", x24001C26=[]), 511: (TEXT, {UNICODE: text("Plan"), 0x2000342C: [60]}),
        60: (STYLE, {0x1C00345A: text("h1")}),
        **para(12, "boat", x24001C26=[61], x24001C20=[17]), **para(17, "oars", x24001C26=[61]),
        61: (LIST, {0x1C001C1A: text("\x01•")}),
        **para(13, "row", x24001C26=[62]), **para(14, "rest", x24001C26=[62]),
        62: (LIST, {0x1C001C1A: text("\x03\ufffd.")}),
        15: (ELEMENT, {CONTENTS: [63, 30]}),
        63: (TEXT, {UNICODE: text(line), 0x1C001E12: ends, 0x24001E13: [64, 65, 64, 64]}),
        64: (STYLE, {}), 65: (STYLE, {0x88001E16: True}),
        30: (TABLE, {CHILDREN: [35, 36]}), 35: (ROW, {CHILDREN: [31, 32]}), 36: (ROW, {CHILDREN: [33, 34]}), **cells,
        **para(41, "Pier"), **para(42, "Depth"), **para(43, "North"), **para(44, "3 m"),
        16: (ELEMENT, {CONTENTS: [66]}),
        66: (TEXT, {LATIN: b"caf\xe9", 0x40003489: [{0x10003470: 1, 0x20003488: [67]}]}),
        67: (0x120043, {0x1C003468: text("To Do")}),
    }  # fmt: skip

    shown = read(two_pages(body, [10])).text

    assert shown == (
        "# First\n\n## Plan\n\n- boat\n  - oars\n1. row\n2. rest\n\n"
        "See [the tables](https://river.example/a) now\n\n"
        "| Pier | Depth |\n| - | - |\n| North | 3 m |\n\n[To Do, done] café\n\n# Second"
    )


def test_files_are_members_and_what_is_not_kept_is_counted() -> None:
    body = {
        10: (FILE, {0x1C001D9C: text("C:\\plans\\pier.txt"), 0x20001D9B: [11]}), 11: (CONTAINER, {}),
        12: (FILE, {0x1C001D9C: text("gone.txt"), 0x20001D9B: [13]}), 13: (CONTAINER, {}),
        14: (IMAGE, {}), 15: (IMAGE, {0x1C001E58: text("A pier in winter")}), 16: (INK, {}),
    }  # fmt: skip

    found = read(two_pages(body, [10, 12, 14, 15, 16], files={11: b"three metres"}))

    assert [(one.path, one.content) for one in found.members] == [("pier.txt", b"three metres")]
    assert found.text == "# First\n\n[pier.txt]\n\n[gone.txt]\n\nA pier in winter\n\n# Second"
    assert {loss.what: loss.count for loss in found.losses} == {
        "images without text": 1, "figures": 1, "attachments": 1
    }  # fmt: skip


def test_what_a_revision_does_not_change_is_that_of_the_revision_before() -> None:
    before = {10: (OUTLINE, {CHILDREN: [11, 12]}), **para(11, "kept"), **para(12, "as it was")}
    page_now = page("First", para(12, "as it is"), [10])

    found = read(section([SECTION_SPACE, page_now, page("Second", {}, [])], earlier={1: before}))

    assert found.text == "# First\n\nkept\n\nas it is\n\n# Second"


def test_hidden_words_are_counted() -> None:
    runs = {0x1C001E12: (5).to_bytes(4, "little"), 0x24001E13: [64, 65]}
    body = {10: (TEXT, {UNICODE: text("open secret"), **runs}), 64: (STYLE, {}), 65: (STYLE, {0x88001E16: True})}

    found = read(two_pages(body, [10]))

    assert found.text.startswith("# First\n\nopen\n\n")
    assert [(loss.what, loss.count) for loss in found.losses] == [("hidden text", 1)]


def test_a_page_whose_part_is_missing_is_counted() -> None:
    found = read(section([SECTION_SPACE, page("First", {}, [])]))

    assert found.text == "# First"
    assert [(loss.what, loss.count) for loss in found.losses] == [("pages", 1)]


def test_an_object_that_is_within_itself_is_told_once() -> None:
    body = {10: (OUTLINE, {CHILDREN: [11, 11]}), **para(11, "once", x24001C20=[10, 11])}

    assert read(two_pages(body, [10])).text == "# First\n\nonce\n\n# Second"


def test_a_section_with_a_password_says_so() -> None:
    with pytest.raises(ExtractionError, match="a password protects this section"):
        read(section([({1: 1, 3: 2}, {1: (SECTION, {})})]))


@pytest.mark.parametrize("name", ["revisions.one", "attached.one"])
def test_a_damaged_section_is_read_or_refused_with_a_reason(name: str) -> None:
    whole = (HERE / name).read_bytes()
    for at in range(64, len(whole), 397):
        for damaged in (whole[:at], whole[:at] + b"\xff" + whole[at + 1 :]):
            try:
                read(damaged)
            except ExtractionError as error:
                assert "failed on it" not in str(error), at


def test_a_section_that_was_cut_off_says_where_it_ends() -> None:
    with pytest.raises(ExtractionError, match="damaged: it ends at byte 178, where 8 more were expected"):
        read((HERE / "revisions.one").read_bytes()[:178])


def test_chunks_that_lie_over_each_other_are_refused() -> None:
    whole = bytearray((HERE / "attached.one").read_bytes())
    at, size = (int.from_bytes(whole[start:end], "little") for start, end in ((172, 180), (180, 184)))
    whole[at + size - 20 : at + size - 12] = whole[172:180]  # the list goes on where it begins
    whole[at + size - 12 : at + size - 8] = whole[180:184]

    with pytest.raises(ExtractionError, match="its parts overlap"):
        read(bytes(whole))
