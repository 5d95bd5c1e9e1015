"""A chat as a file of Word: questions as headings, answers with their sources as footnotes."""

import re
from collections.abc import Iterator, Mapping, Sequence

from rag_platform.answering.citations.marks import MARKER, numbers_of
from rag_platform.core.answers import Citation
from rag_platform.core.hits import page_name
from rag_platform.operations.asking.chat_turns import ShownMessage
from rag_platform.operations.exporting.word_file import Bold, Footnote, Paragraph, word_file
from rag_platform.workspace import Workspace

WORDS = {
    "withheld": "This answer rests on a document that you may not read, and is not shown.",
    "stopped": "This answer was stopped before it was whole.",
    "facts": "Answered {date} from version {version} by {model}, receipt {receipt}.",
    "page": "page {page}",
}
"""What the file says besides the chat; the page gives these in the reader's language."""
_BOLD = re.compile(r"\*\*(.+?)\*\*")


def chat_word(title: str, said: Sequence[ShownMessage], words: Mapping[str, str] = WORDS) -> bytes:
    """Return a chat as a .docx, without the answers that its reader may not read.

    Args:
        title: of the chat.
        said: its messages, as of `chat_messages`.
        words: as `WORDS`.
    """
    return word_file([Paragraph("Title", (title,)), *(part for one in said for part in _message(one, words))])


def record_export(workspace: Workspace, said: Sequence[ShownMessage], principals: Sequence[str], who: str) -> None:
    """Record for the audit which documents' quotes somebody takes away."""
    receipts = [one.receipt for one in said if one.receipt and not one.withheld]
    cited = {citation.doc_id for receipt in receipts for citation in receipt.citations}
    shown = {"hits": [{"doc_id": doc_id} for doc_id in sorted(cited)]}
    workspace.audit.record("export", who, principals, shown=shown)


def _message(shown: ShownMessage, words: Mapping[str, str]) -> Iterator[Paragraph]:
    message, receipt = shown.message, shown.receipt
    if message.role == "user":
        yield Paragraph("Heading2", (" ".join(message.content.split()),))
        return
    if shown.withheld:
        yield Paragraph("Note", (words["withheld"],))
        return
    sources = {one.n: _source(one, words) for one in receipt.citations} if receipt else {}
    for line in filter(str.strip, message.content.splitlines()):
        quoted = line.startswith(">")
        text = line[1:].lstrip() if quoted else line
        yield Paragraph("Quote" if quoted else "Normal", tuple(_parts(text, sources)))
    if message.stopped:
        yield Paragraph("Note", (words["stopped"],))
    if receipt:
        about = {"version": receipt.version, "model": receipt.model, "receipt": receipt.id}
        facts = words["facts"].format(date=f"{receipt.asked_at.astimezone():%Y-%m-%d %H:%M}", **about)
        yield Paragraph("Note", (facts,))


def _parts(text: str, sources: Mapping[int, str]) -> Iterator[str | Bold | Footnote]:
    """Yield a line in pieces: each mark of a source as a footnote, what has none as it is written."""
    at = 0
    for mark in MARKER.finditer(text):
        found = [sources[number] for number in numbers_of(mark[1]) if number in sources]
        if found:
            yield from _runs(text[at : mark.start()])
            yield from map(Footnote, found)
            at = mark.end()
    yield from _runs(text[at:])


def _runs(text: str) -> Iterator[str | Bold]:
    for place, piece in enumerate(_BOLD.split(text)):
        if piece:
            yield Bold(piece) if place % 2 else piece


def _source(one: Citation, words: Mapping[str, str]) -> str:
    page = page_name(one.page, one.page_label)
    when = f"{one.published_at:%Y-%m-%d}" if one.published_at else ""
    where = ", ".join(filter(None, (one.uri, when, words["page"].format(page=page) if page else "")))
    return f"{one.title or one.uri} ({where}): “{' '.join(one.quote.split())}”"
