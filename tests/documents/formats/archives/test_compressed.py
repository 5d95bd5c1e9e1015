"""Single compressed files are read as what they hold, at their own address."""

import bz2
import gzip
import io
import lzma
import tarfile

import pytest
import zstandard

from rag_platform.core.errors import ExtractionError
from rag_platform.documents.extracted import Member
from rag_platform.documents.file_names import stem_of, without_compression
from rag_platform.documents.formats.archives.compressed import uncompressed
from rag_platform.documents.options import Limits
from rag_platform.documents.reading.unpacking import read_parts, unpack

TEXT = b"# Guide\n\nHow to water a fern.\n" * 20
FORMS = {
    "gz": gzip.compress,
    "bz2": bz2.compress,
    "xz": lzma.compress,
    "zst": zstandard.ZstdCompressor().compress,
}

NAMES = {"gz": "gzip", "bz2": "bzip2", "xz": "xz", "zst": "Zstandard"}


def parts(content, uri, content_type=None, limits=Limits()):  # noqa: B008 (frozen)
    return [
        one
        for one in read_parts(content, uri=uri, content_type=content_type, limits=limits)
        if one and one.__class__ is not str
    ]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    "stated", [None, "application/octet-stream", "application/gzip", "application/x-xz", "text/markdown"]
)
def test_a_compressed_file_is_one_document_of_the_format_that_it_holds(form, stated):
    (only,) = parts(FORMS[form](TEXT), f"web/guide.md.{form}", stated)
    assert (only.path, only.read.type, only.read.title) == ("", "markdown", "Guide")
    assert unpack(FORMS[form](TEXT), uri=f"guide.md.{form}", path="").content == TEXT


@pytest.mark.parametrize("form", FORMS)
def test_several_streams_one_after_the_other_are_one_file(form):
    packed = FORMS[form](TEXT) + FORMS[form](b"\nThe end.")
    assert uncompressed(Member("a.md", packed), 10_000).content == TEXT + b"\nThe end."


@pytest.mark.parametrize("form", FORMS)
def test_zeros_behind_the_data_are_padding_and_anything_else_is_told(form):
    for behind, flags in (
        (bytes(4096), ()),
        (b"\r\n--junk", (f"left out: 8 bytes that follow the {NAMES[form]} data",)),
    ):
        (only,) = parts(FORMS[form](TEXT) + behind, f"guide.md.{form}")
        assert (only.read.title, only.read.flags) == ("Guide", flags)


def test_a_frame_to_be_skipped_is_skipped():
    skipped = b"\x5a\x2a\x4d\x18\x03\0\0\0abc"
    packed = FORMS["zst"](TEXT) + skipped + FORMS["zst"](b"The end.")
    assert uncompressed(Member("a.md", packed), 10_000).content == TEXT + b"The end."


def test_what_is_compressed_twice_is_read():
    (only,) = parts(gzip.compress(bz2.compress(TEXT)), "guide.md.bz2.gz")
    assert only.read.type == "markdown"


@pytest.mark.parametrize("form", FORMS)
def test_a_bomb_ends_at_the_limit_and_a_cut_file_gives_its_reason(form):
    limits = Limits(member_bytes=100_000)
    (bomb,) = parts(FORMS[form](bytes(5_000_000)), f"a.txt.{form}", limits=limits)
    assert bomb.read is None and bomb.reason == "larger than 100000 bytes when decompressed"
    (cut,) = parts(FORMS[form](bytes(range(256)) * 40)[:-30], f"a.txt.{form}")
    assert "damaged" in cut.reason and "cut short" in cut.reason


def test_a_compressed_tar_archive_stays_an_archive_also_as_zst():
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        entry = tarfile.TarInfo("a.md")
        entry.size = len(TEXT)
        archive.addfile(entry, io.BytesIO(TEXT))
    for form, pack in FORMS.items():
        found = {one.path: one.read.type for one in parts(pack(buffer.getvalue()), f"a.tar.{form}")}
        assert found == {"!/a.md": "markdown", "": "tar"}


def test_text_that_begins_like_bzip2_is_text():
    (only,) = parts(b"BZhang wrote this.", "note.txt")
    assert only.read.text == "BZhang wrote this."


def test_a_file_without_content_says_so():
    with pytest.raises(ExtractionError, match="holds nothing"):
        uncompressed(Member("a.gz", gzip.compress(b"")), 10)


def test_names_lose_the_ending_that_says_how_they_are_compressed():
    assert stem_of("https://x.org/a%20b.md.gz") == "a b"
    assert without_compression("a/B.TXT.XZ") == "a/B.TXT" and without_compression("a.md") == "a.md"
