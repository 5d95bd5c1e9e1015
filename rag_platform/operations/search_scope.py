"""Is there such a source, such a collection? What a search names and nobody has is a mistake, not an empty answer."""

from collections.abc import Sequence

from rag_platform.core.did_you_mean import did_you_mean
from rag_platform.core.errors import NotFound, SettingsError, VersionError
from rag_platform.core.hits import Filters
from rag_platform.index.catalog.catalog import Catalog
from rag_platform.workspace import Workspace


def refuse_unknown(workspace: Workspace, filters: Filters, *, operator: bool = False) -> None:
    """Raise `NotFound` when filters name a source, a collection or a document that their reader cannot know.

    Known is what the live version holds for the reader, and each collection of uploads that they may read. Before there
    is a live version nothing is refused: then there is nothing to search.

    Args:
        workspace: what is searched.
        filters: what is searched, and who reads.
        operator: knows also what is configured, and what only others may read: the one user of this machine.
    """
    live = workspace.versions.live_id()
    if live is None or not (filters.sources or filters.collections or filters.documents):
        return
    catalog, reader = workspace.versions.open(live).catalog, filters.principals
    sources = {source.id for source in workspace.settings.sources} if operator else set()
    for name in filters.sources:
        if name not in sources and _finds_nothing(catalog, Filters(sources=(name,), principals=reader)):
            _refuse("source", name, sources | catalog.facets(reader)["source"].keys())
    if missing := set(filters.documents) - catalog.readable(filters.documents, reader):
        raise NotFound(f"there is no document {min(missing)!r}; expected the id of one, as searches give it")
    uploads = _uploads(workspace, None if operator else reader) if filters.collections else set()
    for name in filters.collections:
        if name not in uploads and _finds_nothing(catalog, Filters(collections=(name,), principals=reader)):
            _refuse("collection", name, uploads | catalog.facets(reader)["collection"].keys())


def version_as_of(workspace: Workspace, named: str, *, operator: bool = False) -> str:
    """Return the version that was live on a day or at a time, or that of this name.

    What was never published is only the operator's to see, and so are the names of versions.

    Raises:
        NotFound: there is none.
        SettingsError: to the operator, that it is neither a date nor a version.
    """
    versions = workspace.versions
    try:
        version = versions.as_of(named)
    except (SettingsError, VersionError) as error:
        if operator and isinstance(error, SettingsError):
            raise
        raise NotFound(str(error) if operator else f"no version was live as of {named!r}") from error
    if not operator and version not in {versions.form(move["version"]) for move in versions.moves() if move["version"]}:
        raise NotFound(f"no version was live as of {named!r}")
    return version


def readable_facets(workspace: Workspace, principals: Sequence[str]) -> dict[str, dict[str, int]]:
    """Count the documents of the live version that somebody may read by collection, source, language, type and tag."""
    return workspace.versions.live().catalog.facets(principals)


def known_collections(workspace: Workspace, reader: Sequence[str]) -> set[str]:
    """Return the collections of which somebody may read something, and those of uploads that they may fill."""
    live = workspace.versions.live_id()
    held = workspace.versions.open(live).catalog.facets(reader)["collection"].keys() if live else ()
    return _uploads(workspace, reader).union(held)


def prompts_for(workspace: Workspace, reader: Sequence[str]) -> list[str]:
    """Return the names of the saved prompts that somebody may use: of any collection, or of one that they may read."""
    prompts = workspace.settings.prompts
    known = known_collections(workspace, reader) if any(one.collections for one in prompts.values()) else set()
    return [name for name, one in prompts.items() if not one.collections or known.intersection(one.collections)]


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
