"""Who may read what an answer was written from, as it is now: readers change after an answer was given."""

from collections.abc import Collection, Sequence

from rag_platform.index.releases.document_history import is_held, latest_revision
from rag_platform.index.releases.versions import Versions


def closed(versions: Versions, doc_ids: Collection[str], principals: Sequence[str]) -> frozenset[str]:
    """Return the documents that these principals may not read; those that no kept version has are not among them."""
    hidden = unreadable(versions, doc_ids, principals)
    return frozenset(doc_id for doc_id in hidden if is_held(versions, doc_id))


def unreadable(versions: Versions, doc_ids: Collection[str], principals: Sequence[str]) -> set[str]:
    """Return the documents that these principals may not read, or that no kept version lets them read."""
    live = versions.live_id()
    there = versions.open(live).catalog.readable(doc_ids, principals) if live else set()
    return {doc_id for doc_id in set(doc_ids) - there if latest_revision(versions, doc_id, principals) is None}
