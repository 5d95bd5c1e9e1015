"""One of many: a chat, a collection, a generator."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList
from textual.widgets.option_list import Option

from rag_platform.terminal.printable import one_line


class Choice(NamedTuple):
    """Something to choose."""

    value: str | None
    shown: str


class ChoiceScreen(ModalScreen[Choice | None]):
    """A list that shrinks while one types; Enter takes the marked one, Escape none."""

    BINDINGS = (
        Binding("escape", "dismiss", "Back"),
        Binding("down", "move(1)", show=False, priority=True),
        Binding("up", "move(-1)", show=False, priority=True),
    )

    def __init__(self, title: str, find: Callable[[str], Sequence[Choice]]) -> None:
        """`find` returns what fits the words typed so far."""
        super().__init__()
        self._title = title
        self._find = find
        self._choices: Sequence[Choice] = ()

    def compose(self) -> ComposeResult:
        """Lay out what is typed above what fits."""
        with Vertical() as frame:
            frame.border_title = self._title
            yield Input(placeholder="type to search")
            yield OptionList(markup=False)

    def on_mount(self) -> None:
        """Show everything."""
        self._show("")

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        self._show(event.value)

    def _show(self, words: str) -> None:
        self._choices = self._find(words)
        options = self.query_one(OptionList)
        options.clear_options()
        options.add_options(Option(one_line(choice.shown)) for choice in self._choices)
        options.highlighted = 0 if self._choices else None

    def action_move(self, step: int) -> None:
        """Mark the next one, or the one before."""
        options = self.query_one(OptionList)
        options.action_cursor_down() if step > 0 else options.action_cursor_up()

    @on(Input.Submitted)
    def _entered(self) -> None:
        marked = self.query_one(OptionList).highlighted
        if marked is not None:
            self.dismiss(self._choices[marked])

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(self._choices[event.option_index])


def among(choices: Sequence[Choice]) -> Callable[[str], Sequence[Choice]]:
    """Return what finds choices by words, whatever their case."""

    def find(words: str) -> Sequence[Choice]:
        wanted = words.casefold().split()
        return [choice for choice in choices if all(word in choice.shown.casefold() for word in wanted)]

    return find
