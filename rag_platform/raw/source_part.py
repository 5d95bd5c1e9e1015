"""A part of a source, by the hash of the address: a large one is read in parts that know nothing of each other."""

import re
from collections.abc import Sequence
from dataclasses import replace

from rag_platform.core.ids import digest
from rag_platform.core.ports import Listing, Source, Watched
from rag_platform.raw.delegating_source import DelegatingSource


class SourcePart(DelegatingSource):
    """A source without the items of its other parts; the same address is always in the same one."""

    def __init__(self, source: Source, source_id: str, part: str) -> None:
        """`part` is as in the settings: "3/16" is the third of sixteen."""
        super().__init__(source)
        self._own = re.compile(rf"^(\w+://)?{re.escape(source_id)}/")
        number, of = part.split("/")
        self._number, self._of = int(number) - 1, int(of)
        self._seen: tuple[str, str] | None = None

    def list(self) -> Listing:
        """Name what there is of this part."""
        listing = self._source.list()
        return replace(
            listing,
            items=[item for item in listing.items if self._is_here(item.uri)],
            failed=self._here(listing.failed),
            removed=self._here(listing.removed),
        )

    def fingerprint(self) -> str:
        """Return a mark of this part alone; the source is listed only when its own mark is another one."""
        whole = self._source.fingerprint() if isinstance(self._source, Watched) else ""
        if self._seen is None or not whole or self._seen[0] != whole:
            items = self.list().items
            self._seen = (whole, digest(*(text for item in items for text in (item.uri, item.fingerprint or ""))))
        return self._seen[1]

    def _here(self, named: Sequence[tuple[str, str]]) -> Sequence[tuple[str, str]]:
        return [(uri, reason) for uri, reason in named if self._is_here(uri)]

    def _is_here(self, uri: str) -> bool:
        address = self._own.sub("", uri, count=1)  # many begin with the id, which each part has its own of
        return int(digest("part", address)[:12], 16) % self._of == self._number
