"""A list to choose from: a chat, a collection, a generator."""

from collections.abc import Callable, Sequence
from typing import ClassVar, NamedTuple

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList
from textual.widgets.option_list import Option

from rag_platform.terminal.printable import one_line


class Choice(NamedTuple):
    """An entry of the list."""

    value: str | None
    label: str


class ChoiceScreen(ModalScreen[Choice | None]):
    """A list that is filtered while one types; Enter chooses the highlighted entry, Escape none."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss", "Back"),
        Binding("down", "move(1)", show=False, priority=True),
        Binding("up", "move(-1)", show=False, priority=True),
    ]

    def __init__(self, title: str, find: Callable[[str], Sequence[Choice]]) -> None:
        """`find` returns the choices that match what is typed."""
        super().__init__()
        self._title = title
        self._find = find
        self._choices: Sequence[Choice] = ()

    def compose(self) -> ComposeResult:
        """Lay out the input above the list."""
        with Vertical() as frame:
            frame.border_title = self._title
            yield Input(placeholder="type to search")
            yield OptionList(markup=False)

    def on_mount(self) -> None:
        """Show all choices."""
        self._show("")

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        self._show(event.value)

    def _show(self, words: str) -> None:
        self._choices = self._find(words)
        options = self.query_one(OptionList)
        options.clear_options()
        options.add_options(Option(one_line(choice.label)) for choice in self._choices)
        options.highlighted = 0 if self._choices else None

    def action_move(self, step: int) -> None:
        """Highlight the next entry, or the previous one."""
        options = self.query_one(OptionList)
        options.action_cursor_down() if step > 0 else options.action_cursor_up()

    @on(Input.Submitted)
    def _entered(self) -> None:
        highlighted = self.query_one(OptionList).highlighted
        if highlighted is not None:
            self.dismiss(self._choices[highlighted])

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(self._choices[event.option_index])


def filter_by_words(choices: Sequence[Choice]) -> Callable[[str], Sequence[Choice]]:
    """Return a function that filters choices by the words of a query, whatever their case."""

    def find(words: str) -> Sequence[Choice]:
        wanted = words.casefold().split()
        return [choice for choice in choices if all(word in choice.label.casefold() for word in wanted)]

    return find
