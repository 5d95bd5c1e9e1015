"""`rag collection`: collections of uploaded files, and the state of each file."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from rag_platform.cli.commands import group
from rag_platform.cli.console import JsonOption, out, print_error, print_json, progress_bars, workspace
from rag_platform.core.errors import RagError
from rag_platform.index.releases.release_log import acting_user
from rag_platform.monitoring.progress import Running
from rag_platform.operations.status.upload_status import status_document
from rag_platform.sources.uploads.collections import Collections
from rag_platform.sources.uploads.records import Collection, File

app = group("Collections of uploaded files.")

Id = Annotated[str, typer.Argument(metavar="NAME", help="The collection's id.")]
Source = Annotated[
    str | None, typer.Option("--source", metavar="S", help="The upload source; needed only when there are several.")
]
Description = Annotated[str | None, typer.Option("--description", metavar="TEXT", help="What it holds.")]
Language = Annotated[
    str | None, typer.Option("--lang", metavar="L", help="Language of texts that do not declare one, as 'en'.")
]
Readers = Annotated[
    list[str] | None,
    typer.Option("--principal", metavar="P", help="Who may read it; several may be given. Default: as the source."),
]
BLOCK = 1 << 20
"""Bytes that are read at a time."""


@app.command("list")
def list_collections(source: Source = None, as_json: JsonOption = False) -> None:
    """List the collections."""
    found = workspace().collections(source).list()
    if as_json:
        print_json(found)
        return
    table = Table("collection", "title", "language", "files", "MB", "readers")
    for one in found:
        table.add_row(*map(Text, (one.id, one.title, one.language or "–", str(one.files))), *_size_and_readers(one))
    out.print(table)


@app.command("create")
def create(
    title: Annotated[str, typer.Argument(metavar="TITLE", help="Its title.")],
    name: Annotated[
        str | None, typer.Option("--id", metavar="NAME", help="Its id in filters; default: derived from the title.")
    ] = None,
    description: Description = None,
    lang: Language = None,
    principal: Readers = None,
    source: Source = None,
    as_json: JsonOption = False,
) -> None:
    """Create an empty collection."""
    made = workspace().collections(source).create(
        title,
        id=name,
        description=description or "",
        language=lang,
        principals=principal or (),
        owner=acting_user(),
    )  # fmt: skip
    if as_json:
        print_json(made)
    else:
        out.print(f"{made.id} was created; `rag collection add {made.id} FILES…` fills it", soft_wrap=True)


@app.command("show")
def show(name: Id, source: Source = None, as_json: JsonOption = False) -> None:
    """Show a collection and its files."""
    collections = workspace().collections(source)
    found, files = collections.show(name), collections.files(name)
    if as_json:
        print_json({"collection": found, "files": files})
        return
    _describe(found)
    table = Table("file", "size", "revision", "added", "by")
    for file in files:
        when = f"{file.added_at:%Y-%m-%d %H:%M}"
        table.add_row(Text(file.name), f"{file.size:,}", str(file.revision), when, Text(file.added_by))
    out.print(table)


@app.command("change")
def change(
    name: Id,
    title: Annotated[str | None, typer.Option("--title", metavar="TEXT", help="Another title.")] = None,
    description: Description = None,
    lang: Language = None,
    principal: Readers = None,
    source: Source = None,
    as_json: JsonOption = False,
) -> None:
    """Change the metadata of a collection; the next sync publishes it."""
    options = {"title": title, "description": description, "language": lang, "principals": principal}
    changes = {key: value for key, value in options.items() if value is not None}
    changed = workspace().collections(source).change(name, **changes)
    if as_json:
        print_json(changed)
    else:
        _describe(changed)


@app.command("add")
def add(
    name: Id,
    files: Annotated[list[Path], typer.Argument(metavar="FILES…", help="Files to add.")],
    tag: Annotated[
        list[str] | None, typer.Option("--tag", metavar="T", help="A tag for these files; several may be given.")
    ] = None,
    title: Annotated[str, typer.Option("--title", metavar="TEXT", help="A title, when one file is added.")] = "",
    source: Source = None,
    as_json: JsonOption = False,
) -> None:
    """Add files to a collection; one of the same name becomes its next revision."""
    collections, added, refused = workspace().collections(source), [], []
    collections.show(name)
    with progress_bars(show=not as_json) as reporter:
        report = reporter("add")
        for done, path in enumerate(files, 1):
            try:
                added.append(_add(collections, name, path, title=title if len(files) == 1 else "", tags=tag or ()))
            except (RagError, OSError) as error:
                refused.append({"name": str(path), "reason": _reason(error)})
            report(done, len(files))
    if as_json:
        print_json({"added": added, "refused": refused})
    else:
        out.print(f"{len(added)} added to {name}; `rag sync {collections.source}` reads them", soft_wrap=True)
    for failure in refused:
        print_error(f"{failure['name']}: {failure['reason']}")
    raise typer.Exit(1 if refused else 0)


@app.command("remove")
def remove(
    name: Id,
    files: Annotated[list[str], typer.Argument(metavar="FILES…", help="Names of files in it.")],
    source: Source = None,
    as_json: JsonOption = False,
) -> None:
    """Remove files from a collection; the next sync takes them out of the index."""
    collections = workspace().collections(source)
    for file in files:
        collections.file(name, file)  # all are there, or none is removed
    for file in files:
        collections.remove(name, file, who=acting_user())
    if as_json:
        print_json({"removed": files})
    else:
        out.print(f"{len(files)} removed from {name}; `rag sync {collections.source}` takes them out", soft_wrap=True)


@app.command("delete")
def delete(name: Id, source: Source = None, as_json: JsonOption = False) -> None:
    """Remove a collection with all its files; the next sync takes them out of the index."""
    collections = workspace().collections(source)
    files = collections.show(name).files
    collections.delete(name, who=acting_user())
    if as_json:
        print_json({"deleted": name, "files": files})
    else:
        out.print(f"{name} and its {files} files were removed; `rag sync {collections.source}` takes them out")


@app.command("status")
def status(name: Id, source: Source = None, as_json: JsonOption = False) -> None:
    """Show the state of each file, and the stages that are running."""
    opened = workspace()
    document = status_document(opened, opened.collections(source), name)
    if as_json:
        print_json(document)
        return
    _describe(document["collection"])
    table = Table("file", "state", "chunks", "remarks")
    for file in document["files"]:
        style = {"live": "green", "failed": "red", "excluded": "yellow"}.get(file["state"], "")
        state = Text(file["state"], style=style)
        table.add_row(Text(file["name"]), state, str(file["chunks"]), Text(file["reason"] or ""))
    out.print(table)
    for running in document["running"]:
        out.print(progress_line(running), soft_wrap=True)


def progress_line(running: Running) -> str:
    """Return the progress of a running stage in one line."""
    count = f" {running.done:,}" + (f" of {running.total:,}" if running.total is not None else "")
    rate = f", {running.rate:,.1f} a second" if running.rate else ""
    left = f", {running.remaining:,.0f} s left" if running.remaining is not None else ""
    return f"{running.stage} {running.source or ''}:{count}{rate}{left}"


def _add(collections: Collections, name: str, path: Path, *, title: str, tags: Sequence[str]) -> File:
    with path.open("rb") as file:
        blocks: Iterator[bytes] = iter(lambda: file.read(BLOCK), b"")
        return collections.add(name, path.name, blocks, title=title, tags=tags, who=acting_user())


def _reason(error: RagError | OSError) -> str:
    """Return what went wrong, without the number of a system's error."""
    return error.strerror or str(error) if isinstance(error, OSError) else str(error)


def _describe(one: Collection) -> None:
    out.print(Text(f"{one.title}  ({one.id})", style="bold"))
    if one.description:
        out.print(Text(one.description), soft_wrap=True)
    size, readers = _size_and_readers(one)
    out.print(Text(f"{one.files} files, {size} MB · language {one.language or 'not set'} · readers: {readers}"))


def _size_and_readers(one: Collection) -> tuple[str, str]:
    return f"{one.bytes / 1e6:.1f}", "everyone" if "*" in one.principals else ", ".join(one.principals)
