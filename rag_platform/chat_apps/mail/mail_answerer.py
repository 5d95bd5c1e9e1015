"""The answerer: looks into a folder of a mailbox, and answers what is new there, each e-mail once."""

import logging
import smtplib
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

from imapclient import IMAPClient
from imapclient.exceptions import IMAPClientError
from limits import RateLimitItemPerDay
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter

from rag_platform.chat_apps.conversations import Conversations, Thread, said_of
from rag_platform.chat_apps.mail.answering_mail import answer_mail, answer_text
from rag_platform.chat_apps.mail.incoming_mail import LONGEST, NotAnswered, Question, read_question
from rag_platform.core.errors import AccessDenied, RagError, SettingsError, message_of
from rag_platform.journal.receipts import Receipt
from rag_platform.operations.alerts.smtp import send_mail
from rag_platform.operations.asking.chat_turns import chat_messages
from rag_platform.people.identity import Person, known_person
from rag_platform.sources.mailboxes.imap_server import connected
from rag_platform.workspace import Workspace
from rag_platform.workspace.filled_secrets import Filled

SECONDS = 60.0
"""For which a server may be silent."""
_LOG = logging.getLogger(__name__)
_FAILED = (OSError, smtplib.SMTPException, IMAPClientError)
_REFUSED = (smtplib.SMTPRecipientsRefused, smtplib.SMTPDataError, smtplib.SMTPNotSupportedError)
"""The server does not take this answer; others it may take."""


class MailAnswerer:
    """Answers the e-mails of [mail]."""

    def __init__(self, workspace: Workspace) -> None:
        """Answer from the workspace.

        Raises:
            SettingsError: something is missing in [mail].
        """
        self._settings = settings = workspace.settings.mail
        if not (
            settings.imap and settings.smtp and settings.password and settings.address and settings.authenticated_by
        ):
            raise SettingsError("[mail] needs imap, smtp, password, address and authenticated_by")
        self._workspace, self._filled = workspace, Filled(workspace)
        self._conversations = Conversations(workspace, "mail", settings.collections)
        self._daily, self._limiter = RateLimitItemPerDay(settings.per_day), MovingWindowRateLimiter(MemoryStorage())

    def answer_until(self, ended: threading.Event) -> None:
        """Look again and again; what a server does ends nothing."""
        while not ended.is_set():
            try:
                self.answer_new()
            except (*_FAILED, RagError) as error:
                _LOG.warning("the mailbox could not be read: %s", self._filled.hide(message_of(error)))
            ended.wait(self._settings.poll_seconds)

    def answer_new(self) -> int:
        """Answer what is new, and return how many e-mails were answered."""
        answered = 0
        with self._mailbox() as client:
            for uid in client.search(["UNSEEN", "UNDELETED"]):
                size = client.fetch([uid], ["RFC822.SIZE"]).get(uid, {}).get(b"RFC822.SIZE", 0)
                if size > LONGEST:
                    self._leave(client, uid, f"it is longer than {LONGEST} bytes")
                    continue
                content = client.fetch([uid], ["BODY.PEEK[]"]).get(uid, {}).get(b"BODY[]")
                answered += content is not None and self._answer(client, uid, content)  # None: it was deleted meanwhile
        return answered

    @contextmanager
    def _mailbox(self) -> Iterator[IMAPClient]:
        settings = self._settings
        parts = urlsplit(settings.imap or "")
        place = parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()
        client = connected(place, parts.username or "", self._filled(settings.password or ""), SECONDS)
        try:
            client.select_folder(settings.folder)
            yield client
        finally:
            client.shutdown()

    def _answer(self, client: IMAPClient, uid: int, content: bytes) -> bool:
        """Answer an e-mail; one that cannot be sent is tried again with the next look."""
        try:
            if not self._reply_once(read_question(content, self._settings)):
                return False
        except NotAnswered as why:
            return self._leave(client, uid, str(why))
        except _REFUSED as error:
            _LOG.warning("e-mail %d is answered with a later look: %s", uid, message_of(error))
            return False
        client.add_flags([uid], [b"\\Seen", b"\\Answered"])
        return True

    def _reply_once(self, question: Question) -> bool:
        """Answer; False: another process is at it, or ended amid it, and then it is answered when `HELD` is over."""
        try:
            person = known_person(question.sender, question.name, (), self._workspace.settings.access)
        except AccessDenied as error:  # whoever may not ask is not told that anything is here
            raise NotAnswered(message_of(error)) from error
        if not self._limiter.test(self._daily, question.sender):
            raise NotAnswered(f"{question.sender} was answered {self._settings.per_day} times today")
        key = _taken(question)
        if self._conversations.threads.chat_of(key):
            raise NotAnswered("it was answered before")
        if not self._conversations.threads.take(key):
            return False
        try:
            written = self._written(person, question)
            self._send(question, answer_text(written) if written else self._ask(person, question))
        except _FAILED as error:
            if not isinstance(error, _REFUSED) or _is_transient(error):  # it is not counted until it is sent
                self._conversations.threads.release(key)
                raise
            self._limiter.hit(self._daily, question.sender)
            raise NotAnswered(f"its answer is not taken: {message_of(error)}") from error
        self._limiter.hit(self._daily, question.sender)
        return True

    def _written(self, person: Person, question: Question) -> Receipt | None:
        """Return what was answered and could not be sent: to be sent again, where its asker may still read it."""
        chat = self._conversations.threads.chat_of(_key(question))
        said = chat_messages(self._workspace, chat, person.id, person.principals) if chat else []
        answers = (one.receipt for one in reversed(said) if one.receipt and not one.withheld)
        return next((one for one in answers if self._conversations.gave(one.id, _key(question))), None)

    def _ask(self, person: Person, question: Question) -> str:
        """Return the text of a new answer, or what is told where there is none."""
        thread = Thread(_key(question), person.id, tuple(_name(question.sender, one) for one in question.references))
        try:
            answer = self._conversations.ask(person, person.principals, thread, question.text)
        except RagError as error:
            _LOG.warning("an e-mail was not answered: %s", message_of(error))
            return said_of(error)
        self._conversations.note(answer.receipt_id, thread.key, thread)
        return answer_text(answer)

    def _send(self, question: Question, text: str) -> None:
        message = answer_mail(question, self._settings.address or "", text)
        send_mail(self._settings.smtp or "", self._password(), message)
        if chat := self._conversations.threads.chat_of(_key(question)):
            for key in (_taken(question), _name(question.sender, str(message["Message-ID"]))):
                self._conversations.threads.bind(key, chat)

    def _password(self) -> str | None:
        return self._filled(self._settings.password or "") if urlsplit(self._settings.smtp or "").username else None

    def _leave(self, client: IMAPClient, uid: int, why: str) -> bool:
        """Leave an e-mail unanswered: seen, so that nobody looks at it again, and where it is."""
        _LOG.warning("e-mail %d of %s is not answered: %s", uid, self._settings.folder, why)
        client.add_flags([uid], [b"\\Seen"])
        return False


def _key(question: Question) -> str:
    return _name(question.sender, question.message_id)


def _taken(question: Question) -> str:
    return f"{_key(question)}:taken"


def _name(sender: str, message_id: str) -> str:
    return f"mail:{sender}:{message_id}"


def _is_transient(error: Exception) -> bool:
    """Return whether the server may take the answer later (RFC 5321: 4yz)."""
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        return all(400 <= code < 500 for code, _ in error.recipients.values())
    return isinstance(error, smtplib.SMTPDataError) and 400 <= error.smtp_code < 500
