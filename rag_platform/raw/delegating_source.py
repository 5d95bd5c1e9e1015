"""A source before another: what stands before a source hands on what it does not change."""

from rag_platform.core.ports import Fetched, Item, Resuming, Source, Validators


class DelegatingSource:
    """Reads and resumes as the source behind it does; whoever derives from it says what it lists."""

    def __init__(self, source: Source) -> None:
        self._source = source

    def fetch(self, item: Item, validators: Validators) -> Fetched | None:
        """Read one item."""
        return self._source.fetch(item, validators)

    def restart(self) -> None:
        """Let a source that resumes list everything."""
        if isinstance(self._source, Resuming):
            self._source.restart()

    def settled(self) -> None:
        """Tell a source that resumes that what it gave is kept."""
        if isinstance(self._source, Resuming):
            self._source.settled()
