"""Questions and answers: Markdown, collapsed reasoning, notes."""

from collections.abc import Sequence

from markdown_it import MarkdownIt
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Collapsible, Markdown, Static
from textual.widgets.markdown import MarkdownStream

from rag_platform.core.generation import PartialAnswer, Piece
from rag_platform.terminal.cited_sources import Source
from rag_platform.terminal.printable import printable


def _markdown() -> MarkdownIt:
    """Return a parser that leaves links and images as text: following one could leak data."""
    parser = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    return parser.disable(["image", "link", "autolink", "reference"])


class StreamedMarkdown(Markdown):
    """Markdown that is displayed while it is streamed."""

    def __init__(self, text: str = "", **options: str) -> None:
        self.text = printable(text)
        super().__init__(self.text, parser_factory=_markdown, open_links=False, **options)
        self._markdown_stream: MarkdownStream | None = None

    async def extend(self, text: str) -> None:
        """Show a text; where it continues the present one, only the rest is rendered."""
        text = printable(text)
        if not text.startswith(self.text):
            await self.replace(text)
        if piece := text.removeprefix(self.text):
            await self._append(piece)

    async def _append(self, piece: str) -> None:
        self.text += piece
        if self._markdown_stream is None:
            self._markdown_stream = Markdown.get_stream(self)
        await self._markdown_stream.write(piece)

    async def replace(self, text: str) -> None:
        """Show this text instead, and end the stream."""
        streamed = self._markdown_stream is not None
        if self._markdown_stream:
            await self._markdown_stream.stop()
            self._markdown_stream = None
        if streamed or printable(text) != self.text:  # a streamed table may lack cells, so it is rendered again
            self.text = printable(text)
            await self.update(self.text)


class Question(Static):
    """A question."""

    def __init__(self, question: str) -> None:
        super().__init__(printable(question), markup=False)


class Reply(Vertical, can_focus=True):
    """An answer with its reasoning and its note; while it has the focus, its sources are shown."""

    def __init__(self, text: str = "", *, note: str = "", sources: Sequence[Source] = ()) -> None:
        super().__init__()
        self.sources = list(sources)
        self._partial = PartialAnswer()
        self.reasoning = StreamedMarkdown()
        self.answer = StreamedMarkdown(text)
        self._collapsible = Collapsible(self.reasoning, title="Thinking …", classes="-empty")
        self._note = Static(note, markup=False, classes="note")

    def compose(self) -> ComposeResult:
        """Lay out reasoning, answer and note."""
        yield self._collapsible
        yield self.answer
        yield self._note

    async def add_piece(self, piece: Piece) -> None:
        """Show a piece of the answer, or of the reasoning, which is collapsed."""
        self._partial.add(piece)
        self._collapsible.set_class(not self._partial.reasoning, "-empty")
        await self.answer.extend(self._partial.text)
        await self.reasoning.extend(self._partial.reasoning)

    async def finish(self, text: str, note: str, *, wrong: bool = False) -> None:
        """Show the whole text with its note; `wrong` marks an answer that failed or was stopped."""
        await self.answer.replace(text)
        await self.reasoning.replace(self.reasoning.text)
        self._collapsible.title = "Thinking"
        self.show_note(note)
        self._note.set_class(wrong, "wrong")

    def show_note(self, note: str) -> None:
        """Show a note below the answer."""
        self._note.update(printable(note))

    def toggle_reasoning(self) -> None:
        """Collapse or expand the reasoning."""
        self._collapsible.collapsed = not self._collapsible.collapsed
