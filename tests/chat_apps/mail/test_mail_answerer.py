"""E-mails answered through a real IMAP server (Dovecot) and a real SMTP server."""

import re
import threading
from datetime import UTC, datetime
from email.message import EmailMessage

import pytest
from imapclient import IMAPClient

from rag_platform.access.decisions import Target
from rag_platform.chat_apps.mail.incoming_mail import read_question
from rag_platform.chat_apps.mail.mail_answerer import MailAnswerer, _taken
from rag_platform.people.chats import turns_of
from rag_platform.people.threads import HELD
from tests.api.published import QUESTION, opened, publish
from tests.operations.receivers import mail_server
from tests.sources.mailboxes.test_imap import dovecot

SETTINGS = """
[access]
readers = ["user:ann@example.org", "user:bo@example.org"]
[mail]
imap = "imap://rag@127.0.0.1:%d"
smtp = "smtp://127.0.0.1:%d"
password = "${MAIL}"
address = "rag@example.org"
authenticated_by = "mx.example.org"
per_day = 6
"""


@pytest.fixture(scope="module")
def servers():
    with dovecot() as (port, _), mail_server() as sent:
        yield port, sent


@pytest.fixture(scope="module")
def workspace(tmp_path_factory, tiny_embedder, servers):
    home = tmp_path_factory.mktemp("mail")
    publish(home, tiny_embedder)
    toml = home / "rag.toml"
    pay = toml.read_text().replace("group:board", "user:bo@example.org")
    toml.write_text(pay + SETTINGS % (servers[0], servers[1].port))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MAIL", "open")
        yield opened(home, tiny_embedder)


@pytest.fixture
def box(servers):
    """The mailbox as its owner's program sees it, empty, and what was sent."""
    client = IMAPClient("127.0.0.1", servers[0], ssl=False)
    client.login("rag", "open")
    client.select_folder("INBOX")
    if there := client.search():
        client.delete_messages(there)
        client.expunge()
    servers[1].messages.clear()
    client.sent = servers[1].messages
    yield client
    client.logout()


def mail(text=QUESTION, sender="ann@example.org", number=1, **headers):
    domain = sender.rpartition("@")[2]
    told = {
        "Authentication-Results": f"mx.example.org; spf=pass; dmarc=pass (p=reject) header.from={domain}",
        "From": sender,
        "To": "rag@example.org, others@example.org",
        "Subject": "A question",
        "Message-ID": f"<{sender}-{number}>",
        "Reply-To": "victim@example.net",
    }
    message = EmailMessage()
    for name, value in (told | {name.replace("_", "-"): value for name, value in headers.items()}).items():
        if value is not None:
            message[name] = value
    message.set_content(text)
    return message.as_bytes()


def put(box, *mails):
    for one in mails:
        box.append("INBOX", one)


def flags(box):
    box.noop()
    return {flag for flags in box.get_flags(box.search()).values() for flag in flags}


def test_a_question_is_answered_to_its_sender_alone_with_its_sources(workspace, box):
    put(box, mail())
    answerer = MailAnswerer(workspace)
    assert answerer.answer_new() == 1 and answerer.answer_new() == 0
    (said,) = box.sent
    text = said.get_content().replace("\r", "")
    assert "six until dusk" in text and re.search(r"\[1\] Of notes\n    \S+\n    > The ferry", text)
    assert said["To"] == "ann@example.org" and said["Cc"] is None and said["Subject"] == "Re: A question"
    assert said["Auto-Submitted"] == "auto-replied" and said["In-Reply-To"] == "<ann@example.org-1>"
    assert b"\\Answered" in flags(box)
    event = workspace.audit.events(limit=1)[0]
    assert (event.who["interface"], event.who["name"]) == ("mail", "user:ann@example.org")


def test_an_answer_to_an_answer_goes_on_with_the_chat_and_quotes_are_not_asked(workspace, box):
    answerer = MailAnswerer(workspace)
    put(box, mail(number=10))
    answerer.answer_new()
    first = str(box.sent[0]["Message-ID"])
    quoted = "And until when?\n\nOn Monday, 1 January 2029, RAG wrote:\n> The ferry runs from six until dusk.\n"
    put(box, mail(quoted, number=11, In_Reply_To=first, Subject="Re: A question"))
    answerer.answer_new()
    ann = "user:ann@example.org"
    turns = turns_of(workspace.chats.messages(workspace.chats.of(ann)[0].id, ann))
    assert [turn.question for turn in turns] == [QUESTION, "And until when?"]


def test_everybody_is_told_what_they_may_read(workspace, box):
    put(box, mail("What does the ferry warden earn?", number=20))
    put(box, mail("What does the ferry warden earn?", sender="bo@example.org", number=20))
    MailAnswerer(workspace).answer_new()
    told = {str(one["To"]): one.get_content() for one in box.sent}
    assert "crowns" not in told["ann@example.org"] and "nine crowns" in told["bo@example.org"]


def test_somebody_else_s_thread_is_another_chat(workspace, box):
    answerer = MailAnswerer(workspace)
    put(box, mail("What does the ferry warden earn?", sender="bo@example.org", number=30))
    answerer.answer_new()
    put(box, mail("And the warden?", number=31, In_Reply_To=str(box.sent[0]["Message-ID"])))
    answerer.answer_new()
    assert "crowns" not in box.sent[1].get_content()
    ann = "user:ann@example.org"
    assert len(turns_of(workspace.chats.messages(workspace.chats.of(ann)[0].id, ann))) == 1


PASSED = "mx.example.org; dmarc=pass header.from=example.org"
UNANSWERED = {
    "an automatic answer": {"Auto_Submitted": "auto-replied"},
    "a generated e-mail": {"Auto_Submitted": "Auto-Generated; owner-email=x"},
    "a list": {"List_Id": "<all.example.org>"},
    "a newsletter": {"List_Unsubscribe": "<mailto:x@example.org>"},
    "bulk": {"Precedence": "bulk"},
    "a bounce": {"Return_Path": "<>"},
    "exchange": {"X_Auto_Response_Suppress": "All"},
    "a report": {"From": "MAILER-DAEMON@example.org"},
    "nobody's": {"From": "no-reply@example.org"},
    "one's own": {"From": "Rag@example.org"},
    "of two": {"From": "ann@example.org, bo@example.org"},
    "not authenticated": {"Authentication_Results": None},
    "failed": {"Authentication_Results": "mx.example.org; dmarc=fail header.from=example.org"},
    "of another server": {"Authentication_Results": "mx.evil.example; dmarc=pass header.from=example.org"},
    "for another domain": {"Authentication_Results": "mx.example.org; dmarc=pass header.from=evil.example"},
    "a comment": {"Authentication_Results": "mx.example.org; dmarc=fail (x; dmarc=pass header.from=example.org ;)"},
    "a quoted text": {"Authentication_Results": 'mx.example.org; spf=pass x="; dmarc=pass header.from=example.org ;"'},
    "two results": {"Authentication_Results": f"{PASSED}; dmarc=fail header.from=example.org"},
    "without a DMARC record": {"Authentication_Results": "mx.example.org; dmarc=none header.from=example.org"},
    "who may not ask": {"From": "eve@example.org"},
    "without an id": {"Message_ID": None},
}


def test_what_programs_send_and_what_nobody_vouches_for_is_never_answered(workspace, box, caplog):
    put(box, *(mail(number=100 + number, **headers) for number, headers in enumerate(UNANSWERED.values())))
    assert MailAnswerer(workspace).answer_new() == 0 and box.sent == []
    assert len(caplog.messages) == len(UNANSWERED) and flags(box) >= {b"\\Seen"}
    assert b"\\Answered" not in flags(box)


def test_of_several_headers_of_the_own_server_the_newest_counts(workspace, box):
    forged = mail(number=40, Authentication_Results=PASSED)
    failed = b"Authentication-Results: mx.example.org; dmarc=fail header.from=example.org\r\n"
    put(box, failed + forged)
    assert MailAnswerer(workspace).answer_new() == 0
    put(box, b"Authentication-Results: " + PASSED.encode() + b"\r\n" + mail(number=41))
    assert MailAnswerer(workspace).answer_new() == 1


def test_two_programs_that_write_to_each_other_end(workspace, box):
    answerer = MailAnswerer(workspace)
    put(box, *(mail(sender="bo@example.org", number=200 + number) for number in range(9)))
    assert answerer.answer_new() == 6 and len(box.sent) == 6


def test_what_cannot_be_sent_is_sent_with_the_next_look_and_once(workspace, box, monkeypatch, servers):
    put(box, mail(number=50))
    answerer, settings = MailAnswerer(workspace), workspace.settings.mail
    ended = threading.Event()
    monkeypatch.setattr(ended, "wait", lambda _: ended.set())  # after one look
    answerer._settings = settings.model_copy(update={"smtp": "smtp://127.0.0.1:1"})
    receipts = len(workspace.journal.receipts(1000))
    answerer.answer_until(ended)
    for _ in range(settings.per_day + 1):  # which count once
        with pytest.raises(OSError, match="refused"):
            answerer.answer_new()
    assert box.sent == [] and b"\\Seen" not in flags(box)
    assert MailAnswerer(workspace).answer_new() == 1 and MailAnswerer(workspace).answer_new() == 0
    box.remove_flags(box.search(), [b"\\Seen"])
    assert MailAnswerer(workspace).answer_new() == 0 and len(box.sent) == 1
    assert len(workspace.journal.receipts(1000)) == receipts + 1, "it was written once"
    (said,) = box.sent
    assert "six until dusk" in said.get_content() and "> The ferry" in said.get_content()


def test_what_a_process_took_and_did_not_answer_is_answered_when_its_time_is_over(workspace, box):
    put(box, mail(number=52))
    answerer = MailAnswerer(workspace)
    key, now = _taken(read_question(mail(number=52), workspace.settings.mail)), datetime.now(UTC)
    assert answerer._conversations.threads.take(key, now - HELD / 2)
    assert answerer.answer_new() == 0 and box.sent == [] and b"\\Seen" not in flags(box)
    assert answerer._conversations.threads.take(key, now + HELD / 2) is False
    with workspace.journal.writing() as connection:
        connection.execute("update threads set seen_at = ? where chat_id is null", ((now - 2 * HELD).isoformat(),))
    assert answerer.answer_new() == 1 and answerer.answer_new() == 0 and len(box.sent) == 1


def test_what_was_written_and_may_no_longer_be_read_is_not_sent(workspace, box):
    put(box, mail("What does the ferry warden earn?", sender="bo@example.org", number=51))
    answerer = MailAnswerer(workspace)
    answerer._settings = workspace.settings.mail.model_copy(update={"smtp": "smtp://127.0.0.1:1"})
    with pytest.raises(OSError, match="refused"):
        answerer.answer_new()
    rules, pay = workspace.access.rules, Target("collection", "wages")
    rules.set(pay, deny=["user:bo@example.org"], who="user:ada", why="moved")
    try:
        assert MailAnswerer(workspace).answer_new() == 1
    finally:
        rules.remove(pay, who="user:ada", why="back")
    assert "crowns" not in box.sent[0].get_content()


def test_what_could_not_be_sent_does_not_count_for_the_day(workspace, box):
    put(box, mail(number=60))
    answerer, settings = MailAnswerer(workspace), workspace.settings.mail
    answerer._settings = settings.model_copy(update={"smtp": "smtp://127.0.0.1:1"})
    for _ in range(settings.per_day + 1):
        with pytest.raises(OSError, match="refused"):
            answerer.answer_new()
    answerer._settings = settings
    assert answerer.answer_new() == 1 and len(box.sent) == 1


@pytest.mark.parametrize(("refusal", "sent"), [("552 too much", 1), ("451 try again later", 2)])
def test_an_answer_that_is_not_taken_stops_no_other(workspace, box, servers, refusal, sent):
    put(box, mail(number=refusal + "1", sender="bo@example.org"), mail(number=refusal + "2"))
    servers[1].refusals.append(refusal)
    answerer = MailAnswerer(workspace)
    assert answerer.answer_new() == 1 and box.sent[0]["To"] == "ann@example.org"
    answerer.answer_new()
    assert len(box.sent) == sent


def _within_each_other(depth):
    parts = (f"Content-Type: multipart/mixed; boundary=b{n}\n\n--b{n}\n" for n in range(depth))
    return f"From: a@example.org\n{''.join(parts)}\nx".encode()


@pytest.mark.parametrize(
    "hostile",
    [
        b"\xff\xfe\x00",
        b"From: =?utf-8?q?=ff?= <a@\n\n",
        b"Content-Type: text/plain; charset=no\n\nx",
        b"From: " + b"(" * 2000 + b"a@example.org\n\nx",
        b"From: a@example.org\nContent-Type: text/plain" + b";a=b" * 100_000 + b"\n\nx",
        _within_each_other(2000),
        mail(number=80).replace(b"ann@", "änn@".encode()),
    ],
    ids=["no text", "a broken name", "no charset", "comments", "a long header", "parts of parts", "a broken address"],
)
def test_an_e_mail_that_is_broken_stops_no_other(workspace, box, hostile):
    put(box, hostile, mail(number=1000 + len(hostile)))
    assert MailAnswerer(workspace).answer_new() == 1
