"""`rag index shadow` and `rag index canary`: a version on trial beside the live one."""

from typing import Annotated

import typer
from rich.text import Text

from rag_platform.cli.console import JsonOption, out, print_json, workspace
from rag_platform.core.errors import SettingsError
from rag_platform.trials.trial_records import Kind
from rag_platform.trials.trial_report import in_words, trial_reports

_NAMES = 'an id, its beginning, its number, "live" or "candidate"'
Version = Annotated[str | None, typer.Argument(metavar="[V]", help=f"{_NAMES}; default: show what was tried.")]
Stop = Annotated[bool, typer.Option("--stop", help="End the trial.")]


def shadow(version: Version = None, stop: Stop = False, as_json: JsonOption = False) -> None:
    """Let a version answer what people ask, unseen, and compare; without V, show what that showed."""
    _try("shadow", version, 0.0, stop=stop, as_json=as_json)


def canary(
    version: Version = None,
    share: Annotated[float, typer.Option("--share", min=0, max=1, help="Of the sessions: 0.05 is 5 %.")] = 0.05,
    stop: Stop = False,
    as_json: JsonOption = False,
) -> None:
    """Answer a share of the sessions from a version that passed the gate; without V, show how they fared."""
    _try("canary", version, share, stop=stop, as_json=as_json)


def _try(kind: Kind, version: str | None, share: float, *, stop: bool, as_json: bool) -> None:
    opened = workspace()
    if stop and version:
        raise SettingsError(f"{version!r} and --stop: expected one of them; --stop ends the {kind} that there is")
    if stop:
        opened.trials.end(kind, why="stopped by hand")
    elif version:
        opened.trials.begin(kind, opened.versions.resolve(version), share=share)
    reports = [one for one in trial_reports(opened.trials, opened.journal) if one["kind"] == kind]
    if as_json:
        print_json(reports)
        return
    for report in reports[:1] if stop or version else reports:
        out.print(Text.assemble((report["version"], "bold"), f" {in_words(report)}"), soft_wrap=True)
    if not reports:
        out.print(f"No version was tried as a {kind} yet; `rag index {kind} V` begins.")
