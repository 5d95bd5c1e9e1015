"""A stored document, opened at a passage: as it was read, whether or not its original still exists."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import Footer, Static, TextArea
from textual.widgets.text_area import Document, Selection

from rag_platform.index.catalog.catalog import StoredDocument
from rag_platform.terminal.cited_sources import Source
from rag_platform.terminal.printable import one_line, printable

CONTEXT = 50_000
"""Characters that are shown before a passage, and after it: wrapping more takes too long."""


class DocumentScreen(Screen[None]):
    """The text around a passage, which is selected."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q", "dismiss", "Back", key_display="esc")]

    def __init__(self, document: StoredDocument, source: Source) -> None:
        super().__init__()
        self._document = document
        start, end = source.span
        moved = source.revision not in (None, document.revision) or not 0 <= start < end <= len(document.text)
        self._span = None if moved else source.span
        self._first = max(0, start - CONTEXT) if self._span else 0

    def compose(self) -> ComposeResult:
        """Lay out title, facts and text."""
        last = (self._span[1] if self._span else 0) + CONTEXT
        text = printable(self._document.text[self._first : last])
        yield Static(one_line(self._document.title or self._document.uri), markup=False, id="title")
        yield Static(" · ".join(self._facts(len(text))), markup=False, id="facts")
        yield TextArea(text, read_only=True, soft_wrap=True, show_line_numbers=False, id="text")
        yield Footer(show_command_palette=False)

    def _facts(self, shown: int) -> list[str]:
        document = self._document
        facts = [one_line(fact) for fact in (document.author, document.uri) if fact]
        facts += [f"published {document.published_at:%Y-%m-%d}"] if document.published_at else []
        if shown < len(document.text):
            facts.append(f"characters {self._first:,} to {self._first + shown:,} of {len(document.text):,}")
        if self._span is None:
            facts.append("the document has changed since it was cited; the passage may have moved")
        return facts

    def on_mount(self) -> None:
        """Select the passage."""
        area = self.query_one(TextArea)
        area.focus()
        document = area.document
        if self._span and isinstance(document, Document):
            start, end = (document.get_location_from_index(edge - self._first) for edge in self._span)
            area.selection = Selection(end, start)  # the cursor, which stays visible, at its start
            self.call_after_refresh(area.scroll_cursor_visible, center=True)
