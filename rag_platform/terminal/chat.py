"""The screen that holds it all together: the conversation, the sources beside it, and the line to ask in."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.events import DescendantFocus, Paste
from textual.screen import Screen
from textual.widgets import Footer, Input, OptionList, Static

from rag_platform.core.answers import Answer
from rag_platform.core.errors import RagError
from rag_platform.core.generation import Reasoning, Retracted
from rag_platform.journal.receipts import Receipt
from rag_platform.people.chats import Message
from rag_platform.retrieval.results import SearchResult
from rag_platform.terminal.choosing import Choice, ChoiceScreen, among
from rag_platform.terminal.cited_sources import SourceList, sources_of_answer, sources_of_hits, sources_of_receipt
from rag_platform.terminal.conversation import Asked, Reply
from rag_platform.terminal.document import DocumentScreen
from rag_platform.terminal.printable import one_line
from rag_platform.terminal.question_worker import Asking, Came, Failed
from rag_platform.terminal.session import Session

WELCOME = (
    "Ask your documents. Every sentence of an answer leads to the passage it rests on; when the documents do not say, "
    "the answer says so."
)
ALL = "all collections"
STOPPED = "Stopped. What stands here was not verified, and is not kept."


class QuestionLine(Input):
    """Where one asks; lines that are pasted become one."""

    def on_paste(self, event: Paste) -> None:
        """Take all lines, not only the first."""
        event.prevent_default()
        event.stop()
        self.insert_text_at_cursor(one_line(event.text))


class ChatScreen(Screen[None]):
    """A chat over one workspace."""

    HORIZONTAL_BREAKPOINTS: ClassVar = [(0, "-narrow"), (100, "-wide")]
    BINDINGS: ClassVar = [
        Binding("ctrl+n", "new", "New", priority=True),
        Binding("ctrl+o", "chats", "Chats", priority=True),
        Binding("ctrl+g", "generator", "Model", priority=True),
        Binding("ctrl+l", "collection", "Collection", priority=True),
        Binding("ctrl+s", "sources", "Sources", priority=True),
        Binding("ctrl+t", "thinking", "Thinking", priority=True),
        Binding("ctrl+y", "copy", "Copy", priority=True),
        Binding("ctrl+q", "app.quit", "Quit", priority=True),
        Binding("ctrl+c", "stop_or_quit", show=False, priority=True),
        Binding("escape", "stop", show=False),
        Binding("pageup", "page(-1)", show=False),
        Binding("pagedown", "page(1)", show=False),
    ]

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self._asking: Asking | None = None
        self._reply: Reply | None = None
        """The answer that is written, or was looked at last."""

    def compose(self) -> ComposeResult:
        """Lay out the conversation, the sources beside it, and the line to ask in."""
        yield Static(id="state", markup=False)
        with Horizontal(id="main"):
            with Vertical():
                with VerticalScroll(id="conversation", can_focus=False):
                    yield Vertical(Static(WELCOME, classes="welcome"), id="said")
                yield QuestionLine(placeholder="Ask a question", id="question")
            yield SourceList()
        yield Footer(show_command_palette=False, compact=True)

    def on_mount(self) -> None:
        """Wait for a question."""
        self._show_state()
        self.query_one("#conversation").anchor()
        self.query_one(QuestionLine).cursor_blink = False  # over ssh each blink is traffic
        self.query_one(QuestionLine).focus()

    # --- asking ----------------------------------------------------------------------------------------

    @on(Input.Submitted, "#question")
    async def _ask(self, event: Input.Submitted) -> None:
        question = " ".join(event.value.split())
        if not question or self._asking:
            return
        event.input.clear()
        await self._add(Asked(question), reply := Reply(waiting="Searching … Esc stops it."))
        self._reply = reply
        self.query_one(SourceList).show([])
        try:
            self._asking = Asking(self.session.ask(question), self.post_message)
            self.session.asked(question)
            self._asking.start()
        except RagError as error:
            await self._fail(reply, str(error))

    async def on_came(self, message: Came) -> None:
        """Show what came of the question, unless it was stopped."""
        reply = self._reply
        if message.asking is not self._asking or reply is None:
            return
        match message.event:
            case SearchResult() as found:
                reply.tell(f"Reading what was found for “{one_line(found.question)}” … Esc stops it.")
                reply.sources += sources_of_hits(found.hits)
                self.query_one(SourceList).show(reply.sources, "Found")
            case Reasoning() | Retracted() | str() as piece:
                await reply.hear(piece)
            case Answer() as answer:
                await self._finish(reply, answer)
            case Failed(reason):
                await self._fail(reply, reason)

    async def _fail(self, reply: Reply, reason: str) -> None:
        self._asking = None
        await reply.end(reply.answer.text, f"This did not work: {reason}", wrong=True)

    async def _finish(self, reply: Reply, answer: Answer) -> None:
        self._asking = None
        reply.sources = sources_of_answer(answer)
        await reply.end(answer.answer, _told(answer))
        self._show_sources(reply)
        with self._telling():
            self.session.answered(answer)

    async def action_stop(self) -> None:
        """Stop the answer that is being written; else go back to the line to ask in."""
        if self._asking and self._reply:
            self._asking.stop()
            self._asking = None
            await self._reply.end(self._reply.answer.text, STOPPED, wrong=True)
        self.query_one(QuestionLine).focus()

    async def action_stop_or_quit(self) -> None:
        """Do what Ctrl-C does elsewhere."""
        if self._asking:
            await self.action_stop()
        else:
            self.app.exit()

    # --- chats -----------------------------------------------------------------------------------------

    async def action_new(self) -> None:
        """Begin a new chat."""
        await self._open(None)

    def action_chats(self) -> None:
        """Open an earlier chat."""

        def find(words: str) -> list[Choice]:
            with self._telling():
                return [
                    Choice(chat.id, f"{chat.created_at.astimezone():%Y-%m-%d %H:%M}  {chat.title}")
                    for chat in self.session.chats(words)
                ]
            return []

        async def opened(choice: Choice | None) -> None:
            if choice:
                await self._open(choice.value)

        self.app.push_screen(ChoiceScreen("Chats", find), opened)

    async def _open(self, chat: str | None) -> None:
        await self.action_stop()
        with self._telling():
            said = self.session.open(chat)
            await self.query_one("#said").remove_children()
            self._reply = None
            self.query_one(SourceList).show([])
            await self._add(*(_shown(*one) for one in said) if chat else (Static(WELCOME, classes="welcome"),))
            for reply in list(self.query(Reply))[-1:]:
                self._show_sources(reply)

    # --- what is asked, and by what it is answered -----------------------------------------------------

    def action_generator(self) -> None:
        """Choose what writes the answers."""

        def chosen(choice: Choice | None) -> None:
            if choice and choice.value:
                self.session.generator = choice.value
                self._show_state()

        names = self.session.generators
        self.app.push_screen(ChoiceScreen("Model", among([Choice(name, name) for name in names])), chosen)

    def action_collection(self) -> None:
        """Choose the collection that is asked."""

        def chosen(choice: Choice | None) -> None:
            if choice:
                self.session.narrow(choice.value)
                self._show_state()

        with self._telling():
            choices = [Choice(None, ALL), *(Choice(name, name) for name in self.session.collections)]
            self.app.push_screen(ChoiceScreen("Collection", among(choices)), chosen)

    # --- sources and answers ---------------------------------------------------------------------------

    @on(OptionList.OptionSelected, "#sources")
    def _open_source(self) -> None:
        source = self.query_one(SourceList).chosen()
        with self._telling():
            document = self.session.document(source) if source else None
            if source and document:
                self.app.push_screen(DocumentScreen(document, source))
            else:
                self.notify("This document is not here any more, or you may not read it.", severity="warning")

    def on_descendant_focus(self, event: DescendantFocus) -> None:
        """Show the sources of the answer that has the focus."""
        if isinstance(event.widget, Reply) and not self._asking:
            self._show_sources(event.widget)

    def _show_sources(self, reply: Reply) -> None:
        self._reply = reply
        cited = any(source.n for source in reply.sources)
        self.query_one(SourceList).show(reply.sources, "Sources" if cited or not reply.sources else "The closest")

    def action_sources(self) -> None:
        """Go to the sources."""
        self.query_one(SourceList).focus()

    def action_thinking(self) -> None:
        """Fold or unfold what the model thought."""
        if self._reply:
            self._reply.fold()

    def action_copy(self) -> None:
        """Copy the answer, through the terminal (OSC 52), so that it works over ssh too."""
        if self._reply and self._reply.answer.text:
            self.app.copy_to_clipboard(self._reply.answer.text)
            self.notify("The answer was copied.", markup=False)

    def action_page(self, step: int) -> None:
        """Scroll the conversation by a page."""
        conversation = self.query_one("#conversation")
        conversation.scroll_page_down() if step > 0 else conversation.scroll_page_up()

    # --- what is told ----------------------------------------------------------------------------------

    async def _add(self, *widgets: Static | Reply) -> None:
        place = self.query_one("#said")
        await place.query(".welcome").remove()
        await place.mount_all(widgets)
        self.query_one("#conversation").anchor()

    def _show_state(self) -> None:
        collections = ", ".join(self.session.filters.collections) or ALL
        self.query_one("#state", Static).update(
            one_line(f"{collections} · {self.session.generator} · {self.session.version}")
        )

    @contextmanager
    def _telling(self) -> Iterator[None]:
        """Tell an error in a line."""
        try:
            yield
        except RagError as error:
            self._complain(error)

    def _complain(self, error: RagError) -> None:
        self.notify(one_line(str(error)), severity="error", timeout=10, markup=False)


def _shown(message: Message, receipt: Receipt | None) -> Asked | Reply:
    if message.role == "user":
        return Asked(message.content)
    note = "" if receipt is None else f"{receipt.model} · receipt {receipt.id}"
    return Reply(message.content, waiting=note, sources=sources_of_receipt(receipt) if receipt else ())


def _told(answer: Answer) -> str:
    """Say what is to be known about an answer."""
    seconds = answer.took_ms.get("total", 0) / 1000
    lines = [f"note: {warning}" for warning in answer.warnings]
    if answer.queries and answer.queries != (answer.question,):
        lines.append("searched for: " + " · ".join(answer.queries))
    return "\n".join([*lines, f"{answer.model} · {seconds:.1f} s · receipt {answer.receipt_id}"])
