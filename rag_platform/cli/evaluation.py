"""`rag eval`: score a BEIR-style folder in a workspace of its own, or a question set on the live version."""

from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from rag_platform.cli.console import AsJson, err, out, print_json, progress_bars, workspace
from rag_platform.errors import MissingExtra, SettingsError
from rag_platform.settings import MODES


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
    measures = list(next(iter(scores["modes"].values())))
    table = Table(
        "mode", *measures, title=f"{scores['dataset']}: {scores['docs']} documents, {scores['queries']} questions"
    )
    for name, values in scores["modes"].items():
        table.add_row(name, *("–" if values[m] is None else f"{values[m]:.4g}" for m in measures))
    out.print(table)
