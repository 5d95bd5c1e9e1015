"""Examples of what changed in a source, as far as somebody may read the documents that they are taken from."""

from collections.abc import Sequence

import polars as pl

from rag_platform.core.errors import VersionError
from rag_platform.core.ids import document_id
from rag_platform.operations.status.failed_documents import ASKED
from rag_platform.validation.change_report import Example
from rag_platform.workspace import Workspace


def readable_examples(
    workspace: Workspace, source: str, examples: Sequence[Example], principals: Sequence[str] | None
) -> tuple[Example, ...]:
    """Return the examples whose document these principals may read, as it is live and as it is now.

    None reads all of them: whoever runs the workspace.
    """
    if principals is None or not examples:
        return tuple(examples)
    ids = {document_id(source, one.uri): one for one in examples}
    read = workspace.store.select("documents", source, ASKED, pl.col("doc_id").is_in([*ids]))
    known, readable = {*read["doc_id"]}, workspace.access.of_read(source, read, principals)
    live = workspace.versions.live_id()
    try:
        catalog = workspace.versions.catalog(live) if live else None
        there = {doc_id for doc_id in ids if catalog.holds(doc_id)} if catalog else set()
        open_there = catalog.readable(there, principals, then=True) if catalog else set()
    except VersionError:  # nobody can say any more who might read it
        return ()
    shut = (known - readable) | (there - open_there)
    return tuple(one for doc_id, one in ids.items() if doc_id in (known | there) - shut)
