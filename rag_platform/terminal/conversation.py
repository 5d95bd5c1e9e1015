"""What was asked and answered: Markdown, folded thinking, notes."""

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
    """Links and images are shown as the text they are: following one could carry data away."""
    parser = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    return parser.disable(["image", "link", "autolink", "reference"])


class Written(Markdown):
    """Markdown that grows while it is written."""

    def __init__(self, text: str = "", **options: str) -> None:
        self.text = printable(text)
        super().__init__(self.text, parser_factory=_markdown, open_links=False, **options)
        self._growing: MarkdownStream | None = None

    async def go_on(self, text: str) -> None:
        """Show a text; where it goes on with what stands here, only the rest is drawn."""
        text = printable(text)
        if not text.startswith(self.text):
            await self.become(text)
        if piece := text.removeprefix(self.text):
            await self._add(piece)

    async def _add(self, piece: str) -> None:
        self.text += piece
        if self._growing is None:
            self._growing = Markdown.get_stream(self)
        await self._growing.write(piece)

    async def become(self, text: str) -> None:
        """Show this instead; nothing more will come of what was growing."""
        grew = self._growing is not None
        if self._growing:
            await self._growing.stop()
            self._growing = None
        if grew or printable(text) != self.text:  # tables that grow cell by cell may lack some, so draw them anew
            self.text = printable(text)
            await self.update(self.text)


class Asked(Static):
    """A question."""

    def __init__(self, question: str) -> None:
        super().__init__(printable(question), markup=False)


class Reply(Vertical, can_focus=True):
    """An answer, from its first word to its last note; while it has the focus, its sources are those shown."""

    def __init__(self, text: str = "", *, waiting: str = "", sources: Sequence[Source] = ()) -> None:
        super().__init__()
        self.sources = list(sources)
        self._draft = PartialAnswer()
        self.thoughts = Written()
        self.answer = Written(text)
        self._fold = Collapsible(self.thoughts, title="Thinking …", classes="-empty")
        self._note = Static(waiting, markup=False, classes="note")

    def compose(self) -> ComposeResult:
        """Lay out thoughts, answer and note."""
        yield self._fold
        yield self.answer
        yield self._note

    async def hear(self, piece: Piece) -> None:
        """Show a piece of the answer, or of the thoughts, which are folded."""
        self._draft.add(piece)
        self._fold.set_class(not self._draft.reasoning, "-empty")
        await self.answer.go_on(self._draft.text)
        await self.thoughts.go_on(self._draft.reasoning)

    async def end(self, text: str, note: str, *, wrong: bool = False) -> None:
        """Show the whole text, and what is to be known about it."""
        await self.answer.become(text)
        await self.thoughts.become(self.thoughts.text)
        self._fold.title = "Thinking"
        self.tell(note)
        self._note.set_class(wrong, "wrong")

    def tell(self, note: str) -> None:
        """Say something below the answer."""
        self._note.update(printable(note))

    def fold(self) -> None:
        """Fold the thoughts, or unfold them."""
        self._fold.collapsed = not self._fold.collapsed
