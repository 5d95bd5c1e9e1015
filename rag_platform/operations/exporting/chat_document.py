"""A chat as a file of Word: questions as headings, answers with their sources as footnotes."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from rag_platform.core.answers import Citation
from rag_platform.core.hits import page_name
from rag_platform.journal.receipts import Receipt
from rag_platform.operations.asking.chat_turns import ShownMessage
from rag_platform.operations.exporting.answer_blocks import answer_blocks
from rag_platform.operations.exporting.word_file import Grid, Paragraph, word_file
from rag_platform.provenance.cited_text import CitedParts
from rag_platform.workspace import Workspace

WORDS = {
    "withheld": "This answer rests on a document that you may not read, and is not shown.",
    "stopped": "This answer was stopped before it was whole.",
    "facts": "Answered {date} from version {version} by {model}, receipt {receipt}.",
    "page": "page {page}",
}
"""What the file says besides the chat; the page gives these in the reader's language."""


Quoted = Callable[[Receipt], CitedParts]
"""What an answer quotes that is more than words."""


def chat_word(
    title: str,
    said: Sequence[ShownMessage],
    words: Mapping[str, str] = WORDS,
    quoted: Quoted = lambda _: CitedParts(),
) -> bytes:
    """Return a chat as a .docx, without the answers that its reader may not read.

    Args:
        title: of the chat.
        said: its messages, as of `chat_messages`.
        words: as `WORDS`.
        quoted: `cited_parts` for its reader; else quotes of tables and code are quotes like others.
    """
    return word_file([Paragraph("Title", (title,)), *(part for one in said for part in _message(one, words, quoted))])


def record_export(workspace: Workspace, said: Sequence[ShownMessage], principals: Sequence[str], who: str) -> None:
    """Record for the audit which documents' quotes somebody takes away."""
    receipts = [one.receipt for one in said if one.receipt and not one.withheld]
    cited = {citation.doc_id for receipt in receipts for citation in receipt.citations}
    shown = {"hits": [{"doc_id": doc_id} for doc_id in sorted(cited)]}
    workspace.audit.record("export", who, principals, shown=shown)


def _message(shown: ShownMessage, words: Mapping[str, str], quoted: Quoted) -> Iterator[Paragraph | Grid]:
    message, receipt = shown.message, shown.receipt
    if message.role == "user":
        yield Paragraph("Heading2", (" ".join(message.content.split()),))
        return
    if shown.withheld:
        yield Paragraph("Note", (words["withheld"],))
        return
    sources = {one.n: _source(one, words) for one in receipt.citations} if receipt else {}
    yield from answer_blocks(message.content, sources, quoted(receipt) if receipt else CitedParts())
    if message.stopped:
        yield Paragraph("Note", (words["stopped"],))
    if receipt:
        about = {"version": receipt.version, "model": receipt.model, "receipt": receipt.id}
        facts = words["facts"].format(date=f"{receipt.asked_at.astimezone():%Y-%m-%d %H:%M}", **about)
        yield Paragraph("Note", (facts,))


def _source(one: Citation, words: Mapping[str, str]) -> str:
    page = page_name(one.page, one.page_label)
    when = f"{one.published_at:%Y-%m-%d}" if one.published_at else ""
    where = ", ".join(filter(None, (one.uri, when, words["page"].format(page=page) if page else "")))
    return f"{one.title or one.uri} ({where}): “{' '.join(one.quote.split())}”"
