"""What every command shares: the chosen workspace, plain output, progress bars."""

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.text import Text

from rag_platform.core import ports
from rag_platform.core.errors import SettingsError
from rag_platform.operations.replies import plain
from rag_platform.workspace import Workspace, open_workspace

chosen_home: ContextVar[str | None] = ContextVar("chosen_home", default=None)

out = Console(highlight=False)
err = Console(stderr=True, highlight=False)

AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]


def workspace() -> Workspace:
    """Open the chosen workspace."""
    return open_workspace(chosen_home.get())


def complain(message: str) -> None:
    """Tell what went wrong."""
    err.print(Text.assemble(("error: ", "bold red"), message), soft_wrap=True)


def print_json(document: Any) -> None:
    """Print one JSON document on stdout."""
    json.dump(document, sys.stdout, default=plain, ensure_ascii=False, indent=2)
    sys.stdout.write("\n")


def moment(option: str, value: str | None) -> datetime | None:
    """Read a date or a moment; without a zone it is UTC."""
    if value is None:
        return None
    try:
        read = datetime.fromisoformat(value)
    except ValueError:
        raise SettingsError(f"{option} {value!r}: expected a date such as 2026-05-31 or 2026-05-31T08:00") from None
    return read if read.tzinfo else read.replace(tzinfo=UTC)


class _Rate(ProgressColumn):
    """Items a second."""

    def render(self, task: Task) -> Text:
        return Text(f"{task.speed:,.0f}/s" if task.speed else "", style="dim")


@contextmanager
def progress_bars(*, show: bool = True) -> Iterator[Callable[[str], ports.Progress]]:
    """Give a maker of progress bars, each with a rate and the time left, on stderr."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), _Rate(), TimeRemainingColumn())
    with Progress(*columns, console=err, transient=True, disable=not show) as bars:

        def reporter(stage: str) -> ports.Progress:
            task = bars.add_task(stage, total=None)
            return lambda done, total: bars.update(task, completed=done, total=total)

        yield reporter
