"""Old Word, PowerPoint and Excel, written here: what stands beside the text, older versions, passwords."""

import re
import struct
from collections import Counter
from struct import pack
from unittest.mock import Mock

import pytest

from rag_platform.core.errors import ExtractionError
from rag_platform.documents.extracted import Loss
from rag_platform.documents.formats.old_office.drawn_text import drawn_text
from rag_platform.documents.options import Options
from rag_platform.documents.reading.extraction import extract
from tests.compound_files import compound_file

# --- Word -------------------------------------------------------------------------------------------


def doc(
    main: str,
    stories: dict[int, str] | None = None,
    plexes: dict[int, bytes] | None = None,
    page: bytes = b"",
    **more: bytes,
) -> bytes:
    """Return a document.

    `stories` go by their place among the counts of characters, `plexes` by theirs in the header; `page` is the third
    one of 512 bytes, and the text begins at byte 2048.
    """
    texts = [(stories or {}).get(number, "") if number else main for number in range(8)]
    header, table = bytearray(2048), bytearray()
    struct.pack_into("<HH", header, 0, 0xA5EC, 0xC1)
    struct.pack_into("<8i", header, 0x4C, *map(len, texts))
    header[1024 : 1024 + len(page)] = page
    whole = "".join(texts).encode("utf-16-le")
    pieces = pack("<iiHIH", 0, len(whole) // 2, 0, len(header), 0)
    for number, data in {33: b"\x02" + pack("<i", len(pieces)) + pieces, **(plexes or {})}.items():
        struct.pack_into("<ii", header, 0x9A + 8 * number, len(table), len(data))
        table += data
    return compound_file({"WordDocument": bytes(header) + whole, "0Table": bytes(table)} | more)


def plex(*places: int, data: bytes = b"") -> bytes:
    return pack(f"<{len(places)}i", *places) + data


def style(built_in: int, base: int = 0xFFF, changes: bytes = b"") -> bytes:
    data = pack("<HHHHH", built_in, base << 4 | 1, 0, 0, 0) + pack("<HHH", 1, ord("S"), 0)
    data += pack("<HH", 2 + len(changes), 0) + changes
    return pack("<H", len(data)) + data + bytes(len(data) % 2)


def list_level(kind: int, shown: str, start: int = 1) -> bytes:
    return pack("<iB", start, kind) + bytes(23) + pack("<H", len(shown)) + shown.encode("utf-16-le")


def properties(main: str, *paragraphs: tuple[int, bytes]) -> bytes:
    """Return the page that says of each paragraph its style and what it changes."""
    bounds, at = [2048], 0
    for line in re.split(r"[\r\x07]", main)[:-1]:
        at += len(line) + 1
        bounds.append(2048 + 2 * at)
    page, free = bytearray(512), 510
    places = []
    for number, changes in paragraphs:
        said = pack("<H", number) + changes
        said = bytes([0, len(said) // 2]) + said if len(said) % 2 == 0 else bytes([(len(said) + 1) // 2]) + said
        free -= len(said) + len(said) % 2
        page[free : free + len(said)] = said
        places.append(bytes([free // 2]) + bytes(12))
    head = pack(f"<{len(bounds)}I", *bounds) + b"".join(places)
    page[: len(head)] = head
    page[511] = len(paragraphs)
    return bytes(page)


OUTLINE, LEVEL, LIST = pack("<H", 0x2640), pack("<H", 0x260A), pack("<H", 0x460B)
IN_TABLE = pack("<HB", 0x2416, 1)
ROW_END = IN_TABLE + pack("<HB", 0x2417, 1)
FAR_ROW_END = pack("<HI", 0x6646, 0)


def styled(main: str, *paragraphs: tuple[int, bytes]) -> bytes:
    """Return a document with these styles: 0 plain, 1 the title, 2 a heading, 3 an own one below it, 4 a list's."""
    styles = (style(0), style(62), style(1), style(0xFFE, 2, OUTLINE + b"\1"), style(0xFFE, 0, LIST + b"\1\0"))
    levels = list_level(0, "\0.") + list_level(23, "•") + list_level(4, "\0.\2", 3) + list_level(0, "") * 6
    return doc(
        main,
        plexes={
            1: pack("<HHH", 4, len(styles), 10) + b"".join(styles),
            13: pack("<III", 2048, 2048 + 2 * len(main), 2),
            73: pack("<Hi", 1, 77) + bytes(24),
            75: levels,  # they follow the lists, and no header tells of them
            74: pack("<Ii", 1, 77) + bytes(12),
        },
        page=properties(main, *paragraphs),
    )


def test_headings_and_lists_of_old_word_are_those_of_its_styles_and_its_paragraphs():
    lines = (
        ("Guide", (1, b"")), ("Water", (2, b"")), ("Why", (3, b"")), ("Words.", (0, b"")), ("One", (4, b"")),
        ("Dot", (4, LEVEL + b"\1")), ("Deep", (0, LEVEL + b"\2" + LIST + b"\1\0")), ("Two", (4, b"")),
        ("Own", (0, OUTLINE + b"\0")), ("No heading", (2, OUTLINE + b"\x09")), ("Ends", (2, LIST + b"\1\0")),
    )  # fmt: skip
    main = "".join(f"{line}\r" for line, _ in lines)
    read = extract(styled(main, *(about for _, about in lines)), uri="a.doc")
    assert read.text == (
        "# Guide\n\n## Water\n\n### Why\n\nWords.\n\n1. One\n    - Dot\n        - 1.c Deep\n2. Two\n\n"
        "## Own\n\nNo heading\n\n## 3 Ends"
    )
    assert read.flags == ()


def table_of(*paragraphs: tuple[str, int, bytes]) -> str:
    """Return the text of a document of these paragraphs: the words with the sign that ends them, the style, changes."""
    main = "".join(words for words, _, _ in paragraphs)
    return extract(styled(main, *((style_, changes) for _, style_, changes in paragraphs)), uri="a.doc").text


def test_a_cell_of_old_word_may_have_paragraphs_and_a_row_fewer_cells_than_another():
    assert table_of(
        ("Name\x07", 0, IN_TABLE), ("Duties\x07", 2, IN_TABLE), ("\x07", 0, ROW_END),
        ("Ann\x07", 0, IN_TABLE), ("Buys\r", 4, IN_TABLE), ("Cooks\x07", 4, IN_TABLE), ("\x07", 0, FAR_ROW_END),
        ("Both\x07", 0, IN_TABLE), ("\x07", 0, ROW_END),
        ("\x07", 0, IN_TABLE), ("Bo\x07", 0, IN_TABLE), ("\x07", 0, ROW_END),
        ("End\r", 0, b""),
    ) == "| Name | Duties |\n| - | - |\n| Ann | 1. Buys 2. Cooks |\n| Both |  |\n|  | Bo |\n\nEnd"  # fmt: skip


def row_end(*edges: int, flags: tuple[int, ...] = ()) -> bytes:
    """Return what a row's mark changes: it ends a row of cells with these edges, merged by these flags."""
    cells = b"".join(pack("<H18x", flag) for flag in flags)
    defined = bytes([len(edges) - 1]) + pack(f"<{len(edges)}h", *edges) + cells
    return ROW_END + pack("<HH", 0xD608, len(defined) + 1) + defined


def row_of(end: bytes, *cells: str) -> tuple[tuple[str, int, bytes], ...]:
    return (*((f"{cell}\x07", 0, IN_TABLE) for cell in cells), ("\x07", 0, end))


def test_a_merged_cell_of_old_word_stands_in_each_place_that_it_covers():
    assert table_of(
        *row_of(row_end(0, 3000, 6000, 9000), "Team", "Name", "Age"),
        *row_of(row_end(5, 6010, 9000, flags=(0x60, 0)), "Red", "7"),
        *row_of(row_end(0, 6000, 9000, flags=(0x20, 0)), "", "8"),
    ) == "| Team | Name | Age |\n| - | - | - |\n| Red | Red | 7 |\n| Red | Red | 8 |"  # fmt: skip
    assert table_of(
        *row_of(row_end(0, 3000, 6000, flags=(1, 2)), "All", ""), *row_of(row_end(0, 3000, 6000), "a", "")
    ) == "| All | All |\n| - | - |\n| a |  |"  # fmt: skip


def test_cells_of_old_word_that_fit_no_grid_stay_one_after_the_other():
    narrow = row_of(row_end(0, 100, 9000), "a", "b"), row_of(row_end(0, 3000, 6000, 9000), "c", "d", "e")
    untold = row_of(row_end(0, 100)[:-1], "a", "b"), row_of(row_end(0, 300), "c", "d", "e")
    for one, two in (narrow, untold):
        assert table_of(*one, *two) == "| a | b |  |\n| - | - | - |\n| c | d | e |"


def test_a_frame_of_one_cell_in_old_word_is_no_table():
    assert (
        table_of(("Water\r", 2, IN_TABLE), ("Wet.\r", 0, IN_TABLE), ("Dry.\x07", 0, IN_TABLE), ("\x07", 0, ROW_END))
        == "## Water\n\nWet.\n\nDry."
    )


def test_a_table_of_old_word_whose_rows_are_not_told_keeps_its_cells():
    assert extract(doc("a\x07b\x07\x07c\x07d\x07\x07"), uri="a.doc").text == "| a | b |\n| - | - |\n| c | d |"
    assert extract(doc("a\x07b\x07\x07c\x07d\r"), uri="a.doc").text == "| a | b |  | c |\n| - | - | - | - |\n\nd"


def test_links_of_old_word_keep_their_addresses_and_boxes_of_forms_are_counted():
    link = '\x13 HYPERLINK "https://a.example/" \\o "Tip" \x01\x14%s\x15'
    main = (
        f"See {link % 'the page '}or{link % 'https://a.example/'}{link % chr(1)}.\r"
        '\x13 HYPERLINK \\l "_Toc1" \x14Within\x15 \x13TOC\x14\x13 PAGEREF x \x147\x15\x15\r'
        "\x13 FORMCHECKBOX \x01\x14\x15Paid \x13 FORMDROPDOWN \x01\x15\x13 FORMTEXT \x01\x14Ann\x15\r"
        f"{link % f'one{link % chr(50)}'}\x13 EMBED Sheet \x14\x01\x15 \x13 never ends"
    )
    read = extract(doc(main), uri="a.doc")
    assert read.text == (
        "See [the page](https://a.example/) orhttps://a.example/.\n\nWithin 7\n\nPaid Ann\n\n"
        "one[2](https://a.example/)  never ends"
    )
    assert read.losses == (Loss("images without text", 1), Loss("form fields", 2))


def test_words_of_old_word_whose_pronunciation_is_written_above_them_stay_and_other_formulas_are_counted():
    main = '\x13 EQ \\* jc2 \\* "Font:MS Mincho" \\* hps10 \\o\\ad(\\s\\up 9(かも),鴨)\x15は\x13EQ \\f(1,2)\x15。\r'
    read = extract(doc(main), uri="a.doc")
    assert (read.text, read.losses) == ("鴨(かも)は。", (Loss("formulas", 1),))


def test_a_link_in_a_heading_of_old_word_is_words_alone_and_one_in_a_cell_stays():
    link = '\x13HYPERLINK "https://a.example/"\x14page\x15'
    assert table_of(
        (f"The {link}\r", 2, b""), (f"{link}\x07", 0, IN_TABLE), ("b\x07", 0, IN_TABLE), ("\x07", 0, ROW_END)
    ) == "## The page\n\n| [page](https://a.example/) | b |\n| - | - |"  # fmt: skip


def test_damaged_styles_of_old_word_cost_no_text_and_are_told():
    made = doc("Guide\rWords.\r", plexes={1: b"\xff", 13: pack("<III", 0, 9, 2)})
    read = extract(made, uri="a.doc")
    assert (read.text, read.flags) == ("Guide\n\nWords.", ("headings and lists not read: damaged styles",))


def test_notes_comments_boxes_and_margins_of_old_word_are_kept():
    note, end, comment = "\x02 Not all.\r", "\x02 Since 1900.\r", "\x05Sure?\r"
    margins = "Ministry\r" + "7\r"
    made = doc(
        "Ducks\x02 swim\x02 well.\r",
        {1: note, 2: margins, 4: comment, 5: end, 6: "In the box.\r"},
        {
            2: plex(5, 99, data=b"\1\0"), 3: plex(0, len(note), len(note)),
            46: plex(11, 99, data=b"\1\0"), 47: plex(0, len(end), len(end)),
            5: plex(0, len(comment), len(comment)),
            11: plex(0, 0, 0, 0, 0, 0, 0, 0, 9, 9, 11, 11, 11),
        },
    )  # fmt: skip
    assert extract(made, uri="a.doc").text == (
        "Ducks[^1] swim[^2] well.\n\n[^1]: Not all.\n\n[^2]: Since 1900.\n\n[comment]: Sure?\n\nIn the box.\n\n"
        "Header: Ministry"
    )


def test_pictures_objects_and_macros_of_old_word_are_counted():
    packed = b"\x02\0note.txt\0C:\\n\0\0\0\x03\0\x04\0\0\0C:\\\0\x05\0\0\0Swim."
    made = doc(
        "A\x01 b\x08.\r",
        **{
            "ObjectPool/_1/\x01Ole10Native": pack("<I", len(packed)) + packed,
            "ObjectPool/_2/Equation Native": b"x",
            "Macros/VBA/_VBA_PROJECT": b"code",
        },
    )
    read = extract(made, uri="a.doc")
    assert [(one.path, one.content) for one in read.members] == [("note.txt", b"Swim.")]
    assert read.losses == (Loss("images without text", 2), Loss("embedded objects", 1), Loss("macros", 1))


@pytest.mark.parametrize("fast_saved", [False, True])
def test_word_6_is_read_in_the_code_page_of_its_language(fast_saved):
    text = "Утки плавают.\r".encode("cp1251")
    header = bytearray(1024)
    struct.pack_into("<HHHHH", header, 0, 0xA5DC, 0x65, 0, 0x419, 0)
    struct.pack_into("<I", header, 0x34, len(text))
    struct.pack_into("<I", header, 0x18, len(header))
    after = b""
    if fast_saved:
        header[0x0A] = 4
        pieces = pack("<iii", 0, 5, len(text)) + pack("<HIHHIH", 0, 1024, 0, 0, 1029, 0)
        after = b"\x02" + pack("<i", len(pieces)) + pieces
        struct.pack_into("<II", header, 0x160, len(header) + len(text), len(after))
    assert extract(compound_file({"WordDocument": bytes(header) + text + after}), uri="a.doc").text == "Утки плавают."


def word_6(text: bytes, letters: int, *, flags: int = 0, fonts: bytes = b"") -> bytes:
    """Return an English document of Word 95 of so many characters, and its fonts."""
    header = bytearray(1024)
    struct.pack_into("<HHHHHH", header, 0, 0xA5DC, 0x68, 0, 0x409, 0, flags)
    struct.pack_into("<I", header, 0x18, len(header))
    struct.pack_into("<I", header, 0x34, letters)
    struct.pack_into("<II", header, 0xD0, len(header) + len(text), len(fonts))
    return compound_file({"WordDocument": bytes(header) + text + fonts})


def font(name: bytes, charset: int) -> bytes:
    return bytes((len(name) + 6, 0, 0, 0, charset, 0)) + name + b"\0"


def test_word_95_is_read_in_the_code_page_of_its_fonts_where_its_words_are_foreign():
    fonts = b"\0\0" + font(b"Times New Roman", 0) + font(b"Symbol", 2) + font(b"Arial Cyr", 204)
    russian, french = "Утки плавают.\r".encode("cp1251"), "Été à Orléans.\r".encode("cp1252")
    assert extract(word_6(russian, len(russian), fonts=fonts), uri="a.doc").text == "Утки плавают."
    assert extract(word_6(french, len(french), fonts=fonts), uri="a.doc").text == "Été à Orléans."


def test_word_95_of_the_far_east_has_two_bytes_for_each_character():
    text = "鴨は泳ぐ.\r"
    assert extract(word_6(text.encode("utf-16-le"), len(text), flags=0x1000), uri="a.doc").text == "鴨は泳ぐ."


# --- PowerPoint -------------------------------------------------------------------------------------


def atom(kind: int, data: bytes, instance: int = 0) -> bytes:
    return pack("<HHI", instance << 4, kind, len(data)) + data


def box(kind: int, *inside: bytes, instance: int = 0) -> bytes:
    data = b"".join(inside)
    return pack("<HHI", instance << 4 | 0xF, kind, len(data)) + data


def words(kind: int, text: str) -> bytes:
    return atom(3999, pack("<I", kind)) + atom(4000, text.encode("utf-16-le"))


def shape(placeholder: int, *inside: bytes) -> bytes:
    place = box(0xF011, atom(3011, pack("<iBBH", 0, placeholder, 0, 0)))
    return box(0xF004, atom(0xF00A, bytes(8), 202), *([place] if placeholder else []), box(0xF00D, *inside))


def persist(identifier: int) -> bytes:
    return atom(1011, pack("<IIIII", 0, 0, 0, identifier, 0))


def ppt(*records: bytes, **more: bytes) -> bytes:
    user = pack("<IIII", 0, 0, 20, 0xE391C05F) + bytes(8)
    return compound_file({"PowerPoint Document": b"".join(records), "Current User": user} | more)


def test_notes_and_margins_of_old_slides_are_kept_and_no_master_becomes_a_slide():
    masters = box(4080, persist(9), instance=1)
    slides = box(4080, persist(256), words(0, "Goals"), persist(257), words(0, "Costs"))
    furniture = box(4057, atom(4026, "Ministry".encode("utf-16-le"), 2))
    made = ppt(
        box(1000, masters, slides, furniture),
        box(1016, words(0, "Click to edit")),
        box(1006, words(4, "Grow")),
        box(1006, words(4, "Less")),
        box(1008, atom(1009, pack("<II", 0, 0)), words(2, "Click to edit notes")),
        box(1008, atom(1009, pack("<II", 257, 0)), shape(12, words(2, "Say hello")), shape(8, words(4, "7"))),
    )
    read = extract(made, uri="a.ppt")
    assert read.text == "# Goals\n\nGrow\n\n# Costs\n\nLess\n\nNotes: Say hello\n\nFooter: Ministry"
    assert [read.text[page:][:7] for page in read.pages] == ["# Goals", "# Costs"] and read.losses == ()


def test_notes_in_any_box_of_their_page_are_kept_and_those_of_their_master_are_no_loss():
    made = ppt(
        box(1000, box(4080, persist(256), words(0, "Goals"))),
        box(1006, words(4, "Grow")),
        box(1008, atom(1009, pack("<II", 0x80000000, 0)), shape(6, words(2, "Click to edit notes"))),
        box(
            1008,
            atom(1009, pack("<II", 256, 0)),
            shape(8, words(4, "7")),
            shape(0, words(4, "*")),
            shape(0, words(4, "Say hello")),
        ),
    )
    read = extract(made, uri="a.ppt")
    assert (read.text, read.losses) == ("# Goals\n\nGrow\n\nNotes: Say hello", ())


def utf_16(text: str, instance: int) -> bytes:
    return atom(4026, text.encode("utf-16-le"), instance)


def test_comments_on_old_slides_are_kept_with_who_wrote_them_and_when():
    about = atom(12001, pack("<I8H", 1, 2026, 3, 0, 1, 9, 30, 0, 0) + bytes(8))
    comments = [
        box(12000, utf_16("Ann", 0), utf_16("Too small?", 1), utf_16("A", 2), about),
        box(12000, utf_16("b", 1)),
    ]
    tags = box(5000, box(5002, utf_16("___PPT10", 0), atom(5003, b"".join(comments))))
    made = ppt(box(1000, box(4080, persist(256), words(0, "Goals"))), box(1006, words(4, "Grow"), tags))
    assert extract(made, uri="a.ppt").text == (
        "# Goals\n\nGrow\n\n[author: Ann, time: 2026-03-01T09:30:00]: Too small?\n\n[comment]: b"
    )


def test_links_on_old_slides_keep_their_addresses():
    def linked(begin: int, end: int, number: int) -> bytes:
        return box(4082, atom(4083, pack("<II", 0, number) + bytes(8))) + atom(4063, pack("<II", begin, end))

    addresses = [box(4055, atom(4051, pack("<I", number)), utf_16("shown", 0), utf_16(address, 1))
                 for number, address in ((1, "https://a.example/"), (2, "slide 3"))]  # fmt: skip
    outline = box(4080, persist(256), words(0, "Goals"), linked(0, 5, 1), words(1, "See a page\rnow"))
    made = ppt(
        box(1000, box(1033, *addresses), outline + linked(0, 0, 1)),
        box(1006, words(4, "Grow on, duck"), linked(0, 5, 1), linked(5, 8, 2), linked(9, 99, 1)),
        box(1006, words(4, "a\rb"), linked(0, 3, 1)),
    )
    assert extract(made, uri="a.ppt").text == (
        "# Goals\n\nSee a page\n\nnow\n\n[Grow](https://a.example/) on, [duck](https://a.example/)\n\n"
        "# Slide 2\n\na\n\nb"
    )


def cell(place: tuple[int, int, int, int], text: str) -> bytes:
    return box(0xF004, atom(0xF00F, pack("<4i", *place)), box(0xF00D, words(4, text)))


def test_a_table_on_an_old_slide_is_a_table_and_a_merged_cell_stands_in_each_place():
    marked = box(0xF004, atom(0xF122, pack("<HIHI", 0x3A0, 7, 0x39F, 1), 2))
    cells = (
        cell((0, 0, 20, 5), "All"),
        cell((10, 5, 20, 9), "12"),
        cell((0, 5, 10, 9), "Ducks"),
        box(0xF004, atom(0xF00F, pack("<4i", 0, 0, 0, 9))),  # a line of the grid
    )
    group = box(0xF003, box(0xF004), cell((0, 0, 1, 1), "Loose"))
    picture = box(0xF004, atom(0xF00A, bytes(8), 75))
    made = ppt(
        box(1000, box(4080, persist(256), words(0, "Sums"))), box(1006, box(0xF003, marked, *cells), group, picture)
    )
    read = extract(made, uri="a.ppt")
    assert read.text == "# Sums\n\n| All | All |\n| - | - |\n| Ducks | 12 |\n\nLoose"
    assert read.losses == (Loss("images without text", 1),)


def test_shapes_that_no_table_of_a_slide_has_are_read_one_after_the_other():
    marked = box(0xF004, atom(0xF122, pack("<HIHI", 0x3A0, 7, 0x39F, 1), 2))
    cells = [cell((at, at, at + 1, at + 1), f"Word{at}") for at in range(200)]  # a grid of 40,000
    made = ppt(box(1000, box(4080, persist(256), words(0, "Sums"))), box(1006, box(0xF003, marked, *cells)))
    text = extract(made, uri="a.ppt").text
    assert "|" not in text and "Word0\n" in text and text.endswith("Word199")


def test_slides_older_than_97_are_no_empty_presentation_and_those_kept_beside_them_are_read():
    older = atom(0, b"\xc7\xe4\x12\0") + bytes(40)
    with pytest.raises(ExtractionError, match="PowerPoint 95 or older"):
        extract(ppt(older), uri="a.ppt", options=Options(converter="off"))
    newer = box(1000, box(4080, persist(256), words(0, "Goals")))
    folder = "PP97_DUALSTORAGE/"
    both = ppt(older, **{f"{folder}PowerPoint Document": newer, f"{folder}Current User": bytes(20)})
    assert extract(both, uri="a.ppt").text == "# Goals"


def test_a_protected_presentation_says_so():
    sealed = pack("<IIII", 0, 0, 20, 0xF3D1C4DF) + bytes(8)
    with pytest.raises(ExtractionError, match="encrypted"):
        extract(ppt(box(1006, words(0, "x")), **{"Current User": sealed}), uri="a.ppt")
    with pytest.raises(ExtractionError, match="encrypted"):
        extract(ppt(EncryptedSummary=b"x"), uri="a.ppt")


# --- Excel ------------------------------------------------------------------------------------------


def record(kind: int, data: bytes) -> bytes:
    return pack("<HH", kind, len(data)) + data


def biff_2() -> bytes:
    cells = [(0, 0, "Year"), (0, 1, "Ducks"), (1, 0, "2026"), (1, 1, "12")]
    labels = (record(4, pack("<HH3sB", *place, b"", len(text)) + text.encode()) for *place, text in cells)
    return record(9, pack("<HH", 2, 0x10)) + b"".join(labels) + record(10, b"")


def test_workbooks_older_than_excel_5_are_read_by_the_second_reader():
    read = extract(biff_2(), uri="a.xls")
    assert read.text.endswith("| Year | Ducks |\n| - | - |\n| 2026 | 12 |")
    assert read.flags[0].startswith("read by old_office.early_workbooks, because: damaged spreadsheet")


def test_after_a_panic_of_the_first_reader_the_second_one_reads(monkeypatch):
    class PanicException(BaseException):
        """As a library in Rust raises it."""

    monkeypatch.setattr("python_calamine.load_workbook", Mock(side_effect=PanicException("out of bounds")))
    read = extract(biff_2(), uri="a.xls")
    assert "| 2026 | 12 |" in read.text
    assert "the reader of xls failed on it: PanicException: out of bounds" in read.flags[0]


def test_the_streams_of_a_compound_file_may_be_in_capitals():
    with pytest.raises(ExtractionError, match="damaged spreadsheet"):
        extract(compound_file({"WORKBOOK": b"no book"}), uri="a.xls")


def test_what_both_readers_refuse_gives_a_reason():
    with pytest.raises(ExtractionError, match="damaged spreadsheet"):
        extract(biff_2()[:9], uri="a.xls", type="xls")


def test_what_is_written_beside_the_cells_is_kept_by_its_sheet_and_charts_and_pictures_are_counted():
    heads = [record(0x85, bytes(6) + bytes([len(name), 0]) + name) for name in (b"One", b"Two")]
    begin = record(0x809, pack("<HHHH", 0x600, 0x10, 0, 0))
    boxes = [record(0x1B6, bytes(10) + pack("<H", len(text)) + bytes(6)) for text in ("Mind", "Утки")]
    picture = pack("<HHHH", 0x15, 18, 8, 1) + bytes(14)
    pictures = record(0x5D, picture + bytes(4)) + record(0x5D, picture + pack("<HH", 9, 0))  # the second is a control
    one = begin + pictures + boxes[0] + record(0x3C, b"\0Mind") + record(0x3C, bytes(16)) + record(10, b"")
    chart = record(0x809, pack("<HHHH", 0x600, 0x20, 0, 0)) + record(10, b"")
    two = begin + boxes[1] + record(0x3C, b"\1" + "Утки".encode("utf-16-le")) + chart + record(10, b"")
    globals_ = record(0x809, pack("<HHHH", 0x600, 5, 0, 0))
    first = len(globals_) + sum(map(len, heads))
    heads = [record(0x85, pack("<IH", at, 0) + bytes([3, 0]) + name)
             for at, name in ((first, b"One"), (first + len(one), b"Two"))]  # fmt: skip
    lost: Counter[str] = Counter()
    book = compound_file({"Workbook": globals_ + b"".join(heads) + one + two})
    assert drawn_text(book, lost) == {"One": ["Mind"], "Two": ["Утки"]}
    assert lost == {"charts": 1, "images without text": 1} and drawn_text(b"damaged", lost) == {}
