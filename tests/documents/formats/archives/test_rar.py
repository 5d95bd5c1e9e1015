"""RAR archives, written by the library that reads them."""

import sys

import pytest

from rag_platform.documents.formats.archives.rar import read_rar
from rag_platform.documents.options import Limits
from rag_platform.documents.reading.unpacking import read_parts


def packed(**about):
    rars = pytest.importorskip("rars", reason="the extra rar is not installed")
    builder = rars.RarBuilder(**about)
    builder.add_bytes(b"# Guide\n\nWater the fern.", "guide.md")
    builder.add_bytes("Plain wörds.".encode(), "in/näive.txt")
    builder.add_bytes(b"x" * 5000, "large.txt")
    builder.add_unix_symlink("link", "guide.md")
    return builder.to_bytes()


@pytest.mark.parametrize("about", [{}, {"solid": True}, {"format": "rar29"}], ids=["rar5", "solid", "rar4"])
def test_each_file_is_a_document_within_the_limits(about):
    parts = read_parts(packed(**about), uri="box.rar", limits=Limits(member_bytes=1000))
    found = {one.path: one.read.text if one.read else one.reason for one in parts if not isinstance(one, str)}
    assert found == {
        "!/guide.md": "# Guide\n\nWater the fern.",
        "!/in/näive.txt": "Plain wörds.",
        "!/large.txt": "larger than 1000 bytes when unpacked; it was left out",
        "!/link": "a link in the archive; it is not followed",
        "": "",
    }


def test_a_password_is_asked_for_and_damage_is_said():
    members = list(read_rar(packed(password="secret", encrypt_headers=False), limits=Limits()).members)
    assert "it is encrypted" in members[0].problem
    (cut,) = [one for one in read_parts(packed()[:40], uri="box.rar") if not isinstance(one, str)]
    assert "RAR archive" in cut.reason


def test_without_the_library_the_reason_names_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "rars", None)
    (only,) = [one for one in read_parts(b"Rar!\x1a\x07\x01\x00", uri="box.rar") if not isinstance(one, str)]
    assert "need the extra `rar`" in only.reason
