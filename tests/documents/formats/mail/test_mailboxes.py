"""Mailboxes: messages that answer each other are one document."""

import pytest

from rag_platform.documents.reading.unpacking import read_parts, unpack

BEGIN = "From x Thu Jan  1 00:00:00 2026\n"


def mail(number: int, who: str, text: str, *above: int, how: str = "References", subject: str = "Re: Plan") -> str:
    answers = f"{how}: {' '.join(f'<{one}@x.org>' for one in above)}\n" if above else ""
    return (
        f"{BEGIN}From: {who} <{who.lower()}@x.org>\nSubject: {subject}\n"
        f"Date: Thu, {number:02} Jan 2026 10:00:00 +0000\n"
        f"Message-ID: <{number}@x.org>\n{answers}\n{text}\n\n"
    )


QUESTION = mail(1, "Ada", "When do we meet?\nAt noon?", subject="Plan")
ANSWER = mail(3, "Ben", "On Thursday Ada wrote:\n> When do we meet?\n> At noon?\n> Bring cake.\nAt one.\n>From here", 1)
LATER = mail(4, "Cy", ">> When do we meet?\n> At one.\nFine.", 1, 3)
OTHER = mail(2, "Dee", "Something else.", subject="Other")


def parts(*mails: str):
    found = [one for one in read_parts("".join(mails).encode(), uri="a.mbox") if not isinstance(one, str)]
    return {one.path.removeprefix("!/"): one.read for one in found}


def test_a_conversation_is_one_document_with_who_answered_whom():
    found = parts(QUESTION, OTHER, ANSWER, LATER)
    assert set(found) == {"00001.eml", "00002.eml", ""} and found[""].flags == ("messages: 4", "conversations: 2")
    thread = found["00001.eml"]
    assert thread.text == (
        "# Plan\n\n"
        "## Ada, 2026-01-01 10:00\n\nFrom: Ada <ada@x.org>\nDate: Thu, 01 Jan 2026 10:00:00 +0000\n\n"
        "When do we meet?\nAt noon?\n\n"
        "## Ben, 2026-01-03 10:00, in answer to Ada\n\nFrom: Ben <ben@x.org>\nDate: Sat, 03 Jan 2026 10:00:00 +0000\n\n"
        "On Thursday Ada wrote:\n> Bring cake.\nAt one.\nFrom here\n\n"
        "## Cy, 2026-01-04 10:00, in answer to Ben\n\nFrom: Cy <cy@x.org>\nDate: Sun, 04 Jan 2026 10:00:00 +0000\n\n"
        "Fine."
    )  # what Ada did not write stays, though it is quoted
    assert (thread.title, thread.author, thread.kind) == ("Plan", "Ada <ada@x.org>", "conversation")
    assert (thread.published_at.day, thread.updated_at.day) == (1, 4)


def test_a_first_answer_does_not_move_the_document():
    assert set(parts(QUESTION, OTHER)) == {"00001.eml", "00002.eml", ""}
    assert set(parts(QUESTION, OTHER, ANSWER)) == {"00001.eml", "00002.eml", ""}
    raw = "".join((QUESTION, OTHER, ANSWER)).encode()
    assert b"Something else" not in unpack(raw, uri="a.mbox", path="!/00001.eml").content


def test_answers_to_a_message_that_is_not_there_belong_together():
    found = parts(mail(5, "Ada", "One.", 9, how="In-Reply-To"), mail(6, "Ben", "Two.", 9, how="In-Reply-To"))
    assert set(found) == {"00001.eml", ""} and "in answer to" not in found["00001.eml"].text


def test_attachments_of_all_messages_are_members_under_names_of_their_own():
    attached = (
        "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=B\n\n--B\nContent-Type: text/plain\n\n{0}\n--B\n"
        'Content-Type: text/csv\nContent-Disposition: attachment; filename="a.csv"\n\n{0},2\n--B--\n'
    )
    one, two = (
        mail(n, "Ada", "@", *above).replace("\n\n@\n", "\n" + attached.format(n)) for n, above in ((1, ()), (2, (1,)))
    )
    found = parts(one, two)
    assert set(found) == {"00001.eml", "00001.eml!/a.csv", "00001.eml!/a (2).csv", ""}


def test_thousands_under_one_subject_stay_apart():
    found = parts(*(mail(n % 28 + 1, "Ada", f"Number {n}.", 1) for n in range(501)))
    assert len(found) == 502


HEADS = [
    "-----Original Message-----\nFrom: Ada <ada@x.org>\nSent: Thursday, January 1, 2026\nTo: Ben\nSubject: Plan",
    "-----Urspr\u00fcngliche Nachricht-----\n\nVon: Ada\nGesendet: Donnerstag, 1. Januar 2026\nAn: Ben\nBetreff: Plan",
    "________________________________\nDe : Ada\nEnvoy\u00e9 : jeudi\n\u00c0 : Ben\nCc : Cy\nObjet : Plan",
    "De: Ada\nEnviado el: jueves\nPara: Ben\nAsunto: Plan",
    "*From:* Ada\n*Date:* Thursday\n*To:* Ben\n*Subject:* Plan",
]


@pytest.mark.parametrize("head", HEADS)
def test_what_outlook_repeats_below_an_answer_is_said_once(head):
    answer = mail(3, "Ben", f"At one.\n\n{head}\n\nWhen do we\nmeet? At noon?", 1)
    thread = parts(QUESTION, answer)["00001.eml"].text
    assert thread.endswith("\n\nAt one.") and thread.count("At noon?") == 1
    within = mail(3, "Ben", f"See below.\n\n{head}\n\nWhen do we meet?\nAt one!\nAt noon?", 1)
    kept = parts(QUESTION, within)["00001.eml"].text
    assert kept.endswith(f"{head}\n\nAt one!") and kept.count("At noon?") == 1
    forwarded = parts(mail(1, "Ben", f"{head}\n\nWhen do we meet?"), answer)["00001.eml"].text
    assert f"{head}\n\nWhen do we meet?" in forwarded


def test_lines_that_a_program_broke_elsewhere_are_quoted_ones_all_the_same():
    folded = QUESTION.replace("\n\nWhen do we meet?", "\nContent-Type: text/plain; format=flowed\n\nWhen do \nwe meet?")
    thread = parts(folded, mail(2, "Ben", "> When do\n> we meet?\n> At noon?\n> Or do we meet later?\nAt one.", 1))
    assert thread["00001.eml"].text.endswith("> Or do we meet later?\nAt one.")
    assert thread["00001.eml"].text.count("meet?") == 1
