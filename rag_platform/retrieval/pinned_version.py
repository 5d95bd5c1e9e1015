"""One version in the place of the live one."""

from rag_platform.core.errors import VersionError
from rag_platform.index.releases.open_version import OpenVersion
from rag_platform.index.releases.versions import Versions


class PinnedVersion:
    """Versions of which one is live for good."""

    def __init__(self, versions: "Versions | PinnedVersion", version: str, *, or_live: bool = False) -> None:
        """Take `version` for the live one; `or_live`: as long as it can be opened."""
        self._versions = versions
        self._version = version
        self._or_live = or_live

    def live(self) -> OpenVersion:
        """Open that version; with `or_live` the live one, where it cannot be opened."""
        try:
            return self._versions.open(self._version)
        except VersionError:
            if not self._or_live:
                raise
            return self._versions.live()

    def open(self, version: str) -> OpenVersion:
        """Open a version."""
        return self._versions.open(version)

    def distrust(self, version: str) -> None:
        """Have a version checked again."""
        self._versions.distrust(version)

    def notice(self, version: str) -> str | None:  # noqa: ARG002  what is asked for by name stands in for nothing
        """Say nothing."""
        return None
