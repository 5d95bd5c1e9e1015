"""Texts that cost something to make: a page that a model read, a recording that was written down."""

from pathlib import Path

from rag_platform.storage.kept.kept_rows import KeptRows

MOST = 200_000
"""Texts; the oldest go first."""


class KeptTexts(KeptRows):
    """Texts by key."""

    def __init__(self, path: Path) -> None:
        """Keep them in `path`, which is made by the first that is kept."""
        super().__init__(path, "texts", {"text": "text"})

    def get(self, key: str) -> str | None:
        """Return the text of a key; None: there is none."""
        return next((str(text) for (text,) in self.rows([key]).values()), None)

    def put(self, key: str, text: str) -> None:
        """Keep a text."""
        self.keep({key: (text,)}, MOST)
