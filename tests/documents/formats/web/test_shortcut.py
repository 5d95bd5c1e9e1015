"""Files that only lead to a page."""

import plistlib

import pytest

from rag_platform.core.errors import ExtractionError
from rag_platform.documents.reading.extraction import extract

PAGE = "https://river.example/ferry?day=1"


@pytest.mark.parametrize(
    ("content", "name"),
    [
        (f"[InternetShortcut]\r\nIconIndex=0\r\nURL={PAGE}\r\nHotKey=0\r\n".encode(), "links/The%20ferry.url"),
        (f"[InternetShortcut]\r\nURL={PAGE}\r\n".encode("utf-16"), "The ferry.website"),
        (plistlib.dumps({"URL": PAGE}), "The ferry.webloc"),
        (plistlib.dumps({"URL": PAGE}, fmt=plistlib.FMT_BINARY), "The ferry.webloc"),
    ],
)
def test_a_shortcut_is_its_link_called_as_the_file(content: bytes, name: str) -> None:
    read = extract(content, uri=name)
    assert (read.text, read.title, read.type) == (f"[The ferry]({PAGE})", "The ferry", "shortcut")


@pytest.mark.parametrize("content", [b"[InternetShortcut]\n", b"bplist00\xff", plistlib.dumps(["x"]), b"<plist><dict>"])
def test_a_shortcut_that_leads_nowhere_is_refused(content: bytes) -> None:
    with pytest.raises(ExtractionError, match=r"without an address|damaged property list"):
        extract(content, uri="a.url")
