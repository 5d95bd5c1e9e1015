"""A source that lives in memory: for tests, demonstrations and embedding the library."""

from collections.abc import Mapping

from rag_platform.core.errors import FetchError, SourceError
from rag_platform.core.ids import digest
from rag_platform.core.ports import Fetched, Gone, Item, Listing, Validators


class Memory:
    """Documents by uri, with every behaviour a source can show. Change its attributes between syncs."""

    def __init__(self, documents: Mapping[str, bytes], *, fingerprints: bool = True, etags: bool = False) -> None:
        self.documents = dict(documents)
        self.failing: set[str] = set()
        """Uris that are listed and cannot be fetched."""
        self.gone: set[str] = set()
        """Uris that are listed and answer that they no longer exist."""
        self.down = False
        """The source cannot be listed."""
        self.complete = True
        self.confirmations = 1
        self.fingerprints = fingerprints
        self.etags = etags
        self.fetched: list[str] = []
        """Uris that were asked for, in order."""

    def list(self) -> Listing:
        """Name the documents."""
        if self.down:
            raise SourceError("the source is down; try again later")
        uris = sorted(self.documents.keys() | self.failing | self.gone)
        items = [Item(uri, self._mark(uri) if self.fingerprints else None) for uri in uris]
        return Listing(items, complete=self.complete, confirmations=self.confirmations)

    def fetch(self, item: Item, validators: Validators) -> Fetched | None:
        """Return the document's bytes."""
        self.fetched.append(item.uri)
        if item.uri in self.gone:
            raise Gone(item.uri)
        if item.uri in self.failing or item.uri not in self.documents:
            raise FetchError(f"{item.uri} cannot be read now; try again later")
        etag = self._mark(item.uri) if self.etags else None
        if etag and etag == validators.etag:
            return None
        return Fetched(self.documents[item.uri], "text/plain", etag)

    def _mark(self, uri: str) -> str:
        return digest(self.documents.get(uri, b""))
