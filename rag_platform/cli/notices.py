"""What is not live and why, as the terminal shows it: the sentences of `operations.status.release_status`."""

from rich.text import Text

from rag_platform.cli.console import out
from rag_platform.operations.status.release_status import Notice, ReleaseStatus
from rag_platform.validation.change_report import Example

_STYLES = {"refused": "bold red", "held": "bold yellow", "rollback": "bold yellow"}
_SHOWN = 240
"""Characters of each side of an example."""


def show_notices(status: ReleaseStatus) -> None:
    """Print each matter with what can be done about it; nothing where nothing is kept out."""
    for notice in status.notices:
        out.print(Text(notice.said, style=_STYLES.get(notice.kind, "yellow")), soft_wrap=True)
        for action in notice.actions:
            out.print(Text.assemble("  ", f"{action.said}: ", (action.command, "bold")), soft_wrap=True)


def show_in_full(status: ReleaseStatus) -> None:
    """Print also the further reasons of each matter, and its examples side by side."""
    out.print(Text(f"{status.live} is live." if status.live else "Nothing is published yet.", style="bold"))
    for notice in status.notices:
        show_notices(ReleaseStatus(status.live, status.candidate, (notice,)))
        _show_reasons(notice)
        for example in notice.examples:
            show_example(example)


def _show_reasons(notice: Notice) -> None:
    for reason in notice.details:
        out.print(Text(f"  {reason}"), soft_wrap=True)


def show_example(example: Example) -> None:
    """Print a document as it was and as it is."""
    out.print(Text(f"  {example.uri}", style="dim"), soft_wrap=True)
    for name, text in (("was", example.before or "–"), ("is", example.after or "–")):
        shown = " ".join(text.split())
        cut = f"{shown[:_SHOWN]}…" if len(shown) > _SHOWN else shown
        out.print(Text(f"    {name:<4}{cut}"), soft_wrap=True)
