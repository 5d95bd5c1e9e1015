"""What rules about who may read something are about, by the names that people give."""

from rag_platform.access.decisions import Target
from rag_platform.access.reasons import Reasons
from rag_platform.provenance.inventory import catalogs, find_document
from rag_platform.workspace import Workspace


def rule_target(workspace: Workspace, name: str, source: str = "") -> Target:
    """Return what a name means; `NotFound` where it is a document's and none has it, or several.

    Args:
        workspace: whose sources and documents are meant.
        name: ``source:ID``, ``collection:NAME``, a pattern of addresses with * or ?, or a document's address or id.
        source: only the collection, or the addresses, of this source are meant.
    """
    kind, _, rest = name.partition(":")
    if kind == "source" and rest:
        return Target("source", workspace.settings.source(rest).id)
    if kind == "collection" and rest:
        return Target("collection", rest, source)
    if "*" in name or "?" in name:
        return Target("address", name, source)
    return Target("document", find_document(workspace, name).doc_id)


def reasons_of(workspace: Workspace, doc_id: str) -> Reasons | None:
    """Return what decides who may read a document; None: it is in no version that is kept."""
    found = (catalog.reasons(doc_id) for _, catalog in catalogs(workspace, newest_first=True))
    return next((reasons for reasons in found if reasons), None)


def may_read(workspace: Workspace, doc_id: str, principals: list[str]) -> bool:
    """Return whether somebody may read a document, as the newest version that has it says."""
    for _, catalog in catalogs(workspace, newest_first=True):
        if catalog.reasons(doc_id):
            return bool(catalog.readable([doc_id], principals))
    return False
