"""E-mails and mailboxes: bodies, attachments, broken headers."""

import base64
import io
import zipfile

import pytest

from rag_platform.core.errors import ExtractionError
from rag_platform.documents.extracted import Loss, Part
from rag_platform.documents.reading.extraction import extract
from rag_platform.documents.reading.unpacking import read_parts

MAIL = b"""From: =?utf-8?q?J=C3=BCrgen?= <j@x.org>
To: a@x.org
Subject: Plan
Date: Thu, 05 Mar 2026 10:00:00 +0200
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=B

--B
Content-Type: multipart/alternative; boundary=C

--C
Content-Type: text/plain; charset=utf-8

We meet at noon.
--C
Content-Type: text/html

<p>We meet at <b>noon</b>.</p>
--C--
--B
Content-Type: text/csv; name="../evil/costs.csv"
Content-Disposition: attachment; filename="../evil/costs.csv"
Content-Transfer-Encoding: base64

YSxiCjEsMgo=
--B--
"""


def test_a_message_says_who_wrote_what_and_its_attachment_is_a_member():
    read = extract(MAIL, uri="a.eml")
    assert (
        read.text
        == "# Plan\n\nFrom: Jürgen <j@x.org>\nTo: a@x.org\nDate: Thu, 05 Mar 2026 10:00:00 +0200\n\nWe meet at noon."
    )
    assert (read.title, read.author, read.published_at.isoformat()) == (
        "Plan",
        "Jürgen <j@x.org>",
        "2026-03-05T08:00:00+00:00",
    )
    assert [(one.path, one.content, one.content_type) for one in read.members] == [
        ("costs.csv", b"a,b\n1,2\n", "text/csv")
    ]


def test_a_message_of_html_alone_is_read_without_what_it_hides():
    html = b'<p>Hello <b>you</b></p><div style="display:none">ignore all</div><ul><li>one</li></ul>'
    read = extract(b"Subject: S\nContent-Type: text/html\n\n" + html, uri="a.eml")
    assert read.text == "# S\n\nHello **you**\n\n- one"


def test_broken_headers_and_charsets_cost_no_message():
    mail = (
        b"Subject: =?x-nonsense?B?////?=\nDate: yesterday\nContent-Type: text/plain; charset=none-such\n\nna\xc3\xafve"
    )
    read = extract(mail, uri="a.eml")
    assert "naïve" in read.text and read.published_at is None


def test_a_mailbox_of_ten_thousand_messages():
    one = b"From a@b Thu Jan  1 00:00:00 2026\nSubject: number %d\n\nbody\n>From here\n\n"
    read = extract(b"".join(one % number for number in range(10_000)), uri="a.mbox")
    members = list(read.members)
    assert len(members) == 10_000
    assert members[41].path == "00042.eml" and members[41].content == b"Subject: number 41\n\nbody\nFrom here\n\n"


def test_what_has_no_headers_is_no_mail():
    with pytest.raises(ExtractionError, match="no mailbox"):
        extract(b"words", uri="a.mbox")


def test_attachments_of_attachments_are_documents():
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("mail.eml", MAIL)
    found = {
        part.path: part.read.text
        for part in read_parts(buffer.getvalue(), uri="a.zip")
        if isinstance(part, Part) and part.read
    }
    assert found["!/mail.eml!/costs.csv"] == "| a | b |\n| - | - |\n| 1 | 2 |"


def test_japanese_mail_of_seven_bits():
    mail = b"Subject: S\nContent-Type: text/plain; charset=iso-2022-jp\n\n" + "日本語のメールです。".encode(
        "iso-2022-jp"
    )
    assert "日本語のメールです。" in extract(mail, uri="a.eml").text


def test_attachments_of_the_same_name_are_all_kept():
    part = b'--B\nContent-Disposition: attachment; filename="scan.txt"\n\n%s words here\n'
    mail = b"Subject: S\nContent-Type: multipart/mixed; boundary=B\n\n" + part % b"one" + part % b"two" + b"--B--\n"
    assert [one.path for one in extract(mail, uri="a.eml").members] == ["scan.txt", "scan (2).txt"]


def test_a_message_without_the_marks_between_its_parts_is_read_as_text():
    mail = b"Subject: S\nContent-Type: multipart/mixed; boundary=nowhere\n\nAll that was said."
    assert extract(mail, uri="a.eml").text == "# S\n\nAll that was said."


def test_a_message_keeps_its_address_when_the_mailbox_grows():
    one = b"From a@b Thu Jan  1 00:00:00 2026\nSubject: S\n\nbody\n\n"
    assert (
        next(iter(extract(one, uri="a.mbox").members)).path == next(iter(extract(one * 12, uri="a.mbox").members)).path
    )


def test_a_message_within_another_that_its_program_encoded_is_read():
    inner = base64.encodebytes(b"Subject: Inner\n\nWhat was said before.\n")
    mail = b"Subject: Outer\nContent-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n" + inner
    found = {part.path: part.read.text for part in read_parts(mail, uri="a.eml") if isinstance(part, Part)}
    assert found["!/Inner.eml"] == "# Inner\n\nWhat was said before."


HEAD = "From: Ada <ada@x.org>\nSubject: Weir\nDate: Mon, 02 Mar 2026 09:15:00 +0100\nMIME-Version: 1.0\n"
PLAIN = "Content-Type: text/plain; charset=utf-8\n\n"
HTML = "Content-Type: text/html; charset=utf-8\n\n"


def parted(kind: str, *parts: str, mark: str = "A") -> str:
    inside = "".join(f"--{mark}\n{part}\n" for part in parts)
    return f"Content-Type: multipart/{kind}; boundary={mark}\n\n{inside}--{mark}--\n"


def test_what_else_the_other_forms_of_a_message_hold_is_kept():
    table = 'Content-Type: text/csv; name="a.csv"\nContent-Disposition: inline; filename=a.csv\n\na,b\n'
    picture = "Content-Type: image/png\nContent-ID: <1>\n\nx"
    sound = "Content-Type: audio/wav\n\nx"
    rich = parted("related", f"{HTML}<p>It is shut.</p>", table, picture, sound, mark="B")
    read = extract((HEAD + parted("alternative", f"{PLAIN}It is shut.", rich)).encode(), uri="a.eml")
    assert read.text.endswith("\n\nIt is shut.")
    assert [(one.path, one.content_type) for one in read.members] == [
        ("a.csv", "text/csv"), ("part-2", "image/png"), ("part-3", "audio/wav"),
    ]  # fmt: skip


def test_an_invitation_is_read_as_what_it_says_and_as_an_appointment():
    appointment = "BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:Walk\nDTSTART:20260305T090000Z\nEND:VEVENT\nEND:VCALENDAR\n"
    calendar = f"Content-Type: text/calendar; method=REQUEST\n\n{appointment}"
    mail = HEAD + parted("alternative", f"{HTML}<p>You are <b>invited</b>.</p>", calendar)
    found = {part.path: part.read.text for part in read_parts(mail.encode(), uri="a.eml") if isinstance(part, Part)}
    assert found[""].endswith("\n\nYou are **invited**.")
    assert found["!/part-1"] == "# Walk\n\nWhen: Thursday 2026-03-05 09:00 (UTC)"


def test_a_plain_text_that_only_names_the_other_form_is_not_the_message():
    told = f"{HTML}<p>{'You have ordered seed. ' * 9}</p>"
    stub = extract((HEAD + parted("alternative", f"{PLAIN}See the HTML.", told)).encode(), uri="a.eml")
    same = extract((HEAD + parted("alternative", f"{PLAIN}{'You ordered. ' * 9}", told)).encode(), uri="a.eml")
    assert stub.text.count("ordered seed") == 9 and "See the HTML" not in stub.text
    assert "seed" not in same.text


SEED = "The seed that you ordered in May is here, and waits at the weir until Friday evening."


@pytest.mark.parametrize(
    ("plain", "rich", "read"),
    [
        ("This is a message in HTML; your program shows none. Open it here: https://x.org/1. Leave: STOP.", SEED, True),
        (
            "この電子メールはHTML形式です。ブラウザで御覧下さい。",
            "五月に注文された種が届き、金曜の夜まで堰で待つ。",
            True,
        ),
        (SEED, f"{SEED} <a href='x'>Home</a> Our shops, our terms, our wishes: good growing, dear friends.", False),
        (f"> Is it here?\n\n{SEED}\nhttps://x.org/aZ81?k=u7 https://x.org/b", SEED.replace("weir", "w&#101;ir"), False),
        (f"{SEED}\nGrüße", f"<!--[if mso]><p>{'Nobody sees it at all. ' * 8}</p><![endif]-->{SEED}", False),
    ],
)
def test_a_plain_text_in_other_words_than_the_other_form_is_not_the_message(plain, rich, read):
    mail = HEAD + parted("alternative", PLAIN + plain, f"{HTML}<p>{rich}</p><p>\u200cSeen</p>")
    assert ("Seen" in extract(mail.encode(), uri="a.eml").text) is read


def test_a_message_that_came_back_says_why_and_a_signature_is_no_document():
    status = "Content-Type: message/delivery-status\n\nReporting-MTA: dns; x.org\n\nAction: failed\nStatus: 5.1.1\n"
    seal = 'Content-Type: application/pgp-signature; name="s.asc"\n\n-----BEGIN PGP SIGNATURE-----\n\nabc\n'
    read = extract((HEAD + parted("report", f"{PLAIN}I could not.", status, seal)).encode(), uri="a.eml")
    assert read.text.endswith("I could not.\n\nReporting-MTA: dns; x.org\nAction: failed\nStatus: 5.1.1")
    assert not read.members
    with pytest.raises(ExtractionError, match=r"no reader for \.asc files"):
        extract(b"-----BEGIN PGP MESSAGE-----\n\nabc\n", uri="a.asc")


def test_what_is_not_kept_of_a_message_in_html_is_counted():
    read = extract(f"{HEAD}{HTML}<p>See <iframe src='https://x.org'></iframe></p>".encode(), uri="a.eml")
    assert read.losses == (Loss("embedded objects", 1),)


def test_headers_that_break_the_rules():
    head = (
        "From: j@x.org (J\u00fcrgen)\nSubject: Gr\u00fc\u00dfe\nReceived: from a by b; Tue, 3 Mar 2026 10:00:00 +0000\n"
    )
    mail = f"{head}X-Gmail-Labels: Inbox,River\n{PLAIN.replace('utf-8', 'latin1')}Sch\u00f6n".encode("latin1")
    read = extract(mail, uri="a.eml")
    assert (read.title, read.author, read.tags) == ("Gr\u00fc\u00dfe", "J\u00fcrgen <j@x.org>", ("Inbox", "River"))
    assert read.published_at.isoformat() == "2026-03-03T10:00:00+00:00"


def test_a_file_of_apple_mail():
    mail = f"{HEAD}{PLAIN}It is shut.\n".encode()
    read = extract(b"%d      \n%s<?xml version='1.0'?><plist/>\n" % (len(mail), mail), uri="a.emlx")
    assert (read.title, read.text.split("\n")[-1]) == ("Weir", "It is shut.")


def test_alternatives_within_alternatives_cost_no_more_than_they_are():
    nested = "".join(f"Content-Type: multipart/alternative; boundary=A{one}\n\n--A{one}\n" for one in range(60))
    assert extract(f"Subject: S\n{nested}{PLAIN}It is shut.\n".encode(), uri="a.eml").text == "# S\n\nIt is shut."


@pytest.mark.parametrize(
    ("how", "written", "read"),
    [
        ("", "The weir \n is shut.", "The weir\n is shut."),
        ("; format=flowed", "The weir \nis shut.\n\n From here \n>> All \n>> shut \n> now\n-- \nAda", None),
        ("; format=flowed; delsp=yes", "The we \nir  \nis shut.", "The weir is shut."),
    ],
)
def test_paragraphs_that_were_folded_are_whole(how, written, read):
    mail = f"{HEAD}{PLAIN.replace('utf-8', f'utf-8{how}')}{written}".encode()
    told = extract(mail, uri="a.eml").text.split("\n\n", 2)[2]
    assert told == (read or "The weir is shut.\n\nFrom here\n>> All shut\n> now\n--\nAda")
