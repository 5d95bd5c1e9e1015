"""Judgements of a check, kept in a file: the same claim beside the same source is judged once.

Only whoever has a source in hand can ask for its judgement, and the file has no text: its keys are hashes. Forgetting
a document still empties it, because a hash tells somebody who kept the text that it was here.
"""

from collections.abc import Sequence
from dataclasses import astuple
from pathlib import Path

from rag_platform.answering.checks.check import Check, Judgement
from rag_platform.core.ids import digest
from rag_platform.storage.kept.kept_rows import KeptRows

FILE = "judgements.sqlite"
"""Below the data folder."""
MOST = 100_000
"""Judgements; the oldest go first."""


class JudgementFile(KeptRows):
    """Judgements by key."""

    def __init__(self, path: Path) -> None:
        """Keep them in `path`, which is made by the first that is kept."""
        super().__init__(path, "judgements", {"supported": "real", "contradicted": "real"})

    def get(self, keys: Sequence[str]) -> dict[str, Judgement]:
        """Return what is known of these keys."""
        return {key: Judgement(*row) for key, row in self.rows(keys).items()}

    def put(self, judgements: dict[str, Judgement]) -> None:
        """Keep judgements."""
        self.keep({key: astuple(one) for key, one in judgements.items()}, MOST)


class CachedCheck:
    """Another check, whose judgements are kept by its name, the claim and the source; fulfils `Check`."""

    def __init__(self, check: Check, file: JudgementFile) -> None:
        """Ask `check` for what is not in `file`."""
        self._check = check
        self._known = file

    @property
    def name(self) -> str:
        """The check's."""
        return self._check.name

    def __call__(self, pairs: Sequence[tuple[str, str]]) -> list[Judgement | None]:
        """Judge each (claim, source) as the check does; what it could not judge is asked again next time."""
        if not pairs:
            return []
        name = self.name
        keys = [digest(name, *pair, length=32) for pair in pairs]
        known = self._known.get(keys)
        missing = {key: pair for key, pair in zip(keys, pairs, strict=True) if key not in known}
        if missing:
            asked = zip(missing, self._check(list(missing.values())), strict=True)
            fresh = {key: judgement for key, judgement in asked if judgement}
            self._known.put(fresh)
            known |= fresh
        return [known.get(key) for key in keys]
