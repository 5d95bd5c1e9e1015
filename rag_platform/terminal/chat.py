"""The screen of the chat: the conversation, the sources beside it, and the input line."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.events import DescendantFocus, Paste
from textual.screen import Screen
from textual.widgets import Footer, Input, OptionList, Static

from rag_platform.core.answers import Answer
from rag_platform.core.errors import RagError
from rag_platform.core.generation import Reasoning, Retracted
from rag_platform.journal.answer_notes import HOW_TO_ADD, answer_notes, searched_in_words, states_in_words
from rag_platform.operations.asking.chat_turns import ShownMessage
from rag_platform.retrieval.results import SearchResult
from rag_platform.terminal.choosing import Choice, ChoiceScreen, filter_by_words
from rag_platform.terminal.cited_sources import SourceList, sources_of_answer, sources_of_hits, sources_of_receipt
from rag_platform.terminal.conversation import Question, Reply
from rag_platform.terminal.document import DocumentScreen
from rag_platform.terminal.printable import one_line
from rag_platform.terminal.question_worker import Failed, QuestionWorker, WorkerEvent
from rag_platform.terminal.session import Session

WELCOME = (
    "Ask your documents. Every sentence of an answer cites its passage; when the documents do not contain an "
    "answer, it says so."
)
ALL = "all collections"
WITHHELD = "This answer rests on documents that you may no longer read, so it is not shown any more."
STOPPED = "Stopped. This text was not verified and is not stored."


class QuestionInput(Input):
    """The input line; pasted lines are joined."""

    def on_paste(self, event: Paste) -> None:
        """Insert all lines, not only the first."""
        event.prevent_default()
        event.stop()
        self.insert_text_at_cursor(one_line(event.text))


class ChatScreen(Screen[None]):
    """A chat over one workspace."""

    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-wide")]  # noqa: RUF012  Textual's own type is not a ClassVar
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+n", "new", "New", priority=True),
        Binding("ctrl+o", "chats", "Chats", priority=True),
        Binding("ctrl+g", "generator", "Model", priority=True),
        Binding("ctrl+l", "collection", "Collection", priority=True),
        Binding("ctrl+r", "prompt", "Prompt", priority=True),
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
        self._worker: QuestionWorker | None = None
        self._reply: Reply | None = None
        """The answer that is being written, or was selected last."""

    def compose(self) -> ComposeResult:
        """Lay out the conversation, the sources beside it, and the input line."""
        yield Static(id="state", markup=False)
        with Horizontal(id="main"):
            with Vertical():
                with VerticalScroll(id="conversation", can_focus=False):
                    yield Vertical(Static(WELCOME, classes="welcome"), id="messages")
                yield QuestionInput(placeholder="Ask a question", id="question")
            yield SourceList()
        yield Footer(show_command_palette=False, compact=True)

    def on_mount(self) -> None:
        """Show the state and focus the input line."""
        self._show_state()
        self.query_one("#conversation").anchor()
        self.query_one(QuestionInput).cursor_blink = False  # over ssh each blink is traffic
        self.query_one(QuestionInput).focus()

    # --- questions -------------------------------------------------------------------------------------

    @on(Input.Submitted, "#question")
    async def _ask(self, event: Input.Submitted) -> None:
        question = " ".join(event.value.split())
        if not question or self._worker:
            return
        event.input.clear()
        await self._add(Question(question), reply := Reply(note="Searching … Esc stops it."))
        self._reply = reply
        self.query_one(SourceList).show([])
        try:
            self._worker = QuestionWorker(self.session.ask(question), self.post_message)
            self.session.record_question(question)
            self._worker.start()
        except RagError as error:
            await self._fail(reply, str(error))

    async def on_worker_event(self, message: WorkerEvent) -> None:
        """Show an event of the question, unless that was stopped."""
        reply = self._reply
        if message.worker is not self._worker or reply is None:
            return
        match message.event:
            case SearchResult() as found:
                reply.show_note(f"Reading the passages found for “{one_line(found.question)}” … Esc stops it.")
                reply.sources += sources_of_hits(found.hits)
                self.query_one(SourceList).show(reply.sources, "Found")
            case Reasoning() | Retracted() | str() as piece:
                await reply.add_piece(piece)
            case Answer() as answer:
                await self._finish(reply, answer)
            case Failed(reason):
                await self._fail(reply, reason)

    async def _fail(self, reply: Reply, reason: str) -> None:
        self._worker = None
        await reply.finish(reply.answer.text, f"This did not work: {reason}", wrong=True)

    async def _finish(self, reply: Reply, answer: Answer) -> None:
        self._worker = None
        reply.sources = sources_of_answer(answer)
        await reply.finish(answer.answer, _answer_note(answer))
        self._show_sources(reply)
        with self._errors_shown():
            self.session.record_answer(answer)

    async def action_stop(self) -> None:
        """Stop the answer that is being written, if any, and focus the input line."""
        if self._worker and self._reply:
            self._worker.stop()
            self._worker = None
            await self._reply.finish(self._reply.answer.text, STOPPED, wrong=True)
        self.query_one(QuestionInput).focus()

    async def action_stop_or_quit(self) -> None:
        """Stop the answer that is being written, else quit."""
        if self._worker:
            await self.action_stop()
        else:
            self.app.exit()

    # --- chats -----------------------------------------------------------------------------------------

    async def action_new(self) -> None:
        """Start a new chat."""
        await self._open(None)

    def action_chats(self) -> None:
        """Open an earlier chat."""

        def find(words: str) -> list[Choice]:
            with self._errors_shown():
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
        with self._errors_shown():
            messages = self.session.open(chat)
            await self.query_one("#messages").remove_children()
            self._reply = None
            self.query_one(SourceList).show([])
            await self._add(*map(_widget_of, messages) if chat else (Static(WELCOME, classes="welcome"),))
            for reply in list(self.query(Reply))[-1:]:
                self._show_sources(reply)

    # --- generator and collection ----------------------------------------------------------------------

    def action_generator(self) -> None:
        """Choose the generator."""

        def chosen(choice: Choice | None) -> None:
            if choice and choice.value:
                self.session.choose_generator(choice.value)
                self._show_state()

        names = self.session.generators
        self.app.push_screen(ChoiceScreen("Model", filter_by_words([Choice(name, name) for name in names])), chosen)

    def action_prompt(self) -> None:
        """Choose the saved prompt by which answers are written."""

        def chosen(choice: Choice | None) -> None:
            if choice:
                self.session.prompt = choice.value
                self._show_state()

        with self._errors_shown():
            choices = [Choice(None, "No prompt"), *(Choice(name, name) for name in self.session.prompts)]
            self.app.push_screen(ChoiceScreen("Prompt", filter_by_words(choices)), chosen)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002  as Textual asks
        """Offer prompts where some are saved."""
        return action != "prompt" or bool(self.session.workspace.settings.prompts)

    def action_collection(self) -> None:
        """Choose the collection that is searched."""

        def chosen(choice: Choice | None) -> None:
            if choice:
                self.session.filter_collection(choice.value)
                self._show_state()

        with self._errors_shown():
            choices = [Choice(None, ALL), *(Choice(name, name) for name in self.session.collections)]
            self.app.push_screen(ChoiceScreen("Collection", filter_by_words(choices)), chosen)

    # --- sources and answers ---------------------------------------------------------------------------

    @on(OptionList.OptionSelected, "#sources")
    def _open_source(self) -> None:
        source = self.query_one(SourceList).selected()
        with self._errors_shown():
            document = self.session.document(source) if source else None
            if source and document:
                self.app.push_screen(DocumentScreen(document, source))
            else:
                self.notify("This document was removed, or you may not read it.", severity="warning")

    def on_descendant_focus(self, event: DescendantFocus) -> None:
        """Show the sources of the answer that has the focus."""
        if isinstance(event.widget, Reply) and not self._worker:
            self._show_sources(event.widget)

    def _show_sources(self, reply: Reply) -> None:
        self._reply = reply
        cited = any(source.n for source in reply.sources)
        self.query_one(SourceList).show(reply.sources, "Sources" if cited or not reply.sources else "The closest")

    def action_sources(self) -> None:
        """Focus the sources."""
        self.query_one(SourceList).focus()

    def action_thinking(self) -> None:
        """Collapse or expand the model's reasoning."""
        if self._reply:
            self._reply.toggle_reasoning()

    def action_copy(self) -> None:
        """Copy the answer, through the terminal (OSC 52), so that it works over ssh too."""
        if self._reply and self._reply.answer.text:
            self.app.copy_to_clipboard(self._reply.answer.text)
            self.notify("The answer was copied.", markup=False)

    def action_page(self, step: int) -> None:
        """Scroll the conversation by a page."""
        conversation = self.query_one("#conversation")
        conversation.scroll_page_down() if step > 0 else conversation.scroll_page_up()

    # --- messages and notifications --------------------------------------------------------------------

    async def _add(self, *widgets: Static | Reply) -> None:
        place = self.query_one("#messages")
        await place.query(".welcome").remove()
        await place.mount_all(widgets)
        self.query_one("#conversation").anchor()

    def _show_state(self) -> None:
        collections, generator = ", ".join(self.session.filters.collections) or ALL, self.session.generator
        self.query_one("#state", Static).update(
            one_line(" · ".join(filter(None, (collections, self.session.prompt, generator, self.session.version))))
        )

    @contextmanager
    def _errors_shown(self) -> Iterator[None]:
        """Show an error as a notification."""
        try:
            yield
        except RagError as error:
            self.notify(one_line(str(error)), severity="error", timeout=10, markup=False)


def _widget_of(shown: ShownMessage) -> Question | Reply:
    message, receipt = shown.message, shown.receipt
    if shown.withheld:
        return Reply(note=WITHHELD)
    if message.role == "user":
        return Question(message.content)
    if receipt is None:
        return Reply(message.content)
    told = (states_in_words(receipt.claims), receipt.model, f"receipt {receipt.id}")
    note = "\n".join([*(f"note: {note}" for note in answer_notes(receipt)), " · ".join(filter(None, told))])
    return Reply(message.content, note=note, sources=sources_of_receipt(receipt))


def _answer_note(answer: Answer) -> str:
    """Return what is to be known of an answer, its queries, states, generator, time and receipt."""
    seconds = answer.took_ms.get("total", 0) / 1000
    lines = [f"note: {note}" for note in answer_notes(answer)]
    if answer.abstained or (answer.queries and answer.queries != (answer.question,)):
        lines.append(searched_in_words(answer))
    lines += [HOW_TO_ADD] * answer.abstained
    told = (states_in_words(answer.claims), answer.model, f"{seconds:.1f} s", f"receipt {answer.receipt_id}")
    return "\n".join([*lines, " · ".join(filter(None, told))])
