"""An export: a version's documents and passages in one of the layouts, in a folder that was not there before."""

import os
import shutil
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from rag_platform.core.errors import SettingsError
from rag_platform.core.hits import Filters
from rag_platform.core.ports import Progress, silent
from rag_platform.core.principals import PUBLIC
from rag_platform.index.releases.open_version import OpenVersion
from rag_platform.operations.exporting.exported_rows import Export
from rag_platform.operations.exporting.layouts import Layout, writing
from rag_platform.workspace import Workspace

AddQuestions = Callable[[Path, Sequence[str]], None]
"""Given the folder and the ids of its documents, adds the questions of BEIR's layout."""


def export(
    workspace: Workspace,
    folder: Path,
    layout: Layout,
    filters: Filters,
    *,
    version: OpenVersion | None = None,
    vectors: bool = False,
    add_questions: AddQuestions | None = None,
    progress: Progress = silent,
) -> int:
    """Write what the filters' principals may read into a folder, which is filled when all of it is there.

    Args:
        workspace: whose version.
        folder: that is not there yet, or is empty; the current one too.
        layout: of its files.
        filters: which documents, and who asks; the audit notes it.
        version: None: the live one.
        vectors: with those of the passages; Markdown and BEIR have none.
        add_questions: called before the folder appears.
        progress: in documents.

    Returns:
        How many documents were written.

    Raises:
        SettingsError: the folder holds something, or the layout has no vectors.
        NothingPublished: there is no version.
    """
    folder = folder.resolve()  # "." has neither a name nor one above it
    _check(folder, layout, vectors=vectors)
    opened = version or workspace.versions.live()
    found = Export(opened, filters, vectors=vectors)
    folder.parent.mkdir(parents=True, exist_ok=True)
    beside = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    try:
        about = {"name": folder.name, "version": opened.id, "documents": len(found), "vectors": vectors}
        with writing(layout, beside, about) as write:
            for number, exported in enumerate(found, start=1):
                write(exported)
                progress(number, len(found))
        if add_questions:
            add_questions(beside, found.doc_ids)
        if not folder.exists():
            os.replace(beside, folder)
        else:  # somebody may work in it, or a disk be mounted there
            for made in beside.iterdir():
                shutil.move(made, folder)
    finally:
        shutil.rmtree(beside, ignore_errors=True)
    shown = {"documents": len(found), "layout": layout, "vectors": vectors}
    workspace.audit.record("export", None, filters.principals, shown=shown, version=opened.id)
    return len(found)


def everybody(workspace: Workspace, version: OpenVersion) -> tuple[str, ...]:
    """Name all principals that the documents of a version, or the sources, name: together they may read all."""
    named = set(version.catalog.documents("principals")["principals"].explode().drop_nulls())
    own = {name for source in workspace.settings.sources for name in source.principals}
    return tuple(sorted((named | own) - {PUBLIC}))


def _check(folder: Path, layout: Layout, *, vectors: bool) -> None:
    if folder.exists() and (not folder.is_dir() or next(folder.iterdir(), None)):
        raise SettingsError(f"{folder} holds something already; expected a folder that is new or empty")
    if vectors and layout in ("markdown", "beir"):
        raise SettingsError(f"the layout {layout} has no place for vectors; use jsonl, parquet or hf")
