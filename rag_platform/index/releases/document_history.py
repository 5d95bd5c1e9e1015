"""What versions that are kept still have: documents that are no longer published, and earlier revisions.

Whoever may not read a document as it stands last may not read what it was before either, and the other way round.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from rag_platform.core.errors import VersionError
from rag_platform.index.catalog.catalog import Catalog, StoredDocument
from rag_platform.index.releases.versions import Versions


@dataclass(frozen=True, slots=True)
class DocumentState:
    """A document in a version."""

    document: StoredDocument
    catalog: Catalog
    """Of the version: it has the document's chunks."""
    version: str
    live: bool
    """Whether it is what is published; else it has been removed, or is an earlier state."""


@dataclass(frozen=True, slots=True)
class Revision:
    """A text that a document had, with what was known of it."""

    revision: str
    versions: tuple[str, ...]
    """That hold it one after the other, newest first; a document may return to a text that it had."""
    built_at: str
    """Of the oldest of them, ISO 8601."""
    title: str
    updated_at: datetime | None
    fetched_at: datetime | None
    raw_sha256: str
    run_id: str | None
    characters: int

    @property
    def version(self) -> str:
        """The newest version that holds it."""
        return self.versions[0]


def document_state(
    versions: Versions, doc_id: str, principals: Sequence[str], version: str | None = None
) -> DocumentState | None:
    """Return a document as it is published, else as the newest kept version has it; or as `version` has it.

    None when there is none, as after forgetting, which takes it out of all versions, and when these principals may not
    read it there, or as it stands last.
    """
    last = next(_holding(versions, doc_id), None)
    if last is None or not last.catalog.readable([doc_id], principals):
        return None
    chosen: _Held | None = last
    if version and version != last.version:
        chosen = next((held for held in _holding(versions, doc_id) if held.version == version), None)
    found = chosen and _reads(chosen, last, doc_id, principals) and chosen.catalog.document(doc_id, principals)
    if not chosen or not found:
        return None
    return DocumentState(found, chosen.catalog, chosen.version, chosen.version == versions.live_id())


def is_held(versions: Versions, doc_id: str) -> bool:
    """Return whether a version that was live once, and is kept, has a document."""
    return any(True for _ in _holding(versions, doc_id))


def latest_revision(versions: Versions, doc_id: str, principals: Sequence[str]) -> tuple[StoredDocument, str] | None:
    """Return a document that the live version lacks, and the newest kept version, which has it."""
    found = document_state(versions, doc_id, principals)
    return (found.document, found.version) if found and not found.live else None


def revisions(versions: Versions, doc_id: str, principals: Sequence[str]) -> list[Revision]:
    """Return the texts of a document that kept versions hold, newest first: those that these principals might read.

    None for principals that may not read the document as it is now.
    """
    found: list[Revision] = []
    last: _Held | None = None
    for held in _holding(versions, doc_id):
        last = last or held
        if _reads(held, last, doc_id, principals):
            about = held.catalog.about(doc_id)
            holders: tuple[str, ...] = ()
            if found and found[-1].revision == about["revision"]:
                holders = found.pop().versions
            found.append(_revision(about, (*holders, held.version), versions.manifest(held.version)))
        elif held is last:
            return []
    return found


def _revision(about: dict[str, Any], holders: tuple[str, ...], manifest: dict[str, Any]) -> Revision:
    named = ("revision", "title", "updated_at", "fetched_at", "raw_sha256", "run_id", "characters")
    return Revision(**{name: about[name] for name in named}, versions=holders, built_at=manifest.get("created_at", ""))


@dataclass(frozen=True, slots=True)
class _Held:
    version: str
    catalog: Catalog


def _holding(versions: Versions, doc_id: str) -> Iterator[_Held]:
    """Open, newest first, the catalogs of versions that hold a document and were live once; first of all the live one.

    What was never published is nobody's to see.
    """
    live = versions.live_id()
    served = {versions.form(move["version"]) for move in versions.moves() if move["version"]}
    for version in [live, *(one for one in versions.ids()[::-1] if one in served and one != live)] if live else []:
        try:
            catalog = versions.live().catalog if version == live else versions.catalog(version)
        except (VersionError, OSError, ValueError):
            continue  # a damaged one cannot tell, an older one may
        if catalog.holds(doc_id):
            yield _Held(version, catalog)


def _reads(held: _Held, last: _Held, doc_id: str, principals: Sequence[str]) -> bool:
    """Return whether they may read a document now and, in an earlier version, might then."""
    return bool(held.catalog.readable([doc_id], principals, then=held is not last))
