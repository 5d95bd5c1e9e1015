"""`rag questions`: the sets that the gate asks: list, check, propose, and pin what was reached."""

from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table
from rich.text import Text

from rag_platform.cli.console import AsJson, complain, out, print_json, workspace
from rag_platform.errors import MissingExtra, NothingPublished, QuestionSetError
from rag_platform.parts import Workspace

if TYPE_CHECKING:
    from types import ModuleType

app = typer.Typer(no_args_is_help=True, help="The questions that guard the index.")


@app.command("list")
def list_questions(as_json: AsJson = False) -> None:
    """List the questions with their tags, split and asker."""
    rows = _evals().listed(workspace())
    if as_json:
        print_json(rows)
        return
    table = Table("id", "question", "split", "tags", "asked by", "as of")
    for row in rows:
        cells = (row["id"], row["question"], row["split"], ", ".join(row["tags"]), row["principal"], row["as_of"])
        table.add_row(*(Text(cell or "") for cell in cells))
    out.print(table)


@app.command("check")
def check(as_json: AsJson = False) -> None:
    """Validate the sets, and name the quotes that are not in the live version."""
    opened = workspace()
    found = _evals().checked(opened, _live(opened))
    if as_json:
        print_json(found)
    else:
        out.print(f"{found['questions']} questions in {len(found['files'])} files, set {found['fingerprint']}")
        for problem in found["lost"]:
            out.print(Text(problem, style="yellow"), soft_wrap=True)
    raise typer.Exit(1 if found["lost"] else 0)


@app.command("pin")
def pin(
    allow_regression: Annotated[
        bool, typer.Option("--allow-regression", help="Let a floor be lower than the one that is pinned.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Pin the live version's scores, less the noise band, as floors that no later version may fall below."""
    opened = workspace()
    pinned = _evals().pinned(opened, _live(opened), allow_regression=allow_regression)
    if as_json:
        print_json(pinned)
        return
    for metric, floor in pinned["floors"].items():
        out.print(f"{metric}: {floor:.4f}")
    out.print(Text(f"written to {pinned['path']}"), soft_wrap=True)


@app.command("propose")
def propose(
    count: Annotated[int | None, typer.Option("--count", min=1, help="How many; default: gate.synthetic.")] = None,
    llm: Annotated[
        bool | None, typer.Option("--llm/--no-llm", help="With a language model; default: when one is set.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Make questions from the live version's documents and write them to questions/synthetic.jsonl."""
    opened = workspace()
    if llm and not opened.settings.generator.base_url:
        raise QuestionSetError("--llm: no language model is set; set generator.base_url in rag.toml, or use --no-llm")
    count = count or opened.settings.gate.synthetic or 24
    made = _evals().proposed(opened, _live(opened), count, llm=llm)
    if made["warning"]:
        complain(made["warning"])
    if as_json:
        print_json(made)
        return
    for row in made["questions"]:
        out.print(Text(f"{row['question']}  [{row['relevant'][0]['uri']}]"), soft_wrap=True)
    out.print(Text(f"{len(made['questions'])} questions written to {made['path']}"), soft_wrap=True)


def _live(opened: Workspace) -> str:
    live = opened.versions.live_id()
    if live is None:
        raise NothingPublished("questions are put to the live version, and there is none; run `rag sync` first")
    return live


def _evals() -> "ModuleType":
    """Load the evaluation, which runs from the checkout: it is not part of the installed library."""
    try:
        from evals import questions_command
    except ModuleNotFoundError as error:
        raise MissingExtra(
            error.name or "evals", "eval", "`rag questions` runs from a checkout of this repository and"
        ) from error
    return questions_command
