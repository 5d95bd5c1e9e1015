"""Files made to harm their readers: bombs, loops, depths, lies, and samples of every format changed at random."""

import io
import os
import random
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
SAMPLES = (
    "office_pdf_docling",
    "pdf_pdfjs",
    "pdf_pypdf_samples",
    "security_html5lib_malformed",
    "feeds_feedparser_illformed",
)
"""Folders of $RAG_SHARED_DATA with real files; without them, files of this repository are changed."""
_LARGEST = 2_000_000
_ROOTS = ("[Content_Types].xml", "word/document.xml", "content.xml", "xl/workbook.xml", "META-INF/container.xml")
"""Where readers of packages begin."""


def zipped(files: dict[str, bytes]) -> bytes:
    """Return a ZIP archive of files."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def samples() -> list[Path]:
    """Return the files that are changed."""
    shared = os.environ.get("RAG_SHARED_DATA")
    folders = [Path(shared, name) for name in SAMPLES] if shared else [ROOT / "docs", ROOT / "examples"]
    found = [path for folder in folders for path in sorted(folder.rglob("*")) if path.is_file()]
    return [path for path in found if 0 < path.stat().st_size < _LARGEST]


def mutated(content: bytes, other: bytes, chance: random.Random) -> bytes:
    """Change a file at a few places: bits, lengths, blocks that are gone, doubled or another file's."""
    made = bytearray(content)
    for _ in range(chance.choice((1, 2, 5, 20, 100))):
        at, size = chance.randrange(len(made) or 1), chance.choice((1, 4, 64, 4096))
        change = chance.randrange(7)
        if change == 0 and made:
            made[at % len(made)] ^= 1 << chance.randrange(8)
        elif change == 1:
            made[at : at + 4] = chance.choice((b"\xff" * 4, b"\x00" * 4, b"\x7f\xff\xff\xff", b"\xff\xff\xff\x7f"))
        elif change == 2:
            del made[at : at + size]
        elif change == 3:
            made[at:at] = made[at : at + size] * chance.choice((1, 3, 100))
        elif change == 4:
            made[at : at + size] = chance.randbytes(size)
        elif change == 5:
            start = chance.randrange(len(other) or 1)
            made[at:at] = other[start : start + size]
        else:
            del made[max(1, at) :]
    return bytes(made)


def crafted(port: int) -> Iterator[tuple[str, bytes]]:
    """Yield (name, content) of hostile files; those that fetch do so from this port of loopback."""
    yield from _depths()
    yield from _bombs()
    yield from _names()
    yield from _fetching(f"http://127.0.0.1:{port}")
    yield from _pdfs()


def _depths() -> Iterator[tuple[str, bytes]]:
    n = 100_000
    yield "deep.html", b"<div>" * n + b"words"
    yield "tables.html", b"<table><tr><td>" * 5_000 + b"words"
    yield "attributes.html", b"<p " + b"a=1 " * n + b">words"
    yield "deep.json", b"[" * n + b"]" * n
    yield "deep.xml", b"<a>" * n + b"</a>" * n
    yield "deep.yaml", b"[" * 10_000
    yield "deep.rtf", b"{\\rtf1 " + b"{" * n + b"words"
    yield "deep.md", b"> " * n + b"words\n\n" + b"[" * n + b"*_" * n
    yield "deep.tex", b"\\begin{document}" + b"{\\bf " * n
    yield "deep.rst", b"\n".join(b" " * k + b"- words" for k in range(1_000))
    yield "deep.py", b"(" * n + b")" * n
    yield "deep.ipynb", b'{"cells":' + b"[" * n
    yield "deep.eml", b"".join(b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (k, k) for k in range(2_000))
    yield "wide.csv", b"," * 1_000_000 + b"\n" + b"x" * 1_000_000
    yield "lines.txt", b"a\n" * 1_000_000
    yield "one-line.txt", b"word " * 2_000_000
    yield (
        "alias.yaml",
        b"a: &a [x]\n"
        + b"".join(b"%c: &%c [%s]\n" % (98 + k, 98 + k, b",".join([b"*%c" % (97 + k)] * 9)) for k in range(12)),
    )


def _bombs() -> Iterator[tuple[str, bytes]]:
    zeros = b"0" * 50_000_000
    entities = b"".join(b'<!ENTITY e%d "%s">' % (k, b"&e%d;" % (k - 1) * 10) for k in range(1, 12))
    laughs = b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY e0 "ha">' + entities + b"]><a>&e11;</a>"
    yield "laughs.xml", laughs
    yield "laughs.svg", laughs.replace(b"<a>", b"<svg>").replace(b"</a>", b"</svg>")
    for name in ("docx", "xlsx", "pptx", "odt", "epub"):
        yield f"laughs.{name}", zipped(dict.fromkeys(_ROOTS, laughs))
    yield "bomb.zip", zipped({f"{k}.txt": zeros for k in range(4)})
    nested = zipped({"0.txt": b"words"})
    for level in range(12):
        nested = zipped({f"{k}-{level}.zip": nested for k in range(4)})
    yield "nested.zip", nested
    yield "bomb.docx", zipped({"[Content_Types].xml": b"<Types/>", "word/document.xml": b"<a>" + zeros * 4})
    yield "bomb.gz.tar", _tar({"a.txt": zeros}, "w:gz")
    yield (
        "huge.png",
        b"\x89PNG\r\n\x1a\n" + _png_part(b"IHDR", struct.pack(">IIBBBBB", 2**31 - 1, 2**31 - 1, 8, 2, 0, 0, 0)),
    )
    yield "huge.gif", b"GIF89a" + struct.pack("<HH", 65535, 65535) + b"\xf7\x00\x00" + bytes(768) + b","
    yield (
        "huge.bmp",
        b"BM" + struct.pack("<IHHI", 100, 0, 0, 54) + struct.pack("<IiiHH", 40, 2**30, 2**30, 1, 24) + bytes(24),
    )
    yield "huge.ole.doc", bytes.fromhex("d0cf11e0a1b11ae1") + bytes(16) + b"\xff" * 2_000
    yield "huge.woff.html", b"<style>@font-face{src:url(data:font/woff;base64," + b"A" * 5_000_000 + b")}</style>words"


def _names() -> Iterator[tuple[str, bytes]]:
    odd = [
        "../" * 40 + "etc/passwd",
        "a\x00b.txt",
        "a\x1b[2Jb.txt",
        "\u202egpj.txt",
        "x" * 60_000,
        "con.txt",
        "/etc/shadow",
    ]
    yield "names.zip", zipped(dict.fromkeys(odd, b"Words of a file."))
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        for kind in (tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE, tarfile.BLKTYPE):
            entry = tarfile.TarInfo(f"entry-{kind.decode()}.txt")
            entry.type, entry.linkname = kind, "/etc/passwd"
            archive.addfile(entry)
    yield "links.tar", buffer.getvalue()
    yield "pdf-and-zip.pdf", b"%PDF-1.7\n" + zipped({"a.txt": b"Words."})
    yield "html-and-zip.html", b"<p>words</p>" + zipped({"a.txt": b"Words."})
    yield "\u202e\x07name.txt", b"Words."


def _fetching(base: str) -> Iterator[tuple[str, bytes]]:
    at = base.encode()
    outside = b'<!DOCTYPE a [<!ENTITY x SYSTEM "%s/x"><!ENTITY %% y SYSTEM "file:///etc/passwd">%%y;]><a>&x;</a>' % at
    yield "outside.xml", outside
    yield "outside.svg", outside.replace(b"<a>", b'<svg><image href="%s/i"/>' % at).replace(b"</a>", b"</svg>")
    yield (
        "fetch.html",
        (
            b'<base href="%s/"><link rel=stylesheet href=c><script src=s></script><img src=i><iframe src=f></iframe>'
            b"<p>Some words to read here.</p>" % at
        ),
    )
    relations = (
        b'<Relationships><Relationship Id="r" Target="%s/t" TargetMode="External" Type="template"/></Relationships>'
        % at
    )
    macros = b"\xd0\xcf\x11\xe0" * 99
    parts = {"word/document.xml": outside, "word/_rels/document.xml.rels": relations, "word/vbaProject.bin": macros}
    yield "template.docx", zipped({"[Content_Types].xml": b"<Types/>"} | parts)
    yield "include.rst", b".. include:: /etc/passwd\n\n.. raw:: html\n   :url: %s/r\n" % at
    yield "include.tex", b"\\input{/etc/passwd}\\write18{touch /tmp/x}\\begin{document}words\\end{document}"
    yield "include.adoc", b"include::/etc/passwd[]\n\ninclude::%s/a[]\n" % at
    yield "object.yaml", b"!!python/object/apply:os.system ['touch /tmp/x']"


def _pdfs() -> Iterator[tuple[str, bytes]]:
    page = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R >>"
    stream = zlib.compress(b" " * 200_000_000, 9)
    packed = b"<< /Filter /FlateDecode /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream)
    itself = b"/Resources << /XObject << /F 4 0 R >> >> /Length 5"
    form = b"<< /Type /XObject /Subtype /Form /BBox [0 0 9 9] %s >>\nstream\n/F Do\nendstream" % itself
    for name, objects in {
        "bomb": (b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>", page, packed),
        "loop": (b"<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 9999999 >>", page, packed[:10]),
        "form": (b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>", page, form),
        "huge page": (b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>", page.replace(b"600 800", b"1e9 1e9"), form),
        "many pages": (b"<< /Type /Pages /Kids [%s] /Count 200000 >>" % (b"3 0 R " * 200_000), page, form),
    }.items():
        body = b"".join(
            b"%d 0 obj\n%s\nendobj\n" % (number, one)
            for number, one in enumerate((b"<< /Type /Catalog /Pages 2 0 R >>", *objects), 1)
        )
        yield f"{name}.pdf", b"%PDF-1.7\n" + body + b"trailer\n<< /Root 1 0 R /Size 5 >>\n%%EOF"


def _tar(files: dict[str, bytes], mode: str) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode=mode) as archive:  # type: ignore[call-overload]
        for name, content in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return buffer.getvalue()


def _png_part(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
