"""Files that programs of last resort take apart: mailboxes of Outlook, compiled help, scanned books."""

import shutil
import struct
import subprocess
from pathlib import Path

import pytest

from rag_platform.core.errors import ExtractionError
from rag_platform.documents.extracted import Loss
from rag_platform.documents.formats.converters import registry
from rag_platform.documents.formats.converters.djvu_text import read_djvu_text
from rag_platform.documents.formats.converters.unpackers import DJVULIBRE, READPST, SEVEN_ZIP
from rag_platform.documents.options import Options
from rag_platform.documents.reading.extraction import extract
from rag_platform.documents.sandbox.process import ReaderProcess


@pytest.fixture(scope="module")
def read():
    reader, options = ReaderProcess(), Options(converter=registry.installed())
    yield lambda content, name: list(reader.read(content, uri=name, options=options))
    reader.close()


# --- compiled help ------------------------------------------------------------------------------------


def encint(number: int) -> bytes:
    """Return a number as seven bits in each byte, of which the highest says that more follow."""
    digits = [number & 0x7F]
    while number := number >> 7:
        digits.append(number & 0x7F | 0x80)
    return bytes(reversed(digits))


def chm(**pages: str) -> bytes:
    """Return compiled help whose pages are not compressed."""
    names = "Uncompressed\0".encode("utf-16-le")
    names = struct.pack("<HHH", 3 + len(names) // 2, 1, len(names) // 2 - 1) + names
    files = {"::DataSpace/NameList": names} | {f"/{name}.htm": page.encode() for name, page in pages.items()}
    entries, held = b"", b""
    for name, content in files.items():
        entries += encint(len(name)) + name.encode() + encint(0) + encint(len(held)) + encint(len(content))
        held += content
    size = 0x1000
    free = size - 20 - len(entries)
    chunk = b"PMGL" + struct.pack("<Iiii", free, 0, -1, -1) + entries + bytes(free - 2) + struct.pack("<H", len(files))
    guid = bytes.fromhex("10fd017caa7bd0119e0c00a0c922e6ec")
    directory = b"ITSP" + struct.pack("<IIIIIIiiiiiI", 1, 0x54, 10, size, 2, 1, -1, 0, 0, -1, 1, 0x409)
    directory += bytes.fromhex("6a92025d2e21d0119df900a0c922e6ec") + struct.pack("<Iiii", 0x54, -1, -1, -1) + chunk
    start, begin = 0x60, 0x60 + 0x18
    header = b"ITSF" + struct.pack("<IIIII", 3, start, 1, 0, 0x409) + guid + b"\x11" + guid[1:]
    header += struct.pack("<QQQQQ", start, 0x18, begin, len(directory), begin + len(directory))
    about = struct.pack("<IIQII", 0x1FE, 0, begin + len(directory) + len(held), 0, 0)
    return header + about + directory + held


@pytest.mark.skipif(not SEVEN_ZIP.version(), reason="7-Zip is not installed")
def test_each_page_of_compiled_help_is_a_document(read):
    page = "<html><head><title>{0}</title></head><body><h1>{0}</h1><p>Turn {0} to the left.</p></body></html>"
    *pages, whole = read(chm(valves=page.format("Valve 7"), pumps=page.format("Pump 3")), "help/plant.chm")
    assert {one.path: one.read.title for one in pages} == {"!/valves.htm": "Valve 7", "!/pumps.htm": "Pump 3"}
    assert "Turn Pump 3 to the left." in pages[0].read.text + pages[1].read.text
    assert whole.read.type == "chm" and whole.read.flags[0].startswith(f"converted by {SEVEN_ZIP.version()}, because")


@pytest.mark.skipif(not SEVEN_ZIP.version(), reason="7-Zip is not installed")
def test_damaged_help_gives_its_reason(read):
    (only,) = read(chm(a="x")[:400], "a.chm")
    assert f"{SEVEN_ZIP.version()} does not read it either: it is damaged" in only.reason


# --- notebooks of OneNote -----------------------------------------------------------------------------


def cabinet(**files: bytes) -> bytes:
    """Return a cabinet ([MS-CAB] 2) of files that are not compressed; together they have less than 32 KB."""
    held, entries = b"".join(files.values()), b""
    for number, (name, content) in enumerate(files.items()):
        at = sum(map(len, list(files.values())[:number]))
        entries += struct.pack("<IIHHHH", len(content), at, 0, 0x5A21, 0, 0x20) + f"{name}\0".encode()
    start = 36 + 8 + len(entries)
    head = struct.pack("<4sIIIIIBBHHHHH", b"MSCF", 0, start + 8 + len(held), 0, 44, 0, 3, 1, 1, len(files), 0, 0, 0)
    folder = struct.pack("<IHH", start, 1, 0)
    return head + folder + entries + struct.pack("<IHH", 0, len(held), len(held)) + held


@pytest.mark.skipif(not SEVEN_ZIP.version(), reason="7-Zip is not installed")
def test_each_section_of_a_notebook_is_a_document(read):
    section = (Path(__file__).parents[1] / "notes" / "revisions.one").read_bytes()
    notebook = cabinet(**{"Trips.one": section, "Open Notebook.onetoc2": b"\xa1" * 99})
    one, whole = read(notebook, "Home.onepkg")
    assert (one.path, one.read.title, one.read.type) == ("!/Trips.one", "So good", "onenote")
    assert whole.read.flags[0].startswith(f"converted by {SEVEN_ZIP.version()}, because")


# --- mailboxes of Outlook -----------------------------------------------------------------------------

WORDS, NUMBER, TIME = 0x1E, 3, 0x40
"""Types of properties ([MS-OXCDATA] 2.11.1)."""


def heap(properties: dict[int, tuple[int, str | int | bytes]]) -> bytes:
    """Return the properties of an object in a heap on a node ([MS-PST] 2.3.1 to 2.3.3)."""
    items, records = [struct.pack("<HHI", 0x02B5, 6, 0x40), b""], b""
    for number, (kind, value) in sorted(properties.items()):
        if not isinstance(value, int):
            items.append(value.encode() if isinstance(value, str) else value)
        records += struct.pack("<HHI", number, kind, value if isinstance(value, int) else len(items) << 5)
    items[1] = records
    places = [12 + sum(map(len, items[:number])) for number in range(len(items) + 1)]
    held = struct.pack("<HHII", places[-1], 0xBCEC, 0x20, 0) + b"".join(items)
    return held + struct.pack(f"<HH{len(places)}H", len(items), 0, *places)


def tree(entries: list[bytes]) -> bytes:
    """Return a page of a tree that has these leaves."""
    size = len(entries[0])
    return (b"".join(entries).ljust(0x1F0, b"\0") + bytes((len(entries), 0x1F0 // size, size, 0))).ljust(512, b"\0")


def pst(nodes: dict[int, tuple[int, dict[int, tuple[int, str | int | bytes]]]]) -> bytes:
    """Return a mailbox of Outlook 97 to 2002: by number, the node above each object, and its properties."""
    blocks, index, objects = b"", [], []
    for number, (name, (above, properties)) in enumerate(sorted(nodes.items()), 1):
        content = heap(properties)
        index.append(struct.pack("<IIHH", 4 * number, 0x600 + len(blocks), len(content), 1))
        objects.append(struct.pack("<IIII", name, 4 * number, 0, above))
        blocks += content
    head = bytearray(0x200)
    head[:4], head[0x0A] = b"!BDN", 0x0E
    struct.pack_into("<I", head, 0xA8, 0x600 + len(blocks))
    struct.pack_into("<IIII", head, 0xB8, 0, 0x400, 0, 0x200)
    return bytes(head) + tree(index) + tree(objects) + blocks


def mail(folder: int, subject: str, text: str) -> tuple[int, dict[int, tuple[int, str | int | bytes]]]:
    sent = struct.pack("<Q", (1_790_000_000 + 11_644_473_600) * 10**7)
    told = {0x1A: "IPM.Note", 0x37: subject, 0x1000: text, 0x0E04: "Bo", 0x0C1A: "Ada", 0x0C1F: "ada@river.example"}
    return folder, {number: (WORDS, value) for number, value in told.items()} | {
        0x39: (TIME, sent),
        0xE06: (TIME, sent),
    }


@pytest.mark.skipif(not READPST.version(), reason="readpst is not installed")
def test_each_message_in_a_mailbox_of_outlook_is_a_document(read):
    folder = {0x3602: (NUMBER, 2), 0x3613: (WORDS, "IPF.Note")}
    mailbox = pst({
        0x21: (0, {0x3001: (WORDS, "Archive"), 0x35DF: (NUMBER, 255)}),
        0x8082: (0x2142, {0x3001: (WORDS, "Inbox"), **folder}),
        0x80A2: (0x2142, {0x3001: (WORDS, "Deleted Items"), **folder}),
        0x200024: mail(0x8082, "The ferry", "It sails at nine."),
        0x200044: mail(0x8082, "The pier", "It is open."),
        0x200064: mail(0x80A2, "Thrown away", "Nobody reads this."),
    })  # fmt: skip
    *parts, whole = read(mailbox, "mail/archive.pst")
    messages = {one.path: one.read for one in parts if one.read.text}
    assert [path.partition("!/")[2] for path in messages] == [
        "Archive/Inbox/mbox!/00001.eml", "Archive/Inbox/mbox!/00002.eml"
    ]  # fmt: skip
    first = next(iter(messages.values()))
    assert (first.title, first.published_at.isoformat()) == ("The ferry", "2026-09-21T14:13:20+00:00")
    assert "It sails at nine." in first.text
    assert whole.read.flags[0].startswith(f"converted by {READPST.version()}, because")


# --- scanned books ------------------------------------------------------------------------------------


def chunk(name: bytes, data: bytes) -> bytes:
    return name + struct.pack(">I", len(data)) + data + bytes(len(data) % 2)


def djvu(text: str = "") -> bytes:
    """Return a page with a text behind it."""
    words = text.encode()
    length = len(words).to_bytes(3, "big")
    zone = b"\1" + struct.pack(">5H", *(0x8000 + number for number in (0, 0, 100, 100, 0))) + length + bytes(3)
    behind = chunk(b"TXTa", length + words + b"\1" + zone) if text else b""
    about = chunk(b"INFO", struct.pack(">HHBB", 100, 100, 24, 0) + struct.pack("<H", 100) + b"\x16\1")
    return b"AT&T" + chunk(b"FORM", b"DJVU" + about + behind)


@pytest.mark.skipif(not DJVULIBRE.version() or not shutil.which("djvm"), reason="DjVuLibre is not installed")
def test_a_scanned_book_has_the_text_behind_its_pages_and_says_where_there_is_none(read, tmp_path):
    for number, text in enumerate(("Ferns of the valley.", "", "# 7 ferns"), 1):
        (tmp_path / f"{number}.djvu").write_bytes(djvu(text))
    subprocess.run(["djvm", "-c", "book.djvu", "1.djvu", "2.djvu", "3.djvu"], cwd=tmp_path, check=True)
    (only,) = read((tmp_path / "book.djvu").read_bytes(), "book")
    assert (only.read.text, only.read.type) == ("Ferns of the valley.\n\n\\# 7 ferns", "djvu")
    assert len(only.read.pages) == 3 and only.read.losses == (Loss("pages without text", 1),)


def test_signs_of_control_end_the_paragraphs_of_a_scanned_page():
    found = read_djvu_text(b"Ferns\nof the\x1fvalley\x0bleft\x1d\n\f\f")
    assert (found.text, found.pages) == ("Ferns\nof the\n\nvalley\n\nleft", (0, 26))


# --- what is not installed ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "converter"), [(b"!BDN" + bytes(600), READPST), (b"ITSF" + bytes(600), SEVEN_ZIP), (djvu(), DJVULIBRE)]
)
def test_without_a_converter_the_reason_names_it(content, converter):
    for there in ("", "LibreOffice 7.4"):
        with pytest.raises(ExtractionError) as refused:
            extract(content, uri="a.bin", options=Options(converter=there))
        assert str(refused.value).endswith(f"; {converter.name} may read it: {converter.install}")


@pytest.mark.skipif(not READPST.version(), reason="readpst is not installed")
def test_a_damaged_mailbox_gives_its_reason(read):
    (only,) = read(b"!BDN" + bytes(range(256)) * 9, "a.pst")
    assert f"{READPST.version()} does not read it either: it is damaged" in only.reason
