"""7z archives: files, links, damage, passwords; written here as the program 7z writes them."""

import hashlib
import lzma
import struct
import zlib

import pytest

from rag_platform.documents.formats.archives.sevenzip_headers import SIGNATURE
from rag_platform.documents.options import Limits
from rag_platform.documents.reading.unpacking import read_parts

FILTERS = [{"id": lzma.FILTER_LZMA2, "dict_size": 1 << 16}]
LZMA2 = bytes([0x21, 0x21, 1, 8])
"""A coder: one method's id of one byte, properties of one byte, a dictionary of 64 kB."""


def number(value: int) -> bytes:
    """Write a number in two bytes, which is enough here."""
    return bytes([0x80 | value >> 8, value & 255])


def part(kind: int, content: bytes) -> bytes:
    return bytes([kind]) + number(len(content)) + content


def packed(files: dict[str, bytes], modes: dict[str, int] | None = None, coder: bytes = LZMA2) -> bytes:
    """Return an archive of one solid stream."""
    whole = b"".join(files.values())
    stream = lzma.compress(whole, lzma.FORMAT_RAW, filters=FILTERS)
    sums = b"".join(struct.pack("<I", zlib.crc32(one)) for one in files.values())
    sizes = b"".join(number(len(one)) for one in list(files.values())[:-1])
    names = b"\0" + b"".join(name.encode("utf-16-le") + b"\0\0" for name in files)
    attributes = b"\x01\0" + b"".join(
        struct.pack("<I", ((modes or {}).get(name, 0o100644) << 16) | 0x8000) for name in files
    )
    header = (
        b"\x01\x04"
        + b"\x06\0" + number(1) + b"\x09" + number(len(stream)) + b"\0"
        + b"\x07\x0b\x01\0\x01" + coder + b"\x0c" + number(len(whole)) + b"\0"
        + b"\x08\x0d" + number(len(files)) + (b"\x09" + sizes if sizes else b"") + b"\x0a\x01" + sums + b"\0\0"
        + b"\x05" + number(len(files)) + part(17, names) + part(21, attributes) + b"\0\0"
    )  # fmt: skip
    start = struct.pack("<QQI", len(stream), len(header), zlib.crc32(header))
    return SIGNATURE + b"\0\4" + struct.pack("<I", zlib.crc32(start)) + start + stream + header


FILES = {"guide.md": b"# Guide\n\nWater the fern.", "in/näive.txt": b"Plain words.", "link": b"/etc/passwd"}


def texts(content, limits=Limits()):  # noqa: B008 (frozen)
    found = [one for one in read_parts(content, uri="box.7z", limits=limits) if not isinstance(one, str)]
    return {one.path: one.read.text if one.read else one.reason for one in found}


def test_each_file_is_a_document_and_a_link_is_not_followed():
    assert texts(packed(FILES, {"link": 0o120777})) == {
        "!/guide.md": "# Guide\n\nWater the fern.",
        "!/in/näive.txt": "Plain words.",
        "!/link": "a link in the archive; it is not followed",
        "": "",
    }


def test_a_file_that_is_too_large_costs_itself_alone():
    found = texts(packed({"a.txt": b"a" * 5000, "b.txt": b"After it."}), Limits(member_bytes=1000))
    assert found["!/a.txt"] == "larger than 1000 bytes when unpacked; it was left out"
    assert found["!/b.txt"] == "After it."


def test_damage_is_said_of_the_files_that_it_reached():
    noise = b"".join(hashlib.sha256(bytes([one])).digest() for one in range(60))  # is stored as it is
    whole = packed({"a.txt": noise, "b.txt": b"After it."})
    where = whole.index(noise[:20]) + 10
    found = texts(whole[:where] + bytes([whole[where] ^ 1]) + whole[where + 1 :])
    assert found["!/a.txt"] == "cannot be unpacked: it is damaged: its checksum is another"
    assert found["!/b.txt"] == "After it."


@pytest.mark.parametrize(
    ("coder", "reason"),
    [
        (bytes([0x24, 6, 0xF1, 7, 1, 1, 8]), "it is encrypted: it opens with a password only"),
        (bytes([0x23, 3, 4, 1, 1, 8]), "it is packed with PPMd"),
        (bytes([0x23, 9, 9, 9, 1, 8]), "it is packed by a method that is not read here (090909)"),
    ],
)
def test_a_method_that_is_not_read_is_named(coder, reason):
    assert texts(packed(FILES, coder=coder))["!/guide.md"] == f"cannot be unpacked: {reason}"


@pytest.mark.parametrize("cut", [8, 31, 40, -1, -20])
def test_a_cut_archive_gives_its_reason(cut):
    assert texts(packed(FILES)[:cut])[""].startswith("a damaged or unreadable 7z archive: it is cut short")


def test_a_header_may_say_anything():
    whole = packed(FILES)
    begin = len(whole) - struct.unpack_from("<Q", whole, 20)[0]
    for at in range(begin, len(whole)):
        header = bytearray(whole[begin:])
        header[at - begin] ^= 0xFF
        start = struct.pack("<QQI", begin - 32, len(header), zlib.crc32(header))
        texts(whole[:8] + struct.pack("<I", zlib.crc32(start)) + start + whole[32:begin] + bytes(header))


def test_a_header_that_holds_itself_ends():
    size = number(22)
    header = b"\x17\x06" + number(0) + number(1) + b"\x09" + size + b"\0"
    header += b"\x07\x0b\x01\0\x01\x01\0\x0c" + size + b"\0\0"
    start = struct.pack("<QQI", 0, len(header), zlib.crc32(header))
    assert len(header) == 22
    assert "packed more than" in texts(SIGNATURE + b"\0\4" + struct.pack("<I", 0) + start + header)[""]
