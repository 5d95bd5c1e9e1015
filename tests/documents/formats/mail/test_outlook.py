"""Messages of Outlook, written here as compound files: texts of 8 bits, bodies of every kind, messages in messages."""

from struct import pack

from rag_platform.documents.extracted import Loss, Part
from rag_platform.documents.reading.extraction import extract
from rag_platform.documents.reading.unpacking import read_parts
from tests.compound_files import compound_file

SENT = 0x0039
_SECONDS = 11_644_473_600 + 1_772_704_800  # 2026-03-05T10:00:00Z
RICH = rb"{\rtf1\ansi We \b meet\b0  at \'93noon\'94.\par}"


def properties(page: int = 0, header: int = 32) -> bytes:
    rows = pack("<HHIQ", 0x0040, SENT, 6, _SECONDS * 10_000_000)
    rows += pack("<HHIQ", 0x0003, 0x3FFD, 6, page) if page else b""
    return bytes(header) + rows


def text(key: str, value: bytes, folder: str = "") -> dict[str, bytes]:
    return {f"{folder}__substg1.0_{key}001E": value}


def message(*parts: dict[str, bytes], page: int = 0) -> bytes:
    return compound_file(
        {"__properties_version1.0": properties(page)} | {k: v for one in parts for k, v in one.items()}
    )


def test_a_text_that_a_nul_ends_is_a_text():
    mail = message(text("0037", b"Plan\0"), text("0C1A", b"J\0"), text("1000", b"Noon.\0"))
    assert extract(mail, uri="a.msg").text == "# Plan\n\nFrom: J\nDate: 2026-03-05 10:00:00+00:00\n\nNoon."


def test_a_text_in_the_code_page_of_the_message():
    read = extract(message(text("0037", "Привет, мир".encode("cp1251") + b"\0"), page=1251), uri="a.msg")
    assert read.title == "Привет, мир"


def test_a_control_character_costs_no_message():
    assert extract(message(text("0037", b"S\x01"), text("1000", b"All of it.")), uri="a.msg").text.endswith(
        "All of it."
    )


def packed(rich: bytes) -> bytes:
    """Write Rich Text as Outlook packs it, each byte by itself."""
    runs = b"".join(b"\0" + rich[at : at + 8] for at in range(0, len(rich), 8))
    return pack("<II4sI", len(runs) + 12, len(rich), b"LZFu", 0) + runs


def test_a_body_of_rich_text_alone_is_read():
    for body in (packed(RICH), pack("<II4sI", len(RICH) + 12, len(RICH), b"MELA", 0) + RICH):
        read = extract(message(text("0037", b"S"), {"__substg1.0_10090102": body}), uri="a.msg")
        assert read.text.endswith("We meet at “noon”.")


def test_a_damaged_body_costs_no_message():
    damaged = pack("<II4sI", 90, 80, b"LZFu", 0) + b"\xff\xf0\x10\xff"
    assert extract(message(text("0037", b"S"), {"__substg1.0_10090102": damaged}), uri="a.msg").title == "S"


def test_a_message_in_a_message_is_a_document_with_its_attachments():
    attached = "__attach_version1.0_#00000000/"
    inner = f"{attached}__substg1.0_3701000D/"
    mail = message(
        text("0037", b"Outer"),
        {f"{attached}__properties_version1.0": bytes(8), f"{inner}__properties_version1.0": properties(header=24)},
        text("0037", b"Inner", inner),
        text("1000", b"What was said before.", inner),
        text("3707", b"costs.csv", f"{inner}{attached}"),
        {f"{inner}{attached}__substg1.0_37010102": b"a,b\n1,2\n"},
    )
    found = {part.path: part.read for part in read_parts(mail, uri="a.msg") if isinstance(part, Part)}
    assert found["!/Inner.eml"].text.startswith("# Inner\n\nDate: Thu, 05 Mar 2026 10:00:00 +0000")
    assert found["!/Inner.eml"].text.endswith("What was said before.")
    assert found["!/Inner.eml!/costs.csv"].text == "| a | b |\n| - | - |\n| 1 | 2 |"
    assert found[""].losses == ()


def test_what_is_attached_and_cannot_be_had_is_counted():
    attached = "__attach_version1.0_#{:08}/"
    mail = message(
        text("0037", b"S"),
        text("3707", b"on-a-server.txt", attached.format(0)),
        {f"{attached.format(1)}__substg1.0_3701000D/CONTENTS": b"a drawing"},
    )
    assert extract(mail, uri="a.msg").losses == (Loss("attachments", 1), Loss("embedded objects", 1))
