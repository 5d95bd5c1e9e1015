"""Readers that no file can take down, and the files within a file."""

import io
import os
import signal
import stat
import subprocess
import sys
import tarfile
import threading
import time
import zipfile
import zlib
from pathlib import Path

import psutil
import pytest

from rag_platform.documents.formats.archives.zip_and_tar import OUTSIDE
from rag_platform.documents.options import Limits, Options
from rag_platform.documents.reading.unpacking import read_parts
from rag_platform.documents.sandbox.pool import Sandbox
from rag_platform.documents.sandbox.process import ReaderProcess


def zipped(files: dict[str, bytes], **options) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content, **options)
    return buffer.getvalue()


def tarred(files: dict[str, bytes], mode: str = "w") -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode=mode) as archive:
        for name, content in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return buffer.getvalue()


@pytest.fixture
def reader():
    reader = ReaderProcess(Limits(seconds=20))
    yield reader
    reader.close()


@pytest.fixture(scope="module")
def shared():
    """A reader for tests that leave it alive."""
    reader = ReaderProcess(Limits(seconds=20, member_bytes=20_000, characters=10_000))
    yield reader
    reader.close()


SMALL = Options(archive_files=6, archive_bytes=50_000, archive_depth=2)


def texts(reader: ReaderProcess, content: bytes, uri: str = "a") -> dict[str, str]:
    parts = reader.read(content, uri=uri, options=SMALL if reader.limits.characters == 10_000 else Options())
    return {part.path: part.read.text if part.read else part.reason for part in parts}


# --- a reader that dies -------------------------------------------------------------------------------


def test_a_document_comes_back_whole(shared):
    content = b"---\nauthor: Asha\ndate: 2024-01-02\ntitle: Plan\n---\n# Water\n\nWords."
    [part] = shared.read(content, uri="plan.md")
    assert (part.path, part.read.text, part.read.author, part.read.type) == (
        "",
        "# Water\n\nWords.",
        "Asha",
        "markdown",
    )
    assert part.read.published_at.isoformat() == "2024-01-02T00:00:00+00:00"


def test_a_dead_reader_is_replaced(reader):
    texts(reader, b"Water.")
    os.kill(reader._process.pid, signal.SIGKILL)
    reader._process.wait()
    assert texts(reader, b"Water.") == {"": "Water."}


def test_a_file_that_kills_the_reader_is_lost_and_the_next_is_read(reader):
    texts(reader, b"Water.")
    first = reader._process.pid
    os.kill(first, signal.SIGSTOP)
    threading.Timer(0.2, os.kill, (first, signal.SIGKILL)).start()
    assert "the reader died on this file (signal SIGKILL" in texts(reader, b"Water.")[""]
    assert texts(reader, b"Water.") == {"": "Water."}
    assert reader._process.pid != first


def test_a_reader_that_sleeps_is_stopped(reader):
    texts(reader, b"Water.")
    reader.limits = Limits(idle_seconds=0.3)
    os.kill(reader._process.pid, signal.SIGSTOP)
    assert texts(reader, b"Water.")[""] == "stopped: it did nothing for 0.3 s"
    assert texts(reader, b"Water.") == {"": "Water."}


def test_a_reader_that_takes_nothing_holds_nobody_up(reader):
    texts(reader, b"Water.")
    reader.limits = Limits(idle_seconds=0.3)
    os.kill(reader._process.pid, signal.SIGSTOP)
    assert texts(reader, b"Water. " * 2_000_000)[""] == "stopped: it did nothing for 0.3 s"


def test_a_busy_machine_costs_no_document(reader):
    texts(reader, b"Water.")
    reader.limits = Limits(seconds=0.5)
    os.kill(reader._process.pid, signal.SIGSTOP)
    threading.Timer(1.5, os.kill, (reader._process.pid, signal.SIGCONT)).start()
    assert texts(reader, b"Water.") == {"": "Water."}


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="the system binds no process to a core")
def test_a_reader_that_gets_little_of_the_machine_has_its_whole_time(reader):
    """Beside a busy loop on the same core, with the lowest priority, it comes to a hundredth of it."""
    texts(reader, b"Water.")
    core = min(os.sched_getaffinity(0))
    busy = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    os.sched_setaffinity(busy.pid, {core})
    os.sched_setaffinity(reader._process.pid, {core})
    psutil.Process(reader._process.pid).nice(19)
    reader.limits = Limits(seconds=0.5, idle_seconds=0.5)
    started = time.monotonic()
    found = texts(reader, b"# Water\n\n" + b"Some *words* of water. " * 4_000, uri="a.md")
    busy.kill()
    busy.wait()
    assert time.monotonic() - started > 0.5 and found[""].startswith("# Water")


def test_memory_is_bounded():
    reader = ReaderProcess(Limits(memory=1 << 29))
    assert texts(reader, b" " * (1 << 29))[""] == "stopped: it takes more than 512 MB of memory"
    assert texts(reader, b"Water.") == {"": "Water."}
    reader.close()


def test_the_reader_ends_with_its_owner(reader):
    texts(reader, b"Water.")
    process = reader._process
    reader._channel.close()
    assert process.wait(timeout=60) == 0


def test_the_reader_sees_no_keys(monkeypatch, reader):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-canary")
    texts(reader, b"Water.")
    environment = Path(f"/proc/{reader._process.pid}/environ").read_text()
    assert "sk-canary" not in environment


def test_many_threads_share_a_sandbox():
    sandbox = Sandbox(Limits(seconds=20))
    found = []
    work = [threading.Thread(target=lambda n=n: found.append((n, sandbox.read(b"n%d" % n, uri="a")))) for n in range(6)]
    for thread in work:
        thread.start()
    for thread in work:
        thread.join()
    assert sorted((n, parts[0].read.text) for n, parts in found) == [(n, f"n{n}") for n in range(6)]
    sandbox.close()


def test_documents_of_two_sources_share_no_process():
    sandbox, seen = Sandbox(), []
    for boundary in (("a", "*"), ("a", "*"), ("b", "*"), ("a", "staff"), ("a", "*"), (), ()):
        with sandbox._reader(boundary, Limits()) as reader:
            seen.append(reader)
    first, again, *others = seen
    assert first is again and first not in (others[0], others[1], *others[3:])
    sandbox.close()


def test_a_pool_keeps_no_more_processes_than_it_may():
    sandbox = Sandbox(most=2)
    for source in "abcd":
        sandbox.read(b"Water.", uri="a", boundary=(source,))
    assert [boundary for boundary, _ in sandbox._idle] == [("c",), ("d",)]
    kept = [reader._process.pid for _, reader in sandbox._idle]
    assert [part.read.text for part in sandbox.read(b"Water.", uri="a", boundary=("c",))] == ["Water."]
    assert sorted(reader._process.pid for _, reader in sandbox._idle) == sorted(kept)
    sandbox.close()


# --- files within files -------------------------------------------------------------------------------

FILES = {"notes/a.md": b"# Alpha\n\nWords.", "b.txt": b"Beta.", "c.gif": b"GIF89a"}
EXPECTED = {"!/notes/a.md": "# Alpha\n\nWords.", "!/b.txt": "Beta."}


@pytest.mark.parametrize(
    "content",
    [zipped(FILES), *(tarred(FILES, mode) for mode in ("w", "w:gz", "w:bz2", "w:xz"))],
    ids=["zip", "tar", "tar.gz", "tar.bz2", "tar.xz"],
)
def test_each_file_of_an_archive_is_a_part(shared, content):
    found = texts(shared, content)
    assert found.pop("!/c.gif").startswith("no reader for .gif files")
    assert found == EXPECTED | {"": ""}


def test_archives_in_archives_are_opened(shared):
    found = texts(shared, zipped({"in.zip": zipped({"x.txt": b"Deep."}), "y.txt": b"Flat."}))
    assert found == {"!/in.zip!/x.txt": "Deep.", "!/in.zip": "", "!/y.txt": "Flat.", "": ""}


def test_but_not_without_end(shared):
    content = zipped({"0.txt": b"Bottom."})
    for level in range(4):
        content = zipped({f"{level}.zip": content})
    parts = shared.read(content, uri="a", options=SMALL)
    assert [flag for part in parts for flag in part.read.flags] == [
        "the rest of the archive was left out: more than 2 archives within archives"
    ]


def test_the_number_of_files_is_limited(shared):
    *members, whole = shared.read(zipped({f"{n}.txt": b"Words." for n in range(9)}), uri="a", options=SMALL)
    assert len(members) == 6 and whole.read.flags == ("the rest of the archive was left out: more than 6 files in it",)


def test_a_bomb_is_not_unpacked(shared):
    found = texts(shared, zipped({"bomb.txt": b"0" * 50_000_000, "good.txt": b"Words."}))
    assert found["!/bomb.txt"] == "larger than 20000 bytes when unpacked; it was left out"
    assert found["!/good.txt"] == "Words."


def test_bytes_in_all_are_limited(shared):
    *_, whole = shared.read(zipped({f"{n}.txt": b"%d" % n * 19_000 for n in range(5)}), uri="a", options=SMALL)
    assert whole.read.flags == ("the rest of the archive was left out: more than 50000 bytes unpacked",)


def test_the_texts_in_all_are_limited():
    reader = ReaderProcess(Limits(total_characters=25_000))
    *members, whole = reader.read(zipped({f"{n}.txt": b"word " * 2000 for n in range(6)}), uri="a")
    reader.close()
    assert len(members) == 3
    assert whole.read.flags == ("the rest of the archive was left out: more than 25000 characters of text",)


def test_a_lying_size_is_not_believed(shared):
    content = bytearray(zipped({"a.txt": b"0" * 30_000}))
    size = (30_000).to_bytes(4, "little")
    while size in content:
        place = content.index(size)
        content[place : place + 4] = (10).to_bytes(4, "little")
    found = texts(shared, bytes(content))
    assert "Bad CRC-32" in found["!/a.txt"] or len(found["!/a.txt"]) <= 10


def test_an_endless_text_is_refused(shared):
    assert "more than the 10000 that one document may have" in texts(shared, b"word " * 3000)[""]


def test_names_lead_nowhere_and_clutter_is_left_out(shared):
    files = {
        "../../etc/passwd": b"Root.",
        "/abs.txt": b"Abs.",
        "__MACOSX/._a": b"x",
        ".git/config": b"x",
        "Thumbs.db": b"x",
    }
    assert texts(shared, zipped(files)) == {"!/../../etc/passwd": "Root.", "!/abs.txt": "Abs.", "": ""}


def test_a_name_that_leads_outside_is_flagged(shared):
    names = ("../up.txt", "/abs.txt", "C:\\drive.txt", "a/../b.txt", "plain..txt")
    parts = shared.read(zipped(dict.fromkeys(names, b"Words.")), uri="a")
    flagged = {part.path: OUTSIDE in part.read.flags for part in parts if part.path}
    assert list(flagged.values()) == [True, True, True, True, False]


def test_links_devices_and_fifos_are_reported_and_no_content(shared):
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        for kind, name in (
            (tarfile.SYMTYPE, "soft"),
            (tarfile.LNKTYPE, "hard"),
            (tarfile.FIFOTYPE, "fifo"),
            (tarfile.CHRTYPE, "dev"),
        ):
            entry = tarfile.TarInfo(name)
            entry.type, entry.linkname = kind, "/etc/passwd"
            archive.addfile(entry)
        entry = tarfile.TarInfo("a.txt")
        entry.size = 6
        archive.addfile(entry, io.BytesIO(b"Words."))
    link, other = (
        "a link to /etc/passwd in the archive; it is not followed",
        "a device or a FIFO in the archive; it is not",
    )
    assert texts(shared, buffer.getvalue()) == {
        "!/soft": link,
        "!/hard": link,
        "!/fifo": f"{other} followed",
        "!/dev": f"{other} followed",
        "!/a.txt": "Words.",
        "": "",
    }


def test_links_in_a_zip_are_reported(shared):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        entry = zipfile.ZipInfo("soft.txt")
        entry.create_system, entry.external_attr = 3, (stat.S_IFLNK | 0o777) << 16
        archive.writestr(entry, "/etc/passwd")
        archive.writestr("a.txt", b"Words.")
    found = texts(shared, buffer.getvalue())
    assert found == {"!/soft.txt": "a link in the archive; it is not followed", "!/a.txt": "Words.", "": ""}


def test_a_small_archive_is_not_thousands_of_documents(shared):
    inner = zipped({f"{n}.txt": b"one two three" for n in range(100)})
    middle = zipped({f"{n}.zip": inner for n in range(10)})
    parts = shared.read(zipped({f"{n}.zip": middle for n in range(10)}), uri="a")
    assert len(parts) < 300
    assert any("files in it" in flag for part in parts if part.read for flag in part.read.flags)


def test_all_files_of_an_archive_share_one_budget_of_time():
    content = zipped({f"{n}.txt": b"one two three" for n in range(5)})
    *members, whole = read_parts(content, uri="a.zip", spent=200.0)
    assert [part for part in members if not isinstance(part, str)] == []
    assert "more than 120 seconds of processor time" in whole.read.flags[0]


def test_the_second_file_of_a_name_is_left_out(shared):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive, pytest.warns(UserWarning, match="Duplicate name"):
        archive.writestr("a.txt", b"First.")
        archive.writestr("a.txt", b"Second.")
    assert texts(shared, buffer.getvalue()) == {"!/a.txt": "First.", "": ""}


@pytest.mark.parametrize(
    "content", [zipped(FILES)[:60], b"PK\x03\x04", zipped({".hidden": b"x"})], ids=["cut", "mark", "empty"]
)
def test_a_damaged_or_empty_archive_says_so(shared, content):
    assert "archive" in texts(shared, content)[""]


def test_a_member_that_kills_the_reader_costs_itself_alone():
    reader = ReaderProcess(Limits(memory=200 << 20))
    found = texts(reader, zipped({"a.txt": b"First.", "b.txt": "अ".encode() * 20_000_000, "c.txt": b"Third."}))
    assert (found["!/a.txt"], found["!/c.txt"], found[""]) == ("First.", "Third.", "")
    assert found["!/b.txt"] == "stopped: it takes more than 200 MB of memory"
    reader.close()


def test_names_of_other_systems_and_encodings(shared):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("folder\\a.txt", b"Windows.")
        archive.writestr("caXX.txt", b"Accent.")
    content = buffer.getvalue().replace(b"caXX", "caé".encode())  # as programs write it that do not say it is UTF-8
    assert texts(shared, content) == {"!/folder/a.txt": "Windows.", "!/caé.txt": "Accent.", "": ""}


@pytest.fixture(scope="module")
def bomb() -> bytes:
    """A small PDF whose page unpacks to 400 MB."""
    packer = zlib.compressobj(1)
    stream = b"".join(packer.compress(b" " * (1 << 20)) for _ in range(400)) + packer.flush()
    objects = (
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R >>",
        b"<< /Filter /FlateDecode /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream),
    )
    body = b"".join(b"%d 0 obj\n%s\nendobj\n" % (number, one) for number, one in enumerate(objects, 1))
    return b"%PDF-1.7\n" + body + b"trailer\n<< /Root 1 0 R /Size 5 >>\n%%EOF"


def test_a_bomb_in_a_pdf_costs_itself_alone(bomb):
    reader = ReaderProcess(Limits(memory=300 << 20))
    found = texts(reader, zipped({"a.txt": b"First.", "b.pdf": bomb, "c.txt": b"Third."}))
    assert (found["!/a.txt"], found["!/c.txt"]) == ("First.", "Third.")
    assert "the reader died" in found["!/b.pdf"]
    reader.close()


def test_an_archive_of_files_that_kill_their_readers_ends(bomb):
    reader = ReaderProcess(Limits(memory=300 << 20, crashes=2))
    found = texts(reader, zipped({"a.txt": b"First.", **dict.fromkeys(("b", "c", "d"), bomb), "e.txt": b"Fifth."}))
    assert found["!/a.txt"] == "First." and "!/d" not in found and "!/e.txt" not in found
    assert "the rest was left out: 2 of its files" in found[""]
    reader.close()
