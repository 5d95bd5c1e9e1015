"""`rag source kinds` and `rag source new-kind`: the kinds of source that there are, and one of your own."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from rag_platform.cli.console import JsonOption, out, print_json
from rag_platform.core.did_you_mean import did_you_mean
from rag_platform.core.errors import NotFound
from rag_platform.operations.source_gallery import KindCard, source_gallery
from rag_platform.workspace.kind_template import write_kind


def kinds(
    kind: Annotated[
        str | None, typer.Argument(metavar="[KIND]", help="Show this one, with a table to begin with.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """List the kinds of source that there are, and what each reads and needs."""
    cards = {card.name: card for card in source_gallery()}
    if kind is not None and kind not in cards:
        near = did_you_mean(kind, cards)
        raise NotFound(
            f"there is no kind of source {kind!r}; expected one of {', '.join(cards)}" + f"; {near}" * bool(near)
        )
    chosen = cards.values() if kind is None else [cards[kind]]
    if as_json:
        print_json([asdict(card) for card in chosen])
    elif kind is None:
        _show_all(cards)
    else:
        _show_one(cards[kind])


def new_kind(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The kind's name: lower-case letters, digits and _.")],
    into: Annotated[Path, typer.Option("--into", metavar="FOLDER", help="Where its package is written.")] = Path(),
) -> None:
    """Write a package with a kind of source of your own, which works, and the tests that every kind has to pass."""
    folder = write_kind(name, into)
    out.print(
        f"{folder} holds a kind {name!r} that works. `python -m pip install --editable {folder}` makes it known, "
        f"`python -m pytest {folder}` tests it; docs/plugins.md says what a source has to do",
        soft_wrap=True,
    )


def _show_all(cards: dict[str, KindCard]) -> None:
    table = Table("kind", "reads", "requires", "not installed")
    for card in cards.values():
        table.add_row(
            *map(Text, (card.name, card.error or card.reads, ", ".join(card.required), ", ".join(card.missing)))
        )
    out.print(table)
    out.print("`rag source kinds KIND` shows a table for rag.toml to begin with", soft_wrap=True)


def _show_one(card: KindCard) -> None:
    out.print(Text(card.error or card.reads), soft_wrap=True)
    if card.optional:
        out.print(Text(f"It also takes {', '.join(card.optional)}."), soft_wrap=True)
    for extra, command in card.missing.items():
        out.print(Text(f"The extra {extra} is not installed: {command}", style="yellow"), soft_wrap=True)
    out.print(Text(f"\n{card.example}"), soft_wrap=True)
