"""The versions that are kept, a row for each."""

from dataclasses import dataclass

from rag_platform.index.releases.versions import Versions


@dataclass(frozen=True, slots=True)
class VersionRow:
    """A version in a list."""

    id: str
    live: bool
    candidate: bool
    pinned: bool
    created_at: str
    documents: int
    chunks: int
    passed: bool | None
    """What the gate decided; None: it was not judged."""


def version_rows(versions: Versions) -> list[VersionRow]:
    """Return the versions, oldest first."""
    live, candidate, pins = versions.live_id(), versions.candidate_id(), versions.pins()
    return [
        VersionRow(
            manifest["id"],
            manifest["id"] == live,
            manifest["id"] == candidate,
            manifest["id"] in pins,
            manifest["created_at"],
            manifest["counts"]["documents"],
            manifest["counts"]["chunks"],
            manifest.get("verdict", {}).get("passed"),
        )
        for manifest in versions.manifests()
    ]
