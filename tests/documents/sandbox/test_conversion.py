"""Files that no reader here reads: LibreOffice converts them, in a cell of its own, and the document says so."""

import io
import json
import os
import socket
import struct
import sys
import sysconfig
import tarfile
import zipfile
from pathlib import Path

import pytest

from rag_platform.core.errors import ExtractionError, ReadingStopped
from rag_platform.documents.formats.converters.converter import PRINTED, SYSTEM
from rag_platform.documents.formats.converters.libreoffice import LIBREOFFICE
from rag_platform.documents.formats.converters.registry import installed as installed_converters
from rag_platform.documents.options import Limits, Options
from rag_platform.documents.reading.extraction import extract
from rag_platform.documents.sandbox import conversion, landlock, seccomp
from rag_platform.documents.sandbox.process import ReaderProcess

confined = pytest.mark.skipif(
    not (landlock.abi() and seccomp.supported()), reason="this system has no Landlock or no seccomp"
)
installed = pytest.mark.skipif(not LIBREOFFICE.version(), reason="LibreOffice is not installed")


def package(**parts: str) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
    return made.getvalue()


_OPC = "http://schemas.openxmlformats.org/package/2006"
_VISIO = 'xmlns="http://schemas.microsoft.com/office/visio/2012/main"'
_ID = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
_TO = "http://schemas.microsoft.com/visio/2010/relationships"


def _relation(kind: str, target: str) -> str:
    item = f'<Relationship Id="rId1" Type="{kind}" Target="{target}"/>'
    return f'<Relationships xmlns="{_OPC}/relationships">{item}</Relationships>'


def drawing(words: str) -> bytes:
    """Return a drawing of Visio with one shape."""
    kinds = {"document": "drawing", "pages/pages": "pages", "pages/page1": "page"}
    stated = "".join(
        f'<Override PartName="/visio/{name}.xml" ContentType="application/vnd.ms-visio.{kind}'
        f'{".main" if name == "document" else ""}+xml"/>'
        for name, kind in kinds.items()
    )
    rels = '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    cells = "".join(f'<Cell N="{name}" V="2"/>' for name in ("PinX", "PinY", "Width", "Height"))
    return package(**{
        "[Content_Types].xml": f'<Types xmlns="{_OPC}/content-types">{rels}{stated}</Types>',
        "_rels/.rels": _relation(f"{_TO}/document", "visio/document.xml"),
        "visio/document.xml": f"<VisioDocument {_VISIO}/>",
        "visio/_rels/document.xml.rels": _relation(f"{_TO}/pages", "pages/pages.xml"),
        "visio/pages/pages.xml": f'<Pages {_VISIO} {_ID}><Page ID="0" Name="Plan"><Rel r:id="rId1"/></Page></Pages>',
        "visio/pages/_rels/pages.xml.rels": _relation(f"{_TO}/page", "page1.xml"),
        "visio/pages/page1.xml": f'<PageContents {_VISIO}><Shapes><Shape ID="1" Type="Shape">{cells}'
        f"<Text>{words}</Text></Shape></Shapes></PageContents>",
    })  # fmt: skip


def old_text(body: str, manifest: str = "") -> bytes:
    """Return a text of StarOffice 6 (sxw)."""
    spaces = " ".join(f'xmlns:{name}="http://openoffice.org/2000/{name}"' for name in ("office", "text", "drawing"))
    links = 'xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:draw="http://openoffice.org/2000/drawing"'
    listing = "http://openoffice.org/2001/manifest"
    return package(**{
        "mimetype": "application/vnd.sun.xml.writer",
        "content.xml": f'<office:document-content {spaces} {links} office:class="text" office:version="1.0">'
        f"<office:body>{body}</office:body></office:document-content>",
        "META-INF/manifest.xml": f'<manifest:manifest xmlns:manifest="{listing}"><manifest:file-entry '
        'manifest:media-type="application/vnd.sun.xml.writer" manifest:full-path="/"/><manifest:file-entry '
        f'manifest:media-type="text/xml" manifest:full-path="content.xml">{manifest}</manifest:file-entry>'
        "</manifest:manifest>",
    })  # fmt: skip


def lotus(*cells: str) -> bytes:
    """Return a sheet of Lotus 1-2-3 with these cells in its first column."""
    records = [(0, struct.pack("<H", 0x0406))]
    records += [
        (15, b"\xff" + struct.pack("<HH", 0, row) + b"'" + cell.encode() + b"\0") for row, cell in enumerate(cells)
    ]
    return b"".join(struct.pack("<HH", kind, len(data)) + data for kind, data in [*records, (1, b"")])


@pytest.fixture(scope="module")
def read():
    reader = ReaderProcess()

    def read(content: bytes, name: str):
        (part,) = reader.read(content, uri=name, options=Options(converter=installed_converters()))
        return part

    yield read
    reader.close()


@installed
def test_what_no_reader_reads_is_converted_and_says_by_what(read):
    found = read(drawing("Valve 7 is shut"), "plan.vsdx").read
    assert found.text == "# Plan\n\nValve 7 is shut"
    assert (found.type, len(found.pages)) == ("vsdx", 1)
    assert found.flags == (
        f"converted by {LIBREOFFICE.version()}, because: no reader for .vsdx files (application/zip)",
    )
    assert "Levee" in read(lotus("Levee", "Weir"), "a.wk1").read.text


@installed
def test_a_file_reaches_nothing_by_its_links(read, tmp_path):
    (tmp_path / "secret.txt").write_text("canary")
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(0.2)
        address = f"http://127.0.0.1:{listener.getsockname()[1]}/a.png"
        link = f'<text:section-source xlink:href="file://{tmp_path}/secret.txt"/>'
        image = f'<draw:image xlink:href="{address}" xlink:type="simple" xlink:actuate="onLoad" svg:width="1cm"/>'
        body = f'<text:section text:name="s">{link}<text:p/></text:section><text:p>Dam{image}</text:p>'
        part = read(old_text(body.replace("svg:width", "text:width")), "a.sxw")
        with pytest.raises(TimeoutError):
            listener.accept()
    assert "Dam" in part.read.text and "canary" not in part.read.text


@installed
def test_what_it_cannot_read_has_a_reason_and_is_not_taken_for_text(read):
    reason = read(bytes(range(256)) * 9, "a.wpd").reason
    assert f"; {LIBREOFFICE.version()} does not read it either: it is damaged, protected by a password" in reason


def test_without_it_the_reason_names_it():
    for options, said in (
        (Options(), f"; LibreOffice may read it: {LIBREOFFICE.install}"),
        (Options(converter="off"), "(application/zip)"),
    ):
        with pytest.raises(ExtractionError) as refused:
            extract(drawing("Valve"), uri="plan.vsdx", options=options)
        assert str(refused.value).endswith(said)


# --- its cell -----------------------------------------------------------------------------------------

_TRIED = """
import json, os, socket, subprocess, sys
said = {}
def attempt(name, act):
    try:
        act()
        said[name] = "done"
    except OSError as error:
        said[name] = "refused"
attempt("write", lambda: open("document.odt", "w").close())
attempt("enter", lambda: os.chdir(os.getcwd()))
attempt("fork", os.fork)
attempt("start", lambda: subprocess.run([sys.executable]))
attempt("read", lambda: open(sys.argv[1]).read())
attempt("write outside", lambda: open(sys.argv[1], "w"))
attempt("remove outside", lambda: os.remove(sys.argv[1]))
attempt("link", lambda: os.symlink(sys.argv[1], "link"))
attempt("pipe", lambda: os.mkfifo("pipe"))
attempt("network", lambda: socket.socket(socket.AF_INET).connect(("127.0.0.1", 9)))
attempt("local socket", lambda: socket.socket(socket.AF_UNIX).connect(sys.argv[2]))
attempt("kill", lambda: os.kill(os.getppid(), 0))
json.dump(said, open("said", "w"))
print("words")
"""


def run(code: str, folder: Path, *arguments: str, **limits: float) -> int:
    """Run Python in place of LibreOffice, as one that a file has taken over."""
    program = Path(sys.executable).resolve()
    libraries = [sys.base_prefix, *map(sysconfig.get_path, ("stdlib", "platstdlib"))]
    most = Limits(**({"memory": 1 << 30} | limits))
    command = [str(program), "-I", "-S", "-c", code, *arguments]
    process = conversion._start(command, folder, most, [*SYSTEM, *libraries])
    return conversion._ended(process, folder, most)[0]


@confined
def test_it_changes_its_own_folder_alone_and_reaches_nothing(tmp_path):
    folder, outside = tmp_path / "own", tmp_path / "secret"
    folder.mkdir()
    outside.write_text("canary")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "socket"))
        listener.listen()
        assert run(_TRIED, folder, str(outside), str(tmp_path / "socket")) == 0
    said = json.loads((folder / "said").read_text())
    assert (folder / PRINTED).read_text() == "words\n"
    assert said.pop("write") == said.pop("enter") == "done"
    assert set(said.values()) == {"refused"} and len(said) == 10
    assert outside.read_text() == "canary"


@confined
@pytest.mark.parametrize(
    ("code", "limits", "reason"),
    [
        ("while True: pass", {"seconds": 0.5}, "processor time"),
        ("import time; time.sleep(600)", {"idle_seconds": 0.3}, "did nothing"),
    ],
    ids=["busy", "idle"],
)
def test_it_is_ended(tmp_path, code, limits, reason):
    with pytest.raises(ReadingStopped, match=reason):
        run(code, tmp_path, **limits)


@confined
def test_what_it_writes_is_bounded(tmp_path, monkeypatch):
    run("open('a', 'wb').write(bytes(5000))", tmp_path, member_bytes=1000)
    assert (tmp_path / "a").stat().st_size <= 1000
    monkeypatch.setattr(conversion, "_FOLDER_BYTES", 3000)
    code = "import time\nfor n in range(9): open(str(n), 'wb').write(bytes(900))\ntime.sleep(600)"
    with pytest.raises(ReadingStopped, match="wrote more"):
        run(code, tmp_path, member_bytes=1000)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no such files")
def test_only_a_file_is_a_result(tmp_path):
    (tmp_path / "secret").write_text("canary")
    (tmp_path / "link").symlink_to(tmp_path / "secret")
    os.mkfifo(tmp_path / "pipe")
    assert conversion._made(0, tmp_path / "secret", 6) == b"canary"
    for name, most in (("link", 99), ("pipe", 99), ("secret", 5), ("none", 9)):
        assert conversion._file(tmp_path / name, most) is None
    with pytest.raises(ExtractionError, match="damaged"):
        conversion._made(0, tmp_path / "link", 9)
    with pytest.raises(ExtractionError, match="SIGKILL"):
        conversion._made(-9, tmp_path / "secret", 9)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no such files")
def test_of_several_files_what_is_no_file_is_left_out_and_their_number_and_bytes_are_bounded(tmp_path, monkeypatch):
    made = tmp_path / "made"
    (made / "Inbox").mkdir(parents=True)
    with pytest.raises(ExtractionError, match="damaged"):
        conversion._made(0, made, 99)
    (made / "Inbox" / "mbox").write_text("canary")
    (made / "link").symlink_to(made / "Inbox" / "mbox")
    os.mkfifo(made / "pipe")
    with tarfile.open(fileobj=io.BytesIO(conversion._made(0, made, 6))) as archive:
        assert archive.getnames() == ["Inbox/mbox"]
    with pytest.raises(ExtractionError, match="more than 0 MB"):
        conversion._made(0, made, 5)
    monkeypatch.setattr(conversion, "_FILES", 0)
    with pytest.raises(ExtractionError, match="more than 0 files"):
        conversion._made(0, made, 6)


def test_a_kind_that_it_is_not_given_starts_nothing():
    assert "problem" in conversion.convert("", "/../../etc/passwd", Limits())
