"""A document that is no longer published, from the versions that are kept: what was cited stays readable."""

from collections.abc import Sequence

from rag_platform.errors import VersionError
from rag_platform.index.catalog import StoredDocument
from rag_platform.index.versions import Versions


def last_kept(versions: Versions, doc_id: str, principals: Sequence[str]) -> tuple[StoredDocument, str] | None:
    """Return a document that the live version lacks, and the newest kept version that has it.

    None when none has it, as after forgetting, which takes it out of all of them; when these principals might not read
    it there; and when it is published and they may not read it now, whatever was so before.
    """
    live = versions.live_id()
    if live is None or doc_id in versions.open(live).catalog.unreadable(principals):
        return None
    for version in reversed(versions.ids()):
        try:
            found = versions.open(version).document(doc_id, principals)
        except VersionError:  # a damaged one cannot tell, an older one may
            continue
        if found:
            return found, version
    return None
