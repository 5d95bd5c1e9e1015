"""What a grid is: its questions, its documents, and what is kept of each answer."""

from dataclasses import dataclass
from datetime import datetime

from rag_platform.core.ids import digest

MOST_GRIDS = 100
"""Of one owner."""
MOST_COLUMNS = 20
MOST_ROWS = 200
MOST_CELLS = 2000
"""Each is a question that is asked."""
LONGEST_NAME = 80
"""Characters of the name of a grid, and of a column."""
LONGEST_QUESTION = 1000
"""Characters."""


@dataclass(frozen=True, slots=True)
class Grid:
    """A grid, without its columns and rows."""

    id: str
    owner: str
    name: str
    generator: str
    """Who writes the answers; empty: the default."""
    collections: tuple[str, ...]
    """Of which it was made: their new documents are offered as rows."""
    readers: tuple[str, ...]
    """Who may read it beside its owner: people and groups; `*`: everybody; empty: nobody else."""
    token: str
    """The name of the token by which it was last filled, whose rights count; empty: the owner's."""
    principals: tuple[str, ...]
    """As whom it is filled: as its owner read when they last had it filled."""
    seen_at: datetime
    """When that was."""
    made_at: datetime
    filling: bool
    """Whether its cells are being written, or wait for their turn."""


@dataclass(frozen=True, slots=True)
class Column:
    """A question that is asked of each document."""

    id: int
    question: str
    name: str
    """What stands above the column; empty: the question."""

    @property
    def title(self) -> str:
        """What stands above the column."""
        return self.name or self.question


@dataclass(frozen=True, slots=True)
class Cell:
    """What is kept of an answer to a column's question from a row's document."""

    mark: str
    """Of what it was made from, as of `cell_mark`."""
    receipt_id: str | None
    """None: it failed, or was forgotten."""
    failed: bool
    """Whether it could not be asked."""
    seconds: float
    """That it took."""


def cell_mark(revision: str, question: str, generator: str) -> str:
    """Tell a cell from one of another revision of its document, another question or another generator."""
    return digest("cell", revision, question, generator)
