"""Is there such a source, such a collection? What a search names and nobody has is a mistake, not an empty answer."""

from collections.abc import Sequence

from rag_platform.core.did_you_mean import did_you_mean
from rag_platform.core.errors import NotFound
from rag_platform.core.hits import Filters
from rag_platform.index.catalog.catalog import Catalog
from rag_platform.workspace import Workspace


def refuse_unknown(workspace: Workspace, filters: Filters, *, operator: bool = False) -> None:
    """Raise `NotFound` when filters name a source or a collection that their reader cannot know.

    Known is what the live version holds for the reader, and each collection of uploads that they may read. Before there
    is a live version nothing is refused: then there is nothing to search.

    Args:
        workspace: what is searched.
        filters: what is searched, and who reads.
        operator: knows also what is configured, and what only others may read: the one user of this machine.
    """
    live = workspace.versions.live_id()
    if live is None or not (filters.sources or filters.collections):
        return
    catalog, reader = workspace.versions.open(live).catalog, filters.principals
    sources = {source.id for source in workspace.settings.sources} if operator else set()
    for name in filters.sources:
        if name not in sources and _finds_nothing(catalog, Filters(sources=(name,), principals=reader)):
            _refuse("source", name, sources | catalog.facets(reader)["source"].keys())
    uploads = _uploads(workspace, None if operator else reader) if filters.collections else set()
    for name in filters.collections:
        if name not in uploads and _finds_nothing(catalog, Filters(collections=(name,), principals=reader)):
            _refuse("collection", name, uploads | catalog.facets(reader)["collection"].keys())


def _uploads(workspace: Workspace, readers: Sequence[str] | None) -> set[str]:
    sources = [source.id for source in workspace.settings.sources if source.kind == "upload"]
    return {one.id for source in sources for one in workspace.collections(source).list(readers)}


def _finds_nothing(catalog: Catalog, filters: Filters) -> bool:
    allowed = catalog.allowed(filters)
    return allowed is not None and not len(allowed)


def _refuse(kind: str, name: str, known: set[str]) -> None:
    meant = did_you_mean(name, known)
    listed = f"{meant} There are: {', '.join(sorted(known)) or 'none'}"
    raise NotFound(f"there is no {kind} {name!r}; {listed.strip()}")
