"""`rag export`: what a version holds, for other programs."""

from pathlib import Path
from typing import Annotated, Any

import typer

from rag_platform.cli.ask.answers import Principal
from rag_platform.cli.console import JsonOption, out, print_json, progress_bars, workspace
from rag_platform.core.hits import Filters
from rag_platform.operations.exporting.export import everybody, export
from rag_platform.operations.exporting.layouts import Layout
from rag_platform.workspace.applications import load_application


def export_version(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Where to; it must be new or empty.")],
    layout: Annotated[
        Layout, typer.Option("--format", metavar="F", help="markdown, jsonl, parquet, hf (Hugging Face) or beir.")
    ] = "markdown",
    vectors: Annotated[bool, typer.Option("--vectors", help="With the vectors of the passages.")] = False,
    principal: Principal = None,
    everything: Annotated[
        bool, typer.Option("--everything", help="What anybody may read, instead of what --as may.")
    ] = False,
    collection: Annotated[
        list[str] | None, typer.Option("--collection", metavar="NAME", help="Only this collection; repeat it.")
    ] = None,
    source: Annotated[
        list[str] | None, typer.Option("--source", metavar="ID", help="Only this source; repeat it.")
    ] = None,
    version: Annotated[str | None, typer.Option("--version", metavar="ID", help="Default: the live version.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Write documents, passages and vectors for other programs."""
    opened = workspace()
    chosen = opened.versions.open(version) if version else opened.versions.live()
    principals = everybody(opened, chosen) if everything else tuple(principal or ())
    filters = Filters(collections=tuple(collection or ()), sources=tuple(source or ()), principals=principals)
    with progress_bars(show=not as_json) as progress:
        count = export(
            opened,
            folder,
            layout,
            filters,
            version=chosen,
            vectors=vectors,
            add_questions=_questions(opened, chosen, principals) if layout == "beir" else None,
            progress=progress("documents"),
        )
    found = {"folder": str(folder), "format": layout, "version": chosen.id, "documents": count, "vectors": vectors}
    if as_json:
        print_json(found)
    else:
        out.print(f"{count:,} documents of {chosen.id} are in {folder}", soft_wrap=True, markup=False)


def _questions(opened: Any, version: Any, principals: tuple[str, ...]) -> Any:
    module = load_application("evals.benchmark.exported_questions", extra="eval", purpose="the questions of an export")
    return lambda folder, doc_ids: module.add_questions(opened, version, principals, folder, doc_ids)
