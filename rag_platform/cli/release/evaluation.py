"""`rag eval`: a version on the workspace's questions, a question set on the live version, or a BEIR-style folder."""

from pathlib import Path
from types import ModuleType
from typing import Annotated, Any, NoReturn

import typer
from rich.table import Table
from rich.text import Text

from rag_platform.cli.console import JsonOption, out, print_json, progress_bars, workspace
from rag_platform.config.settings import MODES
from rag_platform.core.errors import SettingsError
from rag_platform.workspace.applications import load_application

_ANY_WIDTH = 1000
REFUSED = 3


def evaluate(
    path: Annotated[
        Path | None,
        typer.Argument(
            metavar="[PATH]",
            help="A folder with corpus.jsonl, queries.jsonl and qrels/, or a question set; default: the workspace's.",
        ),
    ] = None,
    version: Annotated[
        str | None, typer.Option("--version", metavar="V", help="Without PATH: which version; default: the candidate.")
    ] = None,
    mode: Annotated[str, typer.Option("--mode", help="lexical, vector, hybrid, rerank or all.")] = "all",
    split: Annotated[str, typer.Option("--split", help="Which qrels/<split>.tsv to score.")] = "test",
    fit: Annotated[
        bool, typer.Option("--fit", help="Fit to the workspace's questions when to decline one; default: live.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Judge a version on the workspace's questions; with PATH, measure retrieval per mode."""
    if mode not in ("all", *MODES):
        raise SettingsError(f"--mode {mode!r}: expected all or one of {', '.join(MODES)}")
    if fit:
        _fit(path, version, as_json=as_json)
        return
    if path is None:
        _judge(version, as_json=as_json)
    if not path.exists():
        raise SettingsError(f"{path}: no such file or folder; expected a BEIR-style folder or a question set (.jsonl)")
    modes = MODES if mode == "all" else (mode,)
    with progress_bars(show=not as_json) as reporter:
        scores = _evals().evaluate_path(workspace(), path, modes=modes, split=split, reporter=reporter)
    if as_json:
        print_json(scores)
    else:
        _show(scores)


def _judge(version: str | None, *, as_json: bool) -> NoReturn:
    """Score and judge a version of the workspace; a refused one ends as a sync that is refused."""
    with progress_bars(show=not as_json) as reporter:
        judged = _evals().evaluate_version(workspace(), version, reporter=reporter)
    if as_json:
        print_json(judged)
    else:
        out.print(Text.assemble((f"{judged['version']}: {judged['outcome']}", "bold")))
        for reason in judged["reasons"]:
            out.print(Text(f"  {reason}"), soft_wrap=True)
        out.print(Text(f"report: {judged['report']}"), soft_wrap=True)
        if judged["advice"]:
            out.print(Text(judged["advice"]), soft_wrap=True)
    raise typer.Exit(0 if judged["passed"] else REFUSED)


def _fit(path: Path | None, version: str | None, *, as_json: bool) -> None:
    """Fit the threshold of [answer], and tell what it does."""
    if path is not None:
        raise SettingsError(f"--fit with {path}: expected no PATH; it fits to the workspace's own questions")
    with progress_bars(show=not as_json) as reporter:
        made = _evals().fit_answering(workspace(), version, reporter=reporter)
    if as_json:
        print_json(made)
        return
    out.print(Text(f"{made['answerable']} questions with an answer, {made['unanswerable']} without", "bold"))
    for name, shares in (("before", made["before"]), ("fitted", made["fitted"])):
        done = f"answers {shares['answered']:.0%} and declines {shares['declined']:.0%} of those without an answer"
        out.print(Text(f"  {name}: threshold = {shares['threshold']:g} {done}"), soft_wrap=True)
    out.print(Text("written to [answer] in rag.toml"), soft_wrap=True)


def _evals() -> ModuleType:
    return load_application("evals.commands.evaluation", extra="eval", purpose="`rag eval`")


def _show(scores: dict[str, Any]) -> None:
    """Print a row for each mode; where that is too wide, a row for each measure."""
    title = f"{scores['dataset']}: {scores['docs']} documents, {scores['queries']} questions"
    modes = scores["modes"]
    measures = list(next(iter(modes.values())))
    cells = {name: [_cell(values[measure]) for measure in measures] for name, values in modes.items()}
    table = Table("mode", *measures, title=title)
    for name, row in cells.items():
        table.add_row(name, *row)
    if out.measure(table, options=out.options.update(max_width=_ANY_WIDTH)).maximum > out.width:
        table = Table("measure", *modes, title=title)
        for measure, *row in zip(measures, *cells.values(), strict=True):
            table.add_row(measure, *row)
    out.print(table)


def _cell(value: float | None) -> str:
    return "–" if value is None else f"{value:.4g}"
