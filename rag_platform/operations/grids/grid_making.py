"""Grids are made: of documents that are named, of a collection, or of what a search finds; and shared."""

from collections.abc import Sequence
from contextlib import suppress

from rag_platform.core.errors import NotFound, RagError, SettingsError
from rag_platform.core.hits import Filters
from rag_platform.operations.asking.sharing import Sharer, record_sharing, refuse_others
from rag_platform.operations.search_scope import refuse_unknown
from rag_platform.people.grids.grid import MOST_ROWS, Grid
from rag_platform.workspace import Workspace

_HITS_EACH = 3
"""Passages that are searched for each document that is wanted: several may be of one."""


def documents_in(workspace: Workspace, filters: Filters) -> list[str]:
    """Return the documents (doc_id) that pass the filters, in the order of their addresses.

    Raises:
        NotFound: a document or a collection that is named is none that the asker may read.
        SettingsError: there are more than a grid may have.
    """
    refuse_unknown(workspace, filters)
    found = workspace.versions.live().catalog.page(filters, None, MOST_ROWS + 1, "doc_id")
    if len(found) > MOST_ROWS:
        raise SettingsError(
            f"these are more than {MOST_ROWS} documents, which is as many as a grid may have; choose fewer by a search"
        )
    return [row["doc_id"] for row in found]


def documents_found(workspace: Workspace, question: str, filters: Filters, most: int, who: str | None) -> list[str]:
    """Return the documents (doc_id) that a search finds, the best first, at most so many; the audit says so."""
    most = min(most, MOST_ROWS)
    found = workspace.retriever.search(question, k=_HITS_EACH * most, filters=filters, who=who)
    return [*dict.fromkeys(hit.doc_id for hit in found.hits)][:most]


def make_grid(
    workspace: Workspace,
    sharer: Sharer,
    name: str,
    questions: Sequence[tuple[str, str]],
    documents: Sequence[str],
    *,
    generator: str = "",
    collections: Sequence[str] = (),
    readers: Sequence[str] = (),
) -> str:
    """Make a grid and return its id; nothing is asked yet.

    Args:
        workspace: where.
        sharer: whose it is.
        name: by which it is found.
        questions: of its columns, each with a short name, which may be empty.
        documents: of its rows, which its owner may read.
        generator: who writes; empty: the default.
        collections: of which it is made, whose new documents are offered later.
        readers: who may read it beside its owner.

    Raises:
        SettingsError: it would be too large, a question or the name is missing, or there is no such generator.
        RuleRefused: one of the readers is not theirs to share with.
    """
    _refuse_generator(workspace, generator)
    refuse_others(workspace, readers, (), sharer)
    grids = workspace.grids
    grid_id = grids.begin(sharer.id, name, generator=generator, collections=collections, readers=readers)
    try:
        for question, short in questions:
            grids.add_column(grid_id, sharer.id, question, short)
        grids.add_rows(grid_id, sharer.id, documents)
    except RagError:
        with suppress(NotFound):
            grids.remove(grid_id, sharer.id)
        raise
    if readers:
        record_sharing(workspace, sharer, "grid", grid_id, readers=sorted({*readers}))
    return grid_id


def change_grid(
    workspace: Workspace, grid: Grid, sharer: Sharer, name: str, *, generator: str = "", readers: Sequence[str] = ()
) -> None:
    """Change a grid's name, generator and readers. For errors see `make_grid`; `NotFound`: it is not theirs."""
    _refuse_generator(workspace, generator)
    refuse_others(workspace, readers, grid.readers, sharer)
    workspace.grids.change(grid.id, sharer.id, name, generator=generator, readers=readers)
    if {*readers} != {*grid.readers}:
        record_sharing(workspace, sharer, "grid", grid.id, readers=sorted({*readers}))


def newcomers(workspace: Workspace, grid: Grid, principals: Sequence[str]) -> list[str]:
    """Return the documents (doc_id) that came into a grid's collections since it was made, as far as there is room."""
    if not grid.collections:
        return []
    rows = workspace.grids.rows(grid.id)
    known = {*rows, *workspace.grids.rows(grid.id, left_out=True)}
    filters = Filters(collections=grid.collections, principals=tuple(principals))
    found = workspace.versions.live().catalog.page(filters, None, MOST_ROWS + len(known), "doc_id")
    new = [row["doc_id"] for row in found if row["doc_id"] not in known]
    return new[: max(MOST_ROWS - len(rows), 0)]


def _refuse_generator(workspace: Workspace, name: str) -> None:
    if name and not workspace.generators.knows(name):
        known = ", ".join(workspace.generators.names())
        raise SettingsError(f"there is no generator {name!r}; expected one of: {known}")
