"""A chat as a Markdown file: questions, answers, and the sources with their dates."""

from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime

from app.rendering import one_line
from app.texts import say
from rag_platform.core.answers import Citation
from rag_platform.journal.receipts import Receipt
from rag_platform.people.chats import Message


def chat_markdown(
    title: str,
    messages: Sequence[Message],
    receipts: Mapping[str, Receipt],
    closed: Collection[str] = (),
    now: datetime | None = None,
) -> str:
    """Return a chat as Markdown.

    Args:
        title: of the chat.
        messages: what was said, oldest first.
        receipts: of the answers, by id.
        closed: documents (doc_id) that the reader may not read: answers written from them are left out.
        now: when it is exported; None: this moment.
    """
    parts = [f"# {one_line(title)}"]
    for message in messages:
        receipt = receipts.get(message.receipt_id or "")
        if message.role == "user":
            parts.append(f"## {one_line(message.content)}")
        elif receipt and receipt.documents & set(closed):
            parts.append(f"*{say('ask-withheld-now')}*")
        else:
            parts.append(answer_markdown(message.content, receipt))
            parts += [f"*{say('ask-stopped')}*"] * message.stopped
    parts.append(f"---\n\n{say('ask-export-at', date=_day(now or datetime.now(UTC)))}")
    return "\n\n".join(parts) + "\n"


def answer_markdown(text: str, receipt: Receipt | None) -> str:
    """Return an answer with its sources, and which version and model gave it."""
    if receipt is None:
        return text
    parts = [text]
    if receipt.citations:
        listed = "\n".join(_source(citation) for citation in receipt.citations)
        parts.append(f"**{say('ask-export-sources')}**\n\n{listed}")
    facts = say(
        "ask-export-asked",
        date=_day(receipt.asked_at),
        version=receipt.version,
        model=receipt.model,
        receipt=receipt.id,
    )
    parts.append(f"*{facts}*")
    return "\n\n".join(parts)


def _source(citation: Citation) -> str:
    facts = [
        citation.uri,
        _day(citation.published_at) if citation.published_at else "",
        say("ask-export-page", page=citation.page) if citation.page else "",
    ]
    where = ", ".join(fact for fact in facts if fact)
    return f"{citation.n}. {citation.title or citation.uri} ({where}): “{one_line(citation.quote)}”"


def _day(moment: datetime) -> str:
    return f"{moment.astimezone():%Y-%m-%d %H:%M}"
