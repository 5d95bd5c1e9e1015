"""`rag eval`: score a BEIR-style folder in a workspace of its own, or a question set on the live version."""

from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from rag_platform.cli.console import AsJson, err, out, print_json, progress_bars, workspace
from rag_platform.errors import MissingExtra, SettingsError
from rag_platform.settings import MODES

_ANY_WIDTH = 1000


def evaluate(
    path: Annotated[
        Path,
        typer.Argument(metavar="PATH", help="A folder with corpus.jsonl, queries.jsonl and qrels/, or a question set."),
    ],
    mode: Annotated[str, typer.Option("--mode", help="lexical, vector, hybrid, rerank or all.")] = "all",
    split: Annotated[str, typer.Option("--split", help="Which qrels/<split>.tsv to score.")] = "test",
    as_json: AsJson = False,
) -> None:
    """Measure retrieval: nDCG@10, R@100, AP, MRR@10 and milliseconds, per mode."""
    if mode not in ("all", *MODES):
        raise SettingsError(f"--mode {mode!r}: expected all or one of {', '.join(MODES)}")
    if not path.exists():
        raise SettingsError(f"{path}: no such file or folder; expected a BEIR-style folder or a question set (.jsonl)")
    modes = MODES if mode == "all" else (mode,)
    try:
        from evals.command import evaluate_path
    except ModuleNotFoundError as error:
        raise MissingExtra(
            error.name or "evals", "eval", "`rag eval` runs from a checkout of this repository and"
        ) from error
    with progress_bars(show=not as_json and err.is_terminal) as reporter:
        scores = evaluate_path(workspace(), path, modes=modes, split=split, reporter=reporter)
    if as_json:
        print_json(scores)
    else:
        _show(scores)


def _show(scores: dict) -> None:
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
