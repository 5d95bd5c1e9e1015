"""The answer to an e-mail: its text, and its sources with their quotes; it goes to the sender alone."""

from email.message import EmailMessage
from email.utils import formatdate, make_msgid
from textwrap import fill, indent

from rag_platform.chat_apps.mail.incoming_mail import Question
from rag_platform.core.answers import Answer, Citation
from rag_platform.journal.answer_notes import answer_notes
from rag_platform.journal.receipts import Receipt


def answer_mail(question: Question, address: str, text: str) -> EmailMessage:
    """Return an e-mail that says this to whoever asked, marked as of a program."""
    message, domain = EmailMessage(), address.rpartition("@")[2]
    subject = question.subject if question.subject.lower().startswith("re:") else f"Re: {question.subject}"
    headers = {
        "From": address,
        "To": question.sender,
        "Subject": subject[:200],
        "Date": formatdate(),
        "Message-ID": make_msgid(domain=domain),
        "In-Reply-To": question.message_id,
        "References": " ".join([*question.references[::-1][-10:], question.message_id]),
        "Auto-Submitted": "auto-replied",
        "X-Auto-Response-Suppress": "All",
    }
    for name, value in headers.items():
        message[name] = value
    message.set_content(text)
    return message


def answer_text(answer: Answer | Receipt) -> str:
    """Return an answer as text; its receipt tells the same of it."""
    receipt = answer.receipt_id if isinstance(answer, Answer) else answer.id
    sources = "\n\n".join(map(_source, answer.citations))
    notes = "\n".join(f"({note})" for note in answer_notes(answer))
    return "\n\n".join(part for part in (answer.answer, sources, notes, f"Receipt {receipt}") if part) + "\n"


def _source(citation: Citation) -> str:
    page = f", page {citation.page_label or citation.page}" if citation.page else ""
    named = f"[{citation.n}] {' '.join((citation.title or citation.uri).split())}{page}"
    return f"{named}\n    {citation.uri}\n{indent(fill(citation.quote, 92), '    > ')}"
