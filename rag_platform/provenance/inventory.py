"""Every document that a workspace knows, wherever it is still recorded: by address, or by the end of one."""

import logging
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from rag_platform.core.errors import NotFound, VersionError
from rag_platform.core.ids import document_id
from rag_platform.index.catalog.catalog import Catalog
from rag_platform.journal.references import referenced_documents
from rag_platform.workspace import Workspace

_NAMED = 10


@dataclass(frozen=True, slots=True, order=True)
class KnownDocument:
    """A document and its address."""

    source: str
    uri: str
    doc_id: str


def known_documents(workspace: Workspace) -> set[KnownDocument]:
    """Return every document of the tables, of the files of all versions and of the receipts."""
    return {*_of_tables(workspace), *_of_versions(workspace), *_of_receipts(workspace)}


def find_documents(known: Iterable[KnownDocument], name: str) -> list[KnownDocument]:
    """Return the documents with that address or id; else those whose address ends so, from a slash on."""
    known = list(known)
    exact = [one for one in known if name in (one.uri, one.doc_id)]
    ending = "/" + name.lstrip("/")
    return sorted(exact or [one for one in known if one.uri.endswith(ending)])


def find_document(workspace: Workspace, name: str) -> KnownDocument:
    """Return the one document of that name; `NotFound` names the choices when there are several."""
    return only_one(find_documents(known_documents(workspace), name), name)


def only_one(found: list[KnownDocument], name: str) -> KnownDocument:
    """Return the one that was found."""
    if len(found) == 1:
        return found[0]
    if not found:
        raise NotFound(
            f"no document has the address {name!r}; give a whole address, the end of one, or a document's id"
        )
    some = "\n".join(f"  {one.doc_id}  {one.source}: {one.uri}" for one in found[:_NAMED])
    more = f"\n  … and {len(found) - _NAMED} more" if len(found) > _NAMED else ""
    raise NotFound(f"{len(found)} documents have the address {name!r}; give more of it, or the id:\n{some}{more}")


def catalogs(workspace: Workspace, *, newest_first: bool = False) -> Iterator[tuple[str, Catalog]]:
    """Yield the id and the catalog of each version, by age; a damaged one is left out."""
    for version in workspace.versions.ids()[:: -1 if newest_first else 1]:
        try:
            catalog = workspace.versions.catalog(version)
        except VersionError as error:
            logging.getLogger(__name__).warning("%s", error)
        else:
            yield version, catalog


def _of_tables(workspace: Workspace) -> Iterator[KnownDocument]:
    store = workspace.store
    for source in store.sources("raw"):
        for uri in store.read("raw", source)["uri"]:
            yield KnownDocument(source, uri, document_id(source, uri))
    for source in store.sources("documents"):
        for uri, doc_id in store.read("documents", source).select("uri", "doc_id").iter_rows():
            yield KnownDocument(source, uri, doc_id)


def _of_versions(workspace: Workspace) -> Iterator[KnownDocument]:
    for _, catalog in catalogs(workspace):
        yield from (KnownDocument(*row) for row in catalog.stored("source", "uri", "doc_id").iter_rows())


def _of_receipts(workspace: Workspace) -> Iterator[KnownDocument]:
    for source, uri, doc_id in referenced_documents(workspace.journal):
        yield KnownDocument(source, uri, doc_id)
