"""What every command shares: the chosen workspace, plain output, progress bars.

Every command imports this module, so heavy packages are imported where they are used.
"""

import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.text import Text

from rag_platform.core.errors import SettingsError
from rag_platform.core.plain_json import plain

if TYPE_CHECKING:
    from rich.progress import Progress

    from rag_platform.core import ports
    from rag_platform.workspace import Workspace

chosen_home: ContextVar[str | None] = ContextVar("chosen_home", default=None)

out = Console(highlight=False)
err = Console(stderr=True, highlight=False)

JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]

_elsewhere: ContextVar[tuple["Workspace", Console] | None] = ContextVar("elsewhere", default=None)
_printed: list[bool] = []
_LINE_SECONDS = 30.0
"""Between two lines about a stage where there is no terminal."""


@contextmanager
def elsewhere(opened: "Workspace", console: Console) -> Iterator[None]:
    """Have a command use an opened workspace and print to a console: it is another process's."""
    token = _elsewhere.set((opened, console))
    try:
        yield
    finally:
        _elsewhere.reset(token)


def output() -> Console:
    """Return where a command that can be done for another process prints."""
    given = _elsewhere.get()
    return given[1] if given else out


def workspace(*, required: bool = True) -> "Workspace":
    """Open the chosen workspace.

    Args:
        required: whether a folder without rag.toml is an error; else the defaults hold there, unless it was named.

    Raises:
        SettingsError: there is no workspace.
    """
    if given := _elsewhere.get():
        return given[0]
    from rag_platform.config.settings import FILE
    from rag_platform.config.settings_file import home_folder
    from rag_platform.workspace import open_workspace

    home = home_folder(chosen_home.get())
    if (required or chosen_home.get()) and not (home / FILE).is_file():
        raise SettingsError(
            f"there is no workspace in {home}: it has no {FILE}. Name another folder with --home, or make one with "
            f"`rag init {home}`"
        )
    opened = open_workspace(home)
    opened.interface = "cli"
    if opened.settings.telemetry.endpoint:
        from rag_platform.operations.observability.otlp_export import export_telemetry

        export_telemetry(opened.settings.telemetry)
    return opened


def print_error(message: str) -> None:
    """Print an error on stderr."""
    err.print(Text.assemble(("error: ", "bold red"), message), soft_wrap=True)


def print_json(document: Any) -> None:
    """Print one JSON document on stdout."""
    if given := _elsewhere.get():
        stream = given[1].file
    else:
        stream = sys.stdout
        _printed.append(True)
    json.dump(document, stream, default=plain, ensure_ascii=False, indent=2)
    stream.write("\n")


def printed_json() -> bool:
    """Return whether this process has printed its JSON document."""
    return bool(_printed)


def parse_time(option: str, value: str) -> datetime:
    """Parse a date or a time in ISO 8601; without a zone it is UTC."""
    try:
        parsed = datetime.fromisoformat(value)
    except ValueError:
        raise SettingsError(f"{option} {value!r}: expected a date such as 2026-05-31 or 2026-05-31T08:00") from None
    return parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)


@contextmanager
def progress_bars(*, show: bool = True) -> "Iterator[Callable[[str], ports.Progress]]":
    """Yield a function that starts a progress bar on stderr, with a rate and the time left; in a log, lines."""
    if show and not err.is_terminal:
        yield progress_lines
        return
    with _progress(show=show) as bars:

        def reporter(stage: str) -> "ports.Progress":
            task = bars.add_task(stage, total=None)
            return lambda done, total: bars.update(task, completed=done, total=total)

        yield reporter


def progress_lines(stage: str, clock: Callable[[], float] = time.monotonic) -> "ports.Progress":
    """Return what prints a line on stderr now and then: how much is done of a stage, the rate and the time left."""
    begun = told = clock()

    def tell(done: int, total: int | None) -> None:
        nonlocal told
        now = clock()
        if not done or now - told < _LINE_SECONDS:
            return
        told, rate = now, done / (now - begun)
        left = f" of {total:,}, {timedelta(seconds=round((total - done) / rate))} left" if total else ""
        err.print(f"{stage}: {done:,}{left}, {rate:,.1f}/s", soft_wrap=True)

    return tell


def _progress(*, show: bool) -> "Progress":
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TextColumn
    from rich.progress import TimeRemainingColumn as TimeLeft

    class Rate(ProgressColumn):
        """Items per second."""

        def render(self, task: Task) -> Text:
            return Text(f"{task.speed:,.0f}/s" if task.speed else "", style="dim")

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), Rate(), TimeLeft())
    return Progress(*columns, console=err, transient=True, disable=not show)
