"""Mailboxes, read from a real server (Dovecot)."""

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
import time
from contextlib import contextmanager
from datetime import UTC, datetime
from email.message import EmailMessage
from email.utils import format_datetime
from pathlib import Path

import pytest
from imapclient import IMAPClient
from imapclient.exceptions import IMAPClientAbortError
from pydantic import ValidationError

from rag_platform.config.source_kinds import Context
from rag_platform.core.errors import FetchError, SourceError
from rag_platform.core.ports import Validators
from rag_platform.pipeline.source_contract import SourceContract
from rag_platform.sources.mailboxes.folder_readers import readers_of, shared_readers
from rag_platform.sources.mailboxes.imap import Imap, ImapSource
from rag_platform.sources.mailboxes.mail_threads import Message, mbox, threads
from tests.loopback import free_port
from tests.operations.receivers import make_certificate

CONFIGURATION = """
base_dir = {folder}/run
log_path = {folder}/log
protocols = imap
listen = 127.0.0.1
{encryption}
disable_plaintext_auth = no
default_login_user = {login}
default_internal_user = {internal}
default_internal_group = {group}
first_valid_uid = 0
mail_location = maildir:{folder}/mail/%u
passdb {{
  driver = static
  args = password=open
}}
userdb {{
  driver = static
  args = uid={uid} gid={gid} home={folder}/home/%u
}}
service imap-login {{
  chroot =
  inet_listener imap {{
    port = {port}
  }}
  inet_listener imaps {{
    port = {safe_port}
  }}
}}
service anvil {{
  chroot =
}}
service stats {{
  chroot =
}}
namespace inbox {{
  inbox = yes
  separator = .
  mailbox Junk {{
    auto = create
    special_use = \\Junk
  }}
}}
protocol imap {{
  mail_plugins = acl imap_acl
}}
mail_plugins = acl
plugin {{
  acl = vfile
}}
"""


@contextmanager
def dovecot(encryption="ssl = no"):
    """Serve a mailbox to everyone who says the password "open"; gives the ports without and with encryption."""
    program = shutil.which("dovecot", path=os.pathsep.join(("/usr/sbin", os.environ.get("PATH", ""))))
    if program is None:
        pytest.skip("no Dovecot is installed (apt-get install dovecot-imapd)")
    folder = Path(tempfile.mkdtemp(prefix="imap"))
    me = pwd.getpwuid(os.geteuid())
    owner, who = (me, [me.pw_name] * 3) if me.pw_uid else (pwd.getpwnam("nobody"), ["dovenull", "dovecot", "dovecot"])
    names = dict(zip(("login", "internal", "group"), who, strict=True))
    port, safe_port = free_port(), free_port()
    for name in ("mail", "home"):
        (folder / name).mkdir()
        os.chown(folder / name, owner.pw_uid, owner.pw_gid)
    folder.chmod(0o755)
    places = {"folder": folder, "port": port, "safe_port": safe_port if encryption != "ssl = no" else 0}
    ids = {"uid": owner.pw_uid, "gid": owner.pw_gid}
    (folder / "conf").write_text(CONFIGURATION.format(encryption=encryption, **places, **ids, **names))
    process = subprocess.Popen([program, "-F", "-c", folder / "conf"], stdout=subprocess.DEVNULL)
    try:
        _until_it_answers(port, process, folder / "log")
        yield port, safe_port
    finally:
        process.terminate()
        process.wait()
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="module")
def server():
    with dovecot() as (port, _):
        yield port


def _until_it_answers(port, process, log):
    for _ in range(300):
        try:
            return socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            if process.poll() is not None:
                break
            time.sleep(0.1)
    pytest.fail(f"Dovecot did not start: {log.read_text() if log.exists() else 'no log'}")


class Mailbox:
    """What somebody does with their mail program."""

    def __init__(self, port, user):
        self.user, self.days = user, 0
        self.client = IMAPClient("127.0.0.1", port, ssl=False)
        self.client.login(user, "open")

    def put(self, name, text, *, answers=(), folder="INBOX", subject="The weir"):
        self.days += 1
        message = EmailMessage()
        message["Message-ID"], message["Subject"], message["From"] = f"<{name}@x>", subject, f"{name}@example.org"
        message["Date"] = format_datetime(datetime(2026, 1, self.days, tzinfo=UTC))
        if answers:
            message["In-Reply-To"] = f"<{answers[-1]}@x>"
            message["References"] = " ".join(f"<{one}@x>" for one in answers)
        message.set_content(text)
        self.client.append(folder, message.as_bytes())

    def uid(self, name, folder="INBOX"):
        self.client.select_folder(folder)
        return self.client.search(["HEADER", "MESSAGE-ID", f"<{name}@x>"])


@pytest.fixture
def mailbox(server, request):
    made = Mailbox(server, f"u{abs(hash(request.node.name)) % 10**9}")
    yield made
    made.client.logout()


@pytest.fixture
def opened(server, mailbox, tmp_path):
    def opened(**given):
        about = {"id": "mail", "kind": "imap", "url": f"imap://127.0.0.1:{server}", "user": mailbox.user}
        context = Context(tmp_path, cache=tmp_path / "cache", environ={"MAIL_PASSWORD": given.pop("password", "open")})
        return Imap(ImapSource(**about | {"password": "${MAIL_PASSWORD}"} | given), context)

    return opened


def texts(source):
    return {item.uri: source.fetch(item, Validators()).content.decode() for item in source.list().items}


def test_a_conversation_is_one_document_whatever_folders_it_is_in(opened, mailbox):
    mailbox.client.create_folder("Sent")
    mailbox.put("ada", "Who opens the weir?")
    mailbox.put("eva", "Where is the ferry?", subject="The ferry")
    mailbox.put("ben", "The miller opens it.\nFrom noon on.", answers=["ada"], folder="Sent")
    mailbox.put("cy", "Thank you.", answers=["ada", "ben"])
    found = texts(opened())
    assert found.keys() == {"mail/ada@x", "mail/eva@x"}
    text = found["mail/ada@x"]
    assert text.index("Who opens") < text.index("The miller opens it.\n>From noon on.") < text.index("Thank you.")
    assert text.count("From - ") == 3


def test_an_answer_changes_its_conversation_and_no_other(opened, mailbox, bench):
    mailbox.put("ada", "Who opens the weir?")
    mailbox.put("eva", "Where is the ferry?")
    bench(opened(), source_id="mail")
    mailbox.put("ben", "The miller opens it.", answers=["ada"])
    assert bench(opened(), source_id="mail").to_dict() | {"failed": []} == {
        "seen": 2, "new": 0, "changed": 1, "unchanged": 1, "gone": 0, "failed": []
    }  # fmt: skip


def test_what_is_deleted_or_marked_as_deleted_is_gone_and_the_conversation_keeps_its_name(opened, mailbox):
    mailbox.put("ada", "Who opens the weir?")
    mailbox.put("ben", "The miller opens it.", answers=["ada"])
    mailbox.put("eva", "Where is the ferry?")
    opened().list()
    mailbox.client.delete_messages(mailbox.uid("ada"))
    mailbox.client.delete_messages(mailbox.uid("eva"))
    mailbox.client.expunge()
    mailbox.put("dan", "Where was the ferry?")
    mailbox.client.delete_messages(mailbox.uid("dan"))
    found = texts(opened())
    assert found.keys() == {"mail/ada@x"} and "Who opens" not in found["mail/ada@x"]


def test_a_message_that_is_moved_is_not_read_again(opened, mailbox, bench):
    mailbox.put("ada", "Who opens the weir?")
    bench(opened(), source_id="mail")
    mailbox.client.create_folder("Old")
    uid = mailbox.uid("ada")
    mailbox.client.copy(uid, "Old")
    mailbox.client.delete_messages(uid)
    mailbox.client.expunge()
    tally = bench(opened(), source_id="mail")
    assert (tally.new, tally.changed, tally.gone) == (0, 0, 0)
    assert opened().list().items[0].metadata["tags"] == ["folder:Old"]


def test_only_headers_of_new_messages_are_asked_for_and_a_folder_made_anew_is_read_anew(opened, mailbox, monkeypatch):
    mailbox.client.create_folder("Desk")
    mailbox.put("ada", "Who opens the weir?", folder="Desk")
    opened().list()
    asked = []
    fetch = IMAPClient.fetch
    monkeypatch.setattr(IMAPClient, "fetch", lambda self, uids, *rest: asked.extend(uids) or fetch(self, uids, *rest))
    opened().list()
    assert asked == []
    mailbox.client.delete_folder("Desk")
    mailbox.client.create_folder("Desk")
    mailbox.put("eva", "Where is the ferry?", folder="Desk")
    assert texts(opened()).keys() == {"mail/eva@x"}


def test_nothing_is_marked_as_seen(opened, mailbox):
    mailbox.put("ada", "Who opens the weir?")
    texts(opened())
    mailbox.client.select_folder("INBOX", readonly=True)
    assert mailbox.client.search(["SEEN"]) == []


def test_folders_are_chosen_and_junk_is_left_out_unless_it_is_named(opened, mailbox):
    mailbox.client.create_folder("Desk.Käse")
    mailbox.put("ada", "Who opens the weir?")
    mailbox.put("eva", "Where is the ferry?", folder="Desk.Käse")
    mailbox.put("spam", "Buy a weir.", folder="Junk")
    assert texts(opened()).keys() == {"mail/ada@x", "mail/eva@x"}
    assert texts(opened(include=["Desk/*"])).keys() == {"mail/eva@x"}
    assert texts(opened(include=["Junk"])).keys() == {"mail/spam@x"}
    assert texts(opened(exclude=["Desk/"])).keys() == {"mail/ada@x"}


def test_who_may_read_is_asked_of_the_server(opened, mailbox):
    mailbox.client.create_folder("Desk")
    mailbox.client.setacl("Desk", "ilse", "lr")
    mailbox.client.setacl("Desk", "otto", "l")
    mailbox.put("ada", "Who opens the weir?", folder="Desk")
    mailbox.put("eva", "Where is the ferry?")
    readers = {item.uri: item.metadata["principals"] for item in opened(readers="acl").list().items}
    assert readers["mail/ada@x"] == ["user:ilse", f"user:{mailbox.user}"]
    assert readers["mail/eva@x"] == [f"user:{mailbox.user}"]
    assert "principals" not in opened().list().items[0].metadata


def test_a_denial_leaves_those_who_are_named_singly():
    assert readers_of([("anyone", "lr"), ("ilse", "lr")]) == {"*", "user:ilse"}
    assert readers_of([("$desk", "lr"), ("ilse", "lr"), ("-ilse", "r"), ("otto", "r")]) == {"user:otto"}


def test_a_conversation_is_for_those_who_may_read_all_of_it():
    ilse, both, all_ = frozenset({"user:ilse"}), frozenset({"user:ilse", "user:otto"}), frozenset({"*"})
    assert shared_readers([both, ilse]) == ["user:ilse"]
    assert shared_readers([all_, both]) == ["user:ilse", "user:otto"]
    assert shared_readers([all_, all_]) == ["*"]
    assert shared_readers([ilse, frozenset()]) == ["private"]


def test_a_message_that_borrows_the_id_of_another_shows_nobody_what_that_one_says(opened, mailbox):
    mailbox.client.create_folder("Desk")
    mailbox.client.setacl("Desk", "ilse", "lr")
    mailbox.put("ada", "The board closes the mill.")
    mailbox.put("ada", "Hello.", folder="Desk")
    source = opened(readers="acl")
    [item] = source.list().items
    assert item.metadata == {"tags": ["folder:Desk"], "principals": ["user:ilse", f"user:{mailbox.user}"]}
    assert "The board" not in source.fetch(item, Validators()).content.decode()


def test_a_connection_that_breaks_closes_no_folder(opened, mailbox, monkeypatch):
    def broken(*_):
        raise IMAPClientAbortError("gone")

    monkeypatch.setattr(IMAPClient, "getacl", broken)
    with pytest.raises(SourceError, match="Nothing was deleted"):
        opened(readers="acl").list()


def test_folders_that_are_not_there_are_an_error(opened, mailbox):
    with pytest.raises(SourceError, match="no folder fits `include` and `exclude`; the mailbox has INBOX, Junk"):
        opened(include=["Desk/**"]).list()


def test_a_wrong_password_is_an_error_that_does_not_show_it_and_is_sent_once(opened, mailbox):
    mailbox.put("ada", "Who opens the weir?")
    source = opened(password="wrong-one")
    with pytest.raises(SourceError, match="Nothing was deleted") as refusal:
        source.list()
    assert "wrong-one" not in str(refusal.value)
    with pytest.raises(SourceError):
        source.list()


def test_a_conversation_that_is_too_long_is_not_read(opened, mailbox):
    mailbox.put("ada", "Who opens the weir?")
    source = opened(max_bytes=10)
    with pytest.raises(FetchError, match="more than max_bytes = 10"):
        source.fetch(source.list().items[0], Validators())


def test_a_password_goes_to_no_server_without_encryption(monkeypatch, opened):
    monkeypatch.setattr("rag_platform.sources.mailboxes.imap_server._is_here", lambda *_: False)
    with pytest.raises(SourceError, match="no encryption"):
        opened().list()


def test_a_mailbox_is_read_with_encryption_and_only_from_who_the_server_is(tmp_path, monkeypatch):
    certificate = make_certificate(tmp_path / "certificate.pem")
    with dovecot(f"ssl = yes\nssl_cert = <{certificate}\nssl_key = <{certificate}") as (port, safe_port):
        mailbox = Mailbox(port, "ada")
        mailbox.put("ada", "Who opens the weir?")
        mailbox.client.logout()

        def listed(url):
            settings = ImapSource(id="mail", kind="imap", url=url, user="ada", password="${MAIL_PASSWORD}")
            return Imap(settings, Context(tmp_path, environ={"MAIL_PASSWORD": "open"})).list().items

        with pytest.raises(SourceError, match="certificate"):
            listed(f"imaps://127.0.0.1:{safe_port}")
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
        assert len(listed(f"imaps://127.0.0.1:{safe_port}")) == 1
        assert len(listed(f"imap://127.0.0.1:{port}")) == 1


def test_a_server_that_does_not_answer_is_an_error(opened):
    with pytest.raises(SourceError, match="cannot be read"):
        opened(url="imap://127.0.0.1:1").list()


@pytest.mark.parametrize("url", ["https://x", "imaps://", "imaps://ada@x", "imaps://x/INBOX"])
def test_an_address_is_that_of_a_server(url):
    with pytest.raises(ValidationError, match="imaps://host"):
        ImapSource(id="mail", kind="imap", url=url, user="ada", password="${secret:mail}")


def message(name, *answers, sent=0.0):
    return Message(name, answers, sent, 1, "INBOX", 1, 1)


def test_messages_that_answer_each_other_in_a_circle_are_one_conversation():
    found = threads([message("a", "b", sent=1), message("b", "a", sent=2), message("c", "c2", sent=3)])
    assert sorted(len(one) for one in found.values()) == [1, 2]
    assert found.keys() == {"b", "c2"}


def test_a_thousand_answers_are_one_conversation():
    chain = [message(str(n), *(str(m) for m in range(max(0, n - 1), n)), sent=n) for n in range(1000)]
    assert list(threads(chain)) == ["0"]


def test_a_message_that_names_very_many_costs_no_more_than_they_are():
    long = message("last", *(str(n) for n in range(50_000)))
    assert list(threads([long])) == ["0"]


def test_a_mailbox_file_can_be_taken_apart_again():
    from rag_platform.documents.formats.mail.mailboxes import read_mbox

    given = [b"Subject: one\r\n\r\nFrom here on.\r\n>From there.\r\n", b"Subject: two\n\nlast"]
    assert [member.content.strip() for member in read_mbox(mbox(given)).members] == [
        one.replace(b"\r\n", b"\n").strip() for one in given
    ]


class MailWorld:
    """Messages that answer nobody; one that changes is another message of the same name."""

    deletes, refetches = True, False

    def __init__(self, mailbox, opened):
        self.mailbox, self.opened = mailbox, opened

    def put(self, name, text):
        self.remove(name)
        self.mailbox.put(name, text)

    def remove(self, name):
        self.mailbox.client.delete_messages(self.mailbox.uid(name))
        self.mailbox.client.expunge()

    def source(self):
        return self.opened()

    def break_down(self):
        self.source = lambda: self.opened(password="wrong")


class TestImap(SourceContract):
    @pytest.fixture
    def world(self, mailbox, opened):
        return MailWorld(mailbox, opened)
