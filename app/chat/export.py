"""A chat as a Markdown file: questions, answers, and the sources with their dates."""

from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime

from app.chat.checked import judged_text
from app.chat.disagreeing import side_text
from app.collecting.showing import language_name
from app.rendering import one_line
from app.texts import say
from rag_platform.core.answers import Citation, Disagreement, JudgedClaim, Side
from rag_platform.core.hits import page_name
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
    parts = [f"**{say('ask-verdict', verdict=receipt.verdict)}**"] if receipt.verdict else []
    parts.append(text)
    parts += [_also(citation) for citation in receipt.also]
    parts += [_disagreement(one) for one in receipt.disagreements]
    if receipt.citations:
        listed = "\n".join(_source(citation) for citation in receipt.citations)
        parts.append(f"**{say('ask-export-sources')}**\n\n{listed}")
    if receipt.claims:
        listed = "\n".join(_claim(claim) for claim in receipt.claims)
        parts.append(f"**{say('ask-export-checked')}**\n\n{listed}")
    facts = say(
        "ask-export-asked",
        date=_day(receipt.asked_at),
        version=receipt.version,
        model=receipt.model,
        receipt=receipt.id,
    )
    parts.append(f"*{facts}*")
    return "\n\n".join(parts)


def _also(citation: Citation) -> str:
    language = say("ask-also-in", language=language_name(citation.language))
    return f"*{language} “{one_line(citation.quote)}” ({citation.title or citation.uri})*"


def _disagreement(one: Disagreement) -> str:
    sides: tuple[tuple[Side, Citation], ...] = (("said", one.said), ("against", one.against))
    return "\n".join(
        f"- {side_text(one, side)} “{one_line(quote.quote)}” ({quote.title or quote.uri})" for side, quote in sides
    )


def _claim(claim: JudgedClaim) -> str:
    """Return a sentence with its state; one that was taken away is struck out."""
    text = one_line(claim.text)
    marks = "".join(f" [{n}]" for n in claim.citations)
    return f"- {judged_text(claim)}: {f'~~{text}~~' if claim.span is None else text}{marks}"


def _source(citation: Citation) -> str:
    facts = [
        citation.uri,
        _day(citation.published_at) if citation.published_at else "",
        say("ask-export-page", page=page_name(citation.page, citation.page_label)) if citation.page else "",
    ]
    where = ", ".join(fact for fact in facts if fact)
    return f"{citation.n}. {citation.title or citation.uri} ({where}): “{one_line(citation.quote)}”"


def _day(moment: datetime) -> str:
    return f"{moment.astimezone():%Y-%m-%d %H:%M}"
